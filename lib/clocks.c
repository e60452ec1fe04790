// SPDX-License-Identifier: GPL-2.0
/* Clocks and time namespace offsets; see clocks.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"
#include "procfs.h"
#include "vdso.h"

const struct clock_row clock_rows[] = {
	{ CLOCK_MONOTONIC, "monotonic", CLOCK_MONOTONIC },
	{ CLOCK_MONOTONIC_RAW, "monotonic_raw", CLOCK_MONOTONIC },
	{ CLOCK_MONOTONIC_COARSE, "monotonic_coarse", CLOCK_MONOTONIC },
	{ CLOCK_BOOTTIME, "boottime", CLOCK_BOOTTIME },
	{ CLOCK_BOOTTIME_ALARM, "boottime_alarm", CLOCK_BOOTTIME },
	{ CLOCK_REALTIME, "realtime", -1 },
	{ CLOCK_REALTIME_COARSE, "realtime_coarse", -1 },
	{ CLOCK_REALTIME_ALARM, "realtime_alarm", -1 },
	{ CLOCK_TAI, "tai", -1 },
};

const int clock_row_count = sizeof(clock_rows) / sizeof(clock_rows[0]);

typedef int (*gettime_fn)(clockid_t id, struct timespec *ts);

/*
 * 32-bit programs with a 64-bit time_t need the calls that say so in their
 * name: the layout of struct timespec decides.
 */
static int gettime_by_syscall(clockid_t id, struct timespec *ts)
{
#ifdef __NR_clock_gettime64
	if (sizeof(ts->tv_sec) == 8)
		return syscall(__NR_clock_gettime64, id, ts);
#endif
	return syscall(__NR_clock_gettime, id, ts);
}

static int gettime_by_vdso(clockid_t id, struct timespec *ts)
{
	int wide = sizeof(long) == 4 && sizeof(ts->tv_sec) == 8;
	gettime_fn fn = (gettime_fn)vdso_find(wide ? "clock_gettime64" :
						     "clock_gettime");
	int ret;

	if (!fn) {
		errno = ENOSYS;
		return -1;
	}
	/* like a system call: a negative errno, not errno */
	ret = vdso_error(fn(id, ts));
	if (ret)
		errno = -ret;
	return ret ? -1 : 0;
}

static const gettime_fn gettime[] = {
	[CLOCK_BY_LIBC] = clock_gettime,
	[CLOCK_BY_SYSCALL] = gettime_by_syscall,
	[CLOCK_BY_VDSO] = gettime_by_vdso,
};

int64_t clock_ns_by(clockid_t id, enum clock_path path)
{
	struct timespec ts;

	if (gettime[path](id, &ts) < 0)
		return -errno;
	return timespec_ns(&ts);
}

int64_t clock_ns(clockid_t id)
{
	return clock_ns_by(id, CLOCK_BY_LIBC);
}

int64_t clock_res_ns(clockid_t id)
{
	struct timespec ts;

	return clock_getres(id, &ts) < 0 ? -errno : timespec_ns(&ts);
}

int64_t offset_of(const struct clock_row *row, const struct offsets *off)
{
	if (row->moved_by == CLOCK_MONOTONIC)
		return off->monotonic;
	return row->moved_by == CLOCK_BOOTTIME ? off->boottime : 0;
}

static void offsets_path(pid_t pid, char *path, size_t size)
{
	if (pid == PROC_SELF)
		snprintf(path, size, "/proc/self/timens_offsets");
	else
		snprintf(path, size, "/proc/%d/timens_offsets", pid);
}

int offsets_write(pid_t pid, const char *text)
{
	char path[64];

	offsets_path(pid, path, sizeof(path));
	return proc_write(path, text);
}

int offsets_set(const struct offsets *off)
{
	struct timespec mono = ns_timespec(off->monotonic);
	struct timespec boot = ns_timespec(off->boottime);
	char text[128];

	snprintf(text, sizeof(text), "monotonic %lld %ld\nboottime %lld %ld\n",
		 (long long)mono.tv_sec, mono.tv_nsec, (long long)boot.tv_sec,
		 boot.tv_nsec);
	return offsets_write(PROC_SELF, text);
}

int offsets_get(pid_t pid, struct offsets *off)
{
	long long mono_s, mono_ns, boot_s, boot_ns;
	char path[64], text[256];
	ssize_t len;
	int used = 0;

	offsets_path(pid, path, sizeof(path));
	len = proc_read(path, text, sizeof(text));
	if (len < 0)
		return len;
	if (sscanf(text, "monotonic %lld %lld boottime %lld %lld %n", &mono_s,
		   &mono_ns, &boot_s, &boot_ns, &used) != 4 ||
	    used != len)
		return -EBADMSG;
	off->monotonic = mono_s * NSEC_PER_SEC + mono_ns;
	off->boottime = boot_s * NSEC_PER_SEC + boot_ns;
	return 0;
}

int offsets_from_here(const struct offsets *off, struct offsets *abs)
{
	int ret = offsets_get(PROC_SELF, abs);

	abs->monotonic += off->monotonic;
	abs->boottime += off->boottime;
	return ret;
}

int timens_unshare(const struct offsets *off)
{
	if (unshare(CLONE_NEWTIME) < 0)
		return -errno;
	return off ? offsets_set(off) : 0;
}

int timens_unshare_from_here(const struct offsets *off)
{
	struct offsets abs;
	int ret = offsets_from_here(off, &abs);

	return ret < 0 ? ret : timens_unshare(&abs);
}
