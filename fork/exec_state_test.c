// SPDX-License-Identifier: GPL-2.0
/*
 * What an exec ends: file descriptors of namespaces and pidfds that are
 * close-on-exec; and how it ends itself when it is killed meanwhile.
 *
 * Promises: execve(2); pidfd_open(2) and clone(2) CLONE_PIDFD, which set
 *           close-on-exec; fs/exec.c:de_thread().
 * Guards:   none.
 * Needs:    root or user namespaces; CONFIG_PID_NS.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "caps.h"
#include "exec_job.h"
#include "expect.h"
#include "image.h"
#include "lack.h"

FIXTURE(exec)
{
	const char *missing;
	int line[2];
	char path[512];
	struct exec_job job;
	struct image_report report;
};

FIXTURE_SETUP(exec)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing && access("/proc/self", F_OK) < 0)
		self->missing = NEEDS_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->path, sizeof(self->path)));
	ASSERT_EQ(0, pipe2(self->line, O_NONBLOCK));
	ASSERT_EQ(0, exec_job_init(&self->job, self->path, self->line[1]));
}

FIXTURE_TEARDOWN(exec)
{
}

static int64_t inode_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? -errno : (int64_t)st.st_ino;
}

TEST_F(exec, closes_namespaces_and_pidfds_unless_told_not_to)
{
	const int64_t *value = self->report.value + IMAGE_FD;
	struct child_report rep;
	int *fd = self->job.fd;
	int64_t kept[2];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	fd[0] = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	fd[1] = open("/proc/self/ns/time", O_RDONLY | O_CLOEXEC);
	fd[2] = sys_pidfd_open(getpid(), 0);
	fd[3] = open("/proc/self/ns/pid", O_RDONLY);
	fd[4] = sys_pidfd_open(getpid(), 0);
	self->job.fds = 5;
	ASSERT_EQ(0, fcntl(fd[4], F_SETFD, 0));
	kept[0] = inode_of(fd[3]);
	kept[1] = inode_of(fd[4]);
	ASSERT_LE(1, kept[0]);
	ASSERT_LE(1, kept[1]);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, exec_here, &self->job));
	if (rep.file)
		expect_held(_metadata, &rep);
	ASSERT_EQ(0, image_fetch(self->line[0], &self->report));
	EXPECT_EQ(-EBADF, value[0]);
	EXPECT_EQ(-EBADF, value[1]);
	EXPECT_EQ(-EBADF, value[2]);
	EXPECT_EQ(kept[0], value[3]);
	EXPECT_EQ(kept[1], value[4]);
}

TEST_F(exec, that_is_killed_ends_by_the_signal)
{
	struct child_report rep;
	struct child c;
	int i, spin, ret;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->job.caller = THREAD;
	for (i = 0; i < 50; i++) {
		ASSERT_EQ(0,
			  child_start(&c, CLONE_NEWPID, exec_here, &self->job));
		/* hit it early and late: not a wait for anything */
		for (spin = 0; spin < i * 100; spin++)
			getppid();
		ASSERT_EQ(0, sys_pidfd_send_signal(c.pidfd, SIGKILL, NULL, 0));
		ASSERT_EQ(0, child_wait(&c, &rep));
		ret = image_fetch(self->line[0], &self->report);
		/* ended by itself, or by the signal: with a whole report */
		EXPECT_EQ(rep.code ? SIGKILL : 0, rep.signal);
		EXPECT_EQ(true, ret == 0 || (rep.code && ret == -ENODATA));
	}
}

TEST_HARNESS_MAIN
