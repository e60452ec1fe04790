// SPDX-License-Identifier: GPL-2.0
/*
 * What a time namespace does not move: the time of day, CPU time, resolutions.
 *
 * Promises: time_namespaces(7): "... does not virtualize CLOCK_REALTIME";
 *           gettimeofday(2), time(2), clock_getres(2), clock_settime(2),
 *           getrusage(2); lib/vdso/gettimeofday.c:__cvdso_gettimeofday_data(),
 *           __cvdso_time_data(), __cvdso_clock_getres_common().
 * Guards:   none.
 * Needs:    root or user namespaces; /proc.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timex.h>

#include "caps.h"
#include "expect.h"
#include "hop.h"
#include "probe_expect.h"
#include "unmoved.h"
#include "vdso.h"

#define SEC NSEC_PER_SEC
#define AUX 16 /* CLOCK_AUX of linux/time.h */
#define AUX_CLOCKS 8

FIXTURE(away)
{
	const char *missing;
};

FIXTURE_SETUP(away)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(away)
{
}

static void run(struct __test_metadata *_metadata, FIXTURE_DATA(away) * self,
		child_fn fn)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fn, NULL));
	expect_held(_metadata, &rep);
}

typedef int (*gettimeofday_fn)(struct timeval *tv, void *tz);

static int64_t timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * SEC + tv->tv_usec * 1000;
}

TEST_F(away, the_time_of_day_is_the_same)
{
	run(_metadata, self, unmoved_time_of_day);
}

TEST_F(away, the_time_of_day_is_the_same_to_32_bit_programs)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_probe(_metadata,
		     &(struct probe_job){ .check = PROBE_TIME_OF_DAY });
}

/* What the kernel was told about the time zone, which few tell it today. */
static void read_time_zone(struct child_report *rep, void *arg)
{
	gettimeofday_fn fn = (gettimeofday_fn)vdso_find("gettimeofday");
	struct timezone outside, inside;
	struct timeval tv;

	CHILD_EQ(rep, 0, gettimeofday(&tv, &outside));
	close(timens_enter(rep, &unmoved_offsets));
	CHILD_EQ(rep, 0, gettimeofday(&tv, &inside));
	CHILD_EQ(rep, outside.tz_minuteswest, inside.tz_minuteswest);
	if (!fn || sizeof(time_t) != sizeof(long))
		return;
	CHILD_EQ(rep, 0, fn(&tv, &inside));
	CHILD_EQ(rep, outside.tz_minuteswest, inside.tz_minuteswest);
}

TEST_F(away, the_time_zone_is_the_same)
{
	run(_metadata, self, read_time_zone);
}

static const clockid_t cpu_clocks[] = {
	CLOCK_PROCESS_CPUTIME_ID,
	CLOCK_THREAD_CPUTIME_ID,
};

static void read_cpu_clocks(struct child_report *rep, void *arg)
{
	int64_t before, inside, used, after;
	struct rusage usage;
	int i, path, old;

	for (i = 0; i < 2; i++) {
		for (path = 0; path <= CLOCK_BY_VDSO; path++) {
			before = clock_ns(cpu_clocks[i]);
			old = timens_enter(rep, &unmoved_offsets);
			inside = clock_ns_by(cpu_clocks[i], path);
			getrusage(RUSAGE_SELF, &usage);
			timens_leave(rep, old);
			after = clock_ns(cpu_clocks[i]);
			if (inside == -ENOSYS)
				continue;
			CHILD_LE(rep, before, inside);
			CHILD_LE(rep, inside, after);
			used = timeval_ns(&usage.ru_utime) +
			       timeval_ns(&usage.ru_stime);
			CHILD_LE(rep, used, after);
		}
	}
}

TEST_F(away, cpu_clocks_go_on)
{
	run(_metadata, self, read_cpu_clocks);
}

TEST_F(away, resolutions_are_the_same)
{
	run(_metadata, self, unmoved_resolutions);
}

TEST_F(away, resolutions_are_the_same_to_32_bit_programs)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_probe(_metadata,
		     &(struct probe_job){ .check = PROBE_RESOLUTIONS });
}

static void set_clocks(struct child_report *rep, void *arg)
{
	struct timespec ts = { .tv_sec = 1 };
	struct timex tx = { .modes = 0 };

	close(timens_enter(rep, &unmoved_offsets));
	CHILD_EQ(rep, -1, clock_settime(CLOCK_MONOTONIC, &ts));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, clock_settime(CLOCK_BOOTTIME, &ts));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, clock_adjtime(CLOCK_MONOTONIC, &tx));
	CHILD_EQ(rep, EOPNOTSUPP, errno);
	CHILD_OK(rep, clock_adjtime(CLOCK_REALTIME, &tx));
}

TEST_F(away, clocks_that_are_moved_cannot_be_set)
{
	run(_metadata, self, set_clocks);
}

static void read_auxiliary(struct child_report *rep, void *arg)
{
	int64_t before, inside, after;
	int id, path, old, found = 0;

	for (id = AUX; id < AUX + AUX_CLOCKS; id++) {
		before = clock_ns(id);
		if (before < 0)
			continue;
		found = 1;
		for (path = 0; path <= CLOCK_BY_VDSO; path++) {
			before = clock_ns(id);
			old = timens_enter(rep, &unmoved_offsets);
			inside = clock_ns_by(id, path);
			timens_leave(rep, old);
			after = clock_ns(id);
			CHILD_LE(rep, before, inside);
			CHILD_LE(rep, inside, after);
		}
	}
	if (!found)
		child_skip(rep, NEEDS_AUX_CLOCK);
}

TEST_F(away, auxiliary_clocks_are_the_same)
{
	run(_metadata, self, read_auxiliary);
}

TEST_HARNESS_MAIN
