// SPDX-License-Identifier: GPL-2.0
/*
 * What reading a clock costs in a time namespace, continued: by system call
 * those that the vDSO usually reads or nobody moves, and as the first thing
 * that a program does.
 *
 * Promises: time_namespaces(7) as a means for every process of a container
 *           (kernel/time/posix-timers.c:clock_gettime).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <time.h>

#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

static int read_syscall(unsigned long n, struct perf_ctx *ctx)
{
	clockid_t id = ctx->arg;
	long long t[2];
	long failed = 0;

	while (n--) {
#ifdef __NR_clock_gettime
		failed |= syscall(__NR_clock_gettime, id, t);
#else
		failed |= syscall(__NR_clock_gettime64, id, t);
#endif
	}
	return failed ? -EINVAL : 0;
}

static int open_probe(struct perf_ctx *ctx)
{
	ctx->word[0] = perf_open_probe("first_read_probe");
	return ctx->word[0] < 0 ? ctx->word[0] : 0;
}

FIXTURE(clock_seldom)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(clock_seldom)
{
	struct perf_row row;
};

FIXTURE_SETUP(clock_seldom)
{
}

FIXTURE_TEARDOWN(clock_seldom)
{
}

/* clang-format off */
#define SYSCALL(name, id) .row = { \
	"timens.syscall." name, read_syscall, CLOCK_##id, &perf_timens, 1.05, \
	0, "an addition at most, lost in the cost of a system call" }

FIXTURE_VARIANT_ADD(clock_seldom, realtime_coarse)
	{ SYSCALL("realtime_coarse", REALTIME_COARSE) };
FIXTURE_VARIANT_ADD(clock_seldom, tai)
	{ SYSCALL("tai", TAI) };
FIXTURE_VARIANT_ADD(clock_seldom, process_cputime)
	{ SYSCALL("process_cputime", PROCESS_CPUTIME_ID) };
FIXTURE_VARIANT_ADD(clock_seldom, first_of_a_program) { .row = {
	"timens.exec_read", perf_fork_exec, 0, &perf_timens, 1.05, 0,
	"one page fault more, of 200 steps of an exec", open_probe } };
/* clang-format on */

TEST_F(clock_seldom, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
