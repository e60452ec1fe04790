// SPDX-License-Identifier: GPL-2.0
/*
 * The time namespaces of other processes, by link and by pidfd: of members,
 * strangers, and the dead.
 *
 * Promises: namespaces(7), "The /proc/PID/ns/ directory": PTRACE_MODE_READ;
 *           fs/pidfs.c:pidfd_ioctl, PIDFD_GET_TIME_NAMESPACE and
 *           PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE;
 *           kernel/time/namespace.c:timens_get.
 * Guards:   none.
 * Needs:    root or user namespaces; root for a second user.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

/* The child moves on by two gates: it opens the first, waits at the second. */
FIXTURE(others)
{
	const char *missing;
	struct gate gate[2];
	struct child c;
	char own[64];
	char pending[64];
};

static void have_pending(struct child_report *rep, void *arg)
{
	struct gate *gate = arg;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, gate_open(&gate[0]));
	CHILD_OK(rep, gate_wait(&gate[1]));
}

FIXTURE_SETUP(others)
{
	self->gate[0] = GATE_NONE;
	self->gate[1] = GATE_NONE;
	self->c = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && !proc_is_mine())
		self->missing = NEEDS_SELF_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&self->gate[0]));
	ASSERT_EQ(0, gate_init(&self->gate[1]));
	ASSERT_EQ(0, child_start(&self->c, 0, have_pending, self->gate));
	ASSERT_EQ(0, gate_wait_child(&self->gate[0], &self->c));
	snprintf(self->own, sizeof(self->own), "/proc/%d/ns/time", self->c.pid);
	snprintf(self->pending, sizeof(self->pending),
		 "/proc/%d/ns/time_for_children", self->c.pid);
}

FIXTURE_TEARDOWN(others)
{
	child_kill(&self->c);
	gate_close(&self->gate[0]);
	gate_close(&self->gate[1]);
}

static int64_t inode(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -errno : (int64_t)st.st_ino;
}

TEST_F(others, differ_by_what_they_did)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_LT(0, inode(self->own));
	EXPECT_EQ(inode("/proc/self/ns/time"), inode(self->own));
	EXPECT_EQ(inode("/proc/self/ns/time"),
		  inode("/proc/self/ns/time_for_children"));
	EXPECT_LT(0, inode(self->pending));
	EXPECT_NE(inode(self->own), inode(self->pending));
}

static void follow_as_another(struct child_report *rep, void *arg)
{
	const char *link = arg;
	char text[64];
	int ret;

	ret = caps_become(65534);
	if (ret == -EPERM || ret == -EINVAL)
		child_skip(rep, NEEDS_ROOT);
	CHILD_OK(rep, ret);
	child_die_with_parent(rep);
	child_need(rep, lack_of_others(atoi(link + strlen("/proc/"))));
	CHILD_EQ(rep, -1, readlink(link, text, sizeof(text)));
	CHILD_EQ(rep, EACCES, errno);
	CHILD_EQ(rep, -1, open(link, O_RDONLY | O_CLOEXEC));
	CHILD_EQ(rep, EACCES, errno);
}

TEST_F(others, may_not_follow_them)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, follow_as_another, self->own));
	expect_held(_metadata, &rep);
	if (rep.skip)
		return;
	ASSERT_EQ(0, child_run(&rep, 0, follow_as_another, self->pending));
	expect_held(_metadata, &rep);
}

TEST_F(others, have_none_when_dead)
{
	siginfo_t end;
	char text[64];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_open(&self->gate[1]));
	ASSERT_EQ(0, waitid(P_PID, self->c.pid, &end, WEXITED | WNOWAIT));
	EXPECT_EQ(-1, readlink(self->own, text, sizeof(text)));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-1, open(self->own, O_RDONLY | O_CLOEXEC));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-1, readlink(self->pending, text, sizeof(text)));
	EXPECT_EQ(ENOENT, errno);
}

/* The inode behind an ioctl of a pidfd, or a negative errno. */
static int64_t inode_by(int pidfd, unsigned long request)
{
	int fd = ioctl(pidfd, request, 0);
	int64_t ret;
	struct stat st;

	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) < 0 ? -errno : (int64_t)st.st_ino;
	close(fd);
	return ret;
}

TEST_F(others, are_the_same_by_pidfd)
{
	int64_t own, pending;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	own = inode_by(self->c.pidfd, PIDFD_GET_TIME_NAMESPACE);
	/* older kernels know no ioctl of a pidfd, or not this one */
	if (own == -ENOTTY || own == -EINVAL)
		SKIP(return, NEEDS_PIDFD_NS);
	pending =
		inode_by(self->c.pidfd, PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE);
	EXPECT_EQ(inode(self->own), own);
	EXPECT_EQ(inode(self->pending), pending);
	EXPECT_EQ(0, gate_open(&self->gate[1]));
	EXPECT_EQ(0, child_kill(&self->c));
}

TEST_HARNESS_MAIN
