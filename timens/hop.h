/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moving the caller between time namespaces, so that one process can look at
 * the same clock from both sides: setns(2), time_namespaces(7).
 *
 * For children with one thread.
 */
#ifndef TIMENS_HOP_H
#define TIMENS_HOP_H

#include "child.h"
#include "clocks.h"

/**
 * timens_enter_pending - move the caller into its pending time namespace
 * @rep: the child's own report: the caller stops when it cannot
 */
void timens_enter_pending(struct child_report *rep);

/**
 * timens_enter - move the caller into a new time namespace
 * @rep: the child's own report: the caller stops when it cannot
 * @off: how far its clocks are ahead of the caller's
 *
 * Returns a file descriptor of the namespace it came from, for
 * timens_leave(); of one with the same offsets where the caller lacks the
 * rights to return.
 */
int timens_enter(struct child_report *rep, const struct offsets *off);

/**
 * timens_leave - move the caller into another time namespace
 * @rep: the child's own report: the caller stops when it cannot
 * @ns: what timens_enter() returned; stays open
 */
void timens_leave(struct child_report *rep, int ns);

#endif /* TIMENS_HOP_H */
