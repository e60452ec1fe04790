// SPDX-License-Identifier: GPL-2.0
/*
 * The files that stand for a pid namespace, and how long they keep it.
 *
 * Promises: namespaces(7), "The /proc/pid/ns directory"; pid_namespaces(7),
 *           "/proc and PID namespaces"; kernel/pid_namespace.c:
 *           pidns_for_children_get(), pidns_get_parent().
 * Guards:   a3bdc23ba8ea ("pid_namespace: allow opening pid_for_children before
 *           init was created"), v7.1.
 * Needs:    root or user namespaces; /proc of this pid namespace.
 */
#include <stdio.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "ns_file.h"
#include "procfs.h"
#include "scene.h"

FIXTURE(ns_files)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(ns_files)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing && !proc_is_mine())
		self->missing = NEEDS_SELF_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(ns_files)
{
	child_kill(&self->init);
}

TEST_F(ns_files, one_namespace_is_one_inode)
{
	struct child in, other;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, scene_member,
				 &self->s));
	ASSERT_EQ(0, child_start(&other, CLONE_NEWPID, scene_member, &self->s));
	ASSERT_EQ(0,
		  scene_inject(&in, self->init.pidfd, scene_member, &self->s));
	ASSERT_LT(0, ns_inode(in.pid, "pid"));
	EXPECT_EQ(ns_inode(self->init.pid, "pid"), ns_inode(in.pid, "pid"));
	EXPECT_EQ(ns_inode(in.pid, "pid_for_children"),
		  ns_inode(in.pid, "pid"));
	EXPECT_NE(ns_inode(other.pid, "pid"), ns_inode(in.pid, "pid"));
	EXPECT_NE(ns_inode(getpid(), "pid"), ns_inode(in.pid, "pid"));
	ASSERT_EQ(0, child_kill(&in));
	ASSERT_EQ(0, child_kill(&other));
}

static void unshares(struct child_report *rep, void *arg)
{
	struct scene *s = arg, inner;
	struct child c;

	CHILD_EQ(rep, 0, scene_init(&inner));
	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, &inner));
	CHILD_EQ(rep, 0, gate_wait_child(&inner.up, &c));
	rep->value[0] = c.pid;
	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	CHILD_EQ(rep, 0, child_kill(&c));
	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
}

/* Up to v7.0 the link of a namespace that had no process yet led nowhere. */
TEST_F(ns_files, pending_namespace_has_a_link_of_its_own)
{
	struct child_report rep;
	long long own, pending;
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	own = ns_inode(getpid(), "pid");
	ASSERT_EQ(0, child_start(&c, 0, unshares, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &c));
	EXPECT_EQ(own, ns_inode(c.pid, "pid"));
	pending = ns_inode(c.pid, "pid_for_children");
	if (pending != -ENOENT) {
		EXPECT_LT(0, pending);
		EXPECT_NE(own, pending);
	}
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &c));
	if (pending == -ENOENT)
		pending = ns_inode(c.pid, "pid_for_children");
	EXPECT_EQ(own, ns_inode(c.pid, "pid"));
	EXPECT_EQ(pending, ns_inode(c.pid, "pid_for_children"));
	EXPECT_EQ(pending, ns_inode(c.page->value[0], "pid"));
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &c));
	EXPECT_EQ(pending, ns_inode(c.pid, "pid_for_children"));
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

static void joins(struct child_report *rep, void *arg)
{
	pid_t pid = *(pid_t *)arg;
	long long own = ns_inode(getpid(), "pid");
	int fd = ns_open(pid, "pid");

	CHILD_LE(rep, 0, fd);
	CHILD_EQ(rep, 0, setns(fd, CLONE_NEWPID));
	CHILD_EQ(rep, own, ns_inode(getpid(), "pid"));
	CHILD_EQ(rep, ns_inode(pid, "pid"),
		 ns_inode(getpid(), "pid_for_children"));
}

TEST_F(ns_files, a_join_changes_the_link_for_children_only)
{
	struct child_report rep;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, scene_member,
				 &self->s));
	ASSERT_EQ(0, child_run(&rep, 0, joins, &self->init.pid));
	expect_held(_metadata, &rep);
}

TEST_F(ns_files, links_tell_type_and_inode)
{
	static const char *const names[] = { "pid", "pid_for_children" };
	char path[64], text[64], want[64];
	ssize_t len;
	size_t i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "/proc/self/ns/%s", names[i]);
		len = readlink(path, text, sizeof(text) - 1);
		ASSERT_LT(0, len);
		text[len] = '\0';
		snprintf(want, sizeof(want), "pid:[%lld]",
			 ns_inode(getpid(), names[i]));
		EXPECT_STREQ(want, text);
	}
}

static void pry(struct child_report *rep, void *arg)
{
	pid_t parent = *(pid_t *)arg;
	char path[64], text[64];

	if (caps_become(65534) < 0)
		child_skip(rep, NEEDS_ROOT);
	child_need(rep, lack_of_others(parent));
	snprintf(path, sizeof(path), "/proc/%d/ns/pid", parent);
	CHILD_EQ(rep, -1, readlink(path, text, sizeof(text)));
	CHILD_EQ(rep, EACCES, errno);
	CHILD_EQ(rep, -EACCES, ns_open(parent, "pid"));
	CHILD_EQ(rep, -EACCES, ns_open(parent, "pid_for_children"));
}

TEST_F(ns_files, are_closed_to_another_user)
{
	struct child_report rep;
	pid_t pid = getpid();

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, pry, &pid));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
