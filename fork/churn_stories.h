/* SPDX-License-Identifier: GPL-2.0 */
/* Ways in which namespaces come and go. */
#ifndef FORK_CHURN_STORIES_H
#define FORK_CHURN_STORIES_H

#include "child.h"

#define CHURN_STORIES 5

/*
 * Each makes namespaces, which are gone or going when it returns.  The argument
 * is an atomic_int in shared memory: it counts errors that must not be.
 */
extern const child_fn churn_story[CHURN_STORIES];

/**
 * churn_start - as child_start(), with patience while there are too many
 * @c, @flags, @fn, @arg: see there
 *
 * Returns as child_start(); -ENOSPC only when that does not end.
 */
int churn_start(struct child *c, __u64 flags, child_fn fn, void *arg);

/**
 * churn_run - churn_start(), wait, and stop unless the child held
 * @rep: the caller's own report
 * @flags, @fn, @arg: see child_start()
 */
void churn_run(struct child_report *rep, __u64 flags, child_fn fn, void *arg);

#endif /* FORK_CHURN_STORIES_H */
