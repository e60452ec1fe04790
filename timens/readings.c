// SPDX-License-Identifier: GPL-2.0
/* Every clock on every path; see readings.h. */
#include <errno.h>

#include "readings.h"
#include "vdso.h"

const char *const read_path_names[READ_PATHS] = {
	[READ_LIBC] = "by libc",
	[READ_SYSCALL] = "by system call",
	[READ_VDSO] = "by vDSO",
	[READ_SYSCALL_TIME64] = "by 64-bit system call",
	[READ_VDSO_TIME64] = "by 64-bit vDSO",
};

/* struct __kernel_timespec, whatever time_t the C library uses */
struct time64 {
	int64_t sec;
	int64_t nsec;
};

static int64_t combine(int64_t sec, int64_t nsec)
{
	if (nsec < 0 || nsec >= NSEC_PER_SEC)
		return -EBADMSG;
	return sec * NSEC_PER_SEC + nsec;
}

static int64_t by_libc(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) < 0)
		return -errno;
	return combine(ts.tv_sec, ts.tv_nsec);
}

/* What the kernel calls a time by default: long, also in 32-bit programs. */
struct time_long {
	long sec;
	long nsec;
};

static int64_t by_syscall(clockid_t id)
{
	struct time_long ts;

	if (syscall(__NR_clock_gettime, id, &ts) < 0)
		return -errno;
	return combine(ts.sec, ts.nsec);
}

typedef int (*vdso_long_fn)(clockid_t id, struct time_long *ts);

static int64_t by_vdso(clockid_t id)
{
	vdso_long_fn fn = (vdso_long_fn)vdso_find("clock_gettime");
	struct time_long ts;
	int ret;

	if (!fn)
		return READ_ABSENT;
	ret = vdso_error(fn(id, &ts));
	return ret ? ret : combine(ts.sec, ts.nsec);
}

static int64_t by_syscall_time64(clockid_t id)
{
#ifdef __NR_clock_gettime64
	struct time64 ts;

	if (syscall(__NR_clock_gettime64, id, &ts) < 0)
		return -errno;
	return combine(ts.sec, ts.nsec);
#else
	(void)id;
	return READ_ABSENT;
#endif
}

typedef int (*vdso_time64_fn)(clockid_t id, struct time64 *ts);

static int64_t by_vdso_time64(clockid_t id)
{
	vdso_time64_fn fn = (vdso_time64_fn)vdso_find("clock_gettime64");
	struct time64 ts;
	int ret;

	if (!fn)
		return READ_ABSENT;
	ret = vdso_error(fn(id, &ts));
	return ret ? ret : combine(ts.sec, ts.nsec);
}

typedef int64_t (*reader)(clockid_t id);

static const reader readers[READ_PATHS] = {
	[READ_LIBC] = by_libc,
	[READ_SYSCALL] = by_syscall,
	[READ_VDSO] = by_vdso,
	[READ_SYSCALL_TIME64] = by_syscall_time64,
	[READ_VDSO_TIME64] = by_vdso_time64,
};

int64_t reading_take(clockid_t id, enum read_path path)
{
	return readers[path](id);
}

void readings_take(struct readings *r)
{
	int clock, path;

	for (path = 0; path < READ_PATHS; path++)
		for (clock = 0; clock < clock_row_count; clock++)
			r->value[clock][path] =
				reading_take(clock_rows[clock].id, path);
}

/*
 * Bounds of the distance between the realtime and the monotonic clock: only
 * setting the time changes it.
 */
static void read_distance(int64_t *low, int64_t *high)
{
	int64_t before = clock_ns(CLOCK_MONOTONIC);
	int64_t real = clock_ns(CLOCK_REALTIME);
	int64_t after = clock_ns(CLOCK_MONOTONIC);

	*low = real - after;
	*high = real - before;
}

static void read_here(int64_t *value)
{
	int i;

	for (i = 0; i < clock_row_count; i++)
		value[i] = clock_ns(clock_rows[i].id);
}

int brackets_take(struct brackets *host, int (*act)(void *arg), void *arg)
{
	int64_t low, high, low2, high2;
	int tries, ret;

	for (tries = 0; tries < 10; tries++) {
		read_distance(&low, &high);
		read_here(host->before);
		ret = act(arg);
		read_here(host->after);
		read_distance(&low2, &high2);
		if (ret < 0)
			return ret;
		if (low <= high2 && low2 <= high)
			return 0;
	}
	return -EAGAIN;
}
