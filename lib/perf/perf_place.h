/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places where something may cost more; see struct perf_place.
 *
 * Pid namespaces are freshly made: pid numbers are small and close to each
 * other, so that the tree of numbers rarely grows.  That is the cheap case.
 */
#ifndef LIB_PERF_PLACE_H
#define LIB_PERF_PLACE_H

#include "perf.h"

/* A time namespace that moves both clocks. */
extern const struct perf_place perf_timens;

/* The innermost of so many nested pid namespaces. */
extern const struct perf_place perf_pidns1;
extern const struct perf_place perf_pidns2;
extern const struct perf_place perf_pidns4;
extern const struct perf_place perf_pidns8;
extern const struct perf_place perf_pidns16;
extern const struct perf_place perf_pidns31;

/* A pid and a time namespace. */
extern const struct perf_place perf_both;

/* A user namespace, with one user. */
extern const struct perf_place perf_userns;

/*
 * The innermost of 31 nested pid namespaces, compared with that of 16: does
 * the cost grow faster than depth?
 */
extern const struct perf_place perf_twice;

/*
 * The innermost of 8 nested pid namespaces, compared with a single one: for
 * what cannot be done, or is something else, outside of any.
 */
extern const struct perf_place perf_deeper;

/* The same, where each twin has a /proc of its own namespace. */
extern const struct perf_place perf_proc;

/*
 * Both twins in a pid namespace of their own, alike: for rows whose prepare
 * makes the difference.
 */
extern const struct perf_place perf_apart;

#endif /* LIB_PERF_PLACE_H */
