// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps a time namespace that nobody is in: an open file, a bind mount.
 *
 * Promises: namespaces(7), "Namespace lifetime"; fs/nsfs.c.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <sys/mount.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define PENDING "/proc/self/ns/time_for_children"

FIXTURE(kept)
{
	const char *missing;
	struct instant before;
};

FIXTURE_SETUP(kept)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME | CLONE_NEWNS, &self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->before = now();
}

FIXTURE_TEARDOWN(kept)
{
}

static void leave_nobody(struct child_report *rep)
{
	struct child_report inner;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, child_run(&inner, 0, witness_child, NULL));
	CHILD_HELD(rep, &inner);
}

/* Nothing but @fd refers to the namespace @ino: enter, find it as it was. */
static void enter_kept(struct child_report *rep, int fd, int64_t ino)
{
	struct witness w;

	CHILD_OK(rep, setns(fd, CLONE_NEWTIME));
	witness_take(&w);
	CHILD_EQ(rep, ino, w.ns);
	CHILD_EQ(rep, ino, w.children);
	CHILD_EQ(rep, -EACCES, offsets_write(PROC_SELF, "1 0 0\n"));
	witness_report(rep, 0);
}

/* Another pending namespace: the caller lets go of the last one. */
static void forget(struct child_report *rep)
{
	struct offsets zero = { 0, 0 };

	CHILD_OK(rep, timens_unshare(&zero));
}

static void by_file(struct child_report *rep, void *arg)
{
	struct witness w;
	int fd;

	(void)arg;
	leave_nobody(rep);
	witness_take(&w);
	fd = open(PENDING, O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, fd);
	forget(rep);
	enter_kept(rep, fd, w.children);
}

static int mount_private(const char *on)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", on, "tmpfs", 0, NULL) < 0)
		return -errno;
	return 0;
}

static void by_mount(struct child_report *rep, void *arg)
{
	struct witness w;
	int fd, file;

	(void)arg;
	CHILD_OK(rep, mount_private("/tmp"));
	file = open("/tmp/time", O_CREAT | O_RDONLY | O_CLOEXEC, 0600);
	CHILD_OK(rep, file);
	CHILD_OK(rep, close(file));
	leave_nobody(rep);
	witness_take(&w);
	CHILD_OK(rep, mount(PENDING, "/tmp/time", NULL, MS_BIND, NULL));
	forget(rep);
	fd = open("/tmp/time", O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, fd);
	enter_kept(rep, fd, w.children);
}

static void expect_kept(struct __test_metadata *_metadata, child_fn fn,
			const struct instant *before)
{
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, 0, fn, NULL));
	expect_held(_metadata, &rep);
	expect_child_moved(_metadata, &rep, 0, before, &far);
}

TEST_F(kept, by_an_open_file)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_kept(_metadata, by_file, &self->before);
}

TEST_F(kept, by_a_bind_mount)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_kept(_metadata, by_mount, &self->before);
}

TEST_HARNESS_MAIN
