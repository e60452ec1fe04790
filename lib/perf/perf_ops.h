/* SPDX-License-Identifier: GPL-2.0 */
/* Operations that several tables of costs have rows for; see perf_op. */
#ifndef LIB_PERF_OPS_H
#define LIB_PERF_OPS_H

#include "child.h"
#include "perf.h"

/**
 * perf_fork_wait - fork a child that ends at once, and reap it
 * @n: how many times
 * @ctx: not used
 *
 * Returns 0, or -ECHILD when one could not be had or did not end well.
 */
int perf_fork_wait(unsigned long n, struct perf_ctx *ctx);

/**
 * perf_vfork_wait - vfork a child that ends at once, and reap it
 * @n: how many times
 * @ctx: not used
 *
 * Returns 0 or -ECHILD.
 */
int perf_vfork_wait(unsigned long n, struct perf_ctx *ctx);

/**
 * perf_thread - create a thread that ends at once, and join it
 * @n: how many times
 * @ctx: not used
 *
 * Returns 0, or -EAGAIN when that failed.
 */
int perf_thread(unsigned long n, struct perf_ctx *ctx);

/**
 * perf_open_ns - open the worker's own namespace, for perf_enter()
 * @ctx: @ctx->word[0] is filled
 * @path: of its file in /proc/self/ns
 *
 * For perf_row.prepare; tries to enter as well: even the own namespace belongs
 * to a user namespace, which may not be the caller's.
 * Returns 0; -EOPNOTSUPP where the caller lacks the right; another negative
 * errno of open(2), setns(2).
 */
int perf_open_ns(struct perf_ctx *ctx, const char *path);

/**
 * perf_enter - enter a namespace
 * @n: how many times
 * @ctx: of perf_open_ns()
 *
 * Returns 0 or a negative errno of setns(2).
 */
int perf_enter(unsigned long n, struct perf_ctx *ctx);

/**
 * perf_open_probe - open a program that lies beside the running one
 * @name: of its file
 *
 * Returns a file descriptor for perf_execute(), or a negative errno of open(2),
 * readlink(2).
 */
int perf_open_probe(const char *name);

/**
 * perf_execute - become a program, without arguments
 * @fd: of perf_open_probe()
 *
 * Does not return; exits with 127 when execveat(2) fails.
 */
__noreturn void perf_execute(int fd);

/**
 * perf_fork_exec - fork a child that becomes a program, and reap it
 * @n: how many times
 * @ctx: @ctx->word[0] is of perf_open_probe()
 *
 * Returns 0, or -ECHILD when one could not be had or did not exit with 0.
 */
int perf_fork_exec(unsigned long n, struct perf_ctx *ctx);

/**
 * perf_open_end - get ready for perf_near_end()
 * @ctx: @ctx->word[4] and [5] are filled
 * @before: how many numbers there shall be before the end of the circle
 *
 * For perf_row.prepare, in places where both twins are in a pid namespace of
 * their own: numbers start over in the inside one only.
 * Returns 0; -EOPNOTSUPP without /proc, CONFIG_CHECKPOINT_RESTORE or the right
 * to use it; -ERANGE when they do not start over; another negative errno.
 */
int perf_open_end(struct perf_ctx *ctx, long before);

/**
 * perf_near_end - put the next number near the end of the circle
 * @ctx: of perf_open_end(); in the outside twin, somewhere else
 *
 * Returns 0 or a negative errno of pwrite(2).
 */
int perf_near_end(const struct perf_ctx *ctx);

/**
 * perf_reap - wait for a child that is to exit with 0
 * @pid: the child, or what fork(2) returned instead of one
 *
 * Returns 0 or -ECHILD.
 */
int perf_reap(pid_t pid);

#endif /* LIB_PERF_OPS_H */
