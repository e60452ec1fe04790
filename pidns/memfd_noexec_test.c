// SPDX-License-Identifier: GPL-2.0
/*
 * vm.memfd_noexec belongs to a pid namespace and gets only stricter inside.
 *
 * Promises: vm.memfd_noexec of Documentation/admin-guide/sysctl/vm.rst;
 *           kernel/pid_sysctl.h:pid_mfd_noexec_dointvec_minmax(),
 *           kernel/pid_namespace.c:create_pid_namespace().
 * Guards:   9876cfe8ec1c ("memfd: replace ratcheting feature from
 *           vm.memfd_noexec with hierarchy"), v6.6.
 * Needs:    root; vm.memfd_noexec (v6.3, by level since v6.6).
 */
#include <sys/capability.h>
#include <sys/mman.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"

#define NOEXEC "/proc/sys/vm/memfd_noexec"
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#define MFD_EXEC 0x0010U
#endif

static int make(unsigned int flags)
{
	int fd = memfd_create("test", MFD_CLOEXEC | flags);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static long long value(void)
{
	long long x = -1;
	int ret = proc_number(NOEXEC, "", &x);

	return ret < 0 ? ret : x;
}

static void inner(struct child_report *rep, void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, 1, value());
	CHILD_EQ(rep, -EINVAL, proc_write(NOEXEC, "0"));
	CHILD_EQ(rep, -EINVAL, proc_write(NOEXEC, "3"));
	CHILD_EQ(rep, 0, proc_write(NOEXEC, "2"));
	CHILD_EQ(rep, 2, value());
	CHILD_EQ(rep, -EACCES, make(MFD_EXEC));
	CHILD_EQ(rep, 0, make(MFD_NOEXEC_SEAL));
}

static void outer(struct child_report *rep, void *arg __attribute__((unused)))
{
	struct child_report below;

	CHILD_EQ(rep, 0, proc_write(NOEXEC, "1"));
	CHILD_EQ(rep, 0, make(MFD_EXEC));
	CHILD_EQ(rep, 0, child_run(&below, CLONE_NEWPID, inner, NULL));
	CHILD_HELD(rep, &below);
	CHILD_EQ(rep, 1, value());
	CHILD_EQ(rep, 0, make(MFD_EXEC));
	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, -EPERM, proc_write(NOEXEC, "2"));
	CHILD_EQ(rep, 1, value());
}

/* What was inherited stays when the one above is lowered again. */
static void born_strict(struct child_report *rep, void *arg)
{
	struct gate *gate = arg;

	CHILD_EQ(rep, 1, value());
	CHILD_EQ(rep, 0, gate_open(&gate[0]));
	CHILD_EQ(rep, 0, gate_wait(&gate[1]));
	CHILD_EQ(rep, 1, value());
}

static void lowered(struct child_report *rep, void *arg __attribute__((unused)))
{
	struct child_report below;
	struct gate gate[2];
	struct child c;

	CHILD_EQ(rep, 0, gate_init(&gate[0]));
	CHILD_EQ(rep, 0, gate_init(&gate[1]));
	CHILD_EQ(rep, 0, proc_write(NOEXEC, "1"));
	CHILD_EQ(rep, 0, child_start(&c, CLONE_NEWPID, born_strict, gate));
	CHILD_EQ(rep, 0, gate_wait_child(&gate[0], &c));
	CHILD_EQ(rep, 0, proc_write(NOEXEC, "0"));
	CHILD_EQ(rep, 0, gate_open(&gate[1]));
	CHILD_EQ(rep, 0, child_wait(&c, &below));
	CHILD_HELD(rep, &below);
}

FIXTURE(memfd_noexec)
{
	long long before;
	const char *missing;
};

FIXTURE_SETUP(memfd_noexec)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	self->before = value();
	if (!self->missing && self->before < 0)
		self->missing = lack_of_proc();
	if (!self->missing && (self->before < 0 || make(MFD_EXEC) == -EINVAL))
		self->missing = NEEDS_MEMFD_NOEXEC;
	/* the file is that of root of the machine */
	if (!self->missing && access(NOEXEC, W_OK) < 0)
		self->missing = NEEDS_REAL_ROOT;
	/* the machine is stricter already: less cannot be tried */
	if (!self->missing && self->before)
		self->missing = NEEDS_MEMFD_NOEXEC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(memfd_noexec)
{
}

TEST_F(memfd_noexec, is_inherited_and_can_only_be_raised)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, outer, NULL));
	expect_held(_metadata, &rep);
	EXPECT_EQ(self->before, value());
}

TEST_F(memfd_noexec, is_kept_when_lowered_above)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, lowered, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
