/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line between the builder of a tower and a parked member.  For tower.c
 * only; tests use tower.h.
 */
#ifndef LIB_TOWER_LINE_H
#define LIB_TOWER_LINE_H

#include "tower.h"

/* What the builder and one member share. */
struct tower_page {
	struct child_report rep;
	child_fn fn;
	int fd;
	long long arg[TOWER_ARG / sizeof(long long)]; /* aligned for all */
};

/**
 * line_clear - make @m a member that was never started
 */
void line_clear(struct tower_member *m);

/**
 * line_init - set up the line, before the member is born
 *
 * Returns 0 or a negative errno of socketpair(2), mmap(2).
 */
int line_init(struct tower_member *m);

/**
 * line_obey - the life of a member: wait for orders, carry them out
 *
 * Returns when the line is broken; a member normally ends by a signal.
 */
void line_obey(struct tower_member *m);

/**
 * line_end - kill and reap the member, give back what the line holds
 *
 * Does nothing for a member that was never started.
 */
void line_end(struct tower_member *m);

#endif /* LIB_TOWER_LINE_H */
