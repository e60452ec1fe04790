// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps a pid namespace after its last process, and what it is good for.
 *
 * Promises: namespaces(7), "Namespace lifetime"; NS_GET_PARENT of ioctl_nsfs(2);
 *           kernel/pid_namespace.c:pidns_get_parent().
 * Needs:    root or user namespaces; /proc of this pid namespace.
 */
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "ns_file.h"
#include "procfs.h"
#include "scene.h"

FIXTURE(ns_lifetime)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(ns_lifetime)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &self->missing));
	if (!self->missing && !proc_is_mine())
		self->missing = NEEDS_SELF_PROC;
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(ns_lifetime)
{
	child_kill(&self->init);
}

struct target {
	struct scene *s;
	pid_t pid;
	int pidfd;
};

/* A dead namespace can be joined, but not be lived in. */
static void join_dead(struct child_report *rep, int fd)
{
	struct child c;

	CHILD_EQ(rep, 0, setns(fd, CLONE_NEWPID));
	CHILD_EQ(rep, -ENOMEM, child_start(&c, 0, scene_member, NULL));
}

static void use_dead_file(struct child_report *rep, void *arg)
{
	struct target *t = arg;
	int fd = ns_open(t->pid, "pid");
	struct stat own, parent;
	int up;

	CHILD_LE(rep, 0, fd);
	CHILD_EQ(rep, 0, sys_pidfd_send_signal(t->pidfd, SIGKILL, NULL, 0));
	CHILD_EQ(rep, 0, gate_open(&t->s->go));
	CHILD_EQ(rep, 0, gate_wait(&t->s->up));
	up = ioctl(fd, NS_GET_PARENT);
	CHILD_LE(rep, 0, up);
	CHILD_EQ(rep, 0, fstat(up, &parent));
	CHILD_EQ(rep, 0, stat("/proc/self/ns/pid", &own));
	CHILD_EQ(rep, own.st_ino, parent.st_ino);
	join_dead(rep, fd);
}

static void use_dead_mount(struct child_report *rep, void *arg)
{
	struct target *t = arg;
	struct stat before, after;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", t->pid);
	CHILD_EQ(rep, 0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	CHILD_EQ(rep, 0, mount("none", "/tmp", "tmpfs", 0, NULL));
	CHILD_OK(rep, mknod("/tmp/ns", S_IFREG | 0600, 0));
	CHILD_EQ(rep, 0, mount(path, "/tmp/ns", NULL, MS_BIND, NULL));
	CHILD_EQ(rep, 0, stat("/tmp/ns", &before));
	CHILD_EQ(rep, ns_inode(t->pid, "pid"), before.st_ino);
	CHILD_EQ(rep, 0, sys_pidfd_send_signal(t->pidfd, SIGKILL, NULL, 0));
	CHILD_EQ(rep, 0, gate_open(&t->s->go));
	CHILD_EQ(rep, 0, gate_wait(&t->s->up));
	CHILD_EQ(rep, 0, stat("/tmp/ns", &after));
	CHILD_EQ(rep, before.st_ino, after.st_ino);
	fd = open("/tmp/ns", O_RDONLY | O_CLOEXEC);
	CHILD_LE(rep, 0, fd);
	join_dead(rep, fd);
}

/* The child has the init killed, its parent reaps it. */
static void expect_kept(struct __test_metadata *_metadata,
			FIXTURE_DATA(ns_lifetime) * self, int flags,
			child_fn fn)
{
	struct target t = { .s = &self->s };
	struct child_report rep;
	struct child c;

	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, scene_member,
				 &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	t.pid = self->init.pid;
	t.pidfd = self->init.pidfd;
	ASSERT_EQ(0, child_start(&c, flags, fn, &t));
	ASSERT_EQ(0, gate_wait_child(&self->s.go, &c));
	ASSERT_EQ(0, child_wait(&self->init, NULL));
	ASSERT_EQ(0, gate_open(&self->s.up));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

TEST_F(ns_lifetime, an_open_file_keeps_a_dead_namespace)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_kept(_metadata, self, 0, use_dead_file);
}

TEST_F(ns_lifetime, a_bind_mount_keeps_a_dead_namespace)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_kept(_metadata, self, CLONE_NEWNS, use_dead_mount);
}

static void nothing(struct child_report *rep __attribute__((unused)),
		    void *arg __attribute__((unused)))
{
}

TEST_F(ns_lifetime, a_zombie_still_has_its_namespace)
{
	siginfo_t end;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, nothing, NULL));
	ASSERT_EQ(0, waitid(P_PID, self->init.pid, &end, WEXITED | WNOWAIT));
	EXPECT_LT(0, ns_inode(self->init.pid, "pid"));
	EXPECT_NE(ns_inode(getpid(), "pid"), ns_inode(self->init.pid, "pid"));
}

TEST_HARNESS_MAIN
