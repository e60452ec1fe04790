// SPDX-License-Identifier: GPL-2.0
/*
 * The vDSO in a time namespace: it is really used, gives what the system call
 * gives, and follows the process from namespace to namespace.
 *
 * Promises: vdso(7); time_namespaces(7); lib/vdso/gettimeofday.c:
 *           do_hres_timens, do_coarse_timens, __cvdso_time_data,
 *           __cvdso_clock_getres_common; kernel/time/namespace_vdso.c.
 * Guards:   660fd04f9317 ("lib/vdso: Prepare for time namespace support"),
 *           v5.6; c73049389e58 ("powerpc/vdso: Fix VDSO data access when
 *           running in a non-root time namespace"), v6.12.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <sys/time.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "vdso.h"
#include "witness_expect.h"

#define ROUNDS 1000

typedef int (*gettime_fn)(clockid_t id, struct timespec *ts);
typedef int (*gettimeofday_fn)(struct timeval *tv, struct timezone *tz);
typedef time_t (*time_fn)(time_t *t);

/* The function that knows struct timespec as the C library has it. */
static gettime_fn find_gettime(void)
{
	int wide = sizeof(long) == 4 && sizeof(time_t) == 8;

	return (gettime_fn)vdso_find(wide ? "clock_gettime64" :
					    "clock_gettime");
}

FIXTURE(vdso)
{
	const char *missing;
	struct offsets own; /* of the test's namespace */
};

/* The test has a pending namespace; the nanoseconds of its offsets carry. */
FIXTURE_SETUP(vdso)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && !find_gettime())
		self->missing = NEEDS_VDSO;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, offsets_get(PROC_SELF, &self->own));
	ASSERT_EQ(0, timens_shift(&far));
}

FIXTURE_TEARDOWN(vdso)
{
}

/* Many times: the tick of a coarse clock may come between any two readings. */
static void compare_clock(struct child_report *rep, clockid_t id, int rounds)
{
	gettime_fn fn = find_gettime();
	struct timespec ts;
	int64_t low, high;
	int i;

	for (i = 0; i < rounds; i++) {
		low = clock_ns_by(id, CLOCK_BY_SYSCALL);
		CHILD_EQ(rep, 0, fn(id, &ts));
		high = clock_ns_by(id, CLOCK_BY_SYSCALL);
		CHILD_LE(rep, low, timespec_ns(&ts));
		CHILD_LE(rep, timespec_ns(&ts), high);
		CHILD_LE(rep, 0, ts.tv_nsec);
		CHILD_LE(rep, ts.tv_nsec, NSEC_PER_SEC - 1);
	}
}

static void compare_clocks(struct child_report *rep, void *arg)
{
	int rounds = *(int *)arg;
	int i;

	for (i = 0; i < clock_row_count; i++) {
		snprintf(rep->text, sizeof(rep->text), "(%s)",
			 clock_rows[i].name);
		if (clock_ns(clock_rows[i].id) >= 0)
			compare_clock(rep, clock_rows[i].id, rounds);
	}
}

TEST_F(vdso, agrees_with_the_system_call)
{
	struct child_report rep;
	int rounds = ROUNDS;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, compare_clocks, &rounds));
	expect_held(_metadata, &rep);
}

/* Both from the clock of the last tick, which the system call reads too. */
static void compare_seconds(struct child_report *rep, void *arg)
{
	gettimeofday_fn tod = (gettimeofday_fn)vdso_find("gettimeofday");
	time_fn seconds = (time_fn)vdso_find("time");
	int64_t low, high;
	struct timeval tv;
	time_t t;
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		low = clock_ns_by(CLOCK_REALTIME_COARSE, CLOCK_BY_SYSCALL);
		t = seconds ? seconds(NULL) : low / NSEC_PER_SEC;
		high = clock_ns_by(CLOCK_REALTIME_COARSE, CLOCK_BY_SYSCALL);
		CHILD_LE(rep, low / NSEC_PER_SEC, t);
		CHILD_LE(rep, t, high / NSEC_PER_SEC);
		low = clock_ns_by(CLOCK_REALTIME, CLOCK_BY_SYSCALL);
		if (!tod)
			continue;
		CHILD_EQ(rep, 0, tod(&tv, NULL));
		high = clock_ns_by(CLOCK_REALTIME, CLOCK_BY_SYSCALL);
		CHILD_LE(rep, low / 1000, tv.tv_sec * 1000000LL + tv.tv_usec);
		CHILD_LE(rep, tv.tv_sec * 1000000LL + tv.tv_usec, high / 1000);
	}
}

TEST_F(vdso, knows_the_time_of_day)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (sizeof(time_t) != sizeof(long))
		SKIP(return, NEEDS_VDSO);
	ASSERT_EQ(0, child_run(&rep, 0, compare_seconds, NULL));
	expect_held(_metadata, &rep);
}

static void compare_resolutions(struct child_report *rep, void *arg)
{
	int wide = sizeof(long) == 4 && sizeof(time_t) == 8;
	gettime_fn fn = (gettime_fn)vdso_find("clock_getres");
	struct timespec ts;
	const int64_t *outside = arg;
	int i;

	if (!fn || wide)
		child_skip(rep, NEEDS_VDSO);
	for (i = 0; i < clock_row_count; i++) {
		snprintf(rep->text, sizeof(rep->text), "(%s)",
			 clock_rows[i].name);
		if (outside[i] < 0)
			continue;
		CHILD_EQ(rep, 0, fn(clock_rows[i].id, &ts));
		CHILD_EQ(rep, outside[i], timespec_ns(&ts));
		CHILD_EQ(rep, outside[i], clock_res_ns(clock_rows[i].id));
	}
}

TEST_F(vdso, has_the_resolutions_of_outside)
{
	struct child_report rep;
	int64_t res[CHILD_VALUES];
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LE(clock_row_count, CHILD_VALUES);
	for (i = 0; i < clock_row_count; i++)
		res[i] = clock_res_ns(clock_rows[i].id);
	ASSERT_EQ(0, child_run(&rep, 0, compare_resolutions, res));
	expect_held(_metadata, &rep);
}

/* Back and forth: each time the pages of the old namespace must go. */
static void hop(struct child_report *rep, void *arg)
{
	int *fd = arg;
	int i, once = 1;

	child_need(rep, lack_of_setns());
	for (i = 0; i < 200; i++) {
		CHILD_OK(rep, setns(fd[i % 2], CLONE_NEWTIME));
		compare_clocks(rep, &once);
	}
}

TEST_F(vdso, follows_its_process)
{
	struct offsets zero = { 0, 0 };
	struct child_report rep;
	int fd[2];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	fd[0] = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd[0]);
	ASSERT_EQ(0, timens_unshare(&zero));
	fd[1] = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd[1]);
	ASSERT_EQ(0, child_run(&rep, 0, hop, fd));
	expect_held(_metadata, &rep);
	close(fd[0]);
	close(fd[1]);
}

#define TASKS 24

/* struct crowd - many processes in many namespaces, looking at once */
struct crowd {
	struct gate ready, go;
	int rounds;
};

static void look_in_a_crowd(struct child_report *rep, void *arg)
{
	struct crowd *crowd = arg;

	CHILD_OK(rep, gate_open(&crowd->ready));
	CHILD_OK(rep, gate_wait(&crowd->go));
	compare_clocks(rep, &crowd->rounds);
	witness_report(rep, 0);
}

/* Every second one shares its namespace with the one before. */
TEST_F(vdso, serves_a_crowd)
{
	struct crowd crowd = { .rounds = 20 };
	struct instant before = now();
	struct child c[TASKS];
	struct child_report rep;
	struct offsets off;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&crowd.ready));
	ASSERT_EQ(0, gate_init(&crowd.go));
	for (i = 0; i < TASKS; i++) {
		off = (struct offsets){ i / 2 * NSEC_PER_SEC, 0 };
		if (i % 2 == 0)
			ASSERT_EQ(0, timens_unshare(&off));
		ASSERT_EQ(0, child_start(&c[i], 0, look_in_a_crowd, &crowd));
		ASSERT_EQ(0, gate_wait_child(&crowd.ready, &c[i]));
	}
	for (i = 0; i < TASKS; i++)
		EXPECT_EQ(0, gate_open(&crowd.go));
	for (i = 0; i < TASKS; i++) {
		EXPECT_EQ(0, child_wait(&c[i], &rep));
		expect_held(_metadata, &rep);
		off = (struct offsets){ i / 2 * NSEC_PER_SEC, 0 };
		off.monotonic -= self->own.monotonic;
		off.boottime -= self->own.boottime;
		expect_child_moved(_metadata, &rep, 0, &before, &off);
	}
}

TEST_HARNESS_MAIN
