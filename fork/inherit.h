/* SPDX-License-Identifier: GPL-2.0 */
/* Make a task in one of many ways, and see where it is. */
#ifndef FORK_INHERIT_H
#define FORK_INHERIT_H

#include <stdint.h>

#include "child.h"
#include "nslink.h"

/* Ways to make a task; all but FORK and VFORK by clone(2) with these flags. */
enum inherit_way {
	BY_FORK,
	BY_GRANDCHILD, /* fork twice */
	BY_VFORK,
	BY_VM,
	BY_FILES, /* CLONE_FILES | CLONE_FS | CLONE_SYSVSEM */
	BY_SIGHAND, /* CLONE_VM | CLONE_SIGHAND */
	BY_PARENT,
	BY_THREAD,
	BY_PTHREAD,
	INHERIT_WAYS
};

/*
 * struct inherit_view - where a task is
 * @link: see nslink()
 * @pid_children, @time_children: namespaces for its children
 * @clock: CLOCK_MONOTONIC and CLOCK_BOOTTIME, each by every clock_path
 * @tid: its number, as it sees itself
 * @ready: the task has filled this
 */
struct inherit_view {
	int64_t link[NSLINKS];
	int64_t pid_children;
	int64_t time_children;
	int64_t clock[2][3];
	int64_t tid;
	int ready;
};

/**
 * inherit_look - fill a view of the caller
 * @view: where
 */
void inherit_look(struct inherit_view *view);

/**
 * inherit_make - make a task and wait until it has looked around
 * @way: how
 * @view: filled by the task; in memory shared between processes
 *
 * Returns its number as the caller sees it, or a negative errno of what makes
 * it; -ECHILD when it ended without looking.
 */
int inherit_make(enum inherit_way way, struct inherit_view *view);

#endif /* FORK_INHERIT_H */
