/* SPDX-License-Identifier: GPL-2.0 */
/* Places where something may cost more; see struct perf_place. */
#ifndef LIB_PERF_PLACE_H
#define LIB_PERF_PLACE_H

#include "perf.h"

/* A time namespace that moves both clocks. */
extern const struct perf_place perf_timens;

/*
 * The innermost of so many nested pid namespaces, freshly made: pid numbers
 * are small and close to each other, which is the cheap case.
 */
extern const struct perf_place perf_pidns1;
extern const struct perf_place perf_pidns8;
extern const struct perf_place perf_pidns31;

/* A pid and a time namespace. */
extern const struct perf_place perf_both;

#endif /* LIB_PERF_PLACE_H */
