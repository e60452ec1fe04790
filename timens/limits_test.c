// SPDX-License-Identifier: GPL-2.0
/*
 * How many time namespaces a user may have.
 *
 * Promises: namespaces(7), "/proc/sys/user/max_time_namespaces", ENOSPC;
 *           kernel/time/namespace.c:inc_time_namespaces, free_time_ns;
 *           kernel/ucount.c.
 * Guards:   eeec26d5da82 ("time/namespace: Add max_time_namespaces ucount"),
 *           v5.7: the limits of other namespaces were mixed up without it.
 * Needs:    root or user namespaces, a writable /proc/sys.
 */
#include <fcntl.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define LIMIT "/proc/sys/user/max_time_namespaces"

FIXTURE(limit)
{
	const char *missing;
};

/* Limits are those of a new user namespace: nobody else feels them. */
FIXTURE_SETUP(limit)
{
	int ret;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = userns_enter();
	if (ret == -EINVAL)
		self->missing = NEEDS_USER_NS;
	else if (ret == -EPERM || ret == -EACCES || ret == -ENOSPC ||
		 ret == -EUSERS)
		self->missing = NEEDS_USERNS;
	else if (!ret && access(LIMIT, W_OK))
		self->missing = NEEDS_PROC_SYS;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(limit)
{
}

static void do_nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

static void try_unshare(struct child_report *rep, void *arg)
{
	rep->value[0] = unshare(*(int *)arg) < 0 ? -errno : 0;
}

/* 0 or a negative errno of unshare(2); what it made is gone afterwards. */
static int unshare_in_child(int flags)
{
	struct child_report rep;
	int ret;

	ret = child_run(&rep, 0, try_unshare, &flags);
	return ret < 0 ? ret : rep.value[0];
}

TEST_F(limit, is_none_by_default)
{
	long long limit;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_number(LIMIT, "", &limit));
	EXPECT_EQ(INT32_MAX, limit);
	EXPECT_EQ(-EINVAL, proc_write(LIMIT, "-1"));
	ASSERT_EQ(0, proc_number(LIMIT, "", &limit));
	EXPECT_EQ(INT32_MAX, limit);
}

TEST_F(limit, of_zero_allows_none)
{
	struct child_report rep;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(LIMIT, "0"));
	EXPECT_EQ(-ENOSPC, unshare_in_child(CLONE_NEWTIME));
	ret = child_run(&rep, CLONE_NEWTIME, do_nothing, NULL);
	if (ret != -ENOSYS)
		EXPECT_EQ(-ENOSPC, ret);
	/* a process without a new one is no matter of it */
	EXPECT_EQ(0, child_run(&rep, 0, do_nothing, NULL));
}

TEST_F(limit, is_of_time_namespaces_alone)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(LIMIT, "0"));
	EXPECT_EQ(0, unshare_in_child(CLONE_NEWNS));
	if (!access("/proc/self/ns/cgroup", F_OK))
		EXPECT_EQ(0, unshare_in_child(CLONE_NEWCGROUP));
	ASSERT_EQ(0, proc_write(LIMIT, "100"));
	EXPECT_EQ(0, unshare_in_child(CLONE_NEWTIME));
	if (!access("/proc/self/ns/cgroup", F_OK)) {
		ASSERT_EQ(0, proc_write("/proc/sys/user/max_cgroup_namespaces",
					"0"));
		EXPECT_EQ(0, unshare_in_child(CLONE_NEWTIME));
	}
}

/* Given back at once: when the child is reaped, its namespace is gone. */
TEST_F(limit, counts_those_that_exist)
{
	struct child_report rep;
	int i, ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(LIMIT, "1"));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, unshare_in_child(CLONE_NEWTIME));
		ASSERT_EQ(0, unshare_in_child(CLONE_NEWTIME | CLONE_NEWNS));
	}
	ASSERT_EQ(0, unshare(CLONE_NEWTIME));
	EXPECT_EQ(-ENOSPC, unshare_in_child(CLONE_NEWTIME));
	/* a child that is in it does not count */
	EXPECT_EQ(0, child_run(&rep, 0, do_nothing, NULL));
	ret = child_run(&rep, CLONE_NEWTIME, do_nothing, NULL);
	if (ret != -ENOSYS)
		EXPECT_EQ(-ENOSPC, ret);
}

static void in_inner_userns(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_OK(rep, unshare(CLONE_NEWUSER));
	rep->value[0] = unshare(CLONE_NEWTIME) < 0 ? -errno : 0;
}

TEST_F(limit, holds_in_inner_user_namespaces)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(LIMIT, "0"));
	ASSERT_EQ(0, child_run(&rep, 0, in_inner_userns, NULL));
	expect_held(_metadata, &rep);
	EXPECT_EQ(-ENOSPC, rep.value[0]);
	ASSERT_EQ(0, proc_write(LIMIT, "1"));
	ASSERT_EQ(0, child_run(&rep, 0, in_inner_userns, NULL));
	EXPECT_EQ(0, rep.value[0]);
}

static void keep_by_file(struct child_report *rep, void *arg)
{
	int *fd = arg;

	child_need(rep, lack_of_setns());
	CHILD_OK(rep, unshare(CLONE_NEWTIME));
	*fd = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, *fd);
	CHILD_EQ(rep, -ENOSPC, unshare_in_child(CLONE_NEWTIME));
	CHILD_OK(rep, setns(*fd, CLONE_NEWTIME));
	CHILD_OK(rep, close(*fd));
}

TEST_F(limit, counts_one_that_was_entered_and_left)
{
	struct child_report rep;
	int fd = -1, i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_write(LIMIT, "1"));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, child_run(&rep, 0, keep_by_file, &fd));
		expect_held(_metadata, &rep);
	}
	EXPECT_EQ(0, unshare_in_child(CLONE_NEWTIME));
}

TEST_HARNESS_MAIN
