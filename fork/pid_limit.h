/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of a pid namespace: where they end, which one comes next. */
#ifndef FORK_PID_LIMIT_H
#define FORK_PID_LIMIT_H

#include "child.h"

/* include/linux/pid.h: where numbers start again after the last one */
#define RESERVED_PIDS 300
#define PID_MAX_LEAST (RESERVED_PIDS + 1)

/**
 * pid_limit_harmless - make sure that pid_max of the machine cannot be hit
 * @rep: report of the caller, who stops when that cannot be done
 *
 * Before v6.14 there is one pid_max for all, and user 0 may write it from any
 * user namespace.  So become another user, then root of a user namespace.
 */
void pid_limit_harmless(struct child_report *rep);

/**
 * pid_limit_need - the caller skips where there is no /proc for the others
 * @rep: report of the caller
 */
void pid_limit_need(struct child_report *rep);

/**
 * pid_limit_set - set pid_max of the caller's pid namespace
 * @rep: report of the caller, who stops when there is no such thing
 * @max: numbers are smaller than this; at least PID_MAX_LEAST
 *
 * Call pid_limit_harmless() before the pid namespace is made.
 */
void pid_limit_set(struct child_report *rep, int max);

/**
 * pid_limit_get - pid_max that holds in the caller's pid namespace
 *
 * Returns it, or a negative errno.
 */
int pid_limit_get(void);

/**
 * pid_next_set - let the next process of the caller's pid namespace have a
 * number
 * @rep: report of the caller, who stops when that cannot be done
 * @next: the number
 */
void pid_next_set(struct child_report *rep, int next);

#endif /* FORK_PID_LIMIT_H */
