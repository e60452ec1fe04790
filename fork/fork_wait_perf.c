// SPDX-License-Identifier: GPL-2.0
/*
 * What a fork costs in a pid namespace: a pid per level is allocated, hashed
 * and freed. That this stayed cheap was argued about when pid namespaces went
 * in, with numbers that nobody could repeat.
 *
 * Promises: pid_namespaces(7); the work per level is small and does not grow
 *           (kernel/pid.c:alloc_pid, free_pid).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

FIXTURE(fork_wait)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(fork_wait)
{
	struct perf_row row;
};

FIXTURE_SETUP(fork_wait)
{
}

FIXTURE_TEARDOWN(fork_wait)
{
}

/*
 * The limit grows with depth: twice what a level was seen to cost, on top of
 * 5 %.  What grows faster than depth fails at 31 first.
 */
/* clang-format off */
#define ROW(name, place, limit, why) \
	.row = { "fork.fork_wait." name, perf_fork_wait, 0, place, limit, 0, why }
#define PIDNS(depth) ROW("pidns" #depth, &perf_pidns##depth, \
	1.05 + (depth) * 0.01, "1 % a level: one number, of 200 steps")

FIXTURE_VARIANT_ADD(fork_wait, in_pidns)    { PIDNS(1) };
FIXTURE_VARIANT_ADD(fork_wait, in_pidns_8)  { PIDNS(8) };
FIXTURE_VARIANT_ADD(fork_wait, in_pidns_31) { PIDNS(31) };
FIXTURE_VARIANT_ADD(fork_wait, in_timens)
	{ ROW("timens", &perf_timens, 1.05, "one more count of references") };
FIXTURE_VARIANT_ADD(fork_wait, in_userns)
	{ ROW("userns", &perf_userns, 1.05, "limits are counted once more") };
FIXTURE_VARIANT_ADD(fork_wait, in_both)
	{ ROW("both", &perf_both, 1.06, "the sum of both") };
/* clang-format on */

TEST_F(fork_wait, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
