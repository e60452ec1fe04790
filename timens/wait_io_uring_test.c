// SPDX-License-Identifier: GPL-2.0
/*
 * A timeout of io_uring that is set to a moment comes at that moment of the
 * namespace's clock.
 *
 * Promises: time_namespaces(7); IORING_TIMEOUT_ABS, IORING_TIMEOUT_UPDATE,
 *           IORING_LINK_TIMEOUT_UPDATE, IORING_ENTER_ABS_TIMER of
 *           io_uring_enter(2); io_uring/timeout.c:io_parse_user_time(),
 *           io_timeout_update(), io_linked_timeout_update(); io_uring/wait.c:
 *           io_cqring_wait().
 * Guards:   9cc6bac1bebf ("io_uring/timeout: honour caller's time namespace for
 *           IORING_TIMEOUT_ABS"), v7.1;
 *           45d2b37a37ab ("io_uring/wait: honour caller's time namespace for
 *           IORING_ENTER_ABS_TIMER"), v7.1: before these two, all waits used
 *           the host's clock;
 *           "time/namespace: Fix overflow when converting absolute deadlines",
 *           v7.3.4, v6.12.117.
 * Needs:    root or user namespaces; io_uring.
 */
#include <poll.h>

#include "deadline_expect.h"
#include "uring.h"

#define FAR (100000 * NSEC_PER_SEC)

enum { TIMEOUT, POLL, UPDATE };

/* struct __kernel_timespec */
struct time64 {
	int64_t sec;
	int64_t nsec;
};

static struct time64 time64(int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return (struct time64){ ts.tv_sec, ts.tv_nsec };
}

static unsigned int flag_of(clockid_t clock)
{
	if (clock == CLOCK_BOOTTIME)
		return IORING_TIMEOUT_BOOTTIME;
	return clock == CLOCK_REALTIME ? IORING_TIMEOUT_REALTIME : 0;
}

static struct io_uring_sqe timeout_sqe(const struct time64 *ts,
				       unsigned int flags)
{
	return (struct io_uring_sqe){
		.opcode = IORING_OP_TIMEOUT,
		.fd = -1,
		.addr = (uintptr_t)ts,
		.len = 1,
		.timeout_flags = flags,
		.user_data = TIMEOUT,
	};
}

/* A timeout that is refused is one on a clock that io_uring does not know. */
static int came(struct child_report *rep, struct uring *r, clockid_t clock)
{
	int res, ret = uring_result(r, TIMEOUT, &res);

	if (ret < 0)
		return ret;
	if (res == -EINVAL && clock != CLOCK_MONOTONIC)
		child_skip(rep, NEEDS_IO_URING_CLOCKS);
	return res == -ETIME ? 0 : res;
}

static int by_timeout(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct time64 ts = time64(until);
	struct io_uring_sqe sqe;
	struct uring r;

	uring_open(rep, &r);
	sqe = timeout_sqe(&ts, IORING_TIMEOUT_ABS | flag_of(clock));
	uring_queue(&r, &sqe);
	uring_submit(rep, &r);
	return came(rep, &r, clock);
}

/* Something that takes for ever, and has a timeout linked to it. */
static void queue_linked(struct child_report *rep, struct uring *r,
			 const struct time64 *ts, unsigned int flags)
{
	struct io_uring_sqe link = timeout_sqe(ts, flags);
	struct io_uring_sqe poll = {
		.opcode = IORING_OP_POLL_ADD,
		.flags = IOSQE_IO_LINK,
		.poll_events = POLLIN,
		.user_data = POLL,
	};
	int fd[2];

	CHILD_OK(rep, pipe(fd));
	poll.fd = fd[0];
	link.opcode = IORING_OP_LINK_TIMEOUT;
	uring_queue(r, &poll);
	uring_queue(r, &link);
	uring_submit(rep, r);
}

static int by_linked(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct time64 ts = time64(until);
	struct uring r;

	uring_open(rep, &r);
	queue_linked(rep, &r, &ts, IORING_TIMEOUT_ABS | flag_of(clock));
	return came(rep, &r, clock);
}

/*
 * Set a timeout that was far away to another moment.  Where there was none,
 * because its clock is not known, it has come to an end that tells so.
 */
static int update(struct child_report *rep, struct uring *r, int64_t until,
		  unsigned int flags)
{
	struct time64 ts = time64(until);
	struct io_uring_sqe sqe = {
		.opcode = IORING_OP_TIMEOUT_REMOVE,
		.fd = -1,
		.addr = TIMEOUT,
		.off = (uintptr_t)&ts,
		.timeout_flags = flags | IORING_TIMEOUT_ABS,
		.user_data = UPDATE,
	};
	int res, ret;

	uring_queue(r, &sqe);
	uring_submit(rep, r);
	ret = uring_result(r, UPDATE, &res);
	return ret < 0 ? ret : res;
}

static int by_update(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct time64 far = time64(FAR);
	struct io_uring_sqe sqe = timeout_sqe(&far, flag_of(clock));
	struct uring r;
	int ret;

	uring_open(rep, &r);
	uring_queue(&r, &sqe);
	uring_submit(rep, &r);
	ret = update(rep, &r, until, IORING_TIMEOUT_UPDATE);
	if (ret == -ENOENT)
		return came(rep, &r, clock);
	return ret < 0 ? ret : came(rep, &r, clock);
}

static int by_relink(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct time64 far = time64(FAR);
	struct uring r;
	int ret;

	uring_open(rep, &r);
	queue_linked(rep, &r, &far, flag_of(clock));
	ret = update(rep, &r, until,
		     IORING_TIMEOUT_UPDATE | IORING_LINK_TIMEOUT_UPDATE);
	if (ret == -ENOENT)
		return came(rep, &r, clock);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_IO_URING_LINK_UPDATE);
	return ret < 0 ? ret : came(rep, &r, clock);
}

/* Without the flag a completion is waited for that does not come. */
static int by_enter(struct child_report *rep, clockid_t clock, int64_t until)
{
	const uint32_t reg[] = { clock, 0, 0, 0 };
	struct uring r;
	int ret;

	uring_open(rep, &r);
	if (clock != CLOCK_MONOTONIC &&
	    syscall(__NR_io_uring_register, r.fd, URING_REGISTER_CLOCK, reg,
		    0) < 0) {
		CHILD_EQ(rep, EINVAL, errno);
		child_skip(rep, NEEDS_IO_URING_ABS_TIMER);
	}
	ret = uring_wait_time(&r, IORING_ENTER_ABS_TIMER, until);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_IO_URING_ABS_TIMER);
	return ret == -ETIME ? 0 : ret;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(until, timeout_monotonic_ahead)  { by_timeout, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, timeout_monotonic_behind) { by_timeout, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, timeout_boottime_ahead)   { by_timeout, CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, timeout_boottime_behind)  { by_timeout, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, timeout_realtime_ahead)   { by_timeout, CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, timeout_realtime_behind)  { by_timeout, CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, linked_monotonic_ahead)   { by_linked,  CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, linked_monotonic_behind)  { by_linked,  CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, linked_boottime_ahead)    { by_linked,  CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, linked_boottime_behind)   { by_linked,  CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, linked_realtime_ahead)    { by_linked,  CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, linked_realtime_behind)   { by_linked,  CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, update_monotonic_ahead)   { by_update,  CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, update_monotonic_behind)  { by_update,  CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, update_boottime_ahead)    { by_update,  CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, update_boottime_behind)   { by_update,  CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, update_realtime_ahead)    { by_update,  CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, update_realtime_behind)   { by_update,  CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, relink_monotonic_ahead)   { by_relink,  CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, relink_monotonic_behind)  { by_relink,  CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, relink_boottime_ahead)    { by_relink,  CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, relink_boottime_behind)   { by_relink,  CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, relink_realtime_ahead)    { by_relink,  CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, relink_realtime_behind)   { by_relink,  CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, enter_monotonic_ahead)    { by_enter,   CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, enter_monotonic_behind)   { by_enter,   CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, enter_boottime_ahead)     { by_enter,   CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, enter_boottime_behind)    { by_enter,   CLOCK_BOOTTIME,  BEHIND };
/* clang-format on */

TEST_HARNESS_MAIN
