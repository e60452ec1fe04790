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
#include "vdso.h"

#define SEC NSEC_PER_SEC
#define AUX 16 /* CLOCK_AUX of linux/time.h */
#define AUX_CLOCKS 8

static const struct offsets away = { 5000 * SEC + 123456789,
				     9000 * SEC + 987654321 };

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

/* Readers of the time of day; nanoseconds, or -ENOSYS where there is none. */
typedef int64_t (*day_fn)(void);

typedef int (*gettimeofday_fn)(struct timeval *tv, void *tz);
typedef time_t (*time_fn)(time_t *t);

static int64_t timeval_ns(const struct timeval *tv)
{
	return tv->tv_sec * SEC + tv->tv_usec * 1000;
}

static int64_t day_libc(void)
{
	struct timeval tv;

	gettimeofday(&tv, NULL);
	return timeval_ns(&tv);
}

static int64_t day_syscall(void)
{
#ifdef SYS_gettimeofday
	struct timeval tv;

	return syscall(SYS_gettimeofday, &tv, NULL) ? -errno : timeval_ns(&tv);
#else
	return -ENOSYS;
#endif
}

static int64_t day_vdso(void)
{
	gettimeofday_fn fn = (gettimeofday_fn)vdso_find("gettimeofday");
	struct timeval tv;

	if (!fn || sizeof(time_t) != sizeof(long))
		return -ENOSYS;
	return fn(&tv, NULL) ? -EINVAL : timeval_ns(&tv);
}

static int64_t time_libc(void)
{
	return time(NULL) * SEC;
}

static int64_t time_syscall(void)
{
#ifdef SYS_time
	return syscall(SYS_time, NULL) * SEC;
#else
	return -ENOSYS;
#endif
}

static int64_t time_vdso(void)
{
	time_fn fn = (time_fn)vdso_find("time");

	if (!fn || sizeof(time_t) != sizeof(long))
		return -ENOSYS;
	return fn(NULL) * SEC;
}

static const struct {
	const char *name;
	day_fn read;
	clockid_t clock; /* what it is a rounded copy of */
	int64_t unit;
} days[] = {
	{ "gettimeofday by libc", day_libc, CLOCK_REALTIME, 1000 },
	{ "gettimeofday by system call", day_syscall, CLOCK_REALTIME, 1000 },
	{ "gettimeofday by vDSO", day_vdso, CLOCK_REALTIME, 1000 },
	{ "time by libc", time_libc, CLOCK_REALTIME_COARSE, SEC },
	{ "time by system call", time_syscall, CLOCK_REALTIME_COARSE, SEC },
	{ "time by vDSO", time_vdso, CLOCK_REALTIME_COARSE, SEC },
	{ NULL },
};

static void read_time_of_day(struct child_report *rep, void *arg)
{
	int64_t before, inside, after;
	int i, old;

	for (i = 0; days[i].name; i++) {
		before = clock_ns(days[i].clock);
		old = timens_enter(rep, &away);
		inside = days[i].read();
		timens_leave(rep, old);
		after = clock_ns(days[i].clock);
		if (inside == -ENOSYS)
			continue;
		snprintf(rep->text, sizeof(rep->text), "(%s)", days[i].name);
		CHILD_LE(rep, before - before % days[i].unit, inside);
		CHILD_LE(rep, inside, after);
	}
}

TEST_F(away, the_time_of_day_is_the_same)
{
	run(_metadata, self, read_time_of_day);
}

/* What the kernel was told about the time zone, which few tell it today. */
static void read_time_zone(struct child_report *rep, void *arg)
{
	gettimeofday_fn fn = (gettimeofday_fn)vdso_find("gettimeofday");
	struct timezone outside, inside;
	struct timeval tv;

	CHILD_EQ(rep, 0, gettimeofday(&tv, &outside));
	close(timens_enter(rep, &away));
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
			old = timens_enter(rep, &away);
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

typedef int (*getres_fn)(clockid_t id, struct timespec *ts);

/* By libc, by system call and by vDSO where there is one. */
static void resolutions(struct child_report *rep, clockid_t id, int64_t *out)
{
	getres_fn fn = (getres_fn)vdso_find("clock_getres");
	struct timespec ts;

	out[0] = clock_res_ns(id);
	out[1] = syscall(SYS_clock_getres, id, &ts) ? -errno : timespec_ns(&ts);
	out[2] = out[1];
	if (!fn || sizeof(time_t) != sizeof(long))
		return;
	out[2] = fn(id, &ts);
	if (!out[2]) {
		out[2] = timespec_ns(&ts);
		CHILD_EQ(rep, 0, fn(id, NULL));
	}
}

static void read_resolutions(struct child_report *rep, void *arg)
{
	int64_t outside[3], inside[3];
	int i, k, old;

	for (i = 0; i < clock_row_count; i++) {
		resolutions(rep, clock_rows[i].id, outside);
		old = timens_enter(rep, &away);
		resolutions(rep, clock_rows[i].id, inside);
		timens_leave(rep, old);
		snprintf(rep->text, sizeof(rep->text), "(%s)",
			 clock_rows[i].name);
		for (k = 0; k < 3; k++) {
			CHILD_EQ(rep, outside[1], outside[k]);
			CHILD_EQ(rep, outside[1], inside[k]);
		}
	}
}

TEST_F(away, resolutions_are_the_same)
{
	run(_metadata, self, read_resolutions);
}

static void set_clocks(struct child_report *rep, void *arg)
{
	struct timespec ts = { .tv_sec = 1 };
	struct timex tx = { .modes = 0 };

	close(timens_enter(rep, &away));
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
			old = timens_enter(rep, &away);
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
