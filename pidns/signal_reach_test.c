// SPDX-License-Identifier: GPL-2.0
/*
 * Whom a signal to many reaches in a pid namespace.
 *
 * Promises: kill(2), pid 0, -1 and below -1;
 *           kernel/signal.c:kill_something_info().
 * Guards:   d25141a81838 ("'kill sig -1' must only apply to caller's
 *           namespace"), v2.6.28;
 *           4ea77014af0d ("kernel/signal.c: avoid undefined behaviour in
 *           kill_something_info"), v4.13.
 * Needs:    root or user namespaces.
 */
#include <limits.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

/*
 * The signal is one that is ignored by default: a kernel that lets it out of
 * the namespace must not hurt the machine.  All block it and look whether it
 * is pending; that it is depends on nobody being scheduled.
 */
#define SIG SIGURG

enum to { ALL, OWN_GROUP, SHARED_GROUP, ONE };

/* Who gets it. */
#define OUTSIDE 1
#define INIT 2
#define CALLER 4
#define MEMBER 8
#define ALL_FOUR (OUTSIDE | INIT | CALLER | MEMBER)

struct cast {
	struct scene s;
	enum to to;
	int reached; /* what the init found out */
};

static int got_it(int who)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIG) ? who : 0;
}

static void member(struct child_report *rep, void *arg)
{
	struct cast *cast = arg;

	CHILD_EQ(rep, 0, gate_open(&cast->s.up));
	CHILD_EQ(rep, 0, gate_wait(&cast->s.go));
	rep->value[0] = got_it(MEMBER);
}

/* Has to be the leader of the group it shares with the member. */
static void caller(struct child_report *rep, void *arg)
{
	struct cast *cast = arg;
	struct child_report inner;
	struct child c;
	pid_t to = 1;

	if (cast->to == ALL)
		to = -1;
	else if (cast->to == SHARED_GROUP)
		to = 0;
	if (cast->to == OWN_GROUP) {
		CHILD_EQ(rep, 0, setpgid(0, 0));
		to = -getpid();
	}
	CHILD_EQ(rep, 0, child_start(&c, 0, member, cast));
	CHILD_EQ(rep, 0, gate_wait_child(&cast->s.up, &c));
	CHILD_EQ(rep, 0, kill(to, SIG));
	CHILD_EQ(rep, 0, gate_open(&cast->s.go));
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
	rep->value[0] = got_it(CALLER) | inner.value[0];
}

static void init(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, caller, arg));
	CHILD_HELD(rep, &inner);
	rep->value[0] = got_it(INIT) | inner.value[0];
}

FIXTURE(reach)
{
	struct cast cast;
	const char *missing;
};

FIXTURE_VARIANT(reach)
{
	enum to to;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(reach, all_but_init_and_oneself)   { ALL,          MEMBER };
FIXTURE_VARIANT_ADD(reach, a_group_inside)             { OWN_GROUP,    CALLER | MEMBER };
FIXTURE_VARIANT_ADD(reach, a_group_shared_with_others) { SHARED_GROUP, ALL_FOUR };
FIXTURE_VARIANT_ADD(reach, init_alone)                 { ONE,          INIT };
/* clang-format on */

FIXTURE_SETUP(reach)
{
	sigset_t set;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->cast.to = variant->to;
	ASSERT_EQ(0, scene_init(&self->cast.s));
	sigemptyset(&set);
	sigaddset(&set, SIG);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &set, NULL));
	/* nobody but this test in its group; a leader of one already is fine */
	setpgid(0, 0);
}

FIXTURE_TEARDOWN(reach)
{
}

TEST_F(reach, exactly)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, init, &self->cast));
	expect_held(_metadata, &rep);
	EXPECT_EQ(variant->want, got_it(OUTSIDE) | rep.value[0]);
}

static void lonely(struct child_report *rep, void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, -1, kill(-1, SIG));
	CHILD_EQ(rep, ESRCH, errno);
	CHILD_EQ(rep, -1, kill(-1, 0));
	CHILD_EQ(rep, ESRCH, errno);
	CHILD_EQ(rep, -1, kill(INT_MIN, 0));
	CHILD_EQ(rep, ESRCH, errno);
	CHILD_EQ(rep, -1, kill(-4000, 0));
	CHILD_EQ(rep, ESRCH, errno);
}

TEST(a_lonely_init_reaches_nobody)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, lonely, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
