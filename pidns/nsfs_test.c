// SPDX-License-Identifier: GPL-2.0
/*
 * What the files of namespaces say about themselves, alive and dead.
 *
 * Promises: ioctl_nsfs(2): NS_GET_NSTYPE, NS_GET_PARENT, NS_GET_USERNS,
 *           NS_GET_OWNER_UID; the translations of pids are for pid namespaces
 *           only and tell processes from threads (fs/nsfs.c:ns_ioctl,
 *           kernel/pid_namespace.c:pidns_get_parent, pidns_owner).
 * Guards:   725ecd80688b ("nsfs: fix wrong error code returned for
 *           pidns ioctls"), v7.1, v6.12.92, v6.18.34.
 * Needs:    root, or user namespaces, to make the namespaces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "ns_file.h"

FIXTURE(nsfs)
{
	struct child child;
	const char *missing;
};

FIXTURE_SETUP(nsfs)
{
	self->child = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(nsfs)
{
	child_kill(&self->child);
}

static bool same_file(int one, int other)
{
	struct stat a, b;

	return !fstat(one, &a) && !fstat(other, &b) && a.st_ino == b.st_ino &&
	       a.st_dev == b.st_dev;
}

static void stay(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

/* struct threads - a thread that lives while the first one asks about it */
struct threads {
	struct gate up;
	struct gate go;
	pid_t tid;
};

static void *be_thread(void *arg)
{
	struct threads *t = arg;

	t->tid = syscall(__NR_gettid);
	gate_open(&t->up);
	gate_wait(&t->go);
	return NULL;
}

static const unsigned long translations[] = {
	NS_GET_PID_FROM_PIDNS,
	NS_GET_TGID_FROM_PIDNS,
	NS_GET_PID_IN_PIDNS,
	NS_GET_TGID_IN_PIDNS,
};

static void ask_about_thread(struct child_report *rep, void *arg)
{
	int i, fd = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	struct threads t;
	pthread_t thread;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, gate_init(&t.up));
	CHILD_EQ(rep, 0, gate_init(&t.go));
	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, be_thread, &t));
	CHILD_EQ(rep, 0, gate_wait(&t.up));
	if (ioctl(fd, NS_GET_PID_IN_PIDNS, 1) < 0 && errno == ENOTTY)
		child_skip(rep, NEEDS_NS_PID_IOCTL);
	CHILD_EQ(rep, 0, t.tid == getpid());
	for (i = 0; i < 4; i++)
		CHILD_EQ(rep, i % 2 ? getpid() : t.tid,
			 ioctl(fd, translations[i], t.tid));
	CHILD_EQ(rep, 0, gate_open(&t.go));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

TEST_F(nsfs, translations_tell_threads_from_processes)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, ask_about_thread, NULL));
	expect_held(_metadata, &rep);
}

static void expect_no_translation(struct __test_metadata *_metadata,
				  const char *name)
{
	int i, mine = ns_open(getpid(), "pid"), fd = ns_open(getpid(), name);
	bool absent;

	ASSERT_LE(0, mine);
	absent = ioctl(mine, NS_GET_PID_IN_PIDNS, getpid()) < 0 &&
		 errno == ENOTTY;
	close(mine);
	if (absent)
		SKIP(return, NEEDS_NS_PID_IOCTL);
	ASSERT_LE(0, fd);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(-1, ioctl(fd, translations[i], getpid()));
		EXPECT_EQ(EINVAL, errno);
	}
	close(fd);
}

TEST(uts_namespace_translates_no_pids)
{
	if (lack_of_proc())
		SKIP(return, "%s", lack_of_proc());
	if (access("/proc/self/ns/uts", F_OK))
		SKIP(return, NEEDS_UTS_NS);
	expect_no_translation(_metadata, "uts");
}

TEST(time_namespace_translates_no_pids)
{
	if (lack_of_proc())
		SKIP(return, "%s", lack_of_proc());
	if (access("/proc/self/ns/time", F_OK))
		SKIP(return, NEEDS_TIME_NS);
	expect_no_translation(_metadata, "time");
}

TEST(time_namespace_has_no_parent_and_no_uid)
{
	int fd, owner, mine;
	uid_t uid;

	if (lack_of_proc())
		SKIP(return, "%s", lack_of_proc());
	if (access("/proc/self/ns/time", F_OK))
		SKIP(return, NEEDS_TIME_NS);
	fd = ns_open(getpid(), "time");
	ASSERT_LE(0, fd);
	EXPECT_EQ(CLONE_NEWTIME, ioctl(fd, NS_GET_NSTYPE));
	EXPECT_EQ(-1, ioctl(fd, NS_GET_PARENT));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(fd, NS_GET_OWNER_UID, &uid));
	EXPECT_EQ(EINVAL, errno);
	owner = ioctl(fd, NS_GET_USERNS);
	mine = ns_open(getpid(), "user");
	/* EPERM: it belongs to a user namespace further out */
	EXPECT_TRUE(owner >= 0 ? same_file(owner, mine) : errno == EPERM);
	close(owner);
	close(mine);
	close(fd);
}

TEST_F(nsfs, owner_is_the_user_namespace_made_with_it)
{
	int fd, owner, want, mine, ret;

	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = child_start(&self->child, CLONE_NEWUSER | CLONE_NEWPID, stay,
			  NULL);
	if (ret == -EPERM || ret == -EACCES || ret == -ENOSPC)
		SKIP(return, NEEDS_USERNS_ALLOWED);
	if (ret == -EINVAL)
		SKIP(return, NEEDS_USER_NS);
	ASSERT_EQ(0, ret);
	fd = ns_open(self->child.pid, "pid");
	want = ns_open(self->child.pid, "user");
	mine = ns_open(getpid(), "user");
	ASSERT_LE(0, fd);
	owner = ioctl(fd, NS_GET_USERNS);
	ASSERT_LE(0, owner);
	EXPECT_TRUE(same_file(owner, want));
	EXPECT_FALSE(same_file(owner, mine));
	close(owner);
	close(want);
	close(mine);
	close(fd);
}

TEST_F(nsfs, dead_namespace_still_has_its_parent)
{
	int fd, parent, mine;

	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->child, CLONE_NEWPID, stay, NULL));
	fd = ns_open(self->child.pid, "pid");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_kill(&self->child));
	mine = ns_open(getpid(), "pid");
	parent = ioctl(fd, NS_GET_PARENT);
	ASSERT_LE(0, parent);
	EXPECT_TRUE(same_file(parent, mine));
	EXPECT_EQ(CLONE_NEWPID, ioctl(fd, NS_GET_NSTYPE));
	close(parent);
	close(mine);
	close(fd);
}

TEST_F(nsfs, dead_namespace_has_no_processes)
{
	int fd;

	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->child, CLONE_NEWPID, stay, NULL));
	fd = ns_open(self->child.pid, "pid");
	ASSERT_LE(0, fd);
	if (ioctl(fd, NS_GET_PID_FROM_PIDNS, 1) < 0) {
		ASSERT_EQ(ENOTTY, errno);
		SKIP(return, NEEDS_NS_PID_IOCTL);
	}
	EXPECT_EQ(self->child.pid, ioctl(fd, NS_GET_PID_FROM_PIDNS, 1));
	ASSERT_EQ(0, child_kill(&self->child));
	EXPECT_EQ(-1, ioctl(fd, NS_GET_PID_FROM_PIDNS, 1));
	EXPECT_EQ(ESRCH, errno);
	EXPECT_EQ(-1, ioctl(fd, NS_GET_TGID_FROM_PIDNS, 1));
	EXPECT_EQ(ESRCH, errno);
	close(fd);
}

TEST_HARNESS_MAIN
