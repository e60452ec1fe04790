// SPDX-License-Identifier: GPL-2.0
/*
 * What a crowd of idle processes in the same pid namespace adds to the cost of
 * processes and threads: next to nothing, or a full machine crawls.
 *
 * Promises: a number is found and freed in a tree (kernel/pid.c:alloc_pid,
 *           free_pid; lib/idr.c:idr_alloc_cyclic), not in a list.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

static int kill_last(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid = ctx->word[0];
	int failed = 0;

	while (n--)
		failed |= kill(pid, 0);
	return failed ? -EINVAL : 0;
}

static void stay(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void gather(int ready, long members)
{
	pid_t pid = 0;

	while (members--) {
		pid = fork();
		if (pid == 0)
			stay();
		if (pid < 0)
			_exit(1);
	}
	if (write(ready, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	stay();
}

/* Not the worker's own children: it would look at them in every wait. */
static int make_crowd(struct perf_ctx *ctx)
{
	pid_t pid, last;
	int ready[2];

	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0)
		gather(ready[1], ctx->inside ? ctx->arg : 1);
	close(ready[1]);
	if (read(ready[0], &last, sizeof(last)) == sizeof(last))
		ctx->word[0] = last;
	close(ready[0]);
	return ctx->word[0] ? 0 : -EOPNOTSUPP;
}

FIXTURE(crowd)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(crowd)
{
	struct perf_row row;
};

FIXTURE_SETUP(crowd)
{
}

FIXTURE_TEARDOWN(crowd)
{
}

/* clang-format off */
#define ROW(name, op, members, limit) \
	.row = { "fork.crowd." name, op, members, &perf_apart, limit, 0, \
		 "the tree of numbers is one level higher", make_crowd, NEEDS_PROCESSES }

/* A fork also shares its memory, by the anon_vma of all, with the crowd. */
FIXTURE_VARIANT_ADD(crowd, fork_wait) { ROW("fork_wait.500", perf_fork_wait, 500, 1.20) };
FIXTURE_VARIANT_ADD(crowd, thread)    { ROW("thread.500", perf_thread, 500, 1.10) };
FIXTURE_VARIANT_ADD(crowd, kill)      { ROW("kill.500", kill_last, 500, 1.10) };
/* clang-format on */

TEST_F(crowd, costs_next_to_nothing)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
