// SPDX-License-Identifier: GPL-2.0
/*
 * A timer set to a moment expires at that moment of the namespace's clock.
 *
 * Promises: time_namespaces(7); TIMER_ABSTIME of timer_settime(2),
 *           TFD_TIMER_ABSTIME of timerfd_create(2); kernel/time/
 *           posix-timers.c:common_timer_set(); fs/timerfd.c:timerfd_setup().
 * Guards:   f18ddc13af98 ("alarmtimer: Use EOPNOTSUPP instead of ENOTSUPP"),
 *           v5.4;
 *           "time/namespace: Fix overflow when converting absolute deadlines",
 *           v7.3.4, v6.12.117: without it the end of time comes at once when
 *           the clock is behind.
 * Needs:    root or user namespaces; root in the initial user namespace
 *           (CAP_WAKE_ALARM) for alarm clocks, which without an RTC are no
 *           more than a way to keep a timerfd.
 */
#include <signal.h>
#include <sys/timerfd.h>

#include "deadline_expect.h"

#define EXPIRY SIGUSR1

/* Alarm clocks are not for everybody. */
static void made(struct child_report *rep, clockid_t clock, int ret)
{
	int error = ret < 0 ? errno : 0;

	if (readable(clock) != clock && error == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	if (readable(clock) != clock && error == EOPNOTSUPP)
		child_skip(rep, NEEDS_RTC);
	CHILD_EQ(rep, 0, error);
}

static int by_timer(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct itimerspec set = { .it_value = ns_timespec(until) };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = EXPIRY,
	};
	siginfo_t info;
	sigset_t mask;
	timer_t timer;

	sigemptyset(&mask);
	sigaddset(&mask, EXPIRY);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	made(rep, clock, timer_create(clock, &event, &timer));
	CHILD_OK(rep, timer_settime(timer, TIMER_ABSTIME, &set, NULL));
	if (sigwaitinfo(&mask, &info) < 0)
		return -errno;
	CHILD_EQ(rep, SI_TIMER, info.si_code);
	return 0;
}

static int by_timerfd(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct itimerspec set = { .it_value = ns_timespec(until) };
	uint64_t expirations;
	int fd;

	fd = timerfd_create(clock, TFD_CLOEXEC);
	made(rep, clock, fd);
	CHILD_OK(rep, timerfd_settime(fd, TFD_TIMER_ABSTIME, &set, NULL));
	if (read(fd, &expirations, sizeof(expirations)) < 0)
		return -errno;
	CHILD_EQ(rep, 1, expirations);
	return 0;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(until, timer_monotonic_ahead)     { by_timer,   CLOCK_MONOTONIC,      AHEAD };
FIXTURE_VARIANT_ADD(until, timer_monotonic_behind)    { by_timer,   CLOCK_MONOTONIC,      BEHIND };
FIXTURE_VARIANT_ADD(until, timer_boottime_ahead)      { by_timer,   CLOCK_BOOTTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, timer_boottime_behind)     { by_timer,   CLOCK_BOOTTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, timer_realtime_ahead)      { by_timer,   CLOCK_REALTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, timer_realtime_behind)     { by_timer,   CLOCK_REALTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, timer_tai_ahead)           { by_timer,   CLOCK_TAI,            AHEAD };
FIXTURE_VARIANT_ADD(until, timer_tai_behind)          { by_timer,   CLOCK_TAI,            BEHIND };
FIXTURE_VARIANT_ADD(until, timer_boot_alarm_ahead)    { by_timer,   CLOCK_BOOTTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, timer_boot_alarm_behind)   { by_timer,   CLOCK_BOOTTIME_ALARM, BEHIND };
FIXTURE_VARIANT_ADD(until, timer_real_alarm_ahead)    { by_timer,   CLOCK_REALTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, timer_real_alarm_behind)   { by_timer,   CLOCK_REALTIME_ALARM, BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd_monotonic_ahead)   { by_timerfd, CLOCK_MONOTONIC,      AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd_monotonic_behind)  { by_timerfd, CLOCK_MONOTONIC,      BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd_boottime_ahead)    { by_timerfd, CLOCK_BOOTTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd_boottime_behind)   { by_timerfd, CLOCK_BOOTTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd_realtime_ahead)    { by_timerfd, CLOCK_REALTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd_realtime_behind)   { by_timerfd, CLOCK_REALTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd_boot_alarm_ahead)  { by_timerfd, CLOCK_BOOTTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd_boot_alarm_behind) { by_timerfd, CLOCK_BOOTTIME_ALARM, BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd_real_alarm_ahead)  { by_timerfd, CLOCK_REALTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd_real_alarm_behind) { by_timerfd, CLOCK_REALTIME_ALARM, BEHIND };
/* clang-format on */

TEST_HARNESS_MAIN
