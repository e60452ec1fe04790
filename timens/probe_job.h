/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What 32-bit programs see and do in a time namespace: checks that timens_probe
 * makes in a process of its own kind.
 */
#ifndef TIMENS_PROBE_JOB_H
#define TIMENS_PROBE_JOB_H

#include "deadline.h"

enum probe_check {
	PROBE_TIME_OF_DAY, /* unmoved_time_of_day() */
	PROBE_RESOLUTIONS, /* unmoved_resolutions() */
	BY_SLEEP, /* deadline_check() of clock_nanosleep(2) */
	BY_TIMER, /* ... of timer_settime(2) */
	BY_TIMERFD, /* ... of timerfd_settime(2) */
	BY_FUTEX, /* ... of FUTEX_WAIT_BITSET */
};

/* The system calls that are used: for times up to 2038, or beyond. */
enum probe_width {
	TIME32,
	TIME64,
};

/* struct probe_job - the arguments of timens_probe, in their order */
struct probe_job {
	enum probe_check check;
	enum probe_width width; /* this and the rest: for waits alone */
	clockid_t clock;
	enum side side;
	enum moment moment;
};

#define PROBE_ARGS 5

/* Exit codes; a text that says what was wrong goes to standard output. */
enum probe_end {
	PROBE_HELD = 0,
	PROBE_WRONG = 1,
	PROBE_USAGE = 2,
	PROBE_NO_CALL = 3, /* the kernel has no such system call */
};

#endif /* TIMENS_PROBE_JOB_H */
