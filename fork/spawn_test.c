// SPDX-License-Identifier: GPL-2.0
/*
 * Programs started by the C library's own means, posix_spawn(3) and system(3),
 * by a caller with pending namespaces: they run in them, the caller does not.
 *
 * Promises: posix_spawn(3), system(3); pid_namespaces(7); time_namespaces(7);
 *           kernel/nsproxy.c:copy_namespaces(), exec_task_namespaces().
 * Guards:   e79f525e99b0 ("pidns: fix vfork() after unshare(CLONE_NEWPID)"),
 *           v3.12;
 *           2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "image.h"
#include "lack.h"
#include "nslink.h"

FIXTURE(spawned)
{
	const char *missing;
	int line[2];
	char path[512];
	char out[32];
	struct image_report report;
};

FIXTURE_VARIANT(spawned)
{
	int new_pid;
	int new_time;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(spawned, nothing_pending)  { 0, 0 };
FIXTURE_VARIANT_ADD(spawned, pid_ns_pending)   { 1, 0 };
FIXTURE_VARIANT_ADD(spawned, time_ns_pending)  { 0, 1 };
FIXTURE_VARIANT_ADD(spawned, both_pending)     { 1, 1 };
/* clang-format on */

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC,
	.boottime = 5000 * NSEC_PER_SEC,
};

FIXTURE_SETUP(spawned)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->path, sizeof(self->path)));
	ASSERT_EQ(0, pipe2(self->line, O_NONBLOCK));
	snprintf(self->out, sizeof(self->out), "%d", self->line[1]);
	if (variant->new_pid)
		ASSERT_EQ(0, unshare(CLONE_NEWPID));
	if (variant->new_time)
		ASSERT_EQ(0, timens_unshare_from_here(&shift));
}

FIXTURE_TEARDOWN(spawned)
{
}

/* Returns the child's number, or a negative errno. */
static int spawn(const char *path, const char *out)
{
	char var[64];
	char *const argv[] = { (char *)path, NULL };
	char *const env[] = { var, NULL };
	pid_t pid = -1;
	int ret;

	snprintf(var, sizeof(var), IMAGE_OUT_VARIABLE "=%s", out);
	ret = posix_spawn(&pid, path, NULL, NULL, argv, env);
	return ret ? -ret : pid;
}

TEST_F(spawned, program_is_where_it_should_be)
{
	const int64_t *value = self->report.value;
	int64_t by = variant->new_time ? shift.monotonic : 0;
	int64_t ns_pid = nslink(NSLINK_PID), ns_time = nslink(NSLINK_TIME);
	int64_t low, high;
	int pid, status = -1;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	low = clock_ns(CLOCK_MONOTONIC);
	pid = spawn(self->path, self->out);
	if (pid == -EINVAL && variant->new_time)
		SKIP(return, NEEDS_TIMENS_VFORK);
	ASSERT_LE(1, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	high = clock_ns(CLOCK_MONOTONIC);
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, image_fetch(self->line[0], &self->report));
	EXPECT_EQ(variant->new_pid ? 1 : pid, value[IMAGE_PID]);
	EXPECT_EQ(variant->new_pid ? 0 : getpid(), value[IMAGE_PPID]);
	EXPECT_EQ(variant->new_pid, ns_pid != value[IMAGE_NS_PID]);
	EXPECT_EQ(nslink_named("pid_for_children"), value[IMAGE_NS_PID]);
	EXPECT_EQ(variant->new_time, ns_time != value[IMAGE_NS_TIME]);
	EXPECT_EQ(nslink_named("time_for_children"), value[IMAGE_NS_TIME]);
	expect_between(_metadata, "CLOCK_MONOTONIC", low + by,
		       value[IMAGE_MONOTONIC], high + by);
	expect_between(_metadata, "CLOCK_MONOTONIC by system call", low + by,
		       value[IMAGE_MONOTONIC_SYSCALL], high + by);
	EXPECT_EQ(ns_pid, nslink(NSLINK_PID));
	EXPECT_EQ(ns_time, nslink(NSLINK_TIME));
}

TEST_F(spawned, shell_command_ends_with_its_own_number)
{
	int status;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	status = system("test $$ -eq 1 && exit 11; exit 12");
	if (status == -1 && errno == EINVAL && variant->new_time)
		SKIP(return, NEEDS_TIMENS_VFORK);
	/* glibc tells of a failed clone() like of a failed exec: 127 */
	if (status == 127 << 8 && variant->new_time)
		SKIP(return, NEEDS_TIMENS_VFORK);
	EXPECT_EQ((variant->new_pid ? 11 : 12) << 8, status);
}

TEST_HARNESS_MAIN
