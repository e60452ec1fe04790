/* SPDX-License-Identifier: GPL-2.0 */
/* As many children as there may be. */
#ifndef FORK_THRONG_H
#define FORK_THRONG_H

#include <sys/types.h>

#define THRONG_MOST 1024

/* struct throng - children that wait to be killed, oldest first */
struct throng {
	int n;
	pid_t pid[THRONG_MOST];
};

/**
 * throng_add - fork so often, or until that fails
 * @t: more are added to those it has
 * @n: how often; all in all at most THRONG_MOST
 *
 * The children end with their parent.
 * Returns 0, or the negative errno of the fork(2) that failed.
 */
int throng_add(struct throng *t, int n);

/**
 * throng_fill - fork until that fails
 * @t: filled; may have children already
 *
 * As throng_add().
 * Returns the negative errno of the fork(2) that failed; 0 at THRONG_MOST.
 */
int throng_fill(struct throng *t);

/**
 * throng_end - kill the last @n children and reap them
 * @t: of throng_fill()
 * @n: how many, at most all
 *
 * Returns 0; -ECHILD when one was not there or ended otherwise.
 */
int throng_end(struct throng *t, int n);

#endif /* FORK_THRONG_H */
