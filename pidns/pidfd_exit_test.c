// SPDX-License-Identifier: GPL-2.0
/*
 * How a process ended, as a pidfd tells it when the process is long gone.
 *
 * Promises: PIDFD_GET_INFO(2const), PIDFD_INFO_EXIT: the wait status once the
 *           process was reaped, ESRCH for anything else
 *           (fs/pidfs.c:pidfd_info, pidfs_exit).
 * Needs:    root or user namespaces; PIDFD_INFO_EXIT (v6.15).
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>

#include "caps.h"
#include "expect.h"

static int info_of(int pidfd, __u64 mask, struct uapi_pidfd_info *info)
{
	memset(info, 0, sizeof(*info));
	info->mask = mask;
	return ioctl(pidfd, PIDFD_GET_INFO, info) < 0 ? -errno : 0;
}

static void end_with(struct child_report *rep __attribute__((unused)),
		     void *arg)
{
	_exit(*(int *)arg);
}

static void be_killed(struct child_report *rep __attribute__((unused)),
		      void *arg __attribute__((unused)))
{
	for (;;)
		pause();
}

struct ending {
	__u64 flags; /* of the child */
	child_fn fn;
	int code;
	int signal;
	int status; /* as wait(2) has it */
};

static void watch(struct child_report *rep, void *arg)
{
	struct ending *e = arg;
	struct uapi_pidfd_info info;
	struct child c;
	int fd, ret;

	fd = sys_pidfd_open(getpid(), 0);
	ret = info_of(fd, PIDFD_INFO_PID, &info);
	if (ret == -ENOTTY || ret == -EINVAL)
		child_skip(rep, NEEDS_PIDFD_INFO);
	CHILD_EQ(rep, 0, ret);
	close(fd);
	CHILD_EQ(rep, 0, child_start(&c, e->flags, e->fn, &e->code));
	fd = fcntl(c.pidfd, F_DUPFD_CLOEXEC, 0);
	CHILD_LE(rep, 0, fd);
	if (e->signal)
		CHILD_EQ(rep, 0, sys_pidfd_send_signal(fd, e->signal, NULL, 0));
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
	if (info_of(fd, PIDFD_INFO_EXIT, &info) == -ENOTTY ||
	    !(info.mask & PIDFD_INFO_EXIT))
		child_skip(rep, NEEDS_PIDFD_INFO_EXIT);
	CHILD_EQ(rep, 0, info_of(fd, PIDFD_INFO_EXIT, &info));
	CHILD_EQ(rep, e->status, info.exit_code);
	CHILD_EQ(rep, 0, info.mask & PIDFD_INFO_PID);
	CHILD_EQ(rep, -ESRCH, info_of(fd, PIDFD_INFO_PID, &info));
	/* who lives has not ended */
	close(fd);
	fd = sys_pidfd_open(getpid(), 0);
	CHILD_EQ(rep, 0, info_of(fd, PIDFD_INFO_EXIT, &info));
	CHILD_EQ(rep, 0, info.mask & PIDFD_INFO_EXIT);
	CHILD_EQ(rep, getpid(), info.pid);
	CHILD_EQ(rep, getppid(), info.ppid);
}

FIXTURE(ended)
{
	const char *missing;
};

FIXTURE_VARIANT(ended)
{
	struct ending e;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(ended, by_itself)      { { 0,            end_with,  7, 0,       7 << 8 } };
FIXTURE_VARIANT_ADD(ended, init_by_itself) { { CLONE_NEWPID, end_with,  7, 0,       7 << 8 } };
FIXTURE_VARIANT_ADD(ended, killed)         { { 0,            be_killed, 0, SIGKILL, SIGKILL } };
FIXTURE_VARIANT_ADD(ended, init_killed)    { { CLONE_NEWPID, be_killed, 0, SIGKILL, SIGKILL } };
/* clang-format on */

FIXTURE_SETUP(ended)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(ended)
{
}

TEST_F(ended, is_told_by_a_pidfd)
{
	struct child_report rep;
	struct ending e = variant->e;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, watch, &e));
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
