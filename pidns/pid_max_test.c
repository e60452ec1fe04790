// SPDX-License-Identifier: GPL-2.0
/*
 * Every pid namespace has its own pid_max.
 *
 * Promises: pid_max of proc_sys_kernel(5);
 *           kernel/pid.c:register_pidns_sysctls().
 * Guards:   d385c8bceb14 ("pid: Do not set pid_max in new pid namespaces"),
 *           v6.14.
 * Needs:    unprivileged user namespaces: nobody else is safe from writing the
 *           limit of the whole machine where there is but one.
 */
#include <fcntl.h>

#include "expect.h"
#include "pid_max.h"

static void values(struct child_report *rep, void *arg __attribute__((unused)))
{
	long long most, min;

	pid_max_need(rep);
	CHILD_EQ(rep, 0, proc_number(PID_MAX, "", &most));
	CHILD_EQ(rep, PID_MAX_LIMIT, most);
	CHILD_EQ(rep, -EINVAL, pid_max_set(PID_MAX, RESERVED_PIDS));
	CHILD_EQ(rep, -EINVAL, pid_max_set(PID_MAX, PID_MAX_LIMIT + 1));
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, PID_MAX_LIMIT));
	min = pid_max_smallest();
	CHILD_LE(rep, RESERVED_PIDS + 1, min);
	CHILD_EQ(rep, 0, min > RESERVED_PIDS + 1 && min % 8);
	CHILD_EQ(rep, 0, proc_number(PID_MAX, "", &most));
	CHILD_EQ(rep, min, most);
}

static void fresh_value(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	long long most;

	CHILD_EQ(rep, 0, proc_number(PID_MAX, "", &most));
	CHILD_EQ(rep, PID_MAX_LIMIT, most);
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, PID_MAX_LIMIT / 2));
}

/* Neither inherited nor shared. */
static void not_inherited(struct child_report *rep,
			  void *arg __attribute__((unused)))
{
	struct child_report inner;
	long long most;

	pid_max_need(rep);
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, 40000));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, fresh_value, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, proc_number(PID_MAX, "", &most));
	CHILD_EQ(rep, 40000, most);
}

static void wraps(struct child_report *rep, void *arg __attribute__((unused)))
{
	long long most;

	pid_max_need(rep);
	most = pid_max_smallest() + 9;
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, most));
	CHILD_EQ(rep, -EINVAL, pid_max_set(LAST_PID, most + 1));
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, most - 3));
	CHILD_EQ(rep, most - 2, pid_max_next());
	CHILD_EQ(rep, most - 1, pid_max_next());
	CHILD_EQ(rep, RESERVED_PIDS, pid_max_next());
}

static void opens_it(struct child_report *rep,
		     void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, 1, geteuid());
	/* access(2) would look at the user, and not at capabilities */
	CHILD_OK(rep, open(PID_MAX, O_WRONLY | O_CLOEXEC));
}

/* All capabilities over the namespace, but no user with the number 0. */
static void capable_user_1(struct child_report *rep,
			   void *arg __attribute__((unused)))
{
	struct child_report inner;

	pid_max_need(rep);
	if (unshare(CLONE_NEWUSER) < 0)
		child_skip(rep, NEEDS_USERNS);
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, proc_write("/proc/self/setgroups", "deny"));
	CHILD_EQ(rep, 0, proc_write("/proc/self/uid_map", "1 0 1"));
	CHILD_EQ(rep, 0, proc_write("/proc/self/gid_map", "1 0 1"));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, opens_it, NULL));
	CHILD_HELD(rep, &inner);
}

FIXTURE(pid_max)
{
	child_fn fn;
};

FIXTURE_VARIANT(pid_max)
{
	child_fn fn;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(pid_max, has_bounds)         { values };
FIXTURE_VARIANT_ADD(pid_max, is_not_inherited)   { not_inherited };
FIXTURE_VARIANT_ADD(pid_max, makes_numbers_wrap) { wraps };
FIXTURE_VARIANT_ADD(pid_max, is_for_the_capable) { capable_user_1 };
/* clang-format on */

FIXTURE_SETUP(pid_max)
{
	self->fn = variant->fn;
}

FIXTURE_TEARDOWN(pid_max)
{
}

static void harmless(struct child_report *rep, void *arg)
{
	child_fn *fn = arg;

	pid_max_in_namespace(rep, *fn, NULL);
}

TEST_F(pid_max, per_namespace)
{
	struct child_report rep;
	long long before, after;

	if (proc_number(PID_MAX, "", &before) < 0)
		SKIP(return, NEEDS_PROC);
	ASSERT_EQ(0, child_run(&rep, 0, harmless, &self->fn));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, proc_number(PID_MAX, "", &after));
	EXPECT_EQ(before, after);
}

/* Only opened, never written: on old kernels it is that of the machine. */
static void another_user(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	if (caps_become(PID_MAX_NOBODY) < 0)
		child_skip(rep, NEEDS_ROOT);
	CHILD_EQ(rep, 1, getpid());
	CHILD_EQ(rep, -1, open(PID_MAX, O_WRONLY | O_CLOEXEC));
	CHILD_EQ(rep, EACCES, errno);
}

TEST(another_user_may_not_write_pid_max)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (!missing && access(PID_MAX, F_OK) < 0)
		missing = NEEDS_PROC;
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, another_user, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
