/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests that every way to wait until a moment has to pass.  A test file
 * includes this once and adds its rows:
 *
 *	FIXTURE_VARIANT_ADD(until, name) { function, clock, side, manner };
 */
#ifndef TIMENS_DEADLINE_EXPECT_H
#define TIMENS_DEADLINE_EXPECT_H

#include "caps.h"
#include "deadline.h"
#include "expect.h"

FIXTURE(until)
{
	const char *missing;
	struct deadline deadline;
};

FIXTURE_VARIANT(until)
{
	wait_fn wait;
	clockid_t clock;
	enum side side;
	enum manner manner;
};

FIXTURE_SETUP(until)
{
	self->deadline.wait = variant->wait;
	self->deadline.clock = variant->clock;
	self->deadline.side = variant->side;
	self->deadline.manner = variant->manner;
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
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->deadline.moment = moment;
	ASSERT_EQ(0, child_run(&rep, 0, deadline_check, &self->deadline));
	expect_held(_metadata, &rep);
}

TEST_F(until, a_near_moment_comes_and_not_early)
{
	expect_deadline(_metadata, self, MOMENT_NEAR);
}

TEST_F(until, the_present_has_come)
{
	expect_deadline(_metadata, self, MOMENT_NOW);
}

TEST_F(until, the_first_nanosecond_has_come)
{
	expect_deadline(_metadata, self, MOMENT_FIRST);
}

TEST_F(until, an_hour_from_now_has_not_come)
{
	expect_deadline(_metadata, self, MOMENT_LATER);
}

TEST_F(until, the_end_of_time_has_not_come)
{
	expect_deadline(_metadata, self, MOMENT_NEVER);
}

#endif /* TIMENS_DEADLINE_EXPECT_H */
