// SPDX-License-Identifier: GPL-2.0
/*
 * How the cost of processes and threads grows with the depth of their pid
 * namespace: each level wants a number allocated, hashed and freed, so in
 * proportion and no faster.
 *
 * Promises: pid_namespaces(7); the work is the same for each level
 *           (kernel/pid.c:alloc_pid, free_pid).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

FIXTURE(depth)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(depth)
{
	struct perf_row row;
};

FIXTURE_SETUP(depth)
{
}

FIXTURE_TEARDOWN(depth)
{
}

/*
 * At each depth, twice what a level was seen to cost, on top of 5 %: as in
 * fork_wait_perf.c and process_perf.c, which have the depths 1, 8 and 31.
 *
 * Growth compares depth 31 with depth 16.  Both pay for what does not depend
 * on depth, so a cost in proportion to depth less than doubles; how far less
 * depends on how much that is.
 */
/* clang-format off */
#define ROW(name, op, place, limit, why) \
	.row = { "fork." name, op, 0, place, limit, 0, why }
#define DEPTH(name, op, depth, level) \
	ROW(name ".pidns" #depth, op, &perf_pidns##depth, \
	    1.05 + (depth) * (level), "one number for each level, " #level " each")
#define GROWTH(name, op, level) \
	ROW(name ".growth", op, &perf_twice, \
	    1.05 + (31 - 16) * (level), "one number for each of 15 levels, " #level " each")
#define FORK(depth) DEPTH("fork_wait", perf_fork_wait, depth, 0.01)
#define VFORK(depth) DEPTH("vfork", perf_vfork_wait, depth, 0.08)
#define THREAD(depth) DEPTH("thread", perf_thread, depth, 0.10)

FIXTURE_VARIANT_ADD(depth, fork_wait_2)  { FORK(2) };
FIXTURE_VARIANT_ADD(depth, fork_wait_4)  { FORK(4) };
FIXTURE_VARIANT_ADD(depth, fork_wait_16) { FORK(16) };
FIXTURE_VARIANT_ADD(depth, vfork_2)      { VFORK(2) };
FIXTURE_VARIANT_ADD(depth, vfork_4)      { VFORK(4) };
FIXTURE_VARIANT_ADD(depth, vfork_16)     { VFORK(16) };
FIXTURE_VARIANT_ADD(depth, thread_2)     { THREAD(2) };
FIXTURE_VARIANT_ADD(depth, thread_4)     { THREAD(4) };
FIXTURE_VARIANT_ADD(depth, thread_16)    { THREAD(16) };

FIXTURE_VARIANT_ADD(depth, fork_wait_growth)
	{ GROWTH("fork_wait", perf_fork_wait, 0.01) };
FIXTURE_VARIANT_ADD(depth, vfork_growth)
	{ GROWTH("vfork", perf_vfork_wait, 0.04) };
FIXTURE_VARIANT_ADD(depth, thread_growth)
	{ GROWTH("thread", perf_thread, 0.04) };
/* clang-format on */

TEST_F(depth, costs_no_more_than_in_proportion)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
