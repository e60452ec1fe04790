/* SPDX-License-Identifier: GPL-2.0 */
/* A row of the views matrix, and what its functions get; see views.h. */
#ifndef PIDNS_VIEWS_TYPES_H
#define PIDNS_VIEWS_TYPES_H

#include <limits.h>
#include <stdbool.h>

#include "child.h"

#define VIEW_DEPTH 4
#define VIEW_FDS 4

/* Expectation: the number of the target in the observer's namespace. */
#define VIEW_PID LLONG_MIN

/*
 * struct view - what the functions of a row get
 * @fd:      what prepare() made, by its number in the process that looks
 * @peer:    the other process as known here; 0 when it is not visible from here
 * @number:  @peer, or a number that the other has in some other namespace and
 *           that nobody has here: for calls that must not find it
 * @own:     the caller's number in its own namespace
 * @seen_as: the caller's number in the namespace of the other; 0: none
 * @names:   the numbers of the other, by level, up to its own
 * @is_target: the caller is the one that is looked at
 * @pidfd:   of the other process, open here; works where numbers do not
 * @level, @peer_level: of the caller and of the other in the tower
 * @note:    for the row: rep->value[1..3] of act(), before that of arm()
 */
struct view {
	int fd[VIEW_FDS];
	pid_t peer;
	pid_t number;
	pid_t own;
	pid_t seen_as;
	pid_t names[VIEW_DEPTH + 1];
	bool is_target;
	int pidfd;
	int level;
	int peer_level;
	long long note[3];
};

/*
 * struct view_row - an interface.  Any function but look() may be NULL.  They
 * run in this order, with struct view as argument:
 * @prepare: in the test: make descriptors both processes get; 0 or -errno
 * @arm:     in the observer: get ready, before the target acts
 * @act:     in the target: what is to be seen
 * @look:    in the observer: rep->value[0] is what it sees, a pid or -errno
 * @clear:   in target and observer: leave no trace for the next pair
 * @visible, @invisible: expected rep->value[0]
 * @blind: expected instead when the target does not see the observer, for
 *         targets that have to name it; 0: makes no difference
 *
 * Use child_skip() in any of them when something is missing.
 */
struct view_row {
	int (*prepare)(struct view *v);
	child_fn arm;
	child_fn act;
	child_fn look;
	child_fn clear;
	long long visible;
	long long invisible;
	long long blind;
};

#endif /* PIDNS_VIEWS_TYPES_H */
