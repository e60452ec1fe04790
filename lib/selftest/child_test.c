// SPDX-License-Identifier: GPL-2.0
/*
 * Is every way in which a child can end reported truly, and does nothing
 * outlive its parent?
 *
 * Promises: child.h; PR_SET_PDEATHSIG of prctl(2).
 * Needs:    root or user namespaces for the namespaces only.
 */
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"

static void hold(struct child_report *rep, void *arg)
{
	rep->value[0] = *(int *)arg;
}

static void stop_at_wrong_value(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 1, 2);
	rep->value[0] = 1;
}

static void find_something_missing(struct child_report *rep, void *arg)
{
	child_skip(rep, NEEDS_ROOT);
}

static void exit_early(struct child_report *rep, void *arg)
{
	_exit(*(int *)arg);
}

static void die_of_signal(struct child_report *rep, void *arg)
{
	kill(getpid(), *(int *)arg);
	pause();
}

TEST(a_child_that_held)
{
	struct child_report rep;
	int seven = 7;

	ASSERT_EQ(0, child_run(&rep, 0, hold, &seven));
	EXPECT_EQ(1, child_held(&rep));
	EXPECT_EQ(7, rep.value[0]);
}

TEST(a_child_that_stopped_at_a_wrong_value)
{
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, 0, stop_at_wrong_value, NULL));
	EXPECT_EQ(0, child_held(&rep));
	EXPECT_EQ(1, rep.want);
	EXPECT_EQ(2, rep.got);
	EXPECT_EQ(0, rep.value[0]);
	EXPECT_EQ(CHILD_STOPPED, rep.code);
}

TEST(a_child_that_found_something_missing)
{
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, 0, find_something_missing, NULL));
	EXPECT_STREQ(NEEDS_ROOT, rep.skip);
}

TEST(a_child_that_exited_early_did_not_hold)
{
	struct child_report rep;
	int code;

	for (code = 0; code < 2; code++) {
		ASSERT_EQ(0, child_run(&rep, 0, exit_early, &code));
		EXPECT_EQ(0, child_held(&rep));
		EXPECT_EQ(code, rep.code);
		EXPECT_EQ(0, rep.signal);
	}
}

TEST(a_child_that_died_of_a_signal)
{
	struct child_report rep;
	int sig = SIGKILL;

	ASSERT_EQ(0, child_run(&rep, 0, die_of_signal, &sig));
	EXPECT_EQ(0, child_held(&rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	EXPECT_EQ(-1, rep.code);
}

static void wait_for_ever(struct child_report *rep, void *arg)
{
	gate_open(arg);
	while (1)
		pause();
}

TEST(a_killed_child_is_reaped)
{
	struct gate up;
	struct child c;

	ASSERT_EQ(0, gate_init(&up));
	ASSERT_EQ(0, child_start(&c, 0, wait_for_ever, &up));
	ASSERT_EQ(0, gate_wait_child(&up, &c));
	EXPECT_EQ(0, child_kill(&c));
	EXPECT_EQ(0, child_kill(&c));
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
	EXPECT_EQ(ECHILD, errno);
}

TEST(a_gate_nobody_opens_is_told_from_one_that_opens)
{
	struct gate never;
	struct child c;
	int zero = 0;

	ASSERT_EQ(0, gate_init(&never));
	ASSERT_EQ(0, child_start(&c, 0, exit_early, &zero));
	EXPECT_EQ(-ECHILD, gate_wait_child(&never, &c));
	EXPECT_EQ(0, gate_open(&never));
	EXPECT_EQ(0, gate_wait(&never));
	EXPECT_EQ(0, child_wait(&c, NULL));
}

struct family {
	__u64 flags;
	struct gate up;
	struct gate alive; /* held open by the grandchild only */
};

static void be_held_up(struct child_report *rep, void *arg)
{
	struct family *f = arg;

	fd_close(&f->alive.fd[0]);
	wait_for_ever(rep, &f->up);
}

static void have_a_child_and_die(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, f->flags, be_held_up, f));
	CHILD_EQ(rep, 0, gate_wait_child(&f->up, &c));
	kill(getpid(), SIGKILL);
	pause();
}

/* clang-format off */
FIXTURE(orphan) { };
/* clang-format on */

FIXTURE_VARIANT(orphan)
{
	__u64 flags;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(orphan, in_no_namespace)    { 0 };
FIXTURE_VARIANT_ADD(orphan, init_of_namespace)  { CLONE_NEWPID };
/* clang-format on */

FIXTURE_SETUP(orphan)
{
}

FIXTURE_TEARDOWN(orphan)
{
}

TEST_F(orphan, dies_with_its_parent)
{
	struct family f = { .flags = variant->flags };
	struct child_report rep;
	const char *missing;
	char byte;

	ASSERT_EQ(0, ns_prepare(variant->flags, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, gate_init(&f.up));
	ASSERT_EQ(0, gate_init(&f.alive));
	ASSERT_EQ(0, child_run(&rep, 0, have_a_child_and_die, &f));
	EXPECT_EQ(SIGKILL, rep.signal);
	fd_close(&f.alive.fd[1]);
	/* end of file comes when the last writer, the grandchild, is gone */
	EXPECT_EQ(0, read(f.alive.fd[0], &byte, 1));
}

TEST_HARNESS_MAIN
