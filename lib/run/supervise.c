// SPDX-License-Identifier: GPL-2.0
/* Watch one test program until everything it started is gone. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise.h"

/*
 * The init of a pid namespace dies a moment after the program that was its
 * parent, and longer on a busy machine: that is not leaving it behind.
 */
#define GRACE_MS 3000

static int start(struct run *run)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) || fcntl(fds[0], F_SETFL, O_NONBLOCK))
		return -errno;
	run->klog_fd = klog_open();
	run->old_taint = kernel_taint();
	run->output_fd = fds[0];
	run->out.start_ms = now_ms();
	utc_now(run->start, sizeof(run->start));
	run->pid = fork();
	if (run->pid < 0)
		return -errno;
	if (run->pid == 0)
		become_program(run->argv, run->dir, fds[1]);
	close(fds[1]);
	return 0;
}

/* One piece only: whoever writes without end must not keep us from the clock. */
static bool copy_output(struct run *run)
{
	char bytes[65536];
	ssize_t n;

	if (run->output_fd < 0)
		return false;
	n = read(run->output_fd, bytes, sizeof(bytes));
	if (n == 0) {
		close(run->output_fd);
		run->output_fd = -1;
	}
	if (n <= 0)
		return false;
	lines_add(&run->out, bytes, n);
	return true;
}

/* Returns true when told to stop. */
static bool wait_for_news(struct run *run, long long deadline)
{
	struct pollfd fds[] = {
		{ .fd = run->signal_fd, .events = POLLIN },
		{ .fd = run->output_fd, .events = POLLIN },
		{ .fd = run->klog_fd, .events = POLLIN },
	};
	long long ms = deadline ? deadline - now_ms() : -1;
	struct signalfd_siginfo info;

	if (deadline && ms < 0)
		ms = 0;
	poll(fds, 3, ms > 60000 ? 60000 : (int)ms);
	if (fds[2].revents)
		klog_copy(run->klog_fd, run->klog_file);
	copy_output(run);
	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			return true;
	return false;
}

static void note_end(struct run *run, int status)
{
	run->duration_ms = now_ms() - run->out.start_ms;
	run->end = WIFSIGNALED(status) ? "signal" : "exit";
	run->code = WIFSIGNALED(status) ? WTERMSIG(status) :
					  WEXITSTATUS(status);
}

static void note_cut(struct run *run, const char *why)
{
	run->duration_ms = now_ms() - run->out.start_ms;
	run->end = why;
}

static void watch(struct run *run)
{
	long long deadline = 0;
	int status = 0, found;

	if (run->limit_ms)
		deadline = run->out.start_ms + run->limit_ms;
	for (;;) {
		if (wait_for_news(run, deadline)) {
			if (!run->end)
				note_cut(run, "stopped");
			return;
		}
		found = reap_ended(run->end ? 0 : run->pid, &status);
		if (found & 2) {
			note_end(run, status);
			deadline = now_ms() + GRACE_MS;
		}
		if (run->end && !(found & 1))
			return;
		if (!deadline || now_ms() < deadline)
			continue;
		if (!run->end)
			note_cut(run, "timeout");
		else
			run->left = name_children(run->left_names,
						  sizeof(run->left_names));
		return;
	}
}

static void write_status(struct run *run)
{
	FILE *f = fopen(run->status, "we");

	if (!f)
		return;
	fprintf(f, "start=%s\nduration_ms=%lld\nend=%s\ncode=%d\n", run->start,
		run->duration_ms, run->end, run->code);
	fprintf(f, "new_taint=%lu\n", kernel_taint() & ~run->old_taint);
	fprintf(f, "klog=%d\nleft=%d\nleft_names=%s\nimmortal=%d\n",
		run->klog_fd < 0 ? -run->klog_fd : 0, run->left,
		run->left_names, run->immortal);
	fclose(f);
}

void supervise(struct run *run)
{
	int ret;

	ret = start(run);
	if (ret) {
		run->end = "error";
		run->code = -ret;
	} else {
		watch(run);
		run->immortal = kill_everything() != 0;
		while (copy_output(run))
			;
		if (run->klog_fd >= 0)
			klog_copy(run->klog_fd, run->klog_file);
	}
	if (lines_end(&run->out)) {
		run->end = "error";
		run->code = ENOSPC;
	}
	write_status(run);
}
