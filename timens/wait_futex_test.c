// SPDX-License-Identifier: GPL-2.0
/*
 * A futex wait that ends at a moment of CLOCK_MONOTONIC ends at that moment of
 * the namespace's clock; one that ends at a moment of CLOCK_REALTIME is not
 * moved.
 *
 * Promises: time_namespaces(7); FUTEX_WAIT_BITSET, FUTEX_LOCK_PI,
 *           FUTEX_LOCK_PI2, FUTEX_WAIT_REQUEUE_PI of futex(2); kernel/futex/
 *           syscalls.c:futex_init_timeout(), futex2_setup_timeout().
 * Guards:   cdf78db40709 ("futex: Do not apply time namespace adjustment on
 *           FUTEX_LOCK_PI"), v5.13.
 * Needs:    root or user namespaces.
 */
#include <linux/futex.h>

#include "deadline_expect.h"

/* only in headers of the kernel that are newer than the oldest one supported */
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
#define FUTEX_U32 2 /* FUTEX_32 of futex_waitv(2), FUTEX2_SIZE_U32 */

struct waiter {
	uint64_t val;
	uint64_t uaddr;
	uint32_t flags;
	uint32_t reserved;
};

/* A wait that can only end by time. */
static int came(long ret)
{
	if (ret >= 0)
		return -EBADE;
	return errno == ETIMEDOUT ? 0 : -errno;
}

static int sys_futex(uint32_t *word, int op, uint32_t val, int64_t until,
		     uint32_t *word2)
{
	struct timespec ts = ns_timespec(until);

	return came(syscall(SYS_futex, word, op, val, &ts, word2,
			    FUTEX_BITSET_MATCH_ANY));
}

static int with_clock(int op, clockid_t clock)
{
	return clock == CLOCK_REALTIME ? op | FUTEX_CLOCK_REALTIME : op;
}

static int bitset(struct child_report *rep, clockid_t clock, int64_t until)
{
	uint32_t word = 1;

	return sys_futex(&word, with_clock(FUTEX_WAIT_BITSET, clock), 1, until,
			 NULL);
}

/*
 * A lock that the parent is said to hold; it need not know.  Signals do not
 * end a wait for it.
 */
static int lock_pi(struct child_report *rep, clockid_t clock, int64_t until)
{
	uint32_t word = getppid();

	return sys_futex(&word, FUTEX_LOCK_PI, 0, until, NULL);
}

static int lock_pi2(struct child_report *rep, clockid_t clock, int64_t until)
{
	uint32_t word = getppid();
	int ret;

	ret = sys_futex(&word, with_clock(FUTEX_LOCK_PI2, clock), 0, until,
			NULL);
	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_LOCK_PI2);
	return ret;
}

static int requeue_pi(struct child_report *rep, clockid_t clock, int64_t until)
{
	uint32_t word = 1, lock = 0;

	return sys_futex(&word, with_clock(FUTEX_WAIT_REQUEUE_PI, clock), 1,
			 until, &lock);
}

static int waitv(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	uint32_t word = 1;
	struct waiter waiter = { 1, (uintptr_t)&word, FUTEX_U32, 0 };
	int ret = came(syscall(__NR_futex_waitv, &waiter, 1, 0, &ts, clock));

	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_FUTEX_WAITV);
	return ret;
}

static int wait2(struct child_report *rep, clockid_t clock, int64_t until)
{
	struct timespec ts = ns_timespec(until);
	uint32_t word = 1;
	int ret = came(syscall(__NR_futex_wait, &word, 1UL, 0xffffffffUL,
			       FUTEX_U32, &ts, clock));

	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_FUTEX2);
	return ret;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(until, bitset_ahead)           { bitset,     CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, bitset_behind)          { bitset,     CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, bitset_real_ahead)      { bitset,     CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, bitset_real_behind)     { bitset,     CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, lock_pi_real_ahead)     { lock_pi,    CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, lock_pi_real_behind)    { lock_pi,    CLOCK_REALTIME,  BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, lock_pi2_ahead)         { lock_pi2,   CLOCK_MONOTONIC, AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, lock_pi2_behind)        { lock_pi2,   CLOCK_MONOTONIC, BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, lock_pi2_real_ahead)    { lock_pi2,   CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, lock_pi2_real_behind)   { lock_pi2,   CLOCK_REALTIME,  BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, requeue_pi_ahead)       { requeue_pi, CLOCK_MONOTONIC, AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, requeue_pi_behind)      { requeue_pi, CLOCK_MONOTONIC, BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, requeue_pi_real_ahead)  { requeue_pi, CLOCK_REALTIME,  AHEAD,  THREAD };
FIXTURE_VARIANT_ADD(until, requeue_pi_real_behind) { requeue_pi, CLOCK_REALTIME,  BEHIND, THREAD };
FIXTURE_VARIANT_ADD(until, waitv_ahead)            { waitv,      CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, waitv_behind)           { waitv,      CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, waitv_real_ahead)       { waitv,      CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, waitv_real_behind)      { waitv,      CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, wait2_ahead)            { wait2,      CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, wait2_behind)           { wait2,      CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, wait2_real_ahead)       { wait2,      CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, wait2_real_behind)      { wait2,      CLOCK_REALTIME,  BEHIND };
/* clang-format on */

TEST_HARNESS_MAIN
