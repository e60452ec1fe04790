// SPDX-License-Identifier: GPL-2.0
/*
 * A wait of a 32-bit program that ends at a moment ends at that moment of the
 * namespace's clock, by the system calls for times up to 2038 and by those for
 * times beyond.
 *
 * Promises: time_namespaces(7); TIMER_ABSTIME of clock_nanosleep(2) and
 *           timer_settime(2), timerfd_settime(2), FUTEX_WAIT_BITSET of
 *           futex(2); kernel/time/posix-timers.c:clock_nanosleep_time32(),
 *           timer_settime32(); fs/timerfd.c:timerfd_settime32();
 *           kernel/futex/syscalls.c:futex_time32().
 * Guards:   none.
 * Needs:    root or user namespaces; a 32-bit C library,
 *           CONFIG_IA32_EMULATION or the like, CONFIG_COMPAT_32BIT_TIME.
 */
#include "caps.h"
#include "probe_expect.h"

FIXTURE(until)
{
	const char *missing;
	struct probe_job job;
};

FIXTURE_VARIANT(until)
{
	enum probe_check check;
	enum probe_width width;
	clockid_t clock;
	enum side side;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(until, sleep32_mono_ahead)    { BY_SLEEP,   TIME32, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, sleep32_mono_behind)   { BY_SLEEP,   TIME32, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, sleep32_boot_ahead)    { BY_SLEEP,   TIME32, CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, sleep32_boot_behind)   { BY_SLEEP,   TIME32, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, sleep64_mono_ahead)    { BY_SLEEP,   TIME64, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, sleep64_boot_behind)   { BY_SLEEP,   TIME64, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, timer32_mono_ahead)    { BY_TIMER,   TIME32, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, timer32_mono_behind)   { BY_TIMER,   TIME32, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, timer32_boot_ahead)    { BY_TIMER,   TIME32, CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, timer32_boot_behind)   { BY_TIMER,   TIME32, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, timer64_mono_ahead)    { BY_TIMER,   TIME64, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, timer64_boot_behind)   { BY_TIMER,   TIME64, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd32_mono_ahead)  { BY_TIMERFD, TIME32, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd32_mono_behind) { BY_TIMERFD, TIME32, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd32_boot_ahead)  { BY_TIMERFD, TIME32, CLOCK_BOOTTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd32_boot_behind) { BY_TIMERFD, TIME32, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, timerfd64_mono_ahead)  { BY_TIMERFD, TIME64, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, timerfd64_boot_behind) { BY_TIMERFD, TIME64, CLOCK_BOOTTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, futex32_ahead)         { BY_FUTEX,   TIME32, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, futex32_behind)        { BY_FUTEX,   TIME32, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, futex64_ahead)         { BY_FUTEX,   TIME64, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, futex64_behind)        { BY_FUTEX,   TIME64, CLOCK_MONOTONIC, BEHIND };
/* clang-format on */

FIXTURE_SETUP(until)
{
	self->job.check = variant->check;
	self->job.width = variant->width;
	self->job.clock = variant->clock;
	self->job.side = variant->side;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(until)
{
}

static void expect_deadline(struct __test_metadata *_metadata,
			    FIXTURE_DATA(until) * self, enum moment moment)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->job.moment = moment;
	expect_probe(_metadata, &self->job);
}

TEST_F(until, a_near_moment_comes_and_not_early)
{
	expect_deadline(_metadata, self, MOMENT_NEAR);
}

TEST_F(until, the_first_nanosecond_has_come)
{
	expect_deadline(_metadata, self, MOMENT_FIRST);
}

TEST_F(until, an_hour_from_now_has_not_come)
{
	expect_deadline(_metadata, self, MOMENT_LATER);
}

TEST_HARNESS_MAIN
