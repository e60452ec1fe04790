// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through the directories of a procfs of the observer's own
 * pid namespace, and through the files in them that list processes.
 *
 * Promises: pid_namespaces(7), "/proc and PID namespaces"; proc_pid_task(5),
 *           children; proc_pid_timers(5) (fs/proc/base.c, fs/proc/array.c);
 *           proc_loadavg(5) (fs/proc/loadavg.c:loadavg_proc_show).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/wait.h>
#include <time.h>

#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "views.h"

static void have_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, NULL);
}

static void look_children(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	pid_t pid = view_child_number(rep, v);
	char file[64];
	long long got;

	/* a process above is no child of a number that nobody has here */
	snprintf(file, sizeof(file), "task/%d/children", v->number);
	got = view_proc_number(rep, v, v->number, file, "");
	if (got == -ENOENT && v->peer)
		child_skip(rep, NEEDS_PROC_CHILDREN);
	rep->value[0] = got < 0 ? got : got == pid;
}

/* The target arms a timer that would signal it in a day. */
static void arm_timer(struct child_report *rep, void *arg)
{
	struct itimerspec day = { .it_value.tv_sec = 86400 };
	timer_t timer;

	CHILD_OK(rep, timer_create(CLOCK_MONOTONIC, NULL, &timer));
	CHILD_OK(rep, timer_settime(timer, 0, &day, NULL));
	rep->value[1] = (intptr_t)timer;
}

static void look_timers(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] =
		view_proc_number(rep, v, v->number, "timers", "signal/pid.");
	if (rep->value[0] == -ENOENT && v->peer)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
}

static void delete_timer(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_OK(rep, timer_delete((timer_t)(intptr_t)v->note[0]));
}

static void look_sched(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* the line before it starts with the name of the program, and "(" */
	rep->value[0] = view_proc_number(rep, v, v->number, "sched", "(");
	if (rep->value[0] == -ENOENT && v->peer)
		child_skip(rep, NEEDS_SCHED_DEBUG);
}

static void look_readdir(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	rep->value[0] = view_count_name(rep, dir, ".", v->number);
	close(dir);
}

static void look_task_readdir(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);
	char path[64];

	snprintf(path, sizeof(path), "%d/task", v->number);
	rep->value[0] = view_count_name(rep, dir, path, v->number);
	close(dir);
}

/* A thread is found below its own process only. */
static void look_foreign_task(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char file[64];

	snprintf(file, sizeof(file), "task/%d/status", v->own);
	CHILD_EQ(rep, v->own,
		 view_proc_number(rep, v, v->own, file, "\nPid:\t"));
	snprintf(file, sizeof(file), "task/%d/status", v->number);
	rep->value[0] = view_proc_number(rep, v, v->own, file, "\nPid:\t");
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, readdir)
{ { NULL, NULL, NULL, look_readdir, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, task_readdir)
{ { NULL, NULL, NULL, look_task_readdir, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, children)
{ { view_pair, view_creds, have_child, look_children, view_end_child, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, timers)
{ { NULL, NULL, arm_timer, look_timers, delete_timer, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, sched)
{ { NULL, NULL, NULL, look_sched, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, task_of_another_process)
{ { NULL, NULL, NULL, look_foreign_task, NULL, -ENOENT, -ENOENT, 0 } };
/* clang-format on */

FIXTURE(last_pid)
{
	const char *missing;
};

FIXTURE_SETUP(last_pid)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(last_pid)
{
}

/* In a namespace where nobody else makes processes. */
static void read_last_pid(struct child_report *rep, void *arg)
{
	pid_t pid = fork();
	char buf[128];

	if (!pid)
		_exit(0);
	CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
	CHILD_OK(rep, proc_read("/proc/loadavg", buf, sizeof(buf)));
	CHILD_EQ(rep, pid, atoll(strrchr(buf, ' ') + 1));
}

TEST_F(last_pid, in_any_procfs_is_that_of_the_reader)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, read_last_pid, NULL);
}

TEST_HARNESS_MAIN
