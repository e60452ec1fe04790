// SPDX-License-Identifier: GPL-2.0
/*
 * What reading a clock costs in a time namespace, where the vDSO has to find
 * the page with the offsets and to add one. The first version of time
 * namespaces made reads dearer outside as well, so this is watched.
 *
 * Promises: time_namespaces(7) as a means for every process of a container: a
 *           clock stays as cheap to read as outside, through the vDSO
 *           (lib/vdso/gettimeofday.c:do_hres_timens, do_coarse_timens).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "perf_expect.h"
#include "perf_ops.h"
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

/* Where it is a system call outside as well, this would measure nothing. */
static int need_vdso(struct perf_ctx *ctx)
{
	return env_vdso(ctx->arg) || ctx->inside ? 0 : -EOPNOTSUPP;
}

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

static int read_resolution(unsigned long n, struct perf_ctx *ctx)
{
	clockid_t id = ctx->arg;
	struct timespec t;
	int failed = 0;

	while (n--)
		failed |= clock_getres(id, &t);
	return failed ? -EINVAL : 0;
}

static int read_timeofday(unsigned long n, struct perf_ctx *ctx)
{
	struct timeval t;
	int failed = 0;

	(void)ctx;
	while (n--)
		failed |= gettimeofday(&t, NULL);
	return failed ? -EINVAL : 0;
}

static int read_time(unsigned long n, struct perf_ctx *ctx)
{
	time_t last = 0;

	(void)ctx;
	while (n--)
		last = time(NULL);
	return last < 0 ? -EINVAL : 0;
}

/* The first read of a process has to fault the vDSO's data in. */
static int fork_and_read(unsigned long n, struct perf_ctx *ctx)
{
	struct timespec t;
	int status;
	pid_t pid;

	while (n--) {
		pid = fork();
		if (pid == 0)
			_exit(clock_gettime(ctx->arg, &t) != 0);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return -ECHILD;
	}
	return 0;
}

static int open_timens(struct perf_ctx *ctx)
{
	return perf_open_ns(ctx, "/proc/self/ns/time");
}

/* Entering a time namespace, be it the own one, drops the vDSO's data. */
static int enter_and_read(unsigned long n, struct perf_ctx *ctx)
{
	struct timespec t;

	while (n--) {
		if (setns(ctx->word[0], CLONE_NEWTIME) ||
		    clock_gettime(ctx->arg, &t))
			return -errno;
	}
	return 0;
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
#define ROW(name, op, id, limit, slack, ...) \
	.row = { "timens." name, op, id, &perf_timens, limit, slack, __VA_ARGS__ }
#define VDSO(name, id) ROW("read." #name, read_vdso, CLOCK_##id, 1.05, 8, \
	"20 instructions to find and add an offset: at most 8 turns", \
	need_vdso, NEEDS_VDSO)
#define SYSCALL(name, id) ROW("syscall." #name, read_syscall, CLOCK_##id, \
	1.05, 0, "an addition, lost in the cost of a system call")
#define SAME(name, op, id) ROW(name, op, id, 1.05, 2, \
	"nothing to add; a test for a namespace at most")

FIXTURE_VARIANT_ADD(clock_read, monotonic)        { VDSO(monotonic, MONOTONIC) };
FIXTURE_VARIANT_ADD(clock_read, monotonic_coarse) { VDSO(monotonic_coarse, MONOTONIC_COARSE) };
FIXTURE_VARIANT_ADD(clock_read, monotonic_raw)    { VDSO(monotonic_raw, MONOTONIC_RAW) };
FIXTURE_VARIANT_ADD(clock_read, boottime)         { VDSO(boottime, BOOTTIME) };
FIXTURE_VARIANT_ADD(clock_read, realtime)         { VDSO(realtime, REALTIME) };
FIXTURE_VARIANT_ADD(clock_read, realtime_coarse)  { VDSO(realtime_coarse, REALTIME_COARSE) };
FIXTURE_VARIANT_ADD(clock_read, tai)              { VDSO(tai, TAI) };

FIXTURE_VARIANT_ADD(clock_read, syscall_monotonic)
	{ SYSCALL(monotonic, MONOTONIC) };
FIXTURE_VARIANT_ADD(clock_read, syscall_monotonic_coarse)
	{ SYSCALL(monotonic_coarse, MONOTONIC_COARSE) };
FIXTURE_VARIANT_ADD(clock_read, syscall_monotonic_raw)
	{ SYSCALL(monotonic_raw, MONOTONIC_RAW) };
FIXTURE_VARIANT_ADD(clock_read, syscall_boottime)
	{ SYSCALL(boottime, BOOTTIME) };
FIXTURE_VARIANT_ADD(clock_read, syscall_realtime)
	{ SYSCALL(realtime, REALTIME) };
FIXTURE_VARIANT_ADD(clock_read, syscall_thread_cputime)
	{ SYSCALL(thread_cputime, THREAD_CPUTIME_ID) };

FIXTURE_VARIANT_ADD(clock_read, gettimeofday)
	{ ROW("gettimeofday", read_timeofday, 0, 1.05, 8, "as for a clock") };
FIXTURE_VARIANT_ADD(clock_read, time)
	{ SAME("time", read_time, 0) };
FIXTURE_VARIANT_ADD(clock_read, resolution)
	{ SAME("getres", read_resolution, CLOCK_MONOTONIC) };
FIXTURE_VARIANT_ADD(clock_read, first_of_a_process)
	{ ROW("fork_read", fork_and_read, CLOCK_MONOTONIC, 1.05, 0,
	      "one page fault more, of 100 steps of a fork") };
FIXTURE_VARIANT_ADD(clock_read, first_after_setns)
	{ ROW("setns_read", enter_and_read, CLOCK_MONOTONIC, 1.25, 0,
	      "one page fault more, beside one and a system call",
	      open_timens, NEEDS_REAL_ROOT) };
/* clang-format on */

TEST_F(clock_read, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
