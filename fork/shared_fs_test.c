// SPDX-License-Identifier: GPL-2.0
/*
 * Who shares its root and working directory with others joins no mount
 * namespace, by itself or together with a pid namespace.
 *
 * Promises: setns(2), EINVAL: CLONE_FS (fs/namespace.c:mntns_install).
 * Guards:   "mount: refuse setns() with a shared fs_struct again",
 *           v7.3.4, v6.12.117.
 * Needs:    root or user namespaces; CONFIG_PID_NS.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"

FIXTURE(shared_fs)
{
	const char *missing;
	struct child there; /* in namespaces of its own */
	int file;
};

static void stay(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
	for (;;)
		pause();
}

FIXTURE_SETUP(shared_fs)
{
	char path[64];

	self->there = CHILD_NONE;
	self->file = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &self->missing));
	if (!self->missing)
		self->missing = lack_of_proc();
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->there, CLONE_NEWPID | CLONE_NEWNS, stay,
				 NULL));
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", self->there.pid);
	self->file = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->file);
}

FIXTURE_TEARDOWN(shared_fs)
{
	child_kill(&self->there);
	fd_close(&self->file);
}

static int join(int fd, int type)
{
	return setns(fd, type) < 0 ? -errno : 0;
}

static void expect_refused(struct child_report *rep,
			   const FIXTURE_DATA(shared_fs) * self)
{
	CHILD_EQ(rep, -EINVAL, join(self->file, CLONE_NEWNS));
	CHILD_EQ(rep, -EINVAL, join(self->there.pidfd, CLONE_NEWNS));
	CHILD_EQ(rep, -EINVAL,
		 join(self->there.pidfd, CLONE_NEWNS | CLONE_NEWPID));
}

static void share_and_join(struct child_report *rep, void *arg)
{
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, CLONE_FS, stay, NULL));
	expect_refused(rep, arg);
	CHILD_EQ(rep, 0, child_kill(&c));
}

/* When the child is gone, it is its own. */
static void expect_taken(struct child_report *rep,
			 const FIXTURE_DATA(shared_fs) * self)
{
	CHILD_EQ(rep, 0, join(self->there.pidfd, CLONE_NEWNS | CLONE_NEWPID));
}

static void join_alone(struct child_report *rep, void *arg)
{
	share_and_join(rep, arg);
	expect_taken(rep, arg);
}

TEST_F(shared_fs, with_a_child_stays_where_it_is)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, join_alone, self));
	expect_held(_metadata, &rep);
}

struct thread_try {
	struct child_report *rep;
	void *self;
};

static void *try_in_thread(void *arg)
{
	struct thread_try *t = arg;

	expect_refused(t->rep, t->self);
	return NULL;
}

static void have_thread(struct child_report *rep, void *arg)
{
	struct thread_try t = { rep, arg };
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, try_in_thread, &t));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

TEST_F(shared_fs, with_a_thread_stays_where_it_is)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, have_thread, self));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
