// SPDX-License-Identifier: GPL-2.0
/*
 * Setting the clock of the machine: that moves CLOCK_REALTIME for everybody,
 * also in time namespaces, and no other clock anywhere.
 *
 * Promises: time_namespaces(7): CLOCK_REALTIME is not virtualized;
 *           clock_settime(2), EINVAL; adjtimex(2), EOPNOTSUPP;
 *           timerfd_create(2), TFD_TIMER_CANCEL_ON_SET;
 *           lib/vdso/gettimeofday.c:__cvdso_gettimeofday_data for timezone.
 * Guards:   none.
 * Needs:    a machine whose clock may be set (SELFTESTS_VM=1), root.
 */
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

#include "caps.h"
#include "procfs.h"
#include "vdso.h"
#include "witness_expect.h"

#ifndef ADJ_SETOFFSET
#define ADJ_SETOFFSET 0x0100
#endif

#define DAY (86400 * NSEC_PER_SEC)

/* Ways to step CLOCK_REALTIME by @step nanoseconds; 0 or a negative errno. */
static int by_settime(int64_t step)
{
	struct timespec ts = ns_timespec(clock_ns(CLOCK_REALTIME) + step);

	return clock_settime(CLOCK_REALTIME, &ts) < 0 ? -errno : 0;
}

static int by_settimeofday(int64_t step)
{
	struct timespec ts = ns_timespec(clock_ns(CLOCK_REALTIME) + step);
	struct timeval tv = { ts.tv_sec, ts.tv_nsec / 1000 };

	return settimeofday(&tv, NULL) < 0 ? -errno : 0;
}

static int by_adjtimex(int64_t step)
{
	struct timespec ts = ns_timespec(step);
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO };

	tx.time.tv_sec = ts.tv_sec;
	tx.time.tv_usec = ts.tv_nsec;
	return clock_adjtime(CLOCK_REALTIME, &tx) < 0 ? -errno : 0;
}

typedef int (*step_fn)(int64_t step);
typedef int (*gettimeofday_fn)(struct timeval *tv, struct timezone *tz);

/*
 * struct observer - a process that looks at its clocks each time it is told
 * @look, @seen: for the child and back
 */
struct observer {
	struct gate look, seen;
	struct child c;
};

FIXTURE(step)
{
	const char *missing;
	int64_t moved; /* to take back at the end */
	struct observer o;
};

FIXTURE_VARIANT(step)
{
	step_fn by;
	int64_t step;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(step, forward_by_settime)       { by_settime, DAY };
FIXTURE_VARIANT_ADD(step, back_by_settime)          { by_settime, -DAY };
FIXTURE_VARIANT_ADD(step, forward_by_settimeofday)  { by_settimeofday, DAY };
FIXTURE_VARIANT_ADD(step, back_by_settimeofday)     { by_settimeofday, -DAY };
FIXTURE_VARIANT_ADD(step, forward_by_adjtimex)      { by_adjtimex, DAY + 1 };
FIXTURE_VARIANT_ADD(step, back_by_adjtimex)         { by_adjtimex, -DAY - 1 };
/* clang-format on */

/* Beyond the two slots: CLOCK_REALTIME by vDSO, by system call, the timer. */
#define FIRST_VALUE (2 * sizeof(struct witness) / sizeof(long long))

static void observe(struct child_report *rep, void *arg)
{
	struct observer *o = arg;
	struct itimerspec end = { .it_value = { .tv_sec = INT32_MAX } };
	long long *value = rep->value + FIRST_VALUE;
	int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
	uint64_t count;
	int fd, i;

	fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	CHILD_OK(rep, fd);
	CHILD_OK(rep, timerfd_settime(fd, flags, &end, NULL));
	for (i = 0; i < 2; i++) {
		CHILD_OK(rep, gate_wait(&o->look));
		witness_report(rep, i);
		*value++ = clock_ns(CLOCK_REALTIME);
		*value++ = clock_ns_by(CLOCK_REALTIME, CLOCK_BY_SYSCALL);
		*value++ = read(fd, &count, sizeof(count)) < 0 ? -errno : 0;
		CHILD_OK(rep, gate_open(&o->seen));
	}
}

FIXTURE_SETUP(step)
{
	const char *vm = getenv("SELFTESTS_VM");

	self->o.c = CHILD_NONE;
	self->o.look = GATE_NONE;
	self->o.seen = GATE_NONE;
	self->moved = 0;
	self->missing = NULL;
	if (!vm || strcmp(vm, "1"))
		self->missing = NEEDS_VM;
	else
		ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&self->o.look));
	ASSERT_EQ(0, gate_init(&self->o.seen));
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, child_start(&self->o.c, 0, observe, &self->o));
}

FIXTURE_TEARDOWN(step)
{
	child_kill(&self->o.c);
	gate_close(&self->o.look);
	gate_close(&self->o.seen);
	if (self->moved)
		by_settime(-self->moved);
}

static int have_observer_look(struct observer *o)
{
	int ret = gate_open(&o->look);

	return ret < 0 ? ret : gate_wait_child(&o->seen, &o->c);
}

TEST_F(step, moves_the_wall_clock_alone)
{
	struct instant before = now();
	const long long *seen;
	struct child_report rep;
	int64_t old, low, high;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, have_observer_look(&self->o));
	old = clock_ns(CLOCK_REALTIME);
	ASSERT_EQ(0, variant->by(variant->step));
	self->moved = variant->step;
	low = clock_ns(CLOCK_REALTIME);
	/* settimeofday() takes microseconds */
	EXPECT_LE(old + variant->step - 1000, low);
	EXPECT_LE(low, old + variant->step + DAY / 2);
	ASSERT_EQ(0, have_observer_look(&self->o));
	high = clock_ns(CLOCK_REALTIME);
	ASSERT_EQ(0, child_wait(&self->o.c, &rep));
	expect_held(_metadata, &rep);
	/* nothing else has moved, inside or outside */
	expect_child_moved(_metadata, &rep, 0, &before, &far);
	expect_child_moved(_metadata, &rep, 1, &before, &far);
	EXPECT_LE(now().monotonic - before.monotonic, DAY / 2);
	/* the wall clock has, inside as outside */
	seen = rep.value + FIRST_VALUE + 3;
	expect_between(_metadata, "CLOCK_REALTIME by vDSO", low, seen[0], high);
	expect_between(_metadata, "CLOCK_REALTIME by system call", low, seen[1],
		       high);
	EXPECT_EQ(-EAGAIN, rep.value[FIRST_VALUE + 2]);
	EXPECT_EQ(-ECANCELED, seen[2]);
}

static void set_clock(struct child_report *rep, clockid_t id)
{
	struct timespec ts = { .tv_sec = 1000000 };
	struct timex tx = { .modes = 0 };

	CHILD_EQ(rep, -1, clock_settime(id, &ts));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, clock_adjtime(id, &tx));
	CHILD_EQ(rep, EOPNOTSUPP, errno);
}

static void set_others(struct child_report *rep, void *arg)
{
	struct timex tx = { .modes = 0 };

	(void)arg;
	set_clock(rep, CLOCK_MONOTONIC);
	set_clock(rep, CLOCK_MONOTONIC_RAW);
	set_clock(rep, CLOCK_BOOTTIME);
	/* reading the state of the wall clock takes no rights */
	CHILD_OK(rep, clock_adjtime(CLOCK_REALTIME, &tx));
}

/* Harmless: every one of these is refused. */
TEST(clocks_of_a_namespace_cannot_be_set)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, child_run(&rep, 0, set_others, NULL));
	expect_held(_metadata, &rep);
}

static void read_timezone(struct child_report *rep, void *arg)
{
	gettimeofday_fn fn = (gettimeofday_fn)vdso_find("gettimeofday");
	struct timezone tz = { 0, 0 };
	struct timeval tv;

	(void)arg;
	if (!fn || sizeof(time_t) != sizeof(long))
		child_skip(rep, NEEDS_VDSO);
	CHILD_EQ(rep, 0, fn(&tv, &tz));
	rep->value[0] = tz.tz_minuteswest;
}

/*
 * By system call: the C library sets either of them.  Set alone the first time
 * after boot, it would move the clock too.
 */
static int set_timezone(int minutes)
{
	struct timezone tz = { minutes, 0 };
	struct timeval tv;

	if (gettimeofday(&tv, NULL) < 0)
		return -errno;
	return syscall(__NR_settimeofday, &tv, &tz) < 0 ? -errno : 0;
}

TEST(the_timezone_is_everywhere)
{
	const char *vm = getenv("SELFTESTS_VM");
	struct child_report rep;
	const char *missing;

	if (!vm || strcmp(vm, "1"))
		SKIP(return, NEEDS_VM);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, set_timezone(-90));
	EXPECT_EQ(0, child_run(&rep, 0, read_timezone, NULL));
	EXPECT_EQ(0, set_timezone(0));
	expect_held(_metadata, &rep);
	if (!rep.skip)
		EXPECT_EQ(-90, rep.value[0]);
}

TEST_HARNESS_MAIN
