// SPDX-License-Identifier: GPL-2.0
/*
 * The timens_offsets file as a file: what it shows, where and how often it may
 * be written, and whose namespace it stands for.
 *
 * Promises: time_namespaces(7), "/proc/PID/timens_offsets";
 *           fs/proc/base.c:timens_offsets_write, timens_offsets_show;
 *           kernel/time/namespace.c:show_offset, clone_time_ns.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define SELF "/proc/self/timens_offsets"

FIXTURE(file)
{
	const char *missing;
	int fd;
};

FIXTURE_SETUP(file)
{
	struct offsets zero = { 0, 0 };

	self->fd = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(&zero));
	self->fd = open(SELF, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(file)
{
	fd_close(&self->fd);
}

/* Write at the fd's position; the count or a negative errno. */
static ssize_t put(int fd, const char *text)
{
	ssize_t ret = write(fd, text, strlen(text));

	return ret < 0 ? -errno : ret;
}

static void expect_offsets(struct __test_metadata *_metadata, int64_t monotonic,
			   int64_t boottime)
{
	struct offsets off;

	ASSERT_EQ(0, offsets_get(PROC_SELF, &off));
	EXPECT_EQ(monotonic, off.monotonic);
	EXPECT_EQ(boottime, off.boottime);
}

TEST_F(file, shows_two_aligned_lines)
{
	char text[256];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LT(0, proc_read(SELF, text, sizeof(text)));
	EXPECT_STREQ("monotonic           0         0\n"
		     "boottime            0         0\n",
		     text);
	ASSERT_LT(0, put(self->fd, "7 172800 1\n1 3155760000 999999999\n"));
	ASSERT_LT(0, proc_read(SELF, text, sizeof(text)));
	EXPECT_STREQ("monotonic  3155760000 999999999\n"
		     "boottime       172800         1\n",
		     text);
}

/* Rounded down to the second, with nanoseconds that count forward. */
TEST_F(file, shows_negative_offsets_as_written)
{
	char text[256];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LT(0, put(self->fd, "monotonic -1 999999999\n"));
	ASSERT_LT(0, put(self->fd, "boottime -1 500000000\n"));
	ASSERT_LT(0, proc_read(SELF, text, sizeof(text)));
	EXPECT_STREQ("monotonic          -1 999999999\n"
		     "boottime           -1 500000000\n",
		     text);
}

TEST_F(file, takes_back_what_it_shows)
{
	char text[256];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LT(0, put(self->fd, "1 -1 999999999\n7 86400 1\n"));
	ASSERT_LT(0, proc_read(SELF, text, sizeof(text)));
	ASSERT_LT(0, put(self->fd, "1 0 0\n7 0 0\n"));
	EXPECT_EQ((ssize_t)strlen(text), put(self->fd, text));
	expect_offsets(_metadata, -1, 86400 * NSEC_PER_SEC + 1);
}

TEST_F(file, may_be_read_by_all_and_written_by_the_owner)
{
	struct stat st;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_EQ(0644U, st.st_mode & 07777);
}

TEST_F(file, takes_one_line_at_a_time)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(14, put(self->fd, "monotonic 5 0\n"));
	EXPECT_EQ(13, put(self->fd, "boottime 6 0\n"));
	expect_offsets(_metadata, 5 * NSEC_PER_SEC, 6 * NSEC_PER_SEC);
	EXPECT_EQ(14, put(self->fd, "monotonic 7 0\n"));
	expect_offsets(_metadata, 7 * NSEC_PER_SEC, 6 * NSEC_PER_SEC);
}

TEST_F(file, is_written_at_its_start_only)
{
	char byte;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(1, lseek(self->fd, 1, SEEK_SET));
	EXPECT_EQ(-EINVAL, put(self->fd, "monotonic 5 0\n"));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	ASSERT_EQ(1, read(self->fd, &byte, 1));
	EXPECT_EQ(-EINVAL, put(self->fd, "monotonic 5 0\n"));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	EXPECT_EQ(14, put(self->fd, "monotonic 5 0\n"));
	expect_offsets(_metadata, 5 * NSEC_PER_SEC, 0);
}

TEST_F(file, has_no_positions_for_pwrite)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(-1, pwrite(self->fd, "1 5 0\n", 6, 0));
	EXPECT_EQ(ESPIPE, errno);
	expect_offsets(_metadata, 0, 0);
}

TEST_F(file, takes_less_than_a_page)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *text;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	text = malloc(page);
	ASSERT_NE(NULL, text);
	memset(text, ' ', page);
	memcpy(text, "1 5 0", 5);
	EXPECT_EQ(-1, write(self->fd, text, page));
	EXPECT_EQ(EINVAL, errno);
	expect_offsets(_metadata, 0, 0);
	EXPECT_EQ((ssize_t)page - 1, write(self->fd, text, page - 1));
	expect_offsets(_metadata, 5 * NSEC_PER_SEC, 0);
	free(text);
}

TEST_F(file, refuses_an_empty_write_and_a_bad_address)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(-EINVAL, put(self->fd, ""));
	EXPECT_EQ(-1, syscall(__NR_write, self->fd, NULL, 14));
	EXPECT_EQ(EFAULT, errno);
	expect_offsets(_metadata, 0, 0);
}

TEST_F(file, stands_for_the_namespace_that_is_pending_now)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_LT(0, put(self->fd, "1 5 0\n7 6 0\n"));
	/* one more namespace starts with the offsets of the last one */
	ASSERT_EQ(0, timens_unshare(NULL));
	expect_offsets(_metadata, 5 * NSEC_PER_SEC, 6 * NSEC_PER_SEC);
	ASSERT_EQ(6, put(self->fd, "1 8 0\n"));
	expect_offsets(_metadata, 8 * NSEC_PER_SEC, 6 * NSEC_PER_SEC);
}

/*
 * Not the fixture: without a pending namespace the file stands for the one that
 * the test runs in, usually the initial one. Who has no rights over that, which
 * setns(2) tells, fails for that reason.
 */
TEST(where_the_test_runs_it_is_not_to_be_written)
{
	struct offsets before, after;
	const char *missing;
	int own, want;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (!missing)
		missing = lack_of_setns();
	if (missing)
		SKIP(return, "%s", missing);
	own = open("/proc/self/ns/time", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, own);
	want = setns(own, CLONE_NEWTIME) < 0 ? -EPERM : -EACCES;
	ASSERT_EQ(0, offsets_get(PROC_SELF, &before));
	EXPECT_EQ(want, offsets_write(PROC_SELF, "monotonic 0 0\n"));
	EXPECT_EQ(want, offsets_write(PROC_SELF, "1 1 0\n7 1 0\n"));
	ASSERT_EQ(0, offsets_get(PROC_SELF, &after));
	EXPECT_EQ(before.monotonic, after.monotonic);
	EXPECT_EQ(before.boottime, after.boottime);
	close(own);
}

TEST_HARNESS_MAIN
