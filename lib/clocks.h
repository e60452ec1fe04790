/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks, the ways to read them, and the offsets of time namespaces.
 *
 * Times are nanoseconds in a signed 64-bit number throughout: enough for 292
 * years, which is also how far the kernel's own ktime_t goes.
 */
#ifndef LIB_CLOCKS_H
#define LIB_CLOCKS_H

#include <stdint.h>
#include <time.h>

#include "child.h"

#define NSEC_PER_SEC 1000000000LL

#ifndef CLOCK_REALTIME_ALARM
#define CLOCK_REALTIME_ALARM 8
#endif
#ifndef CLOCK_BOOTTIME_ALARM
#define CLOCK_BOOTTIME_ALARM 9
#endif

/*
 * struct clock_row - what time_namespaces(7) says of a clock
 * @id:       clockid_t
 * @name:     as in clock_getres(2), without CLOCK_, lower case
 * @moved_by: CLOCK_MONOTONIC or CLOCK_BOOTTIME when that offset moves it, -1
 *            when no time namespace does
 */
struct clock_row {
	clockid_t id;
	const char *name;
	clockid_t moved_by;
};

/* All clocks of clock_getres(2) but the ones of a process and auxiliary ones */
extern const struct clock_row clock_rows[];
extern const int clock_row_count;

/* Ways to read a clock. */
enum clock_path {
	CLOCK_BY_LIBC, /* clock_gettime(3) of the C library */
	CLOCK_BY_SYSCALL, /* the system call */
	CLOCK_BY_VDSO, /* the vDSO's function, called directly */
};

/**
 * clock_ns - read a clock through the C library
 * @id: the clock
 *
 * Returns nanoseconds, or a negative errno of clock_gettime(2).  Clocks moved
 * by a negative offset stay positive: the kernel refuses other offsets.
 */
int64_t clock_ns(clockid_t id);

/**
 * clock_ns_by - read a clock on a chosen path
 * @id: the clock
 * @path: how
 *
 * Returns nanoseconds, or a negative errno of clock_gettime(2); -ENOSYS when
 * the vDSO has no clock_gettime.  A vDSO that itself falls back to the system
 * call (no usable clocksource, an alarm clock) is not an error.
 */
int64_t clock_ns_by(clockid_t id, enum clock_path path);

/**
 * clock_res_ns - resolution of a clock
 * @id: the clock
 *
 * Returns nanoseconds (a tick for the coarse clocks), or a negative errno of
 * clock_getres(2).
 */
int64_t clock_res_ns(clockid_t id);

/**
 * timespec_ns - struct timespec to nanoseconds
 */
static inline int64_t timespec_ns(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * NSEC_PER_SEC + ts->tv_nsec;
}

/**
 * ns_timespec - nanoseconds to struct timespec, tv_nsec never negative
 * @ns: may be negative
 */
static inline struct timespec ns_timespec(int64_t ns)
{
	struct timespec ts = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};

	if (ts.tv_nsec < 0) {
		ts.tv_sec--;
		ts.tv_nsec += NSEC_PER_SEC;
	}
	return ts;
}

/* struct offsets - of a time namespace, in nanoseconds */
struct offsets {
	int64_t monotonic;
	int64_t boottime;
};

/**
 * offset_of - by how much a time namespace moves a clock
 * @row: the clock
 * @off: the offsets of the namespace
 *
 * Returns nanoseconds, 0 for a clock that does not move.
 */
int64_t offset_of(const struct clock_row *row, const struct offsets *off);

/**
 * offsets_write - write to a timens_offsets file
 * @pid: whose file: /proc/PID/timens_offsets, or PROC_SELF of procfs.h
 * @text: the text, handed to one write(2) as it is
 *
 * Returns 0 or a negative errno of open(2), write(2) (time_namespaces(7)).
 */
int offsets_write(pid_t pid, const char *text);

/**
 * offsets_set - set both offsets of the caller's pending time namespace
 * @off: what to set, absolute to the initial time namespace
 *
 * Returns 0 or a negative errno as offsets_write().
 */
int offsets_set(const struct offsets *off);

/**
 * offsets_get - read a timens_offsets file
 * @pid: whose file, or PROC_SELF
 * @off: filled
 *
 * Returns 0, a negative errno of open(2), or -EBADMSG for another text than
 * time_namespaces(7) shows.
 */
int offsets_get(pid_t pid, struct offsets *off);

/**
 * offsets_from_here - offsets relative to the caller's time namespace
 * @off: relative to it
 * @abs: the same, absolute to the initial time namespace, as
 *       /proc/PID/timens_offsets takes them
 *
 * For a caller without a pending time namespace.
 * Returns 0 or a negative errno as offsets_get().
 */
int offsets_from_here(const struct offsets *off, struct offsets *abs);

/**
 * timens_unshare - make a pending time namespace with offsets
 * @off: see offsets_set(); NULL: leave them
 *
 * The caller stays where it is; its next child is the first member.
 * Returns 0, or a negative errno of unshare(2) or offsets_set().
 */
int timens_unshare(const struct offsets *off);

/**
 * timens_unshare_from_here - timens_unshare(), relative to where the caller is
 * @off: how far the clocks there are ahead of the caller's
 *
 * For a caller without a pending time namespace.
 * Returns as timens_unshare() or offsets_from_here().
 */
int timens_unshare_from_here(const struct offsets *off);

#endif /* LIB_CLOCKS_H */
