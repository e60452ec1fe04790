// SPDX-License-Identifier: GPL-2.0
/*
 * How many pid namespaces there may be, nested and altogether.
 *
 * Promises: pid_namespaces(7), "Nesting PID namespaces"; namespaces(7),
 *           max_pid_namespaces of "The /proc/sys/user directory";
 *           kernel/pid_namespace.c:create_pid_namespace(), kernel/ucount.c.
 * Guards:   24c037ebf572 ("exit: pidns: alloc_pid() leaks pid_namespace if
 *           child_reaper is exiting"), v3.19.
 * Needs:    root or user namespaces.
 */
#include <limits.h>
#include <sys/stat.h>
#include <time.h>

#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "scene.h"

#define MOST_LEVELS 32 /* MAX_PID_NS_LEVEL of the kernel */
#define INITIAL_PIDNS 0xEFFFFFFCU
#define MAX_PIDNS "/proc/sys/user/max_pid_namespaces"

static void nothing(struct child_report *rep __attribute__((unused)),
		    void *arg __attribute__((unused)))
{
}

/* How deep it goes; at the bottom both ways have to be refused alike. */
static void nest(struct child_report *rep, void *arg)
{
	int *depth = arg;
	struct child_report inner;
	int ret;

	++*depth;
	ret = child_run(&inner, CLONE_NEWPID, nest, depth);
	if (ret == 0) {
		CHILD_HELD(rep, &inner);
		rep->value[0] = inner.value[0];
		return;
	}
	CHILD_EQ(rep, -ENOSPC, ret);
	CHILD_EQ(rep, -1, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, ENOSPC, errno);
	rep->value[0] = *depth;
}

TEST(namespaces_can_be_nested_32_deep)
{
	struct child_report rep;
	const char *missing;
	struct stat st = { 0 };
	int depth = 0;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, nest, &depth));
	expect_held(_metadata, &rep);
	EXPECT_GE(MOST_LEVELS, rep.value[0]);
	if (stat("/proc/self/ns/pid", &st) < 0)
		SKIP(return, NEEDS_PROC);
	if (st.st_ino != INITIAL_PIDNS)
		SKIP(return, NEEDS_INITIAL_PIDNS);
	EXPECT_EQ(MOST_LEVELS, rep.value[0]);
}

FIXTURE(limit)
{
	const char *missing;
};

/* A user namespace of its own, whose limits are nobody else's. */
FIXTURE_SETUP(limit)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER | CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, userns_enter());
	if (access(MAX_PIDNS, W_OK) < 0)
		self->missing = NEEDS_USER_SYSCTL;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(limit)
{
}

TEST_F(limit, starts_at_the_largest_number_and_takes_no_negative)
{
	long long most;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_number(MAX_PIDNS, "", &most));
	EXPECT_EQ(INT_MAX, most);
	EXPECT_EQ(-EINVAL, proc_write(MAX_PIDNS, "-1"));
	ASSERT_EQ(0, proc_number(MAX_PIDNS, "", &most));
	EXPECT_EQ(INT_MAX, most);
}

TEST_F(limit, of_0_refuses_every_way)
{
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(MAX_PIDNS, "0"));
	EXPECT_EQ(-ENOSPC, child_start(&c, CLONE_NEWPID, nothing, NULL));
	EXPECT_EQ(-1, unshare(CLONE_NEWPID));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(0, child_start(&c, 0, nothing, NULL));
	EXPECT_EQ(0, child_wait(&c, NULL));
}

/* The charge comes back some time after the end, by RCU: ask until it does. */
static int start_when_free(struct child *c, child_fn fn, void *arg)
{
	const struct timespec pause = { .tv_nsec = 2 * 1000 * 1000 };
	int ret, ms;

	for (ms = 0; ms < CHILD_DEADLINE_MS; ms += 2) {
		ret = child_start(c, CLONE_NEWPID, fn, arg);
		if (ret != -ENOSPC)
			return ret;
		nanosleep(&pause, NULL);
	}
	return ret;
}

TEST_F(limit, counts_what_lives_and_is_given_back)
{
	struct child one, two;
	struct scene s;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, proc_write(MAX_PIDNS, "1"));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, start_when_free(&one, scene_member, &s));
		EXPECT_EQ(-ENOSPC,
			  child_start(&two, CLONE_NEWPID, nothing, NULL));
		ASSERT_EQ(0, child_kill(&one));
	}
}

static void in_nested_userns(struct child_report *rep,
			     void *arg __attribute__((unused)))
{
	struct child c;

	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	CHILD_EQ(rep, -ENOSPC, child_start(&c, CLONE_NEWPID, nothing, NULL));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, ENOSPC, errno);
}

TEST_F(limit, binds_the_user_namespaces_inside)
{
	struct child_report rep;
	struct child one;
	struct scene s;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, proc_write(MAX_PIDNS, "1"));
	ASSERT_EQ(0, child_start(&one, CLONE_NEWPID, scene_member, &s));
	ASSERT_EQ(0, gate_wait_child(&s.up, &one));
	ASSERT_EQ(0, child_run(&rep, 0, in_nested_userns, NULL));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, child_kill(&one));
}

/* Forks into a dead namespace used to keep it for ever. */
static void refused_forks(struct child_report *rep,
			  void *arg __attribute__((unused)))
{
	struct child_report inner;
	struct child c;
	int i;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, 0, child_run(&inner, 0, nothing, NULL));
	for (i = 0; i < 3; i++)
		CHILD_EQ(rep, -ENOMEM, child_start(&c, 0, nothing, NULL));
}

TEST_F(limit, is_not_used_up_by_refused_forks)
{
	struct child_report rep;
	struct child c;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(MAX_PIDNS, "8"));
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, child_run(&rep, 0, refused_forks, NULL));
		expect_held(_metadata, &rep);
	}
	ASSERT_EQ(0, start_when_free(&c, nothing, NULL));
	EXPECT_EQ(0, child_wait(&c, NULL));
}

TEST_HARNESS_MAIN
