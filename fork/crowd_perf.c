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
#include <signal.h>

#include "perf_crowd.h"
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

static int make_crowd(struct perf_ctx *ctx)
{
	return perf_crowd(ctx, ctx->arg, 0);
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
