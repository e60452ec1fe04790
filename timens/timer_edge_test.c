// SPDX-License-Identifier: GPL-2.0
/*
 * Edges of POSIX timers that once were wrong, looked at from inside a time
 * namespace.
 *
 * Promises: timer_create(2), timer_settime(2), timer_getoverrun(2).
 * Guards:   78c9c4dfbf8c ("posix-timers: Sanitize overrun handling"), v4.19;
 *           cef31d9af908 ("posix-timer: Properly check
 *           sigevent->sigev_notify"), v4.15;
 *           "posix-timers: Report zero remaining time for disarmed SIGEV_NONE
 *           timers", v7.3.4.
 * Needs:    root or user namespaces.
 */
#include <limits.h>
#include <signal.h>

#include "caps.h"
#include "deadline.h"
#include "expect.h"
#include "hop.h"
#include "signals.h"

static void run(struct __test_metadata *_metadata, child_fn fn)
{
	const char *missing;
	struct child_report rep;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, fn, NULL));
	expect_held(_metadata, &rep);
}

static timer_t make(struct child_report *rep, clockid_t clock, int notify)
{
	struct sigevent event = {
		.sigev_notify = notify,
		.sigev_signo = SIGUSR1,
	};
	const struct offsets off = offsets_on(AHEAD);
	timer_t timer;

	close(timens_enter(rep, &off));
	CHILD_EQ(rep, 0, timer_create(clock, &event, &timer));
	return timer;
}

/* Billions of periods have passed when this one starts. */
static void miss_billions(struct child_report *rep, void *arg)
{
	timer_t timer = make(rep, CLOCK_REALTIME, SIGEV_SIGNAL);
	const struct itimerspec set = {
		.it_interval = ns_timespec(1),
		.it_value = ns_timespec(clock_ns(CLOCK_REALTIME) -
					5 * NSEC_PER_SEC),
	};
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	CHILD_EQ(rep, 0, timer_settime(timer, TIMER_ABSTIME, &set, NULL));
	CHILD_EQ(rep, SIGUSR1, signal_wait(&mask, NULL));
	CHILD_EQ(rep, INT_MAX, timer_getoverrun(timer));
	CHILD_EQ(rep, 0, timer_delete(timer));
}

TEST(the_overrun_count_stops_at_its_limit)
{
	run(_metadata, miss_billions);
}

static void notify_oddly(struct child_report *rep, void *arg)
{
	struct sigevent event = { .sigev_notify = 777, .sigev_signo = SIGUSR1 };
	const struct offsets off = offsets_on(AHEAD);
	timer_t timer;

	close(timens_enter(rep, &off));
	CHILD_EQ(rep, -1, timer_create(CLOCK_MONOTONIC, &event, &timer));
	CHILD_EQ(rep, EINVAL, errno);
}

TEST(an_unknown_way_to_notify_is_refused)
{
	run(_metadata, notify_oddly);
}

static void disarm(struct child_report *rep, void *arg)
{
	const struct itimerspec hour = { .it_value = { .tv_sec = 3600 } };
	const struct itimerspec none = { .it_value = { .tv_sec = 0 } };
	timer_t timer = make(rep, CLOCK_MONOTONIC, SIGEV_NONE);
	struct itimerspec now;

	CHILD_EQ(rep, 0, timer_settime(timer, 0, &hour, NULL));
	CHILD_EQ(rep, 0, timer_settime(timer, 0, &none, NULL));
	CHILD_EQ(rep, 0, timer_gettime(timer, &now));
	CHILD_EQ(rep, 0, timespec_ns(&now.it_value));
}

TEST(nothing_remains_of_a_disarmed_silent_timer)
{
	run(_metadata, disarm);
}

TEST_HARNESS_MAIN
