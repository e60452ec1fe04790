// SPDX-License-Identifier: GPL-2.0
/*
 * A procfs of a pid namespace: whom it lists, what is left of it when the
 * namespace is dead, and what a dead process leaves in it.
 *
 * Promises: pid_namespaces(7), "/proc and PID namespaces";
 *           fs/proc/base.c:proc_pid_readdir(), proc_flush_pid().
 * Guards:   ef1548adada5 ("proc: Use new_inode not new_inode_pseudo"), v5.8.
 * Needs:    root or user namespaces; /proc that may be mounted anew.
 */
#include <sys/inotify.h>
#include <sys/mount.h>

#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "proc_options.h"
#include "scene.h"
#include "tower.h"

FIXTURE(procmount)
{
	struct tower t;
	int dir; /* root of a procfs of level 1 */
	const char *missing;
};

static void open_proc(struct child_report *rep,
		      void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, 0, unshare(CLONE_NEWNS));
	rep->value[0] = proc_open_new();
}

FIXTURE_SETUP(procmount)
{
	struct child_report rep;

	self->dir = -1;
	ASSERT_EQ(0, tower_prepare(CLONE_NEWNS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->t, 1));
	ASSERT_EQ(0, tower_call(&self->t.member[1], open_proc, NULL, 0, &rep));
	expect_held(_metadata, &rep);
	if (rep.value[0] == -EPERM || rep.value[0] == -ENOSYS)
		self->missing = NEEDS_FRESH_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->dir = tower_fetch_fd(&self->t.member[1], rep.value[0]);
	ASSERT_LE(0, self->dir);
}

FIXTURE_TEARDOWN(procmount)
{
	fd_close(&self->dir);
	if (!self->missing)
		tower_down(&self->t);
}

/* The directory of a process in @dir, or a negative errno. */
static int pid_dir(int dir, pid_t pid)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "%d", pid);
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

TEST_F(procmount, lists_members_only)
{
	const struct tower_member *m = &self->t.member[1];
	char name[16];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	snprintf(name, sizeof(name), "%d", m->pid[1]);
	EXPECT_EQ(1, proc_lists(self->dir, "1"));
	EXPECT_EQ(1, proc_lists(self->dir, name));
	/* these two and the twin of the member */
	EXPECT_EQ(3, proc_lists(self->dir, NULL));
	EXPECT_EQ(-ENOENT, pid_dir(self->dir, self->t.sibling.pid[1]));
}

TEST_F(procmount, is_empty_but_usable_when_the_namespace_is_dead)
{
	char link[64];
	int one;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	one = pid_dir(self->dir, 1);
	ASSERT_LE(0, one);
	ASSERT_EQ(0, proc_can_open(one, "stat"));
	tower_down(&self->t);
	EXPECT_EQ(0, proc_lists(self->dir, NULL));
	EXPECT_EQ(-1, readlinkat(self->dir, "self", link, sizeof(link)));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(-ENOENT, proc_can_open(self->dir, "1/stat"));
	EXPECT_EQ(-ESRCH, proc_can_open(one, "stat"));
	EXPECT_EQ(0, proc_can_open(self->dir, "loadavg"));
	fd_close(&one);
}

TEST_F(procmount, forgets_a_process_that_is_reaped)
{
	const struct tower_member *m = &self->t.member[1];
	int dir;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	dir = pid_dir(self->dir, m->pid[1]);
	ASSERT_LE(0, dir);
	ASSERT_EQ(0, proc_can_open(dir, "status"));
	ASSERT_EQ(0, child_kill(&self->t.member[1].proc));
	EXPECT_EQ(-ENOENT, pid_dir(self->dir, m->pid[1]));
	EXPECT_EQ(-ESRCH, proc_can_open(dir, "status"));
	EXPECT_EQ(2, proc_lists(self->dir, NULL));
	fd_close(&dir);
}

/* A watch outlived the inode it was on. */
static void watch_and_unmount(struct child_report *rep,
			      void *arg __attribute__((unused)))
{
	int ret, fd = inotify_init1(IN_CLOEXEC);

	CHILD_LE(rep, 0, fd);
	ret = proc_mount_own();
	if (ret == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_EQ(rep, 0, ret);
	CHILD_LE(rep, 0, inotify_add_watch(fd, "/proc", IN_ALL_EVENTS));
	CHILD_LE(rep, 0, inotify_add_watch(fd, "/proc/1", IN_ALL_EVENTS));
	CHILD_EQ(rep, 0, umount("/proc"));
	CHILD_EQ(rep, 0, close(fd));
}

TEST(a_watched_procfs_can_be_unmounted)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, tower_prepare(CLONE_NEWNS, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, watch_and_unmount, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
