// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by what a pidfd opens: its namespaces, and itself by a
 * file handle.
 *
 * Promises: PIDFD_GET_*_NAMESPACE of ioctl_pidfd(2): the namespaces of the
 *           process and those of its children (fs/pidfs.c:pidfd_ioctl); file
 *           handles of pidfds: ESTALE for a process that is not visible
 *           (fs/pidfs.c:pidfs_ino_get_pid).
 * Needs:    root, or user namespaces, to make the namespaces.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "lack.h"
#include "views.h"

/* Closed at the end of the row: the caller opens it for itself. */
static void look_handle(struct child_report *rep, void *arg)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} u = { .handle.handle_bytes = MAX_HANDLE_SZ };
	struct view *v = arg;
	struct stat want, got;
	int mount, fd;

	if (name_to_handle_at(v->pidfd, "", &u.handle, &mount, AT_EMPTY_PATH))
		child_skip(rep, NEEDS_PIDFS_HANDLE);
	fd = open_by_handle_at(v->pidfd, &u.handle, O_CLOEXEC);
	view_see(rep, fd);
	if (fd < 0)
		return;
	CHILD_OK(rep, fstat(v->pidfd, &want));
	CHILD_OK(rep, fstat(fd, &got));
	rep->value[0] = want.st_ino == got.st_ino;
	close(fd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, file_handle)
{ { NULL, NULL, NULL, look_handle, NULL, 1, -ESTALE, 0 } };
/* clang-format on */

FIXTURE(pidfs)
{
	const char *missing;
};

FIXTURE_SETUP(pidfs)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(pidfs)
{
}

static ino_t inode_of(struct child_report *rep, const char *name)
{
	struct stat st;
	char path[64];

	child_need(rep, lack_of_proc());
	snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
	CHILD_OK(rep, stat(path, &st));
	return st.st_ino;
}

static ino_t inode_by(struct child_report *rep, int pidfd, unsigned long cmd)
{
	struct stat st;
	int fd = ioctl(pidfd, cmd, 0);

	if (fd < 0 && (errno == ENOTTY || errno == EINVAL))
		child_skip(rep, NEEDS_PIDFD_NS);
	CHILD_OK(rep, fd);
	CHILD_OK(rep, fstat(fd, &st));
	close(fd);
	return st.st_ino;
}

static void note_inode(struct child_report *rep, void *arg)
{
	rep->value[0] = inode_of(rep, "pid");
}

/* Its children live elsewhere from now on. */
static void ask_about_children(struct child_report *rep, void *arg)
{
	int pidfd = sys_pidfd_open(getpid(), 0);
	struct child_report inner;
	struct child init;

	CHILD_OK(rep, pidfd);
	CHILD_OK(rep, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, 0, child_start(&init, 0, note_inode, NULL));
	CHILD_EQ(rep, 0, child_wait(&init, &inner));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, inode_of(rep, "pid"),
		 inode_by(rep, pidfd, PIDFD_GET_PID_NAMESPACE));
	CHILD_EQ(rep, 0, inner.value[0] == (long long)inode_of(rep, "pid"));
	CHILD_EQ(rep, inner.value[0],
		 inode_by(rep, pidfd, PIDFD_GET_PID_FOR_CHILDREN_NAMESPACE));
}

TEST_F(pidfs, opens_pid_namespaces_of_process_and_of_children)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, ask_about_children, NULL));
	expect_held(_metadata, &rep);
}

static void ask_about_time(struct child_report *rep, void *arg)
{
	int pidfd = sys_pidfd_open(getpid(), 0);

	CHILD_OK(rep, pidfd);
	CHILD_OK(rep, unshare(CLONE_NEWTIME));
	CHILD_EQ(rep, 0,
		 inode_of(rep, "time") == inode_of(rep, "time_for_children"));
	CHILD_EQ(rep, inode_of(rep, "time"),
		 inode_by(rep, pidfd, PIDFD_GET_TIME_NAMESPACE));
	CHILD_EQ(rep, inode_of(rep, "time_for_children"),
		 inode_by(rep, pidfd, PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE));
	CHILD_EQ(rep, inode_of(rep, "user"),
		 inode_by(rep, pidfd, PIDFD_GET_USER_NAMESPACE));
}

TEST_F(pidfs, opens_time_namespaces_of_process_and_of_children)
{
	struct child_report rep;
	const char *missing;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, ask_about_time, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
