// SPDX-License-Identifier: GPL-2.0
/* A gatherer and those who stay with it; see perf_crowd.h. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "perf_crowd.h"
#include "procfs.h"

/* Of a member: whoever only waits touches one page of it. */
#define STACK 8192
#define MEMBER_KB 60

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

static int stay(void *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pause() < 0)
		;
	return 0;
}

/* Answers with the number of the last member, or with a closed pipe. */
static void gather(int ready, long members, int flags)
{
	char *stacks = mmap(NULL, members * STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pid_t pid = -1;
	long i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (stacks == MAP_FAILED)
		_exit(1);
	for (i = 1; i <= members; i++) {
		pid = clone(stay, stacks + i * STACK,
			    CLONE_VM | CLONE_FS | CLONE_FILES | flags | SIGCHLD,
			    NULL);
		if (pid < 0)
			_exit(1);
	}
	if (write(ready, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	stay(NULL);
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
		gather(ready[1], ctx->inside ? members : 1, flags);
	close(ready[1]);
	if (read(ready[0], &last, sizeof(last)) != sizeof(last))
		last = -1;
	close(ready[0]);
	ctx->word[0] = last;
	return pid < 0 || last < 0 ? -EOPNOTSUPP : 0;
}
