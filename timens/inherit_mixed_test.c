// SPDX-License-Identifier: GPL-2.0
/*
 * Time namespaces made together with other namespaces, by clone3, inside each
 * other, side by side, and entered without any privilege.
 *
 * Promises: time_namespaces(7); clone(2), CLONE_NEWTIME of clone3;
 *           kernel/nsproxy.c:create_new_namespaces, copy_namespaces: the right
 *           is looked at when a namespace is made, not when it is entered;
 *           kernel/time/namespace.c:clone_time_ns.
 * Guards:   2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2, for exec.
 * Needs:    root or user namespaces.
 */
#include <sys/capability.h>

#include "caps.h"
#include "procfs.h"
#include "witness_expect.h"

FIXTURE(mixed)
{
	const char *missing;
	struct witness self;
	struct instant before;
};

FIXTURE_SETUP(mixed)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME | CLONE_NEWPID | CLONE_NEWNS,
				&self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	witness_take(&self->self);
	self->before = now();
}

FIXTURE_TEARDOWN(mixed)
{
}

TEST_F(mixed, clone3_child_is_in_its_own_at_once)
{
	struct child_report rep;
	struct witness w, own;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = child_run(&rep, CLONE_NEWTIME, witness_child, NULL);
	if (ret == -ENOSYS)
		SKIP(return, NEEDS_CLONE3);
	ASSERT_EQ(0, ret);
	expect_held(_metadata, &rep);
	w = witness_of(&rep, 0);
	EXPECT_NE(self->self.ns, w.ns);
	EXPECT_EQ(w.ns, w.children);
	expect_child_moved(_metadata, &rep, 0, &self->before, &unmoved);
	/* and its parent is where it was, with its children */
	witness_take(&own);
	EXPECT_EQ(self->self.ns, own.ns);
	EXPECT_EQ(self->self.children, own.children);
}

/* A clone3 child starts with the offsets that are pending in its parent. */
TEST_F(mixed, clone3_child_inherits_pending_offsets)
{
	struct child_report rep;
	struct witness own;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&far));
	ret = child_run(&rep, CLONE_NEWTIME, witness_child, NULL);
	if (ret == -ENOSYS)
		SKIP(return, NEEDS_CLONE3);
	ASSERT_EQ(0, ret);
	expect_held(_metadata, &rep);
	witness_take(&own);
	EXPECT_NE(own.children, witness_of(&rep, 0).ns);
	expect_child_moved(_metadata, &rep, 0, &self->before, &far);
}

TEST_F(mixed, pending_namespaces_are_entered_together)
{
	struct child_report rep;
	struct witness w;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, unshare(CLONE_NEWPID | CLONE_NEWNS));
	ASSERT_EQ(0, child_run(&rep, 0, witness_child, NULL));
	expect_held(_metadata, &rep);
	w = witness_of(&rep, 0);
	EXPECT_EQ(1, w.pid);
	expect_child_moved(_metadata, &rep, 0, &self->before, &far);
}

TEST_F(mixed, one_unshare_makes_them_together)
{
	struct child_report rep;
	struct offsets off;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, offsets_get(PROC_SELF, &off));
	off.monotonic += far.monotonic;
	off.boottime += far.boottime;
	ASSERT_EQ(0, unshare(CLONE_NEWTIME | CLONE_NEWPID | CLONE_NEWNS));
	ASSERT_EQ(0, offsets_set(&off));
	ASSERT_EQ(0, child_run(&rep, 0, witness_child, NULL));
	expect_held(_metadata, &rep);
	EXPECT_EQ(1, witness_of(&rep, 0).pid);
	expect_child_moved(_metadata, &rep, 0, &self->before, &far);
}

/* Lose every capability for good, and the user id where there is another. */
static void lose_rights(struct child_report *rep)
{
	cap_t none;

	if (caps_become(65534) < 0) {
		none = cap_init();
		CHILD_EQ(rep, 0, cap_set_proc(none));
		cap_free(none);
	}
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, caps_have(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWTIME));
	CHILD_EQ(rep, EPERM, errno);
}

static void fork_without_rights(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, unshare(CLONE_NEWPID));
	lose_rights(rep);
	CHILD_OK(rep, child_run(&inner, 0, witness_child, arg));
	CHILD_HELD(rep, &inner);
	memcpy(rep->value, inner.value, sizeof(rep->value));
}

TEST_F(mixed, pending_namespaces_are_entered_without_rights)
{
	struct child_report rep;
	struct witness w;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fork_without_rights, NULL));
	expect_held(_metadata, &rep);
	w = witness_of(&rep, 0);
	EXPECT_EQ(1, w.pid);
	expect_child_moved(_metadata, &rep, 0, &self->before, &far);
}

/* struct exec_job - a program and where it is to write */
struct exec_job {
	int program;
	int pipe[2];
};

static void exec_without_rights(struct child_report *rep, void *arg)
{
	const struct exec_job *job = arg;
	struct witness w;
	int ret;

	CHILD_OK(rep, timens_shift(&far));
	ret = witness_clone(CLONE_VFORK, &w);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_TIMENS_EXEC);
	CHILD_OK(rep, ret);
	lose_rights(rep);
	rep->done = 1;
	CHILD_OK(rep, witness_exec(job->program, job->pipe[1]));
}

TEST_F(mixed, exec_enters_without_rights)
{
	struct instant after;
	struct child_report rep;
	struct exec_job job;
	struct witness w;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pipe(job.pipe));
	job.program = witness_open(WITNESS_STATIC);
	ASSERT_LE(0, job.program);
	ASSERT_EQ(0, child_run(&rep, 0, exec_without_rights, &job));
	after = now();
	expect_held(_metadata, &rep);
	if (rep.skip)
		return;
	close(job.pipe[1]);
	ASSERT_EQ(0, witness_read(job.pipe[0], &w));
	expect_moved(_metadata, &w, &self->before, &after, &far);
}

TEST_HARNESS_MAIN
