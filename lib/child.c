// SPDX-License-Identifier: GPL-2.0
/* Children that report instead of judging; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void child_stop(struct child_report *rep)
{
	rep->done = 1;
	if (rep->home)
		longjmp(*(jmp_buf *)rep->home, 1);
	_exit(rep->skip ? 0 : CHILD_STOPPED);
}

void child_fail(struct child_report *rep, const char *file, int line,
		const char *what, const char *relation, long long want,
		long long got)
{
	rep->file = file;
	rep->line = line;
	rep->what = what;
	rep->relation = relation;
	rep->want = want;
	rep->got = got;
	child_stop(rep);
}

void child_skip(struct child_report *rep, const char *reason)
{
	rep->skip = reason;
	child_stop(rep);
}

int child_held(const struct child_report *rep)
{
	return rep->done && !rep->file && !rep->signal && !rep->code;
}

void child_pass_on(struct child_report *rep, const char *file, int line,
		   const struct child_report *inner)
{
	if (inner->skip)
		child_skip(rep, inner->skip);
	if (child_held(inner))
		return;
	memcpy(rep->text, inner->text, sizeof(rep->text));
	if (inner->file)
		child_fail(rep, inner->file, inner->line, inner->what,
			   inner->relation, inner->want, inner->got);
	if (inner->signal)
		child_fail(rep, file, line, "signal that ended the child",
			   "==", 0, inner->signal);
	child_fail(rep, file, line, "exit code of the child", "==", 0,
		   inner->code);
}

void child_die_with_parent(struct child_report *rep)
{
	struct pollfd parent = { .fd = rep->parent_fd, .events = POLLIN };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/*
	 * The parent may have died before that; getppid() cannot tell, it is 0
	 * in the first process of a pid namespace.
	 */
	if (poll(&parent, 1, 0) > 0)
		_exit(CHILD_STOPPED);
}

static pid_t legacy_clone(const struct uapi_clone_args *args)
{
	unsigned long flags = args->flags | args->exit_signal;

	if (args->set_tid_size || args->flags >> 32 ||
	    args->flags & CLONE_NEWTIME) {
		errno = ENOSYS;
		return -1;
	}
#if defined(__s390__) || defined(__CRIS__)
	return syscall(__NR_clone, 0, flags, args->pidfd, 0, 0);
#else
	return syscall(__NR_clone, flags, 0, args->pidfd, 0, 0);
#endif
}

static void child_main(struct child_report *rep, child_fn fn, void *arg)
{
	child_die_with_parent(rep);
	fn(rep, arg);
	rep->done = 1;
	_exit(0);
}

static void child_free(struct child *c)
{
	if (c->page)
		munmap(c->page, sizeof(*c->page));
	fd_close(&c->pidfd);
	*c = CHILD_NONE;
}

int child_start_tid(struct child *c, __u64 flags, const pid_t *tid, size_t tids,
		    child_fn fn, void *arg)
{
	struct uapi_clone_args args = {
		.flags = flags | CLONE_PIDFD,
		.pidfd = (uintptr_t)&c->pidfd,
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)tid,
		.set_tid_size = tids,
	};
	int ret, parent_fd;

	*c = CHILD_NONE;
	parent_fd = sys_pidfd_open(getpid(), 0);
	if (parent_fd < 0)
		return -errno;
	c->page = mmap(NULL, sizeof(*c->page), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->page == MAP_FAILED) {
		ret = -errno;
		c->page = NULL;
		goto out;
	}
	c->page->parent_fd = parent_fd;
	ret = sys_clone3(&args, sizeof(args));
	if (ret < 0 && errno == ENOSYS)
		ret = legacy_clone(&args);
	if (ret == 0)
		child_main(c->page, fn, arg);
	if (ret < 0) {
		ret = -errno;
		c->pidfd = -1;
		child_free(c);
		goto out;
	}
	c->pid = ret;
	ret = 0;
out:
	close(parent_fd);
	return ret;
}

int child_start(struct child *c, __u64 flags, child_fn fn, void *arg)
{
	return child_start_tid(c, flags, NULL, 0, fn, arg);
}

static int wait_event(struct pollfd *fds, int n)
{
	int ret;

	do
		ret = poll(fds, n, CHILD_DEADLINE_MS);
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -ETIMEDOUT;
}

/* Reap exactly this child; waitid() by pid, P_PIDFD is not older than 5.4. */
static int child_reap(struct child *c, struct child_report *rep)
{
	siginfo_t end = { 0 };
	int ret;

	do
		ret = waitid(P_PID, c->pid, &end, WEXITED);
	while (ret < 0 && errno == EINTR);
	ret = ret < 0 ? -errno : 0;
	if (rep) {
		*rep = *c->page;
		rep->code = end.si_code == CLD_EXITED ? end.si_status : -1;
		rep->signal = end.si_code == CLD_EXITED ? 0 : end.si_status;
	}
	child_free(c);
	return ret;
}

int child_wait(struct child *c, struct child_report *rep)
{
	struct pollfd pfd = { .fd = c->pidfd, .events = POLLIN };
	int ret;

	if (c->pid <= 0)
		return -ECHILD;
	ret = wait_event(&pfd, 1);
	if (ret < 0) {
		kill(c->pid, SIGKILL);
		child_reap(c, rep);
		return ret;
	}
	return child_reap(c, rep);
}

int child_kill(struct child *c)
{
	if (c->pid <= 0)
		return 0;
	if (kill(c->pid, SIGKILL) < 0)
		return -errno;
	return child_wait(c, NULL);
}

int child_run(struct child_report *rep, __u64 flags, child_fn fn, void *arg)
{
	struct child c;
	int ret;

	memset(rep, 0, sizeof(*rep));
	ret = child_start(&c, flags, fn, arg);
	if (ret < 0)
		return ret;
	return child_wait(&c, rep);
}
