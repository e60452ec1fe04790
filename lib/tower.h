/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tower: nested pid namespaces with one parked, obedient process per
 * level, a second one at the lowest level, and a sibling beside the first.
 *
 *	level 0   the caller's pid namespace      member[0]
 *	level 1     +- new pid namespace          member[1]
 *	level 2     |    +- new pid namespace     member[2]
 *	  ...       |         ...
 *	depth       |              +- ...         member[depth], twin
 *	level 1     +- new pid namespace          sibling
 *
 * Every member's number at every level is known from creation, from sources
 * that are none of the interfaces under test: the numbers in the new
 * namespaces are chosen with clone3(2) set_tid, the number at level 0 is what
 * clone3(2) returned to a caller there.  No chosen number occurs twice, so a
 * number from the wrong namespace can never be the right one by chance.
 *
 * Members are children of the caller, also those deep inside.
 */
#ifndef LIB_TOWER_H
#define LIB_TOWER_H

#include "child.h"

#define TOWER_LEVELS 32 /* MAX_PID_NS_LEVEL of the kernel */
#define TOWER_ARG 512 /* bytes of argument a member takes */

struct tower_page;

/*
 * struct tower_member - a parked process
 * @proc:   pid at level 0 and pidfd; use @pid for numbers
 * @level:  its pid namespace
 * @branch: 0 in the tower, 1 for the sibling
 * @pid:    its number at each level up to its own
 * @sock:   the caller's end of the line to it
 * @page:   what caller and member share
 */
struct tower_member {
	struct child proc;
	int level;
	int branch;
	pid_t pid[TOWER_LEVELS + 1];
	int sock;
	int far_sock;
	struct tower_page *page;
};

/*
 * struct tower - see above
 * @depth:   how many levels below the caller's
 * @member:  one per level
 * @twin:    another one where member[depth] is
 * @sibling: in a pid namespace of its own at level 1
 * @init:    pidfds of the first process of each new namespace, by level; the
 *           sibling's is init[0].  They only wait; they ignore SIGCHLD.
 */
struct tower {
	int depth;
	pid_t base;
	struct tower_member member[TOWER_LEVELS + 1];
	struct tower_member twin;
	struct tower_member sibling;
	int init[TOWER_LEVELS + 1];
};

/**
 * tower_prepare - ns_prepare() of caps.h for a caller that builds a tower
 * @flags: the CLONE_NEW* flags that will be used besides CLONE_NEWPID
 * @missing: set to a constant of needs.h when something is missing, else NULL
 *
 * Also looks for clone3(2) and setns(2), which only a tower needs and which
 * seccomp filters refuse.
 * Returns as ns_prepare().
 */
int tower_prepare(__u64 flags, const char **missing);

/**
 * tower_up - build a tower
 * @t: filled; give it back with tower_down(), also after a failure
 * @depth: new nested pid namespaces, 1 to TOWER_LEVELS
 *
 * The caller needs what tower_prepare() looks for.
 * Returns 0; -ENOSPC when pid namespaces cannot be nested that deep or are
 * limited (pid_namespaces(7)); -ENOSYS without clone3(2); another negative
 * errno of clone3(2), setns(2), socketpair(2), mmap(2).
 */
int tower_up(struct tower *t, int depth);

/**
 * tower_down - end all members and namespaces
 * @t: of tower_up(), whatever that returned
 */
void tower_down(struct tower *t);

/**
 * tower_pid - the number by which an observer knows a target
 * @target, @observer: members of the same tower
 *
 * Returns the target's pid in the pid namespace of the observer; 0 when the
 * target is not visible from there.
 */
pid_t tower_pid(const struct tower_member *target,
		const struct tower_member *observer);

/**
 * tower_begin - let a member run a function
 * @m: the member, idle
 * @fn: runs in the member, with its report and a copy of @arg
 * @arg, @size: up to TOWER_ARG bytes; NULL and 0: none
 *
 * A child_fail() or child_skip() in @fn ends @fn; the member lives on.
 * Returns 0 or a negative errno of send(2); -E2BIG when @size is too large.
 */
int tower_begin(struct tower_member *m, child_fn fn, const void *arg,
		size_t size);

/**
 * tower_end - wait until the member is idle again
 * @m: a member that tower_begin() was called for
 * @rep: filled with what the function reported
 *
 * Returns 0, also when the function stopped at a wrong value (see @rep);
 * -ECHILD when the member died; -ETIMEDOUT after
 * CHILD_DEADLINE_MS.
 */
int tower_end(struct tower_member *m, struct child_report *rep);

/**
 * tower_call - tower_begin() and tower_end() in one
 * @m, @fn, @arg, @size, @rep: see there
 *
 * Returns 0 or a negative errno of either.
 */
int tower_call(struct tower_member *m, child_fn fn, const void *arg,
	       size_t size, struct child_report *rep);

/**
 * tower_send_fd - give a member a file descriptor
 * @m: the member, idle
 * @fd: of the caller, who keeps it
 *
 * Returns its number in the member, or a negative errno.
 */
int tower_send_fd(struct tower_member *m, int fd);

/**
 * tower_fetch_fd - get a file descriptor from a member
 * @m: the member, idle
 * @fd: its number in the member, who keeps it
 *
 * Returns its number in the caller, or a negative errno.
 */
int tower_fetch_fd(struct tower_member *m, int fd);

#endif /* LIB_TOWER_H */
