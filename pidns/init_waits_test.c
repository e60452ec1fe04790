// SPDX-License-Identifier: GPL-2.0
/*
 * What the dying first process of a pid namespace waits for.
 *
 * Promises: kernel/pid_namespace.c:zap_pid_ns_processes(): when it is reaped,
 *           all processes of its namespace are gone.
 * Guards:   6347e9009104 ("pidns: guarantee that the pidns init will be the last
 *           pidns process reaped"), v3.5.
 * Needs:    root or user namespaces.
 */
#include <sys/ptrace.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

FIXTURE(init_waits)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(init_waits)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(init_waits)
{
	child_kill(&self->init);
}

static void lonely(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	_exit(7);
}

TEST_F(init_waits, for_outsiders_to_reap_their_children)
{
	struct child_report rep;
	struct child in;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, lonely, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0,
		  scene_inject(&in, self->init.pidfd, scene_member, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &in));
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(1, scene_ended(&in, CHILD_DEADLINE_MS));
	EXPECT_EQ(0, scene_ended(&self->init, SCENE_NEVER_MS));
	ASSERT_EQ(0, child_wait(&in, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(7, rep.code);
	EXPECT_EQ(0, scene_left(&self->s));
}

static void forks_when_told(struct child_report *rep, void *arg)
{
	struct scene *s = arg;
	struct child c;

	CHILD_EQ(rep, 0, gate_wait(&s->go));
	CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, s));
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
}

/* The child that a traced @parent is about to fork, traced as well. */
static pid_t catch_child(const struct child *parent)
{
	unsigned long pid = 0;
	int status;

	if (waitpid(parent->pid, &status, __WALL) != parent->pid ||
	    status >> 8 != (SIGTRAP | (PTRACE_EVENT_FORK << 8)) ||
	    ptrace(PTRACE_GETEVENTMSG, parent->pid, 0, &pid) < 0 ||
	    ptrace(PTRACE_DETACH, parent->pid, 0, 0) < 0 ||
	    waitpid(pid, &status, __WALL) != (pid_t)pid ||
	    ptrace(PTRACE_CONT, pid, 0, 0) < 0)
		return -errno;
	return pid;
}

TEST_F(init_waits, for_outsiders_to_let_go_of_traced_members)
{
	struct child_report rep;
	siginfo_t end = { 0 };
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, forks_when_told,
				 &self->s));
	ASSERT_EQ(0,
		  ptrace(PTRACE_SEIZE, self->init.pid, 0, PTRACE_O_TRACEFORK));
	ASSERT_EQ(0, gate_open(&self->s.go));
	pid = catch_child(&self->init);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0, kill(self->init.pid, SIGKILL));
	ASSERT_EQ(0, waitid(P_PID, pid, &end, WEXITED | WNOWAIT | __WALL));
	EXPECT_EQ(CLD_KILLED, end.si_code);
	EXPECT_EQ(0, scene_ended(&self->init, SCENE_NEVER_MS));
	ASSERT_EQ(0, waitid(P_PID, pid, &end, WEXITED | __WALL));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	EXPECT_EQ(0, scene_left(&self->s));
}

static void has_a_child(struct child_report *rep, void *arg)
{
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, arg));
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
}

/*
 * The member dies slowly: its tracer holds it at its exit.  Its own child is
 * handed to an init that has no more children to wait for.
 */
TEST_F(init_waits, for_orphans_it_gets_while_dying)
{
	struct child_report rep;
	struct child in;
	int status;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, lonely, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0,
		  scene_inject(&in, self->init.pidfd, has_a_child, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &in));
	ASSERT_EQ(0, ptrace(PTRACE_SEIZE, in.pid, 0, PTRACE_O_TRACEEXIT));
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(in.pid, waitpid(in.pid, &status, __WALL));
	ASSERT_EQ(SIGTRAP | (PTRACE_EVENT_EXIT << 8), status >> 8);
	EXPECT_EQ(0, scene_ended(&self->init, SCENE_NEVER_MS));
	ASSERT_EQ(0, ptrace(PTRACE_CONT, in.pid, 0, 0));
	ASSERT_EQ(0, child_wait(&in, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(7, rep.code);
	EXPECT_EQ(0, scene_left(&self->s));
}

TEST_HARNESS_MAIN
