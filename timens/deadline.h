/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting until a moment of a clock, inside a time namespace.
 *
 * Whether the wait ends too early is told by the host's clock.  Whether it
 * ends at all is told by a guard: a timer relative to now, which no time
 * namespace moves, interrupts a wait that should be over.  Both timers are on
 * one CPU, where they expire in their order, and a wait that is over and
 * interrupted at once counts as over: so a machine that stands still for a
 * while makes no difference.  Processes that stand still while the machine
 * goes on repeat the wait: see guard_is_over().
 */
#ifndef TIMENS_DEADLINE_H
#define TIMENS_DEADLINE_H

#include "child.h"
#include "clocks.h"

#define MSEC 1000000LL

/*
 * wait_fn - wait until a moment
 * @rep: the child's own report, to stop or to skip
 * @clock: of what clock
 * @until: nanoseconds on the clock of the caller
 *
 * Returns 0 when the moment has come, -EINTR when a signal came first, or
 * another negative errno.
 */
typedef int (*wait_fn)(struct child_report *rep, clockid_t clock,
		       int64_t until);

/* Offsets: what forgets, doubles or inverts one of them shows with either. */
enum side {
	AHEAD,
	BEHIND,
};

/* What to wait for. */
enum moment {
	MOMENT_NEAR, /* a few milliseconds from now */
	MOMENT_NOW,
	MOMENT_FIRST, /* the first nanosecond of the clock */
	MOMENT_LATER, /* an hour from now: must not come */
	MOMENT_NEVER, /* the last one the kernel can name: must not come */
};

/* How signals treat a wait. */
enum manner {
	INTERRUPTIBLE,
	THREAD, /* it goes on after a signal, or does not tell it from expiry */
};

struct deadline {
	wait_fn wait;
	clockid_t clock;
	enum side side;
	enum manner manner;
	enum moment moment;
};

/**
 * deadline_check - wait in a new time namespace and look at the host's clock
 * @rep: the child's own report: it stops at what is wrong
 * @arg: struct deadline
 */
void deadline_check(struct child_report *rep, void *arg);

/**
 * offsets_on - offsets on one side
 * @side: AHEAD, or BEHIND as far as the uptime allows to stay clear of zero
 */
struct offsets offsets_on(enum side side);

/**
 * moved_by - by how much a time namespace moves a clock
 * @clock: the clock
 * @off: offsets of the namespace
 *
 * Returns nanoseconds, 0 for a clock that stays.
 */
int64_t moved_by(clockid_t clock, const struct offsets *off);

/**
 * readable - the clock to read for a clock to wait for
 * @clock: the latter; an alarm clock cannot be read without an RTC
 */
clockid_t readable(clockid_t clock);

/**
 * guard_arm - from now on interrupt the caller's waits, again and again
 * @after: nanoseconds between interruptions
 *
 * Sends SIGALRM to the process, and gives it a handler that does nothing.
 */
void guard_arm(int64_t after);

/**
 * guard_is_over - has a wait come to its end, be it that the guard ended it?
 * @ret: what a wait since guard_arm() returned, -EINTR for an interrupted one
 * @comes: whether it has to end by itself before the guard comes
 *
 * Who is stopped or frozen finds many a wait interrupted afterwards, without
 * any handler (signal(7)), and the guard has come meanwhile, too: its handler
 * runs late then, and tells nothing about the wait.
 *
 * Returns 1, or 0 when the wait has to be repeated: it was interrupted by
 * something else than the guard or, if it @comes, by a guard that was late.
 */
int guard_is_over(int ret, int comes);

/**
 * guard_disarm - no interruptions any more
 */
void guard_disarm(void);

/* Between a moment that has to come and the guard. */
#define GUARD_AFTER (50 * MSEC)

/*
 * The same where the order of two timers is not enough: a thread has to be
 * given the CPU meanwhile, or the kernel prefers the signal to the expiry.
 */
#define GUARD_AFTER_LONG (2 * NSEC_PER_SEC)

/**
 * stay_on_cpu - keep the caller where it is: its timers expire in their order
 * @rep: the child's own report: the caller stops when it cannot
 */
void stay_on_cpu(struct child_report *rep);

#endif /* TIMENS_DEADLINE_H */
