// SPDX-License-Identifier: GPL-2.0
/*
 * Who may make a pid namespace, join it, or set its numbers.
 *
 * Promises: clone(2), unshare(2), setns(2) EPERM; user_namespaces(7),
 *           "Interaction of user namespaces and other types of namespaces";
 *           kernel/nsproxy.c:validate_nsset(),
 *           kernel/pid_namespace.c:pidns_install(),
 *           pid_ns_ctl_handler().
 * Guards:   a2b426267c56 ("userns,pidns: Verify the userns for new pid
 *           namespaces"), v4.13; b8f566b04d3c ("sysctl: add the
 *           kernel.ns_last_pid control"), v3.3.
 * Needs:    root or user namespaces.
 */
#include <sys/capability.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "ns_file.h"
#include "pid_max.h"
#include "scene.h"

FIXTURE(rights)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(rights)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(rights)
{
	child_kill(&self->init);
}

/* A join by pidfd, and how it must end. */
struct rights_pidfd {
	int fd;
	int want;
};

static void nothing(struct child_report *rep __attribute__((unused)),
		    void *arg __attribute__((unused)))
{
}

static void first_of_namespace(struct child_report *rep,
			       void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, 1, getpid());
}

static void make_without(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	struct child_report inner;
	struct child c;

	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, child_start(&c, CLONE_NEWPID, nothing, NULL));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, EPERM, errno);
	/* with a user namespace of its own it needs none */
	CHILD_EQ(rep, 0,
		 child_run(&inner, CLONE_NEWPID | CLONE_NEWUSER,
			   first_of_namespace, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID | CLONE_NEWUSER));
	CHILD_EQ(rep, 0, child_run(&inner, 0, first_of_namespace, NULL));
	CHILD_HELD(rep, &inner);
}

TEST_F(rights, making_one_takes_cap_sys_admin_or_a_user_namespace)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, make_without, NULL));
	expect_held(_metadata, &rep);
}

/* Once pending, the right to it is not asked for again. */
static void drop_between(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	struct child_report inner;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, 0, caps_drop_all());
	CHILD_EQ(rep, 0, child_run(&inner, 0, first_of_namespace, NULL));
	CHILD_HELD(rep, &inner);
}

TEST_F(rights, the_first_child_needs_none)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, drop_between, NULL));
	expect_held(_metadata, &rep);
}

static int join(int fd)
{
	return setns(fd, CLONE_NEWPID) < 0 ? -errno : 0;
}

static void expect_join(struct __test_metadata *_metadata,
			FIXTURE_DATA(rights) * self, int flags, child_fn fn)
{
	struct child_report rep;
	int fd;

	if (lack_of_setns())
		SKIP(return, "%s", lack_of_setns());
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, child_start(&self->init, flags, scene_member, &self->s));
	/* by pidfd the target would have to be readable, too */
	fd = ns_open(self->init.pid, "pid");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_run(&rep, 0, fn, &fd));
	expect_held(_metadata, &rep);
	close(fd);
}

static void join_without(struct child_report *rep, void *arg)
{
	int fd = *(int *)arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, join(fd));
	CHILD_EQ(rep, 0, caps_restore());
	CHILD_EQ(rep, 0, join(fd));
}

TEST_F(rights, joining_one_takes_cap_sys_admin)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_join(_metadata, self, CLONE_NEWPID, join_without);
}

/* All capabilities, but not over the namespace: it is of an outer owner. */
static void inner_root_joins(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	CHILD_EQ(rep, 1, caps_have(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, join(*(int *)arg));
}

TEST_F(rights, joining_one_takes_them_over_its_owner)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_join(_metadata, self, CLONE_NEWPID, inner_root_joins);
}

/* Rights over the namespace, but not over the own user namespace. */
static void weak_joins(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, join(*(int *)arg));
}

TEST_F(rights, joining_one_takes_them_at_home_too)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* its owner is a child of ours and our user owns it: all rights there */
	expect_join(_metadata, self, CLONE_NEWPID | CLONE_NEWUSER, weak_joins);
}

/* Its memory is nobody's to read, as that of a program one may not read. */
static void unreadable_member(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, prctl(PR_SET_DUMPABLE, 0));
	scene_stay(arg);
}

static void join_by_pidfd(struct child_report *rep, void *arg)
{
	struct rights_pidfd *by = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_PTRACE));
	CHILD_EQ(rep, by->want, join(by->fd));
}

static void expect_join_by_pidfd(struct __test_metadata *_metadata,
				 FIXTURE_DATA(rights) * self, child_fn member,
				 int want)
{
	struct rights_pidfd by = { .want = want };
	struct child_report rep;

	if (lack_of_setns())
		SKIP(return, "%s", lack_of_setns());
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, member, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	by.fd = self->init.pidfd;
	ASSERT_EQ(0, child_run(&rep, 0, join_by_pidfd, &by));
	expect_held(_metadata, &rep);
}

TEST_F(rights, joining_one_by_pidfd_takes_a_readable_process)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_join_by_pidfd(_metadata, self, unreadable_member, -EPERM);
}

TEST_F(rights, joining_one_by_pidfd_takes_no_more_than_that)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_join_by_pidfd(_metadata, self, scene_member, 0);
}

static void make_there(struct child_report *rep,
		       void *arg __attribute__((unused)))
{
	struct child c;

	CHILD_EQ(rep, 1, caps_have(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -EINVAL, child_start(&c, CLONE_NEWPID, nothing, NULL));
}

/* The owner of a nested namespace must descend from the owner above it. */
TEST_F(rights, the_owner_above_must_be_an_ancestor)
{
	struct child_report rep;
	struct child c;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID | CLONE_NEWUSER,
				 scene_member, &self->s));
	ASSERT_EQ(0, scene_inject(&c, self->init.pidfd, make_there, NULL));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

static void set_numbers(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	if (access(LAST_PID, F_OK) < 0)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 349));
	CHILD_EQ(rep, 350, pid_max_next());
	CHILD_EQ(rep, 0, caps_drop_all());
	CHILD_EQ(rep, -EPERM, pid_max_set(LAST_PID, 100));
	CHILD_EQ(rep, 351, pid_max_next());
}

TEST_F(rights, setting_the_last_number_takes_them)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, set_numbers, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
