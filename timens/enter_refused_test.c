// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps a process out of a time namespace: other users of its memory,
 * rights it does not have, a process that has none.
 *
 * Promises: setns(2), EPERM, ESRCH; unshare(2) and clone(2), EPERM;
 *           kernel/time/namespace.c:timens_install: EUSERS;
 *           kernel/nsproxy.c:validate_nsset.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

static int enter_ns(int fd, int flags)
{
	return setns(fd, flags) < 0 ? -errno : 0;
}

FIXTURE(refused)
{
	const char *missing;
	int there;
	struct instant before;
	struct witness self;
};

/* The test has a pending namespace, open as @there, with moved clocks. */
FIXTURE_SETUP(refused)
{
	self->there = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&far));
	self->there =
		open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->there);
	self->before = now();
	witness_take(&self->self);
}

FIXTURE_TEARDOWN(refused)
{
	fd_close(&self->there);
}

static void *wait_for_gate(void *arg)
{
	gate_wait(arg);
	return NULL;
}

static void enter_with_thread(struct child_report *rep, void *arg)
{
	struct gate gate;
	pthread_t thread;
	int fd = *(int *)arg;

	CHILD_OK(rep, gate_init(&gate));
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, wait_for_gate, &gate));
	rep->value[0] = enter_ns(fd, CLONE_NEWTIME);
	CHILD_OK(rep, gate_open(&gate));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	/*
	 * The join returns when the thread has cleared its number, a little
	 * before it has left the process.
	 */
	do
		rep->value[1] = enter_ns(fd, CLONE_NEWTIME);
	while (rep->value[1] == -EUSERS);
}

TEST_F(refused, while_there_are_threads)
{
	struct child_report rep;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, enter_with_thread, &self->there));
	expect_held(_metadata, &rep);
	EXPECT_EQ(-EUSERS, rep.value[0]);
	EXPECT_EQ(0, rep.value[1]);
}

static int wait_in_shared_memory(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return gate_wait(arg);
}

static void enter_with_sibling(struct child_report *rep, void *arg)
{
	static const size_t size = 256 * 1024;
	char *stack = malloc(size);
	struct gate gate;
	int status, fd = *(int *)arg;
	pid_t pid;

	CHILD_OK(rep, gate_init(&gate));
	CHILD_EQ(rep, 1, !!stack);
	pid = clone(wait_in_shared_memory, stack + size, CLONE_VM | SIGCHLD,
		    &gate);
	CHILD_OK(rep, pid);
	rep->value[0] = enter_ns(fd, CLONE_NEWTIME);
	CHILD_OK(rep, gate_open(&gate));
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
	rep->value[1] = enter_ns(fd, CLONE_NEWTIME);
	free(stack);
}

TEST_F(refused, while_others_share_the_memory)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, enter_with_sibling, &self->there));
	expect_held(_metadata, &rep);
	EXPECT_EQ(-EUSERS, rep.value[0]);
	EXPECT_EQ(0, rep.value[1]);
}

TEST_F(refused, without_cap_sys_admin)
{
	struct instant after;
	struct child_report rep;
	struct witness w;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, caps_drop(CAP_SYS_ADMIN));
	EXPECT_EQ(-EPERM, enter_ns(self->there, CLONE_NEWTIME));
	EXPECT_EQ(-EPERM, timens_unshare(NULL));
	/* a filter may refuse clone3(2) before the kernel does */
	ret = child_run(&rep, CLONE_NEWTIME, witness_child, NULL);
	if (ret != -ENOSYS)
		EXPECT_EQ(-EPERM, ret);
	witness_take(&w);
	after = now();
	/* nothing has changed by that */
	expect_moved(_metadata, &w, &self->before, &after, &unmoved);
	EXPECT_EQ(self->self.ns, w.ns);
	EXPECT_EQ(self->self.children, w.children);
	ASSERT_EQ(0, caps_restore());
	EXPECT_EQ(0, enter_ns(self->there, CLONE_NEWTIME));
}

static void enter_outer(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, unshare(CLONE_NEWUSER));
	CHILD_EQ(rep, 1, caps_have(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, enter_ns(*(int *)arg, CLONE_NEWTIME));
}

/* Capabilities in a user namespace of one's own open no door outside. */
TEST_F(refused, without_rights_over_its_owner)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, enter_outer, &self->there));
	expect_held(_metadata, &rep);
}

/* Makes a user namespace, and in it a time namespace that belongs to it. */
static void own_one_below(struct child_report *rep, void *arg)
{
	struct gate *gate = arg;

	CHILD_OK(rep, unshare(CLONE_NEWUSER | CLONE_NEWTIME));
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, gate_open(&gate[0]));
	CHILD_EQ(rep, 0, gate_wait(&gate[1]));
}

/* Its owner is a child of our user namespace and our user made it. */
TEST_F(refused, without_rights_at_home)
{
	struct child_report rep;
	struct gate gate[2];
	struct child c;
	char path[64];
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&gate[0]));
	ASSERT_EQ(0, gate_init(&gate[1]));
	ASSERT_EQ(0, child_start(&c, 0, own_one_below, gate));
	ASSERT_EQ(0, gate_wait_child(&gate[0], &c));
	snprintf(path, sizeof(path), "/proc/%d/ns/time_for_children", c.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, caps_drop(CAP_SYS_ADMIN));
	EXPECT_EQ(-EPERM, enter_ns(fd, CLONE_NEWTIME));
	ASSERT_EQ(0, caps_restore());
	EXPECT_EQ(0, enter_ns(fd, CLONE_NEWTIME));
	close(fd);
	ASSERT_EQ(0, gate_open(&gate[1]));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

static void hide_and_show(struct child_report *rep, void *arg)
{
	struct gate *gate = arg;

	CHILD_OK(rep, prctl(PR_SET_DUMPABLE, 0));
	CHILD_OK(rep, gate_open(&gate[0]));
	CHILD_OK(rep, gate_wait(&gate[1]));
	CHILD_OK(rep, prctl(PR_SET_DUMPABLE, 1));
	CHILD_OK(rep, gate_open(&gate[0]));
	CHILD_OK(rep, gate_wait(&gate[1]));
}

/* By pidfd it takes the right to look into that process. */
TEST_F(refused, by_pidfd_without_ptrace_rights)
{
	struct gate gate[2];
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&gate[0]));
	ASSERT_EQ(0, gate_init(&gate[1]));
	ASSERT_EQ(0, child_start(&c, 0, hide_and_show, gate));
	EXPECT_EQ(0, gate_wait_child(&gate[0], &c));
	EXPECT_EQ(0, caps_drop(CAP_SYS_PTRACE));
	EXPECT_EQ(-EPERM, enter_ns(c.pidfd, CLONE_NEWTIME));
	EXPECT_EQ(0, gate_open(&gate[1]));
	EXPECT_EQ(0, gate_wait_child(&gate[0], &c));
	EXPECT_EQ(0, enter_ns(c.pidfd, CLONE_NEWTIME));
	EXPECT_EQ(0, child_kill(&c));
}

static void do_nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

TEST_F(refused, by_pidfd_of_the_dead)
{
	siginfo_t end;
	struct child c;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&c, 0, do_nothing, NULL));
	fd = dup(c.pidfd);
	EXPECT_EQ(0, waitid(P_PID, c.pid, &end, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, enter_ns(fd, CLONE_NEWTIME));
	EXPECT_EQ(0, child_wait(&c, NULL));
	EXPECT_EQ(-ESRCH, enter_ns(fd, CLONE_NEWTIME));
	fd_close(&fd);
}

TEST_HARNESS_MAIN
