// SPDX-License-Identifier: GPL-2.0
/*
 * What reading a clock costs in a time namespace, where the vDSO has to find
 * the page with the offsets and to add one.
 *
 * Promises: time_namespaces(7) as a means for every process of a container: a
 *           clock stays as cheap to read as outside, through the vDSO
 *           (lib/vdso/gettimeofday.c:do_hres_timens, do_coarse_timens).
 * Guards:   none; the first version of time namespaces made reads dearer
 *           outside as well, which is why this is watched.
 * Needs:    root or user namespaces.
 */
#include <time.h>

#include "perf_expect.h"
#include "perf_place.h"

static int read_vdso(unsigned long n, struct perf_ctx *ctx)
{
	clockid_t id = ctx->arg;
	struct timespec t;
	int failed = 0;

	while (n--)
		failed |= clock_gettime(id, &t);
	return failed ? -EINVAL : 0;
}

static int read_syscall(unsigned long n, struct perf_ctx *ctx)
{
	clockid_t id = ctx->arg;
	struct timespec t;
	long failed = 0;

	while (n--)
		failed |= syscall(SYS_clock_gettime, id, &t);
	return failed ? -EINVAL : 0;
}

FIXTURE(clock_read)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(clock_read)
{
	struct perf_row row;
};

FIXTURE_SETUP(clock_read)
{
}

FIXTURE_TEARDOWN(clock_read)
{
}

/* clang-format off */
#define VDSO_WHY "20 instructions to find and add an offset: at most 8 turns"
#define VDSO(name, id) .row = { "timens.read." #name, \
	read_vdso, CLOCK_##id, &perf_timens, 1.05, 8, VDSO_WHY }
#define SYSCALL_WHY "an addition, lost in the cost of a system call"
#define SYSCALL(name, id) .row = { "timens.read." #name ".syscall", \
	read_syscall, CLOCK_##id, &perf_timens, 1.05, 0, SYSCALL_WHY }

FIXTURE_VARIANT_ADD(clock_read, monotonic)         { VDSO(monotonic, MONOTONIC) };
FIXTURE_VARIANT_ADD(clock_read, boottime)          { VDSO(boottime, BOOTTIME) };
FIXTURE_VARIANT_ADD(clock_read, monotonic_raw)     { VDSO(monotonic_raw, MONOTONIC_RAW) };
FIXTURE_VARIANT_ADD(clock_read, monotonic_coarse)  { VDSO(monotonic_coarse, MONOTONIC_COARSE) };
FIXTURE_VARIANT_ADD(clock_read, realtime)          { VDSO(realtime, REALTIME) };
FIXTURE_VARIANT_ADD(clock_read, realtime_coarse)   { VDSO(realtime_coarse, REALTIME_COARSE) };
FIXTURE_VARIANT_ADD(clock_read, monotonic_syscall) { SYSCALL(monotonic, MONOTONIC) };
FIXTURE_VARIANT_ADD(clock_read, boottime_syscall)  { SYSCALL(boottime, BOOTTIME) };
FIXTURE_VARIANT_ADD(clock_read, realtime_syscall)  { SYSCALL(realtime, REALTIME) };
/* clang-format on */

TEST_F(clock_read, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
