// SPDX-License-Identifier: GPL-2.0
/*
 * Which number the next process of a pid namespace gets.
 *
 * Promises: /proc/sys/kernel/ns_last_pid of proc_sys_kernel(5);
 *           kernel/pid.c:alloc_pid(),
 *           kernel/pid_namespace.c:pid_ns_ctl_handler().
 * Guards:   5fdee8c4a5e1 ("pids: fix a race in pid generation that causes pids
 *           to be reused immediately"), v2.6.36; c0ee554906c3 ("pid: Handle
 *           failure to allocate the first pid in a pid namespace"), v4.15.
 * Needs:    root or user namespaces; CONFIG_CHECKPOINT_RESTORE for ns_last_pid.
 */
#include "caps.h"
#include "expect.h"
#include "pid_max.h"
#include "scene.h"

FIXTURE(alloc)
{
	const char *missing;
};

FIXTURE_SETUP(alloc)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(alloc)
{
}

static void need_last_pid(struct child_report *rep)
{
	if (access("/proc/self", F_OK) < 0)
		child_skip(rep, NEEDS_PROC);
	if (access(LAST_PID, F_OK) < 0)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
}

static void numbers_rise(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	int i;

	for (i = 2; i < 40; i++)
		CHILD_EQ(rep, i, pid_max_next());
}

TEST_F(alloc, numbers_rise_and_are_not_reused)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, numbers_rise, NULL));
	expect_held(_metadata, &rep);
}

static void below(struct child_report *rep, void *arg __attribute__((unused)))
{
	long long last;

	CHILD_EQ(rep, 0, proc_number(LAST_PID, "", &last));
	CHILD_EQ(rep, 1, last);
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 700));
	CHILD_EQ(rep, 701, pid_max_next());
}

static void last_is_told(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	struct child_report inner;
	long long last;

	need_last_pid(rep);
	CHILD_EQ(rep, 2, pid_max_next());
	CHILD_EQ(rep, 0, proc_number(LAST_PID, "", &last));
	CHILD_EQ(rep, 2, last);
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 500));
	CHILD_EQ(rep, 0, proc_number(LAST_PID, "", &last));
	CHILD_EQ(rep, 500, last);
	CHILD_EQ(rep, 501, pid_max_next());
	/* takes 502 and 503 of this namespace */
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, below, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 504, pid_max_next());
}

TEST_F(alloc, last_number_can_be_read_and_set)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, last_is_told, NULL));
	expect_held(_metadata, &rep);
}

static void bounds(struct child_report *rep, void *arg __attribute__((unused)))
{
	long long most;

	need_last_pid(rep);
	CHILD_EQ(rep, 0, proc_number(PID_MAX, "", &most));
	CHILD_EQ(rep, -EINVAL, pid_max_set(LAST_PID, -1));
	CHILD_EQ(rep, -EINVAL, pid_max_set(LAST_PID, most + 1));
	CHILD_EQ(rep, 2, pid_max_next());
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 0));
	CHILD_EQ(rep, 2, pid_max_next());
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, most - 2));
	CHILD_EQ(rep, most - 1, pid_max_next());
	CHILD_EQ(rep, RESERVED_PIDS, pid_max_next());
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, most));
	CHILD_EQ(rep, RESERVED_PIDS, pid_max_next());
}

TEST_F(alloc, numbers_wrap_around_at_the_highest)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, bounds, NULL));
	expect_held(_metadata, &rep);
}

static void recycle(struct child_report *rep, void *arg)
{
	struct scene *s = arg;
	struct child old, c;
	siginfo_t end;
	int pidfd;

	need_last_pid(rep);
	CHILD_EQ(rep, 0, child_start(&old, 0, scene_member, s));
	CHILD_EQ(rep, 2, old.pid);
	pidfd = dup(old.pidfd);
	CHILD_EQ(rep, 0, child_kill(&old));
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 1));
	CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, s));
	CHILD_EQ(rep, 2, c.pid);
	CHILD_EQ(rep, -1, sys_pidfd_send_signal(pidfd, 0, NULL, 0));
	CHILD_EQ(rep, ESRCH, errno);
	CHILD_EQ(rep, -1, waitid((idtype_t)UAPI_P_PIDFD, pidfd, &end, WEXITED));
	CHILD_EQ(rep, ECHILD, errno);
	CHILD_EQ(rep, 0, child_kill(&c));
}

TEST_F(alloc, a_recycled_number_is_not_the_old_process)
{
	struct child_report rep;
	struct scene s;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, recycle, &s));
	expect_held(_metadata, &rep);
}

/* A used number is stepped over. */
static void step_over(struct child_report *rep, void *arg)
{
	struct child c;

	need_last_pid(rep);
	CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, arg));
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 1));
	CHILD_EQ(rep, 3, pid_max_next());
	CHILD_EQ(rep, 0, child_kill(&c));
}

TEST_F(alloc, used_numbers_are_stepped_over)
{
	struct child_report rep;
	struct scene s;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, step_over, &s));
	expect_held(_metadata, &rep);
}

static void first_fork_fails(struct child_report *rep,
			     void *arg __attribute__((unused)))
{
	struct uapi_clone_args bad = { .flags = CLONE_PIDFD,
				       .pidfd = 8, /* no memory there */
				       .exit_signal = SIGCHLD };
	struct uapi_clone_args good = { .exit_signal = SIGCHLD };
	int status;
	pid_t pid;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	pid = sys_clone3(&bad, sizeof(bad));
	if (pid < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_EQ(rep, -EFAULT, pid < 0 ? -errno : pid);
	pid = sys_clone3(&good, sizeof(good));
	if (pid == 0)
		_exit(getpid());
	/* up to v7.0 the namespace is dead then, see "ENOMEM" of fork(2) */
	if (pid < 0) {
		CHILD_EQ(rep, ENOMEM, errno);
		return;
	}
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 1 << 8, status);
}

TEST_F(alloc, after_a_failed_first_fork_the_next_is_1_or_refused)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, first_fork_fails, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
