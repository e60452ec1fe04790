// SPDX-License-Identifier: GPL-2.0
/*
 * Files and flags of setns that are not those of a time namespace.
 *
 * Promises: setns(2), EBADF, EINVAL; kernel/nsproxy.c:setns,
 *           check_setns_flags.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "lack.h"

static int enter_ns(int fd, int flags)
{
	return setns(fd, flags) < 0 ? -errno : 0;
}

/* Kinds of file to hand to setns(). */
enum kind { TIME, PID, PIDFD, ORDINARY, NONE };

FIXTURE(file)
{
	const char *missing;
	int fd;
};

FIXTURE_VARIANT(file)
{
	enum kind kind;
	int flags;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(file, time_as_pid)            { TIME, CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(file, time_as_uts)            { TIME, CLONE_NEWUTS, -EINVAL };
FIXTURE_VARIANT_ADD(file, time_as_both)           { TIME, CLONE_NEWTIME | CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(file, time_and_other_flags)   { TIME, CLONE_NEWTIME | CLONE_VM, -EINVAL };
FIXTURE_VARIANT_ADD(file, pid_as_time)            { PID, CLONE_NEWTIME, -EINVAL };
FIXTURE_VARIANT_ADD(file, pidfd_of_any_type)      { PIDFD, 0, -EINVAL };
FIXTURE_VARIANT_ADD(file, pidfd_and_other_flags)  { PIDFD, CLONE_NEWTIME | CLONE_VM, -EINVAL };
FIXTURE_VARIANT_ADD(file, pidfd_without_type)     { PIDFD, CLONE_VM, -EINVAL };
FIXTURE_VARIANT_ADD(file, ordinary)               { ORDINARY, CLONE_NEWTIME, -EINVAL };
FIXTURE_VARIANT_ADD(file, ordinary_of_any_type)   { ORDINARY, 0, -EINVAL };
FIXTURE_VARIANT_ADD(file, none)                   { NONE, CLONE_NEWTIME, -EBADF };
/* clang-format on */

static int open_kind(enum kind kind)
{
	static const char *const path[] = {
		[TIME] = "/proc/self/ns/time_for_children",
		[PID] = "/proc/self/ns/pid",
		[ORDINARY] = "/proc/self/timens_offsets",
	};

	if (kind == NONE)
		return -1;
	if (kind == PIDFD)
		return sys_pidfd_open(getpid(), 0);
	return open(path[kind], O_RDONLY | O_CLOEXEC);
}

FIXTURE_SETUP(file)
{
	self->fd = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && access("/proc/self/ns/pid", F_OK))
		self->missing = NEEDS_PID_NS;
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(NULL));
	self->fd = open_kind(variant->kind);
	ASSERT_EQ(variant->kind == NONE, self->fd < 0);
}

FIXTURE_TEARDOWN(file)
{
	fd_close(&self->fd);
}

TEST_F(file, is_refused)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(variant->want, enter_ns(self->fd, variant->flags));
}

TEST_HARNESS_MAIN
