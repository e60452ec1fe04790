// SPDX-License-Identifier: GPL-2.0
/*
 * A sleep that ends at a moment ends at that moment of the namespace's clock;
 * so do the C library's waits.
 *
 * Promises: time_namespaces(7); TIMER_ABSTIME of clock_nanosleep(2);
 *           pthread_cond_timedwait(3), sem_timedwait(3), mq_receive(3);
 *           kernel/time/posix-timers.c:common_nsleep_timens(); kernel/time/
 *           alarmtimer.c:alarm_timer_nsleep().
 * Guards:   f18ddc13af98 ("alarmtimer: Use EOPNOTSUPP instead of ENOTSUPP"),
 *           v5.4;
 *           "time/namespace: Fix overflow when converting absolute deadlines",
 *           v7.3.4, v6.12.117: without it the end of time comes at once when
 *           the clock is behind.
 * Needs:    root or user namespaces; alarm clocks: an RTC, and root in the
 *           initial user namespace (CAP_WAKE_ALARM).
 */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "deadline_expect.h"

static int by_sleep(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	int ret = clock_nanosleep(clock, TIMER_ABSTIME, &ts, NULL);

	if (readable(clock) != clock && ret == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	if (readable(clock) != clock && ret == EOPNOTSUPP)
		child_skip(rep, NEEDS_RTC);
	return -ret;
}

/* A wait of the C library that can only end by time. */
static int came(int error)
{
	if (!error)
		return -EBADE;
	return error == ETIMEDOUT ? 0 : -error;
}

static int by_sem(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	sem_t sem;

	CHILD_EQ(rep, 0, sem_init(&sem, 0, 0));
	return came(sem_clockwait(&sem, clock, &ts) < 0 ? errno : 0);
}

static int by_cond(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	CHILD_EQ(rep, 0, pthread_mutex_lock(&mutex));
	return came(pthread_cond_clockwait(&cond, &mutex, clock, &ts));
}

static int by_condattr(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attr;
	pthread_cond_t cond;

	CHILD_EQ(rep, 0, pthread_condattr_init(&attr));
	CHILD_EQ(rep, 0, pthread_condattr_setclock(&attr, clock));
	CHILD_EQ(rep, 0, pthread_cond_init(&cond, &attr));
	CHILD_EQ(rep, 0, pthread_mutex_lock(&mutex));
	return came(pthread_cond_timedwait(&cond, &mutex, &ts));
}

/* A lock that the caller holds already. */
static int by_mutex(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	CHILD_EQ(rep, 0, pthread_mutex_lock(&mutex));
	return came(pthread_mutex_clocklock(&mutex, clock, &ts));
}

static int by_mqueue(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	struct timespec ts = ns_timespec(until);
	char name[32], buf[8];
	mqd_t mq;

	/* a name of its own, gone at once */
	snprintf(name, sizeof(name), "/wait-%d-%d", getppid(), getpid());
	mq = mq_open(name, O_RDONLY | O_CREAT | O_EXCL, 0600, &attr);
	if (mq < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_POSIX_MQUEUE);
	CHILD_EQ(rep, 0, mq < 0 ? errno : 0);
	CHILD_EQ(rep, 0, mq_unlink(name));
	return came(mq_timedreceive(mq, buf, sizeof(buf), NULL, &ts) < 0 ?
			    errno :
			    0);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(until, sleep_monotonic_ahead)   { by_sleep, CLOCK_MONOTONIC,      AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_monotonic_behind)  { by_sleep, CLOCK_MONOTONIC,      BEHIND };
FIXTURE_VARIANT_ADD(until, sleep_boottime_ahead)    { by_sleep, CLOCK_BOOTTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_boottime_behind)   { by_sleep, CLOCK_BOOTTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, sleep_realtime_ahead)    { by_sleep, CLOCK_REALTIME,       AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_realtime_behind)   { by_sleep, CLOCK_REALTIME,       BEHIND };
FIXTURE_VARIANT_ADD(until, sleep_tai_ahead)         { by_sleep, CLOCK_TAI,            AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_tai_behind)        { by_sleep, CLOCK_TAI,            BEHIND };
FIXTURE_VARIANT_ADD(until, sleep_boot_alarm_ahead)  { by_sleep, CLOCK_BOOTTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_boot_alarm_behind) { by_sleep, CLOCK_BOOTTIME_ALARM, BEHIND };
FIXTURE_VARIANT_ADD(until, sleep_real_alarm_ahead)  { by_sleep, CLOCK_REALTIME_ALARM, AHEAD };
FIXTURE_VARIANT_ADD(until, sleep_real_alarm_behind) { by_sleep, CLOCK_REALTIME_ALARM, BEHIND };
FIXTURE_VARIANT_ADD(until, sem_monotonic_ahead)    { by_sem,      CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, sem_monotonic_behind)   { by_sem,      CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, sem_realtime_ahead)     { by_sem,      CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, sem_realtime_behind)    { by_sem,      CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, cond_monotonic_ahead)   { by_cond,     CLOCK_MONOTONIC, AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, cond_monotonic_behind)  { by_cond,     CLOCK_MONOTONIC, BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, cond_realtime_ahead)    { by_cond,     CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, cond_realtime_behind)   { by_cond,     CLOCK_REALTIME,  BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, cond_attr_ahead)        { by_condattr, CLOCK_MONOTONIC, AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, cond_attr_behind)       { by_condattr, CLOCK_MONOTONIC, BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, mutex_monotonic_ahead)  { by_mutex,    CLOCK_MONOTONIC, AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, mutex_monotonic_behind) { by_mutex,    CLOCK_MONOTONIC, BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, mutex_realtime_ahead)   { by_mutex,    CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, mutex_realtime_behind)  { by_mutex,    CLOCK_REALTIME,  BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, mqueue_ahead)           { by_mqueue,   CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, mqueue_behind)          { by_mqueue,   CLOCK_REALTIME,  BEHIND, THREAD };
/* clang-format on */

TEST_HARNESS_MAIN
