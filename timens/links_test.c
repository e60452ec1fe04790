// SPDX-License-Identifier: GPL-2.0
/*
 * The links ns/time and ns/time_for_children: what they are called, whose they
 * are, who may follow them, and what can be asked through them.
 *
 * Promises: namespaces(7), "The /proc/PID/ns/ directory"; ioctl_ns(2);
 *           kernel/time/namespace.c:timens_get, timens_for_children_get,
 *           timens_operations; fs/pidfs.c:pidfd_ioctl.
 * Guards:   b801f1e22c23 ("time/namespace: Fix time_for_children symlink"),
 *           v5.7.
 * Needs:    root or user namespaces.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define OWN "/proc/self/ns/time"
#define PENDING "/proc/self/ns/time_for_children"

FIXTURE(links)
{
	const char *missing;
};

/* The test has a pending time namespace. */
FIXTURE_SETUP(links)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&far));
}

FIXTURE_TEARDOWN(links)
{
}

static int64_t inode(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -errno : (int64_t)st.st_ino;
}

static void expect_text(struct __test_metadata *_metadata, const char *link)
{
	char text[64], want[64];
	ssize_t len = readlink(link, text, sizeof(text) - 1);

	ASSERT_LT(0, len);
	text[len] = '\0';
	snprintf(want, sizeof(want), "time:[%lld]", (long long)inode(link));
	EXPECT_STREQ(want, text);
}

/* Also the second: it names the kind of namespace, not the link. */
TEST_F(links, read_as_type_and_number)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_text(_metadata, OWN);
	expect_text(_metadata, PENDING);
	EXPECT_NE(inode(OWN), inode(PENDING));
}

TEST_F(links, are_listed)
{
	struct dirent *entry;
	int found = 0;
	DIR *dir;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	dir = opendir("/proc/self/ns");
	ASSERT_NE(NULL, dir);
	for (entry = readdir(dir); entry; entry = readdir(dir)) {
		if (!strcmp(entry->d_name, "time"))
			found |= 1;
		if (!strcmp(entry->d_name, "time_for_children"))
			found |= 2;
	}
	closedir(dir);
	EXPECT_EQ(3, found);
}

TEST_F(links, know_their_type_and_owner)
{
	struct stat owner, mine;
	int fd, user;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	fd = open(PENDING, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(CLONE_NEWTIME, ioctl(fd, NS_GET_NSTYPE));
	/* not one of those that are in each other */
	EXPECT_EQ(-1, ioctl(fd, NS_GET_PARENT));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(fd, NS_GET_OWNER_UID, &user));
	EXPECT_EQ(EINVAL, errno);
	user = ioctl(fd, NS_GET_USERNS);
	ASSERT_LE(0, user);
	ASSERT_EQ(0, fstat(user, &owner));
	ASSERT_EQ(0, stat("/proc/self/ns/user", &mine));
	EXPECT_EQ(mine.st_ino, owner.st_ino);
	EXPECT_EQ(mine.st_dev, owner.st_dev);
	close(user);
	close(fd);
}

/* Made with a user namespace, it is owned by that. */
static void own_both(struct child_report *rep, void *arg)
{
	struct stat owner, mine;
	int fd, user;

	(void)arg;
	CHILD_OK(rep, unshare(CLONE_NEWUSER | CLONE_NEWTIME));
	fd = open(PENDING, O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, fd);
	user = ioctl(fd, NS_GET_USERNS);
	CHILD_OK(rep, user);
	CHILD_OK(rep, fstat(user, &owner));
	CHILD_OK(rep, stat("/proc/self/ns/user", &mine));
	CHILD_EQ(rep, mine.st_ino, owner.st_ino);
}

TEST_F(links, show_the_new_owner)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, own_both, NULL));
	expect_held(_metadata, &rep);
}

/* struct threads - one that has a pending namespace, one that has none */
struct threads {
	struct gate ready, end;
	int ret;
	int64_t own, pending;
	struct witness child;
};

static void *pend_and_wait(void *arg)
{
	struct threads *t = arg;
	struct child_report rep;

	t->ret = timens_unshare(NULL);
	t->own = inode("/proc/thread-self/ns/time");
	t->pending = inode("/proc/thread-self/ns/time_for_children");
	if (!t->ret)
		t->ret = child_run(&rep, 0, witness_child, NULL);
	t->child = witness_of(&rep, 0);
	gate_open(&t->ready);
	gate_wait(&t->end);
	return NULL;
}

static void be_two_threads(struct child_report *rep, void *arg)
{
	struct threads *t = arg;
	struct child_report inner;
	struct witness main_thread;
	pthread_t thread;

	child_need(rep, lack_of_threads());
	witness_take(&main_thread);
	CHILD_OK(rep, gate_init(&t->ready));
	CHILD_OK(rep, gate_init(&t->end));
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, pend_and_wait, t));
	CHILD_OK(rep, gate_wait(&t->ready));
	CHILD_OK(rep, t->ret);
	CHILD_EQ(rep, main_thread.ns, inode(OWN));
	CHILD_EQ(rep, main_thread.ns, inode(PENDING));
	CHILD_EQ(rep, main_thread.ns, t->own);
	CHILD_EQ(rep, 0, main_thread.ns == t->pending);
	CHILD_EQ(rep, t->pending, t->child.ns);
	CHILD_OK(rep, child_run(&inner, 0, witness_child, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, main_thread.ns, witness_of(&inner, 0).ns);
	CHILD_OK(rep, gate_open(&t->end));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

/* Not the fixture, whose pending namespace would stop threads before v6.2. */
TEST(links_and_children_are_of_each_thread)
{
	struct threads threads = { 0 };
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, be_two_threads, &threads));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
