/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One row of the tables of flags: a call, its flags, and its exact result.
 */
#ifndef FORK_FLAG_ROW_H
#define FORK_FLAG_ROW_H

#include "child.h"

#define VFORK (CLONE_VM | CLONE_VFORK)
#define SHARED_SIGHAND (CLONE_VM | CLONE_SIGHAND)
#define THREAD_FLAGS (SHARED_SIGHAND | CLONE_THREAD)
#define ALL_NEW                                                       \
	(CLONE_NEWPID | CLONE_NEWTIME | CLONE_NEWUSER | CLONE_NEWNS | \
	 CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWCGROUP)

enum caller {
	PLAIN, /* an ordinary process */
	INIT, /* first process of a pid namespace */
	AFTER_NEWPID, /* has a pending pid namespace */
	AFTER_NEWTIME, /* has a pending time namespace */
	THREADED, /* has a second thread */
	NO_CAPS, /* without capabilities */
};

/*
 * struct flag_row - who calls with what, and what must come of it
 * @caller: what the caller is, or does before
 * @flags:  CLONE_*
 * @signal: exit signal of the child; not for unshare(2)
 * @want:   0, or a negative errno
 */
struct flag_row {
	enum caller caller;
	__u64 flags;
	int signal;
	int want;
};

/* Value of the report: the number of the new child; not with an error. */
#define FLAG_ROW_CHILD 0

/* Flags for ns_prepare(), and for child_run() of one of the functions below */
#define FLAG_ROW_NEEDS(row) \
	(CLONE_NEWPID | CLONE_NEWTIME | ((row)->flags & ALL_NEW))
#define FLAG_ROW_CALLER(row) ((row)->caller == INIT ? CLONE_NEWPID : 0)

/**
 * run_clone3, run_clone, run_unshare - make the call, check who is where then
 * @rep: the report
 * @arg: the row
 *
 * Each is a child_fn.  A child made with CLONE_PARENT is left to the caller's
 * parent.
 */
void run_clone3(struct child_report *rep, void *arg);
void run_clone(struct child_report *rep, void *arg);
void run_unshare(struct child_report *rep, void *arg);

#endif /* FORK_FLAG_ROW_H */
