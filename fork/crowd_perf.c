// SPDX-License-Identifier: GPL-2.0
/*
 * What a crowd of processes in the same pid namespace adds to the cost of
 * processes and threads: next to nothing, or a full machine crawls.  Also where
 * numbers start over, and the free ones have to be searched for.
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
	return perf_crowd(ctx, ctx->inside ? ctx->arg : 1, 0);
}

/* So few that the search for the next free number counts. */
#define BEFORE_END 1
#define AFTER_END 2

static int make_crowd_at_end(struct perf_ctx *ctx)
{
	int ret = perf_open_end(ctx, BEFORE_END);

	return ret ? ret : make_crowd(ctx);
}

static int fork_around(unsigned long n, struct perf_ctx *ctx)
{
	int ret = 0;

	while (n-- && !ret) {
		ret = perf_near_end(ctx);
		if (!ret)
			ret = perf_fork_wait(BEFORE_END + AFTER_END, ctx);
	}
	return ret;
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
#define WHY "the tree of numbers is one level higher"
#define ROW(name, op, members, limit, ...) \
	.row = { "fork.crowd." name, op, members, &perf_apart, limit, 0, WHY, __VA_ARGS__ }
#define CROWD(name, op, members, limit, weight) \
	ROW(name "." #members, op, members, limit, make_crowd, NEEDS_PROCESSES, weight)
#define WRAP(members, needs, weight) \
	ROW("wrap." #members, fork_around, members, 1.10, make_crowd_at_end, needs, weight)

FIXTURE_VARIANT_ADD(crowd, fork_wait) { CROWD("fork_wait", perf_fork_wait, 500, 1.20, 1) };
FIXTURE_VARIANT_ADD(crowd, thread)    { CROWD("thread", perf_thread, 500, 1.10, 1) };
FIXTURE_VARIANT_ADD(crowd, kill)      { CROWD("kill", kill_last, 500, 1.10, 1) };
FIXTURE_VARIANT_ADD(crowd, wrap)      { WRAP(1, NEEDS_CHECKPOINT_RESTORE, 1) };

FIXTURE_VARIANT_ADD(crowd, fork_wait_20000)
	{ CROWD("fork_wait", perf_fork_wait, 20000, 1.20, 3) };
FIXTURE_VARIANT_ADD(crowd, thread_20000)
	{ CROWD("thread", perf_thread, 20000, 1.20, 3) };
FIXTURE_VARIANT_ADD(crowd, kill_20000)
	{ CROWD("kill", kill_last, 20000, 1.20, 3) };
FIXTURE_VARIANT_ADD(crowd, wrap_20000)
	{ WRAP(20000, NEEDS_PROCESSES, 3) };
/* clang-format on */

TEST_F(crowd, costs_next_to_nothing)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
