/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The little of io_uring(7) that waiting for time takes, without liburing.
 */
#ifndef TIMENS_URING_H
#define TIMENS_URING_H

#include <linux/io_uring.h>

#include "child.h"

/* linux/io_uring.h of newer kernels */
#ifndef IORING_TIMEOUT_BOOTTIME
#define IORING_TIMEOUT_BOOTTIME (1U << 2)
#define IORING_TIMEOUT_REALTIME (1U << 3)
#define IORING_LINK_TIMEOUT_UPDATE (1U << 4)
#endif
#ifndef IORING_ENTER_EXT_ARG
#define IORING_ENTER_EXT_ARG (1U << 3)
#endif
#ifndef IORING_ENTER_ABS_TIMER
#define IORING_ENTER_ABS_TIMER (1U << 5)
#endif
#define URING_REGISTER_CLOCK 29

/* struct io_uring_getevents_arg */
struct uring_wait_arg {
	__u64 sigmask;
	__u32 sigmask_sz;
	__u32 min_wait_usec;
	__u64 ts;
};

#define URING_ENTRIES 8

struct uring {
	int fd;
	unsigned int *sq_tail;
	unsigned int *sq_array;
	unsigned int *cq_head;
	unsigned int *cq_tail;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
	unsigned int queued;
	unsigned int done; /* a bit for each number of a request */
	int res[URING_ENTRIES];
};

/**
 * uring_open - set up a ring, which lives as long as the process
 * @rep: the child's own report: the caller skips without io_uring, and stops
 *       when it cannot be set up
 * @r: filled
 */
void uring_open(struct child_report *rep, struct uring *r);

/**
 * uring_queue - queue a request
 * @r: the ring
 * @sqe: the request, with a number below URING_ENTRIES as user_data; as many
 *       in the life of a ring
 */
void uring_queue(struct uring *r, const struct io_uring_sqe *sqe);

/**
 * uring_submit - submit what is queued
 * @rep: the child's own report: the caller stops when it cannot
 * @r: the ring
 */
void uring_submit(struct child_report *rep, struct uring *r);

/**
 * uring_result - wait for a request to complete
 * @r: the ring
 * @number: of the request
 * @res: its result
 *
 * Returns 0, -EINTR when a signal came first, or another negative errno of
 * io_uring_enter(2).
 */
int uring_result(struct uring *r, int number, int *res);

/**
 * uring_wait_time - wait for completions that do not come, up to some time
 * @r: the ring
 * @flags: IORING_ENTER_ABS_TIMER or 0
 * @ns: the time
 *
 * Returns what io_uring_enter(2) returns, or a negative errno of it: -ETIME
 * when the time is up.
 */
int uring_wait_time(struct uring *r, unsigned int flags, int64_t ns);

#endif /* TIMENS_URING_H */
