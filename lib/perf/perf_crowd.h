/* SPDX-License-Identifier: GPL-2.0 */
/* Idle company for a worker; for perf_row.prepare. */
#ifndef LIB_PERF_CROWD_H
#define LIB_PERF_CROWD_H

#include "perf.h"

/**
 * perf_crowd - make idle processes, which end with the worker
 * @ctx: @ctx->word[0] is set to the number of the last one
 * @members: how many in the inside twin; the outside twin gets one
 * @flags: 0, or CLONE_NEWPID to make each the init of a pid namespace
 *
 * They are not children of the worker, who would look at all of them in every
 * wait, and share no memory with it, but all memory with each other: a member
 * costs about 30 kB, most of it the kernel's.
 *
 * Returns 0, or -EOPNOTSUPP when so many would disturb the machine, as they
 * take numbers at every level up to the host's (at least a quarter of its
 * pid_max must stay free, and twice the memory be there), or when clone(2)
 * fails because of a limit.
 */
int perf_crowd(struct perf_ctx *ctx, long members, int flags);

#endif /* LIB_PERF_CROWD_H */
