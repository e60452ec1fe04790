/* SPDX-License-Identifier: GPL-2.0 */
/* Pid numbers and pid namespaces that are taken; for perf_row.prepare. */
#ifndef LIB_PERF_CROWD_H
#define LIB_PERF_CROWD_H

#include "perf.h"

/**
 * perf_crowd - make processes that have ended, and that nobody reaps before
 *              the worker ends
 * @ctx: @ctx->word[0] is set to the number of the last one
 * @members: how many, at least 1; more than one often for the inside twin only
 * @flags: 0, or CLONE_NEWPID to make each the init of a pid namespace
 *
 * Their numbers and namespaces exist as those of the living do.  Yet they need
 * little memory, and neither their coming nor their going is a load, as with
 * thousands that wait and are killed at once.  They are not children of the
 * worker, who would look at all of them in every wait.
 *
 * Returns 0, or -EOPNOTSUPP when so many would disturb the machine, as they
 * take numbers at every level up to the host's (at least a quarter of its
 * pid_max must stay free, and the memory be there), or when clone(2) fails
 * because of a limit.
 */
int perf_crowd(struct perf_ctx *ctx, long members, int flags);

#endif /* LIB_PERF_CROWD_H */
