// SPDX-License-Identifier: GPL-2.0
/*
 * Who am I in a new pid namespace, and who am I outside of it?
 *
 * Promises: pid_namespaces(7), "DESCRIPTION" and "The namespace init process";
 *           credentials(7), "Process ID (PID)".
 * Needs:    root, or user namespaces, to make the pid namespace.
 */
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"

FIXTURE(identity)
{
	const char *missing;
};

FIXTURE_SETUP(identity)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(identity)
{
}

static pid_t sys_getpid(void)
{
	return syscall(__NR_getpid);
}

static pid_t sys_gettid(void)
{
	return syscall(__NR_gettid);
}

static void is_first_process(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 1, sys_getpid());
	CHILD_EQ(rep, 1, sys_gettid());
}

TEST_F(identity, first_process_is_1)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, is_first_process, NULL));
	expect_held(_metadata, &rep);
}

static void has_no_relatives(struct child_report *rep, void *arg)
{
	/* all of them live outside */
	CHILD_EQ(rep, 0, getppid());
	CHILD_EQ(rep, 0, getpgid(0));
	CHILD_EQ(rep, 0, getsid(0));
}

TEST_F(identity, parent_group_and_session_outside_are_0)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, has_no_relatives, NULL));
	expect_held(_metadata, &rep);
}

static void makes_a_session(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 1, setsid());
	CHILD_EQ(rep, 1, getsid(0));
	CHILD_EQ(rep, 1, getpgid(0));
	CHILD_EQ(rep, 1, getpgid(1));
}

TEST_F(identity, own_session_and_group_are_1)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, makes_a_session, NULL));
	expect_held(_metadata, &rep);
}

static void leads_a_group(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, setpgid(0, 0));
	CHILD_EQ(rep, 1, getpgid(0));
	CHILD_EQ(rep, -1, setsid());
	CHILD_EQ(rep, EPERM, errno);
	CHILD_EQ(rep, 0, getsid(0));
}

/* A new session would share its number with a group that is there already. */
TEST_F(identity, leader_of_a_group_makes_no_session)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, leads_a_group, NULL));
	expect_held(_metadata, &rep);
}

static void is_child_of_1(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 1, getppid());
	rep->value[0] = sys_getpid();
	rep->value[1] = sys_gettid();
}

static void forks_as_1(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct child c;
	pid_t pid;

	CHILD_EQ(rep, 0, child_start(&c, 0, is_child_of_1, NULL));
	pid = c.pid;
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, pid, inner.value[0]);
	CHILD_EQ(rep, pid, inner.value[1]);
	/* the first number that is free */
	CHILD_EQ(rep, 2, pid);
}

TEST_F(identity, second_process_is_2_and_its_parent_is_1)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, forks_as_1, NULL));
	expect_held(_metadata, &rep);
}

static void has_own_pid(struct child_report *rep, void *arg)
{
	struct gate *go = arg;

	CHILD_EQ(rep, 0, gate_wait(go));
	rep->value[0] = sys_getpid();
}

TEST_F(identity, outside_and_inside_numbers_name_the_same_process)
{
	struct child_report rep;
	siginfo_t info = { 0 };
	struct gate go;
	struct child c;
	pid_t outside;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&go));
	ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, has_own_pid, &go));
	outside = c.pid;
	EXPECT_EQ(0, kill(outside, 0));
	EXPECT_EQ(0, gate_open(&go));
	EXPECT_EQ(0, waitid(P_PID, outside, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(outside, info.si_pid);
	EXPECT_EQ(0, child_wait(&c, &rep));
	EXPECT_EQ(1, rep.value[0]);
}

static void unshares(struct child_report *rep, void *arg)
{
	pid_t pid = sys_getpid(), parent = getppid();
	struct child_report inner;

	CHILD_OK(rep, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, pid, sys_getpid());
	CHILD_EQ(rep, parent, getppid());
	CHILD_EQ(rep, 0, child_run(&inner, 0, is_first_process, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, pid, sys_getpid());
}

TEST_F(identity, unshare_moves_the_children_not_the_caller)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, unshares, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
