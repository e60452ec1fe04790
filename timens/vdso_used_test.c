// SPDX-License-Identifier: GPL-2.0
/*
 * In a time namespace the vDSO does without system calls just what it does
 * without them outside.
 *
 * Promises: time_namespaces(7) as something for every process of a container:
 *           lib/vdso/gettimeofday.c:do_hres_timens, do_coarse_timens. Counted,
 *           not timed, so it holds under load and emulation as well.
 * Guards:   none.
 * Needs:    root or user namespaces, CONFIG_SECCOMP_FILTER.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/time.h>

#include "caps.h"
#include "procfs.h"
#include "vdso.h"
#include "witness_expect.h"

#define ROUNDS 100
/* Only the filter answers with this one. */
#define MARK EXDEV

enum what { GETTIME, GETTIMEOFDAY, SECONDS, GETRES };

typedef int (*clock_fn)(clockid_t id, struct timespec *ts);
typedef int (*gettimeofday_fn)(struct timeval *tv, struct timezone *tz);
typedef time_t (*time_fn)(time_t *t);

static const int numbers[] = {
	__NR_clock_gettime,
	__NR_clock_getres,
#ifdef __NR_clock_gettime64
	__NR_clock_gettime64,
	__NR_clock_getres_time64,
#endif
#ifdef __NR_gettimeofday
	__NR_gettimeofday,
#endif
#ifdef __NR_time
	__NR_time,
#endif
	-1,
};

#define MOST_NUMBERS 8

static struct sock_filter step(int code, __u32 k, __u8 skip_if_not)
{
	return (struct sock_filter){ code, 0, skip_if_not, k };
}

/* From now on the calls that read clocks fail with MARK. */
static int mark_system_calls(void)
{
	struct sock_filter code[2 * MOST_NUMBERS + 2];
	struct sock_filter *next = code;
	struct sock_fprog prog = { .filter = code };
	const int *nr;

	*next++ = step(BPF_LD | BPF_W | BPF_ABS,
		       offsetof(struct seccomp_data, nr), 0);
	for (nr = numbers; *nr >= 0; nr++) {
		*next++ = step(BPF_JMP | BPF_JEQ | BPF_K, *nr, 1);
		*next++ = step(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | MARK, 0);
	}
	*next++ = step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0);
	prog.len = next - code;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0)
		return -errno;
	return 0;
}

/* struct use - what to call */
struct use {
	enum what what;
	clockid_t id;
	void *fn;
};

static void *find(enum what what)
{
	static const char *const name[] = {
		[GETTIME] = "clock_gettime",
		[GETTIMEOFDAY] = "gettimeofday",
		[SECONDS] = "time",
		[GETRES] = "clock_getres",
	};

	return vdso_find(name[what]);
}

static int call_once(const struct use *use)
{
	struct timespec ts;
	struct timeval tv;

	switch (use->what) {
	case GETTIME:
	case GETRES:
		return ((clock_fn)use->fn)(use->id, &ts);
	case GETTIMEOFDAY:
		return ((gettimeofday_fn)use->fn)(&tv, NULL);
	case SECONDS:
		return ((time_fn)use->fn)(NULL) == -MARK ? -MARK : 0;
	}
	return -EINVAL;
}

/* How many of the calls became system calls. */
static void count(struct child_report *rep, void *arg)
{
	const struct use *use = arg;
	int i, ret;

	ret = mark_system_calls();
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_SECCOMP);
	CHILD_OK(rep, ret);
	for (i = 0; i < ROUNDS; i++) {
		ret = call_once(use);
		if (ret == -MARK)
			rep->value[0]++;
		else
			CHILD_EQ(rep, 0, ret);
	}
}

FIXTURE(calls)
{
	const char *missing;
	struct use use;
};

FIXTURE_VARIANT(calls)
{
	enum what what;
	clockid_t id;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(calls, realtime)           { GETTIME, CLOCK_REALTIME };
FIXTURE_VARIANT_ADD(calls, realtime_coarse)    { GETTIME, CLOCK_REALTIME_COARSE };
FIXTURE_VARIANT_ADD(calls, realtime_alarm)     { GETTIME, CLOCK_REALTIME_ALARM };
FIXTURE_VARIANT_ADD(calls, monotonic)          { GETTIME, CLOCK_MONOTONIC };
FIXTURE_VARIANT_ADD(calls, monotonic_raw)      { GETTIME, CLOCK_MONOTONIC_RAW };
FIXTURE_VARIANT_ADD(calls, monotonic_coarse)   { GETTIME, CLOCK_MONOTONIC_COARSE };
FIXTURE_VARIANT_ADD(calls, boottime)           { GETTIME, CLOCK_BOOTTIME };
FIXTURE_VARIANT_ADD(calls, boottime_alarm)     { GETTIME, CLOCK_BOOTTIME_ALARM };
FIXTURE_VARIANT_ADD(calls, tai)                { GETTIME, CLOCK_TAI };
FIXTURE_VARIANT_ADD(calls, process_cpu)        { GETTIME, CLOCK_PROCESS_CPUTIME_ID };
FIXTURE_VARIANT_ADD(calls, thread_cpu)         { GETTIME, CLOCK_THREAD_CPUTIME_ID };
FIXTURE_VARIANT_ADD(calls, gettimeofday)       { GETTIMEOFDAY, 0 };
FIXTURE_VARIANT_ADD(calls, time)               { SECONDS, 0 };
FIXTURE_VARIANT_ADD(calls, getres_realtime)    { GETRES, CLOCK_REALTIME };
FIXTURE_VARIANT_ADD(calls, getres_monotonic)   { GETRES, CLOCK_MONOTONIC };
FIXTURE_VARIANT_ADD(calls, getres_raw)         { GETRES, CLOCK_MONOTONIC_RAW };
FIXTURE_VARIANT_ADD(calls, getres_coarse)      { GETRES, CLOCK_MONOTONIC_COARSE };
FIXTURE_VARIANT_ADD(calls, getres_boottime)    { GETRES, CLOCK_BOOTTIME };
/* clang-format on */

FIXTURE_SETUP(calls)
{
	self->use.what = variant->what;
	self->use.id = variant->id;
	self->use.fn = find(variant->what);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && !self->use.fn)
		self->missing = NEEDS_VDSO;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(calls)
{
}

/* Outside, inside, outside; a clocksource that was given up meanwhile shows. */
TEST_F(calls, are_the_same)
{
	struct child_report before, inside, after;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&before, 0, count, &self->use));
	expect_held(_metadata, &before);
	if (before.skip)
		return;
	ASSERT_EQ(0, child_run(&after, 0, count, &self->use));
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, child_run(&inside, 0, count, &self->use));
	expect_held(_metadata, &inside);
	if (before.value[0] != after.value[0])
		SKIP(return, INCONCLUSIVE);
	EXPECT_EQ(before.value[0], inside.value[0]);
}

TEST_HARNESS_MAIN
