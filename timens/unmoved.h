/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a time namespace leaves as it is, looked at by a process that goes there
 * and comes back.  Also for 32-bit programs.
 */
#ifndef TIMENS_UNMOVED_H
#define TIMENS_UNMOVED_H

#include "child.h"
#include "clocks.h"

/* Of the namespace that is looked at. */
extern const struct offsets unmoved_offsets;

/**
 * unmoved_time_of_day - gettimeofday(2) and time(2) on every path
 * @rep: the child's own report: it stops at what is wrong
 * @arg: not used
 */
void unmoved_time_of_day(struct child_report *rep, void *arg);

/**
 * unmoved_resolutions - clock_getres(2) of every clock on every path
 * @rep: the child's own report: it stops at what is wrong
 * @arg: not used
 */
void unmoved_resolutions(struct child_report *rep, void *arg);

#endif /* TIMENS_UNMOVED_H */
