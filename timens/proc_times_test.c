// SPDX-License-Identifier: GPL-2.0
/*
 * Times in /proc and of sysinfo() are those of the reader's time namespace and
 * agree with its clocks and with each other.
 *
 * Promises: time_namespaces(7); proc_uptime(5), proc_stat(5) btime,
 *           proc_pid_stat(5) starttime, sysinfo(2); fs/proc/uptime.c:
 *           uptime_proc_show(), fs/proc/stat.c:show_stat(), fs/proc/array.c:
 *           do_task_stat(), kernel/sys.c:do_sysinfo().
 * Guards:   ecc421e05bab ("sys/sysinfo: Respect boottime inside time
 *           namespace"), v5.6;
 *           3ae700ecfae9 ("fs/proc: apply the time namespace offset to
 *           /proc/stat btime"), v5.11: starttime follows since then as well.
 * Needs:    root or user namespaces; /proc.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>

#include "caps.h"
#include "expect.h"
#include "hop.h"
#include "procfs.h"

#define SEC NSEC_PER_SEC
#define CENTI (SEC / 100)

/* Field 22 of /proc/PID/stat. */
#define STARTTIME 22

/* Offsets of the boottime clock; the other one is only there to differ. */
FIXTURE(offset)
{
	const char *missing;
	struct offsets off;
};

FIXTURE_VARIANT(offset)
{
	int64_t seconds; /* 0: as far behind as it goes, halfway */
	int64_t nanoseconds;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(offset, hours_ahead)      { 7200,      0 };
FIXTURE_VARIANT_ADD(offset, years_ahead)      { 400000000, 0 };
FIXTURE_VARIANT_ADD(offset, behind)           { 0,         0 };
FIXTURE_VARIANT_ADD(offset, fraction_ahead)   { 5000,      777000001 };
FIXTURE_VARIANT_ADD(offset, fraction_behind)  { 0,         -333000001 };
/* clang-format on */

FIXTURE_SETUP(offset)
{
	int64_t half = clock_ns(CLOCK_BOOTTIME) / 2 / SEC;

	self->off.boottime = variant->nanoseconds;
	self->off.boottime += (variant->seconds ?: -half) * SEC;
	self->off.monotonic = self->off.boottime > 0 ? 11 * SEC : 0;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && clock_ns(CLOCK_BOOTTIME) + self->off.boottime < 0)
		self->missing = NEEDS_UPTIME;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(offset)
{
}

static void run(struct __test_metadata *_metadata, FIXTURE_DATA(offset) * self,
		child_fn fn)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fn, &self->off));
	expect_held(_metadata, &rep);
}

/* Both fields of /proc/uptime, in hundredths of a second. */
static void read_uptime(struct child_report *rep, int64_t *up, int64_t *idle)
{
	long long s, c, idle_s, idle_c;
	char text[128];

	CHILD_OK(rep, proc_read("/proc/uptime", text, sizeof(text)));
	CHILD_EQ(rep, 4,
		 sscanf(text, "%lld.%2lld %lld.%2lld", &s, &c, &idle_s,
			&idle_c));
	*up = s * 100 + c;
	*idle = idle_s * 100 + idle_c;
}

static void uptime_is_boottime(struct child_report *rep, void *arg)
{
	int64_t host = clock_ns(CLOCK_BOOTTIME), before, up, idle, after;
	const struct offsets *off = arg;

	close(timens_enter(rep, off));
	before = clock_ns(CLOCK_BOOTTIME);
	read_uptime(rep, &up, &idle);
	after = clock_ns(CLOCK_BOOTTIME);
	CHILD_LE(rep, host + off->boottime, before);
	CHILD_LE(rep, before / CENTI, up);
	CHILD_LE(rep, up, after / CENTI);
}

/*
 * Idle time need not grow steadily (get_cpu_idle_time_us() of the kernel says
 * so), therefore: nearer to the host's value than to a moved one.
 */
static void idle_time_stays(struct child_report *rep, void *arg)
{
	int64_t outside, inside, up, half;
	const struct offsets *off = arg;

	half = llabs(off->boottime) / CENTI / 2;
	read_uptime(rep, &up, &outside);
	close(timens_enter(rep, off));
	read_uptime(rep, &up, &inside);
	CHILD_LE(rep, llabs(inside - outside), half);
}

static int64_t seconds_up(int64_t ns)
{
	return (ns + SEC - 1) / SEC;
}

static void sysinfo_is_boottime(struct child_report *rep, void *arg)
{
	int64_t host = clock_ns(CLOCK_BOOTTIME), before, after;
	const struct offsets *off = arg;
	struct sysinfo info;

	close(timens_enter(rep, off));
	before = clock_ns(CLOCK_BOOTTIME);
	CHILD_EQ(rep, 0, sysinfo(&info));
	after = clock_ns(CLOCK_BOOTTIME);
	CHILD_LE(rep, host + off->boottime, before);
	CHILD_LE(rep, seconds_up(before), info.uptime);
	CHILD_LE(rep, info.uptime, seconds_up(after));
}

static long long btime(struct child_report *rep)
{
	long long s;

	CHILD_EQ(rep, 0, proc_number("/proc/stat", "btime", &s));
	return s;
}

static long long starttime(struct child_report *rep, pid_t pid)
{
	long long ticks;

	CHILD_EQ(rep, 0, proc_stat(pid, STARTTIME, &ticks));
	return ticks;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * Both are whole seconds of the same moment, rounded down.  It is another one
 * when somebody sets the time meanwhile.
 */
static void boot_is_earlier_by_the_offset(struct child_report *rep, void *arg)
{
	const struct offsets *off = arg;
	long long before, inside, after;
	int old;

	do {
		before = btime(rep);
		old = timens_enter(rep, off);
		inside = btime(rep);
		timens_leave(rep, old);
		close(old);
		after = btime(rep);
	} while (before != after);
	CHILD_LE(rep, before + floor_div(-off->boottime, SEC), inside);
	CHILD_LE(rep, inside, before - floor_div(off->boottime, SEC));
}

/* The tick in which a process started, rounded down on both sides. */
static void expect_moved(struct child_report *rep, const struct offsets *off,
			 long long outside, long long inside)
{
	int64_t tick = SEC / sysconf(_SC_CLK_TCK);

	CHILD_LE(rep, outside + floor_div(off->boottime, tick), inside);
	CHILD_LE(rep, inside, outside - floor_div(-off->boottime, tick));
}

static void start_follows_the_reader(struct child_report *rep, void *arg)
{
	const struct offsets *off = arg;
	long long outside, inside;
	int old;

	outside = starttime(rep, PROC_SELF);
	old = timens_enter(rep, off);
	inside = starttime(rep, PROC_SELF);
	expect_moved(rep, off, outside, inside);
	timens_leave(rep, old);
	CHILD_EQ(rep, outside, starttime(rep, PROC_SELF));
}

static void park(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

static void start_does_not_follow_the_target(struct child_report *rep,
					     void *arg)
{
	const struct offsets *off = arg;
	long long outside, inside;
	struct child member;
	int old;

	if (!proc_is_mine())
		child_skip(rep, NEEDS_SELF_PROC);
	old = timens_enter(rep, off);
	CHILD_EQ(rep, 0, child_start(&member, 0, park, NULL));
	inside = starttime(rep, member.pid);
	timens_leave(rep, old);
	outside = starttime(rep, member.pid);
	expect_moved(rep, off, outside, inside);
	CHILD_EQ(rep, 0, child_kill(&member));
}

/*
 * What ps shows as START.  Two roundings, of the boot to seconds and of the
 * start to ticks, both down.
 */
static void start_can_be_dated(struct child_report *rep, void *arg)
{
	int64_t tick = SEC / sysconf(_SC_CLK_TCK);
	int64_t before, start, after;
	struct child member;

	if (!proc_is_mine())
		child_skip(rep, NEEDS_SELF_PROC);
	close(timens_enter(rep, arg));
	before = clock_ns(CLOCK_REALTIME);
	CHILD_EQ(rep, 0, child_start(&member, 0, park, NULL));
	after = clock_ns(CLOCK_REALTIME);
	start = btime(rep) * SEC + starttime(rep, member.pid) * tick;
	CHILD_EQ(rep, 0, child_kill(&member));
	CHILD_LE(rep, before - SEC - tick, start);
	CHILD_LE(rep, start, after);
}

TEST_F(offset, moves_uptime_as_it_moves_boottime)
{
	run(_metadata, self, uptime_is_boottime);
}

TEST_F(offset, leaves_idle_time)
{
	run(_metadata, self, idle_time_stays);
}

TEST_F(offset, moves_sysinfo_as_it_moves_boottime)
{
	run(_metadata, self, sysinfo_is_boottime);
}

TEST_F(offset, moves_the_time_of_boot_the_other_way)
{
	run(_metadata, self, boot_is_earlier_by_the_offset);
}

TEST_F(offset, moves_start_times_for_the_reader)
{
	run(_metadata, self, start_follows_the_reader);
}

TEST_F(offset, does_not_move_start_times_for_readers_outside)
{
	run(_metadata, self, start_does_not_follow_the_target);
}

TEST_F(offset, leaves_the_date_of_a_start)
{
	run(_metadata, self, start_can_be_dated);
}

TEST_HARNESS_MAIN
