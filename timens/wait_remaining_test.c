// SPDX-License-Identifier: GPL-2.0
/*
 * What a timer set to a moment tells on the way: time that remains, expirations
 * missed, what it was set to; also when it crosses into another namespace.
 *
 * Promises: time_namespaces(7); timer_gettime(2), timer_getoverrun(2),
 *           timerfd_gettime(2), clock_nanosleep(2); proc_pid_fdinfo(5);
 *           fs/timerfd.c:timerfd_setup(), timerfd_show().
 * Guards:   none.
 * Needs:    root or user namespaces; /proc.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/timerfd.h>

#include "caps.h"
#include "deadline.h"
#include "expect.h"
#include "hop.h"
#include "procfs.h"
#include "signals.h"

#define HOUR (3600 * NSEC_PER_SEC)
#define PERIOD MSEC

/* timer_*() and timerfd_*() differ in little but their names. */
struct kind {
	int is_fd;
	timer_t timer;
	int fd;
};

struct plan {
	int is_fd;
	clockid_t clock;
	enum side side;
};

static struct kind make(struct child_report *rep, int is_fd, clockid_t clock)
{
	struct sigevent event = { .sigev_signo = SIGUSR1 };
	struct kind k = { .is_fd = is_fd };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (is_fd)
		k.fd = timerfd_create(clock, 0);
	else
		CHILD_EQ(rep, 0, timer_create(clock, &event, &k.timer));
	CHILD_OK(rep, k.fd);
	return k;
}

/* Returns what was left of the old setting. */
static int64_t set(struct child_report *rep, const struct kind *k,
		   int64_t until, int64_t period)
{
	const struct itimerspec new = { ns_timespec(period),
					ns_timespec(until) };
	struct itimerspec old;

	if (k->is_fd)
		CHILD_EQ(rep, 0,
			 timerfd_settime(k->fd, TFD_TIMER_ABSTIME, &new, &old));
	else
		CHILD_EQ(rep, 0,
			 timer_settime(k->timer, TIMER_ABSTIME, &new, &old));
	return timespec_ns(&old.it_value);
}

static int64_t remaining(struct child_report *rep, const struct kind *k)
{
	struct itimerspec now;

	if (k->is_fd)
		CHILD_EQ(rep, 0, timerfd_gettime(k->fd, &now));
	else
		CHILD_EQ(rep, 0, timer_gettime(k->timer, &now));
	return timespec_ns(&now.it_value);
}

/* Expirations until it was asked. */
static int64_t expirations(struct child_report *rep, const struct kind *k)
{
	siginfo_t info;
	uint64_t count;
	sigset_t mask;

	if (k->is_fd) {
		CHILD_EQ(rep, sizeof(count),
			 read(k->fd, &count, sizeof(count)));
		return count;
	}
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	CHILD_EQ(rep, SIGUSR1, signal_wait(&mask, &info));
	CHILD_EQ(rep, info.si_overrun, timer_getoverrun(k->timer));
	return 1 + info.si_overrun;
}

static void expect_remaining(struct child_report *rep, const struct kind *k,
			     clockid_t clock, int64_t until)
{
	int64_t before = clock_ns(clock);
	int64_t left = remaining(rep, k);
	int64_t after = clock_ns(clock);

	CHILD_LE(rep, until - after, left);
	CHILD_LE(rep, left, until - before);
}

static void look_at_remaining(struct child_report *rep, void *arg)
{
	const struct plan *p = arg;
	struct kind k = make(rep, p->is_fd, p->clock);
	struct offsets off = offsets_on(p->side);
	int64_t until, before, left, after;

	close(timens_enter(rep, &off));
	until = clock_ns(p->clock) + HOUR;
	set(rep, &k, until, 0);
	expect_remaining(rep, &k, p->clock, until);
	before = clock_ns(p->clock);
	left = set(rep, &k, until + HOUR, 0);
	after = clock_ns(p->clock);
	CHILD_LE(rep, until - after, left);
	CHILD_LE(rep, left, until - before);
	expect_remaining(rep, &k, p->clock, until + HOUR);
}

/* The moment it was set to is the host's: who looks from where is the same. */
static void cross_over(struct child_report *rep, void *arg)
{
	const struct plan *p = arg;
	struct kind k = make(rep, p->is_fd, p->clock);
	struct offsets off = offsets_on(p->side);
	int64_t until = clock_ns(p->clock) + HOUR;
	int64_t moved = moved_by(p->clock, &off);
	int old;

	set(rep, &k, until, 0);
	old = timens_enter(rep, &off);
	expect_remaining(rep, &k, p->clock, until + moved);
	until = clock_ns(p->clock) + 2 * HOUR;
	set(rep, &k, until, 0);
	timens_leave(rep, old);
	expect_remaining(rep, &k, p->clock, until - moved);
}

static void count_periods(struct child_report *rep, void *arg)
{
	const struct plan *p = arg;
	struct kind k = make(rep, p->is_fd, p->clock);
	struct offsets off = offsets_on(p->side);
	int64_t start, count, before, after;

	close(timens_enter(rep, &off));
	start = clock_ns(p->clock) - 100 * PERIOD;
	before = clock_ns(p->clock);
	set(rep, &k, start, PERIOD);
	count = expirations(rep, &k);
	after = clock_ns(p->clock);
	CHILD_LE(rep, (before - start) / PERIOD + 1, count);
	CHILD_LE(rep, count, (after - start) / PERIOD + 1);
}

FIXTURE(timer)
{
	const char *missing;
	struct plan plan;
};

FIXTURE_VARIANT(timer)
{
	struct plan plan;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(timer, posix_monotonic_ahead)  { { 0, CLOCK_MONOTONIC, AHEAD } };
FIXTURE_VARIANT_ADD(timer, posix_monotonic_behind) { { 0, CLOCK_MONOTONIC, BEHIND } };
FIXTURE_VARIANT_ADD(timer, posix_boottime_ahead)   { { 0, CLOCK_BOOTTIME,  AHEAD } };
FIXTURE_VARIANT_ADD(timer, posix_boottime_behind)  { { 0, CLOCK_BOOTTIME,  BEHIND } };
FIXTURE_VARIANT_ADD(timer, posix_realtime_ahead)   { { 0, CLOCK_REALTIME,  AHEAD } };
FIXTURE_VARIANT_ADD(timer, posix_realtime_behind)  { { 0, CLOCK_REALTIME,  BEHIND } };
FIXTURE_VARIANT_ADD(timer, fd_monotonic_ahead)     { { 1, CLOCK_MONOTONIC, AHEAD } };
FIXTURE_VARIANT_ADD(timer, fd_monotonic_behind)    { { 1, CLOCK_MONOTONIC, BEHIND } };
FIXTURE_VARIANT_ADD(timer, fd_boottime_ahead)      { { 1, CLOCK_BOOTTIME,  AHEAD } };
FIXTURE_VARIANT_ADD(timer, fd_boottime_behind)     { { 1, CLOCK_BOOTTIME,  BEHIND } };
FIXTURE_VARIANT_ADD(timer, fd_realtime_ahead)      { { 1, CLOCK_REALTIME,  AHEAD } };
FIXTURE_VARIANT_ADD(timer, fd_realtime_behind)     { { 1, CLOCK_REALTIME,  BEHIND } };
/* clang-format on */

FIXTURE_SETUP(timer)
{
	self->plan = variant->plan;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(timer)
{
}

static void run(struct __test_metadata *_metadata, FIXTURE_DATA(timer) * self,
		child_fn fn)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fn, &self->plan));
	expect_held(_metadata, &rep);
}

TEST_F(timer, tells_what_remains)
{
	run(_metadata, self, look_at_remaining);
}

TEST_F(timer, keeps_its_moment_when_its_owner_moves)
{
	run(_metadata, self, cross_over);
}

TEST_F(timer, that_started_in_the_past_counts_its_periods)
{
	run(_metadata, self, count_periods);
}

static void interrupted_sleep(struct child_report *rep, void *arg)
{
	struct offsets off = offsets_on(*(enum side *)arg);
	const struct timespec hour = { .tv_sec = 3600 };
	struct timespec left = { 0 };
	int64_t before, slept;

	close(timens_enter(rep, &off));
	guard_arm(MSEC);
	before = clock_ns(CLOCK_BOOTTIME);
	CHILD_EQ(rep, EINTR, clock_nanosleep(CLOCK_BOOTTIME, 0, &hour, &left));
	slept = clock_ns(CLOCK_BOOTTIME) - before;
	CHILD_LE(rep, HOUR - slept, timespec_ns(&left));
	CHILD_LE(rep, timespec_ns(&left), HOUR);
}

static void read_fdinfo(struct child_report *rep, void *arg)
{
	struct offsets off = offsets_on(*(enum side *)arg);
	struct kind k = make(rep, 1, CLOCK_BOOTTIME);
	int64_t until, before, after;
	long long s, ns, flags;
	char path[64], text[512];

	close(timens_enter(rep, &off));
	until = clock_ns(CLOCK_BOOTTIME) + HOUR;
	set(rep, &k, until, 0);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", k.fd);
	before = clock_ns(CLOCK_BOOTTIME);
	CHILD_OK(rep, proc_read(path, text, sizeof(text)));
	after = clock_ns(CLOCK_BOOTTIME);
	CHILD_EQ(rep, 3,
		 sscanf(strstr(text, "settime flags:"),
			"settime flags: %lli it_value: (%lld, %lld)", &flags,
			&s, &ns));
	CHILD_EQ(rep, TFD_TIMER_ABSTIME, flags);
	CHILD_LE(rep, until - after, s * NSEC_PER_SEC + ns);
	CHILD_LE(rep, s * NSEC_PER_SEC + ns, until - before);
}

static void on_both_sides(struct __test_metadata *_metadata, child_fn fn)
{
	const char *missing;
	struct child_report rep;
	enum side side;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	for (side = AHEAD; side <= BEHIND; side++) {
		ASSERT_EQ(0, child_run(&rep, 0, fn, &side));
		expect_held(_metadata, &rep);
	}
}

TEST(an_interrupted_sleep_tells_what_remains)
{
	on_both_sides(_metadata, interrupted_sleep);
}

TEST(fdinfo_tells_what_remains)
{
	on_both_sides(_metadata, read_fdinfo);
}

TEST_HARNESS_MAIN
