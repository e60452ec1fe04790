// SPDX-License-Identifier: GPL-2.0
/*
 * An exec enters the pending time namespace and leaves the pending pid
 * namespace pending; one that fails does neither.
 *
 * Promises: time_namespaces(7), against it for the caller of unshare(2)
 *           itself: kernel/nsproxy.c:exec_task_namespaces(),
 *           copy_namespaces(); pid_namespaces(7).
 * Guards:   2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "caps.h"
#include "clocks.h"
#include "exec_job.h"
#include "expect.h"
#include "image.h"
#include "nslink.h"
#include "procfs.h"

FIXTURE(exec)
{
	const char *missing;
	int line[2];
	char path[512];
	struct exec_job job;
	struct image_report report;
	struct offsets base;
};

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC,
	.boottime = 5000 * NSEC_PER_SEC,
};

FIXTURE_SETUP(exec)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->path, sizeof(self->path)));
	ASSERT_EQ(0, pipe2(self->line, O_NONBLOCK));
	ASSERT_EQ(0, offsets_get(PROC_SELF, &self->base));
	ASSERT_EQ(0, exec_job_init(&self->job, self->path, self->line[1]));
}

FIXTURE_TEARDOWN(exec)
{
}

/*
 * Since v6.2 a pending time namespace is entered by exec, and no longer
 * forbids vfork(2): one change, so the one tells about the other.
 */
static void try_vfork(struct child_report *rep, void *arg)
{
	pid_t pid;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWTIME));
	pid = vfork();
	if (pid == 0)
		_exit(0);
	if (pid < 0 && errno == EINVAL)
		child_skip(rep, arg);
	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
}

static void pending_pid_ns(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	exec_here(rep, arg);
}

static void member_with_pending_pid_ns(struct child_report *rep, void *arg)
{
	exec_run(rep, 0, pending_pid_ns, arg);
}

static void init_of_member(struct child_report *rep, void *arg)
{
	exec_run(rep, CLONE_NEWPID, member_with_pending_pid_ns, arg);
}

TEST_F(exec, leaves_the_pending_pid_ns_pending)
{
	const int64_t *value = self->report.value;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, init_of_member, &self->job));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, image_fetch(self->line[0], &self->report));
	EXPECT_EQ(MEMBER, value[IMAGE_PID]);
	EXPECT_EQ(1, value[IMAGE_PPID]);
	EXPECT_EQ(self->job.before->ns_pid, value[IMAGE_NS_PID]);
	EXPECT_NE(value[IMAGE_NS_PID], value[IMAGE_NS_PID_CHILDREN]);
	EXPECT_EQ(1, value[IMAGE_CHILD]);
}

static void pending_time_ns(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, timens_unshare(&shift));
	exec_here(rep, arg);
}

static void pending_time_ns_no_caps(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, timens_unshare(&shift));
	CHILD_EQ(rep, 0, caps_drop_all());
	exec_here(rep, arg);
}

/* Until it executes, a child that shares the memory shares the clocks. */
static void vfork_with_pending_time_ns(struct child_report *rep, void *arg)
{
	struct exec_job *job = arg;
	int64_t low, high;
	pid_t pid;
	int path;

	CHILD_EQ(rep, 0, timens_unshare(&shift));
	job->before->ns_time = nslink(NSLINK_TIME);
	low = clock_ns(CLOCK_MONOTONIC);
	pid = vfork();
	if (pid == 0) {
		for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_VDSO; path++)
			rep->value[path] = clock_ns_by(CLOCK_MONOTONIC, path);
		rep->value[3] = nslink(NSLINK_TIME);
		image_exec(job->path, job->out, NULL, 0);
		_exit(1);
	}
	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
	high = clock_ns(CLOCK_MONOTONIC);
	CHILD_EQ(rep, job->before->ns_time, rep->value[3]);
	CHILD_EQ(rep, job->before->ns_time, nslink(NSLINK_TIME));
	for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_VDSO; path++) {
		if (rep->value[path] == -ENOSYS)
			continue; /* no vDSO */
		CHILD_LE(rep, low, rep->value[path]);
		CHILD_LE(rep, rep->value[path], high);
	}
}

static void expect_moved(struct __test_metadata *_metadata,
			 FIXTURE_DATA(exec) * self, child_fn fn)
{
	const int64_t *value = self->report.value;
	struct child_report rep;
	int64_t low, high;
	int path;

	ASSERT_EQ(0, child_run(&rep, 0, try_vfork, (void *)NEEDS_TIMENS_EXEC));
	expect_held(_metadata, &rep);
	if (rep.skip)
		return;
	low = clock_ns(CLOCK_MONOTONIC) - self->base.monotonic;
	ASSERT_EQ(0, child_run(&rep, 0, fn, &self->job));
	high = clock_ns(CLOCK_MONOTONIC) - self->base.monotonic;
	if (rep.file)
		expect_held(_metadata, &rep);
	ASSERT_EQ(0, image_fetch(self->line[0], &self->report));
	EXPECT_NE(self->job.before->ns_time, value[IMAGE_NS_TIME]);
	EXPECT_EQ(value[IMAGE_NS_TIME_CHILDREN], value[IMAGE_NS_TIME]);
	for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_SYSCALL + value[IMAGE_VDSO];
	     path++)
		expect_between(_metadata, "CLOCK_MONOTONIC",
			       low + shift.monotonic,
			       value[IMAGE_MONOTONIC + path],
			       high + shift.monotonic);
}

TEST_F(exec, enters_the_pending_time_ns)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_moved(_metadata, self, pending_time_ns);
}

TEST_F(exec, enters_the_pending_time_ns_without_capability)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_moved(_metadata, self, pending_time_ns_no_caps);
}

TEST_F(exec, enters_the_pending_time_ns_of_a_vfork_parent)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_moved(_metadata, self, vfork_with_pending_time_ns);
}

static void failing_execs(struct child_report *rep, void *arg)
{
	int64_t ns = nslink(NSLINK_TIME), low = clock_ns(CLOCK_MONOTONIC);
	int garbage = image_script("x\n#!");
	char path[64];
	pid_t pid = getpid();

	(void)arg;
	CHILD_LE(rep, 0, garbage);
	CHILD_EQ(rep, 2, pwrite(garbage, "xx", 2, 0));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", garbage);
	CHILD_EQ(rep, 0, timens_unshare_from_here(&shift));
	CHILD_EQ(rep, -ENOENT, image_exec("/proc/self/none", 1, NULL, 0));
	CHILD_EQ(rep, -EACCES, image_exec("/proc/self", 1, NULL, 0));
	CHILD_EQ(rep, -ENOEXEC, image_exec(path, 1, NULL, 0));
	CHILD_EQ(rep, pid, getpid());
	CHILD_EQ(rep, ns, nslink(NSLINK_TIME));
	CHILD_LE(rep, low, clock_ns(CLOCK_MONOTONIC));
	CHILD_LE(rep, clock_ns(CLOCK_MONOTONIC), low + shift.monotonic);
}

TEST_F(exec, that_fails_changes_nothing)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, failing_execs, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
