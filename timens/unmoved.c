// SPDX-License-Identifier: GPL-2.0
/* What a time namespace leaves as it is; see unmoved.h. */
#include <errno.h>
#include <stdio.h>
#include <sys/time.h>

#include "hop.h"
#include "unmoved.h"
#include "vdso.h"

#define SEC NSEC_PER_SEC

const struct offsets unmoved_offsets = { 5000 * SEC + 123456789,
					 9000 * SEC + 987654321 };

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

void unmoved_time_of_day(struct child_report *rep, void *arg)
{
	int64_t before, inside, after;
	int i, old;

	for (i = 0; days[i].name; i++) {
		before = clock_ns(days[i].clock);
		old = timens_enter(rep, &unmoved_offsets);
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

typedef int (*getres_fn)(clockid_t id, struct timespec *ts);

/* The system call of 32-bit programs for times after 2038; @other without it */
static int64_t resolution_time64(clockid_t id, int64_t other)
{
#ifdef __NR_clock_getres_time64
	struct {
		int64_t sec;
		int64_t nsec;
	} ts;

	if (syscall(__NR_clock_getres_time64, id, &ts) < 0)
		return -errno;
	return ts.sec * SEC + ts.nsec;
#else
	(void)id;
	return other;
#endif
}

#define RESOLUTIONS 4

/* By libc, by the system calls, and by vDSO where there is one. */
static void resolutions(struct child_report *rep, clockid_t id, int64_t *out)
{
	getres_fn fn = (getres_fn)vdso_find("clock_getres");
	struct timespec ts;

	out[0] = clock_res_ns(id);
	out[1] = syscall(SYS_clock_getres, id, &ts) ? -errno : timespec_ns(&ts);
	out[2] = resolution_time64(id, out[1]);
	out[3] = out[1];
	if (!fn || sizeof(time_t) != sizeof(long))
		return;
	out[3] = fn(id, &ts);
	if (!out[3]) {
		out[3] = timespec_ns(&ts);
		CHILD_EQ(rep, 0, fn(id, NULL));
	}
}

void unmoved_resolutions(struct child_report *rep, void *arg)
{
	int64_t outside[RESOLUTIONS], inside[RESOLUTIONS];
	int i, k, old;

	for (i = 0; i < clock_row_count; i++) {
		resolutions(rep, clock_rows[i].id, outside);
		old = timens_enter(rep, &unmoved_offsets);
		resolutions(rep, clock_rows[i].id, inside);
		timens_leave(rep, old);
		snprintf(rep->text, sizeof(rep->text), "(%s)",
			 clock_rows[i].name);
		for (k = 0; k < RESOLUTIONS; k++) {
			CHILD_EQ(rep, outside[1], outside[k]);
			CHILD_EQ(rep, outside[1], inside[k]);
		}
	}
}
