// SPDX-License-Identifier: GPL-2.0
/*
 * What pidfd_open(2) takes, asked inside a pid namespace.
 *
 * Promises: pidfd_open(2), EINVAL: unknown flags, a number below one; ESRCH: a
 *           number nobody has (kernel/pid.c:pidfd_open).
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <limits.h>

#include "caps.h"
#include "expect.h"

struct question {
	pid_t pid;
	unsigned int flags;
	int want; /* 0: a pidfd */
};

static void ask(struct child_report *rep, void *arg)
{
	struct question *q = arg;
	int fd = sys_pidfd_open(q->pid, q->flags);

	CHILD_EQ(rep, q->want, fd < 0 ? -errno : 0);
	if (fd >= 0)
		CHILD_EQ(rep, FD_CLOEXEC, fcntl(fd, F_GETFD));
}

FIXTURE(pidfd_open)
{
	const char *missing;
};

FIXTURE_VARIANT(pidfd_open)
{
	struct question q;
};

/* Flags are those of open(2); these mean nothing for a process. */
/* clang-format off */
FIXTURE_VARIANT_ADD(pidfd_open, init)         { { 1,       0,          0 } };
FIXTURE_VARIANT_ADD(pidfd_open, nonblock)     { { 1,       O_NONBLOCK, 0 } };
FIXTURE_VARIANT_ADD(pidfd_open, rdwr)         { { 1,       O_RDWR,     -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, append)       { { 1,       O_APPEND,   -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, cloexec)      { { 1,       O_CLOEXEC,  -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, highest_bit)  { { 1,       1u << 31,   -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, zero)         { { 0,       0,          -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, minus_one)    { { -1,      0,          -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, least)        { { INT_MIN, 0,          -EINVAL } };
FIXTURE_VARIANT_ADD(pidfd_open, nobody)       { { 2,       0,          -ESRCH } };
FIXTURE_VARIANT_ADD(pidfd_open, most)         { { INT_MAX, 0,          -ESRCH } };
/* clang-format on */

FIXTURE_SETUP(pidfd_open)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(pidfd_open)
{
}

TEST_F(pidfd_open, takes)
{
	struct question q = variant->q;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, ask, &q));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
