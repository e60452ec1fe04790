// SPDX-License-Identifier: GPL-2.0
/* Waiting until a moment of a clock; see deadline.h. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "deadline.h"
#include "hop.h"
#include "lack.h"

#define SHORT (2 * MSEC)
#define NEAR (5 * MSEC)
#define HOUR (3600 * NSEC_PER_SEC)

struct offsets offsets_on(enum side side)
{
	if (side == AHEAD)
		return (struct offsets){
			.monotonic = 1000 * NSEC_PER_SEC + 500 * MSEC,
			.boottime = 2000 * NSEC_PER_SEC + 250 * MSEC,
		};
	return (struct offsets){
		.monotonic = -clock_ns(CLOCK_MONOTONIC) / 2,
		.boottime = -clock_ns(CLOCK_BOOTTIME) / 4,
	};
}

int64_t moved_by(clockid_t clock, const struct offsets *off)
{
	int i;

	for (i = 0; i < clock_row_count; i++)
		if (clock_rows[i].id == clock)
			return offset_of(&clock_rows[i], off);
	return 0;
}

clockid_t readable(clockid_t clock)
{
	if (clock == CLOCK_BOOTTIME_ALARM)
		return CLOCK_BOOTTIME;
	return clock == CLOCK_REALTIME_ALARM ? CLOCK_REALTIME : clock;
}

/* Later than a handler ever runs that nothing keeps from running. */
#define LATE MSEC

static volatile sig_atomic_t guard_came, guard_late;
static int64_t guard_next, guard_period;

static void interrupt(int sig)
{
	int64_t late = clock_ns(CLOCK_MONOTONIC) - guard_next;

	(void)sig;
	guard_came = 1;
	guard_late = late > LATE;
	if (late >= 0)
		guard_next += (late / guard_period + 1) * guard_period;
}

void guard_arm(int64_t after)
{
	struct timeval tv = {
		.tv_sec = after / NSEC_PER_SEC,
		.tv_usec = after % NSEC_PER_SEC / 1000,
	};
	struct itimerval it = { tv, tv };
	struct sigaction sa = { .sa_handler = interrupt };

	guard_came = 0;
	guard_late = 0;
	guard_period = after;
	guard_next = clock_ns(CLOCK_MONOTONIC) + after;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
}

void guard_disarm(void)
{
	const struct itimerval none = { 0 };

	setitimer(ITIMER_REAL, &none, NULL);
}

int guard_is_over(int ret, int comes)
{
	if (ret != -EINTR || (guard_came && !(comes && guard_late)))
		return 1;
	guard_came = 0;
	guard_late = 0;
	return 0;
}

struct threaded_wait {
	struct child_report *rep;
	wait_fn wait;
	clockid_t clock;
	int64_t until;
	int ret;
	sem_t over;
};

static void *wait_there(void *arg)
{
	struct threaded_wait *w = arg;

	w->ret = w->wait(w->rep, w->clock, w->until);
	sem_post(&w->over);
	return NULL;
}

/* The thread is left behind when a signal comes first. */
static int wait_in_thread(struct child_report *rep, const struct deadline *d,
			  int64_t until, int comes)
{
	struct threaded_wait w = { rep, d->wait, d->clock, until };
	sigset_t all, old;
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, sem_init(&w.over, 0, 0));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, wait_there, &w));
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	while (sem_wait(&w.over) < 0)
		if (guard_is_over(-errno, comes))
			return -errno;
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	return w.ret;
}

void stay_on_cpu(struct child_report *rep)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	CHILD_OK(rep, sched_setaffinity(0, sizeof(here), &here));
}

/* @ahead: how far away @until is, 0 if it has come, -1 if it does not come */
static int wait_guarded(struct child_report *rep, const struct deadline *d,
			int64_t until, int64_t ahead)
{
	int64_t guard = ahead < 0 ? SHORT : ahead;
	int comes = ahead >= 0, ret;

	if (comes)
		guard += d->manner == THREAD ? GUARD_AFTER_LONG : GUARD_AFTER;
	guard_arm(guard);
	do {
		if (d->manner == THREAD)
			ret = wait_in_thread(rep, d, until, comes);
		else
			ret = d->wait(rep, d->clock, until);
	} while (!guard_is_over(ret, comes));
	guard_disarm();
	return ret;
}

/*
 * A moment near enough not to wait long for, and far enough to be still ahead
 * when the wait begins: a wait for the present tells how long that takes.
 */
static int64_t near(struct child_report *rep, const struct deadline *d)
{
	clockid_t clock = readable(d->clock);
	int64_t start = clock_ns(clock);

	CHILD_EQ(rep, 0, wait_guarded(rep, d, start, 0));
	return NEAR + 3 * (clock_ns(clock) - start);
}

static int wait_until(struct child_report *rep, const struct deadline *d,
		      int64_t *until)
{
	int64_t ahead = d->moment == MOMENT_NEAR ? near(rep, d) : 0;
	int64_t now = clock_ns(readable(d->clock));

	switch (d->moment) {
	case MOMENT_NEAR:
	case MOMENT_NOW:
		*until = now + ahead;
		break;
	case MOMENT_FIRST:
		*until = 1;
		break;
	case MOMENT_LATER:
		*until = now + HOUR;
		ahead = -1;
		break;
	default:
		*until = INT64_MAX;
		ahead = -1;
	}
	return wait_guarded(rep, d, *until, ahead);
}

void deadline_check(struct child_report *rep, void *arg)
{
	const struct deadline *d = arg;
	int comes = d->moment < MOMENT_LATER;
	clockid_t clock = readable(d->clock);
	struct offsets off = offsets_on(d->side);
	int64_t moved = moved_by(clock, &off);
	int64_t before = clock_ns(clock), inside, until, after;
	int old = timens_enter(rep, &off), ended;

	stay_on_cpu(rep);
	inside = clock_ns(clock);
	ended = wait_until(rep, d, &until);
	CHILD_EQ(rep, comes ? 0 : -EINTR, ended);
	if (!comes)
		return;
	timens_leave(rep, old);
	after = clock_ns(clock);
	CHILD_LE(rep, before, inside - moved);
	CHILD_LE(rep, until - moved, after);
}
