// SPDX-License-Identifier: GPL-2.0
/*
 * Timers across fork in a time namespace: those of POSIX stay with the parent,
 * a timerfd is shared and means the same moment to the child.
 *
 * Promises: fork(2); timer_create(2), timerfd_create(2);
 *           time_namespaces(7).
 * Guards:   none.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS,
 *           CONFIG_POSIX_TIMERS.
 */
#include <signal.h>
#include <sys/timerfd.h>
#include <time.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"

#define AHEAD (100 * NSEC_PER_SEC)

FIXTURE(timers)
{
	const char *missing;
};

FIXTURE_SETUP(timers)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(timers)
{
}

/* Both expire at the same moment, @AHEAD of a clock that was read before. */
struct both {
	int fd;
	int id; /* as the kernel numbers it */
	int64_t at;
};

static void ask_both(struct child_report *rep, void *arg)
{
	const struct both *b = arg;
	struct itimerspec left;
	int64_t before, after, remains;

	CHILD_EQ(rep, -1, syscall(SYS_timer_gettime, b->id, &left));
	CHILD_EQ(rep, EINVAL, errno);
	before = clock_ns(CLOCK_MONOTONIC);
	CHILD_EQ(rep, 0, timerfd_gettime(b->fd, &left));
	after = clock_ns(CLOCK_MONOTONIC);
	remains = timespec_ns(&left.it_value);
	CHILD_LE(rep, b->at - after, remains);
	CHILD_LE(rep, remains, b->at - before);
}

static void arm_both(struct child_report *rep, void *arg)
{
	struct sigevent silent = { .sigev_notify = SIGEV_NONE };
	struct itimerspec when = { { 0 }, { 0 } };
	struct child_report inner;
	struct both b;

	(void)arg;
	b.at = clock_ns(CLOCK_MONOTONIC) + AHEAD;
	when.it_value = ns_timespec(b.at);
	if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &silent, &b.id) < 0 &&
	    errno == ENOSYS)
		child_skip(rep, NEEDS_POSIX_TIMERS);
	CHILD_EQ(rep, 0,
		 syscall(SYS_timer_settime, b.id, TIMER_ABSTIME, &when, NULL));
	b.fd = timerfd_create(CLOCK_MONOTONIC, 0);
	CHILD_LE(rep, 0, b.fd);
	CHILD_EQ(rep, 0, timerfd_settime(b.fd, TFD_TIMER_ABSTIME, &when, NULL));
	CHILD_EQ(rep, 0, child_run(&inner, 0, ask_both, &b));
	CHILD_HELD(rep, &inner);
	/* and the parent's is where it was */
	CHILD_EQ(rep, 0, syscall(SYS_timer_gettime, b.id, &when));
	CHILD_LE(rep, b.at - clock_ns(CLOCK_MONOTONIC),
		 timespec_ns(&when.it_value));
}

static void with_offsets(struct child_report *rep, void *arg)
{
	static const struct offsets shift = {
		.monotonic = 1000 * NSEC_PER_SEC + 1,
		.boottime = 5000 * NSEC_PER_SEC + 2,
	};
	struct child_report inner;

	CHILD_EQ(rep, 0, timens_unshare(&shift));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, arm_both, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(timers, posix_ones_stay_and_timerfds_are_shared)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, with_offsets, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
