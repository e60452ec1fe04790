// SPDX-License-Identifier: GPL-2.0
/*
 * Process accounting of a pid namespace ends with the namespace.
 *
 * Promises: acct(2); kernel/pid_namespace.c:zap_pid_ns_processes() and
 *           kernel/acct.c:acct_exit_ns().
 * Guards:   56d5f3eba3f5 ("acct: perform last write from workqueue"), v6.14,
 *           v6.12.17.
 * Needs:    root in the initial user namespace; CONFIG_BSD_PROCESS_ACCT.
 */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

/* On a file system of one's own, which goes with its mount namespace. */
#define FILE_NAME "/tmp/acct"

/* A file that is open for writing cannot be leased for reading. */
static int lease(int fd)
{
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return -errno;
	return fcntl(fd, F_SETLEASE, F_UNLCK) < 0 ? -errno : 0;
}

static void account(struct child_report *rep, void *arg)
{
	int ret = acct(FILE_NAME) < 0 ? -errno : 0;

	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_ACCT);
	if (ret == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, -EAGAIN, lease(*(int *)arg));
}

/* The file is closed by the kernel's own threads: ask until it is. */
static int lease_when_closed(int fd)
{
	const struct timespec pause = { .tv_nsec = 1000 * 1000 };
	int ret, ms;

	for (ms = 0; ms < CHILD_DEADLINE_MS; ms++) {
		ret = lease(fd);
		if (ret != -EAGAIN)
			break;
		nanosleep(&pause, NULL);
	}
	return ret;
}

static void watch(struct child_report *rep, void *arg __attribute__((unused)))
{
	struct child_report inner;
	int fd;

	CHILD_EQ(rep, 0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	CHILD_EQ(rep, 0, mount("none", "/tmp", "tmpfs", 0, NULL));
	CHILD_EQ(rep, 0, mknod(FILE_NAME, S_IFREG | 0600, 0));
	fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);
	CHILD_LE(rep, 0, fd);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, account, &fd));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, lease_when_closed(fd));
}

TEST(accounting_stops_with_the_namespace)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWNS, watch, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
