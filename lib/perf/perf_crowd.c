// SPDX-License-Identifier: GPL-2.0
/* A gatherer of processes that have ended; see perf_crowd.h. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "perf_crowd.h"
#include "procfs.h"

#define STACK 16384

/* What the kernel keeps of a process that has ended, generously. */
#define MEMBER_KB 20

/* So few never disturb, and need no /proc to make sure. */
#define FEW 1000

static int has_room(long members)
{
	long long threads, numbers, kb;
	char text[128];

	if (members <= FEW)
		return 1;
	if (proc_read("/proc/loadavg", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%*f %*f %*f %*d/%lld", &threads) != 1 ||
	    proc_number("/proc/sys/kernel/pid_max", "", &numbers) ||
	    proc_number("/proc/meminfo", "MemAvailable:", &kb))
		return 0;
	return threads + members <= numbers / 4 * 3 &&
	       members * MEMBER_KB <= kb;
}

static int end(void *arg)
{
	(void)arg;
	return 0;
}

/*
 * Answers with the number of the last member, or with a closed pipe.  Each
 * member is gone from the common memory before the next one comes.
 */
static void gather(int ready, long members, int flags)
{
	char stack[STACK] __attribute__((aligned(16)));
	pid_t pid = -1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_DFL);
	while (members--) {
		pid = clone(end, stack + STACK,
			    CLONE_VM | CLONE_VFORK | flags | SIGCHLD, NULL);
		if (pid < 0)
			_exit(1);
	}
	if (write(ready, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	for (;;)
		pause();
}

int perf_crowd(struct perf_ctx *ctx, long members, int flags)
{
	pid_t pid, last = -1;
	int ready[2];

	if (!has_room(members))
		return -EOPNOTSUPP;
	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0)
		gather(ready[1], members, flags);
	close(ready[1]);
	if (read(ready[0], &last, sizeof(last)) != sizeof(last))
		last = -1;
	close(ready[0]);
	ctx->word[0] = last;
	return pid < 0 || last < 0 ? -EOPNOTSUPP : 0;
}
