// SPDX-License-Identifier: GPL-2.0
/*
 * Choosing numbers at several levels at once, and the right to do so.
 *
 * Promises: clone3(2), "The set_tid array": CAP_SYS_ADMIN or
 *           CAP_CHECKPOINT_RESTORE in the owner of each of the namespaces;
 *           kernel/pid.c:alloc_pid().
 * Guards:   49cb2fc42ce4 ("fork: extend clone3() to support setting a PID"),
 *           v5.5; 1caef81da05a ("pid: use checkpoint_restore_ns_capable() for
 *           set_tid"), v5.9.
 * Needs:    root or user namespaces.
 */
#include <sys/capability.h>
#include <sys/stat.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

#define INITIAL_PIDNS 0xEFFFFFFCU /* PROC_PID_INIT_INO of the kernel */

FIXTURE(set_tid_levels)
{
	struct scene s;
	const char *missing;
};

FIXTURE_SETUP(set_tid_levels)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(set_tid_levels)
{
}

/* What a child with these numbers gets to see, or a negative errno. */
struct born {
	pid_t outer;
	pid_t inner;
};

static void tell_pid(struct child_report *rep,
		     void *arg __attribute__((unused)))
{
	rep->value[0] = getpid();
}

static struct born bear(int flags, const pid_t *tid, size_t tids)
{
	struct born born = { 0 };
	struct child_report rep;
	struct child c;

	born.outer = child_start_tid(&c, flags, tid, tids, tell_pid, NULL);
	if (born.outer < 0)
		return born;
	born.outer = c.pid;
	child_wait(&c, &rep);
	born.inner = rep.value[0];
	return born;
}

static void need_set_tid(struct child_report *rep)
{
	struct uapi_clone_args args = { .set_tid_size = 1 };

	/* a size without an array is invalid, except for those who ignore it */
	if (sys_clone3(&args, sizeof(args)) < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	if (errno == E2BIG)
		child_skip(rep, NEEDS_SET_TID);
}

/* One namespace below the caller's, in which its children are born. */
static void have_level_below(struct child_report *rep, struct scene *s)
{
	struct child init;

	need_set_tid(rep);
	child_need(rep, lack_of_setns());
	CHILD_EQ(rep, 0, child_start(&init, CLONE_NEWPID, scene_member, s));
	CHILD_EQ(rep, 0, gate_wait_child(&s->up, &init));
	CHILD_EQ(rep, 0, setns(init.pidfd, CLONE_NEWPID));
}

static void two_levels(struct child_report *rep, void *arg)
{
	const pid_t both[] = { 100, 200 };
	struct born b;

	have_level_below(rep, arg);
	b = bear(0, both, 2);
	CHILD_EQ(rep, 200, b.outer);
	CHILD_EQ(rep, 100, b.inner);
	b = bear(0, both, 1);
	CHILD_EQ(rep, 3, b.outer);
	CHILD_EQ(rep, 100, b.inner);
	b = bear(0, NULL, 0);
	CHILD_EQ(rep, 4, b.outer);
	CHILD_EQ(rep, 2, b.inner);
}

/* A number that is in use outside: the one inside must be given back. */
static void outer_in_use(struct child_report *rep, void *arg)
{
	const pid_t in_use[] = { 100, 1 };
	const pid_t both[] = { 100, 200 };
	struct born b;

	have_level_below(rep, arg);
	CHILD_EQ(rep, -EEXIST, bear(0, in_use, 2).outer);
	b = bear(0, both, 2);
	CHILD_EQ(rep, 200, b.outer);
	CHILD_EQ(rep, 100, b.inner);
}

TEST_F(set_tid_levels, numbers_are_given_innermost_first)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, two_levels, &self->s));
	expect_held(_metadata, &rep);
}

TEST_F(set_tid_levels, a_number_in_use_outside_leaks_none_inside)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, outer_in_use, &self->s));
	expect_held(_metadata, &rep);
}

static void one_too_many(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	const pid_t tid[] = { 500, 30000, 500 };

	need_set_tid(rep);
	CHILD_EQ(rep, -EINVAL, bear(0, tid, 3).outer);
}

/* Only in the initial namespace is it known how many levels there are. */
TEST_F(set_tid_levels, more_numbers_than_levels_are_refused)
{
	struct child_report rep;
	struct stat st;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (stat("/proc/self/ns/pid", &st) < 0)
		SKIP(return, NEEDS_PROC);
	if (st.st_ino != INITIAL_PIDNS)
		SKIP(return, NEEDS_INITIAL_PIDNS);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, one_too_many, NULL));
	expect_held(_metadata, &rep);
}

static void keep_only(struct child_report *rep, int keep)
{
	int cap;

	CHILD_EQ(rep, 0, caps_restore());
	for (cap = 0; cap <= CAP_LAST_CAP || cap <= CAP_CHECKPOINT_RESTORE;
	     cap++)
		if (cap != keep)
			caps_drop(cap);
}

static void capabilities(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	const pid_t tid = 500;

	need_set_tid(rep);
	CHILD_EQ(rep, 0, caps_drop_all());
	CHILD_EQ(rep, -EPERM, bear(0, &tid, 1).outer);
	keep_only(rep, CAP_SYS_PTRACE);
	CHILD_EQ(rep, -EPERM, bear(0, &tid, 1).outer);
	keep_only(rep, CAP_SYS_ADMIN);
	CHILD_EQ(rep, tid, bear(0, &tid, 1).outer);
	keep_only(rep, CAP_CHECKPOINT_RESTORE);
	if (caps_have(CAP_CHECKPOINT_RESTORE) != 1)
		child_skip(rep, NEEDS_NSROOT_CAPS);
	CHILD_EQ(rep, tid, bear(0, &tid, 1).outer);
}

TEST_F(set_tid_levels, takes_one_of_two_capabilities)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, capabilities, NULL));
	expect_held(_metadata, &rep);
}

/* Root of an inner user namespace may choose inside, not outside. */
static void inner_root(struct child_report *rep,
		       void *arg __attribute__((unused)))
{
	const pid_t both[] = { 1, 700 };
	struct born b;

	need_set_tid(rep);
	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	CHILD_EQ(rep, -EPERM, bear(CLONE_NEWPID, both, 2).outer);
	b = bear(CLONE_NEWPID, both, 1);
	CHILD_EQ(rep, 2, b.outer);
	CHILD_EQ(rep, 1, b.inner);
}

TEST_F(set_tid_levels, takes_the_capability_for_every_level)
{
	const char *missing;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, inner_root, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
