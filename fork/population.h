/* SPDX-License-Identifier: GPL-2.0 */
/* A known number of births, execs and deaths, for tests that count them. */
#ifndef FORK_POPULATION_H
#define FORK_POPULATION_H

#include "child.h"

#define POPULATION_BIRTHS (24 + 6 * 3) /* of processes, and of threads */
#define POPULATION_EXECS 6

/*
 * population_live - have them, one process after the other, and reap all
 * @rep: the caller's own report: it stops when a child cannot be had or does
 *       not end as it should
 * @path: of exec_probe, a string
 */
void population_live(struct child_report *rep, void *path);

#endif /* FORK_POPULATION_H */
