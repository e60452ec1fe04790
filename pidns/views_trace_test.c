// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by its tracer: who is the new process or thread that the
 * tracer is told of?
 *
 * Promises: ptrace(2), PTRACE_GETEVENTMSG after PTRACE_EVENT_FORK, _VFORK,
 *           _CLONE and _EXEC: numbers of the tracer's namespace
 *           (include/linux/ptrace.h:ptrace_event_pid, fs/exec.c:exec_binprm).
 * Guards:   4e52365f2795 ("ptrace: fix fork event messages across pid
 *           namespaces"), v3.16.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "lack.h"
#include "views.h"

/* The child of the target waits until the tracer lets it go. */
static void wait_for_tracer(const struct view *v)
{
	char byte;

	if (read(v->fd[FOR_TARGET], &byte, 1) != 1)
		_exit(1);
}

/* Whoever sends a byte is known by the credentials that come with it. */
static void report_and_end(const struct view *v)
{
	view_hand_over(v->fd[FOR_TARGET], -1);
	_exit(0);
}

static void do_fork(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	wait_for_tracer(v);
	if (!syscall(__NR_clone, SIGCHLD, 0, 0, 0, 0))
		report_and_end(v);
}

static void do_vfork(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	wait_for_tracer(v);
	if (!syscall(__NR_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0))
		report_and_end(v);
}

/* Without SIGCHLD it is a clone for the tracer. */
static void do_clone(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	wait_for_tracer(v);
	if (!syscall(__NR_clone, SIGUSR1, 0, 0, 0, 0))
		report_and_end(v);
}

static void *exec_anything(void *arg)
{
	/* the tracer ends it before it does anything */
	execl("/proc/self/exe", "nothing", NULL);
	return NULL;
}

static void do_exec(struct child_report *rep, void *arg)
{
	pthread_t thread;

	wait_for_tracer(arg);
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, exec_anything, NULL));
}

static void have_forking_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, do_fork);
}

static void have_vforking_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, do_vfork);
}

static void have_cloning_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, do_clone);
}

static void have_executing_child(struct child_report *rep, void *arg)
{
	child_need(rep, lack_of_proc());
	view_child(rep, arg, NULL, do_exec);
}

/* Trace the child of the target, if it is visible; 0 if not. */
static pid_t trace(struct child_report *rep, const struct view *v)
{
	long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		       PTRACE_O_EXITKILL;
	pid_t pid = view_child_number(rep, v);

	/* the number of nobody here, or that of the child */
	view_see(rep, ptrace(PTRACE_SEIZE, pid ? pid : v->number, 0, options));
	if (rep->value[0] == -EPERM && pid)
		child_skip(rep, NEEDS_PTRACE);
	if (rep->value[0])
		return 0;
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], -1));
	return pid;
}

/* Wait for an event of a tracee; its message. */
static unsigned long event(struct child_report *rep, pid_t pid, int type)
{
	unsigned long message = 0;
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
	CHILD_EQ(rep, type << 8 | SIGTRAP, status >> 8);
	CHILD_OK(rep, ptrace(PTRACE_GETEVENTMSG, pid, 0, &message));
	return message;
}

/* New tracees are traced and stopped too: let one go, by any number. */
static pid_t next_stop(struct child_report *rep)
{
	int status;
	pid_t pid = waitpid(-1, &status, __WALL);

	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, 1, WIFSTOPPED(status));
	return pid;
}

static void look_new(struct child_report *rep, const struct view *v, int type)
{
	pid_t message, pid = trace(rep, v);

	if (!pid)
		return;
	message = event(rep, pid, type);
	CHILD_OK(rep, ptrace(PTRACE_DETACH, next_stop(rep), 0, 0));
	CHILD_OK(rep, ptrace(PTRACE_DETACH, pid, 0, 0));
	CHILD_EQ(rep, 0, view_wait_byte(v->fd[FOR_OBSERVER]));
	CHILD_EQ(rep, view_sender(v->fd[FOR_OBSERVER]), message);
	rep->value[0] = 1;
}

static void look_fork(struct child_report *rep, void *arg)
{
	look_new(rep, arg, PTRACE_EVENT_FORK);
}

static void look_vfork(struct child_report *rep, void *arg)
{
	look_new(rep, arg, PTRACE_EVENT_VFORK);
}

static void look_clone(struct child_report *rep, void *arg)
{
	look_new(rep, arg, PTRACE_EVENT_CLONE);
}

/* A thread becomes the process: by what number was it known? */
static void look_exec(struct child_report *rep, void *arg)
{
	pid_t thread, message, pid = trace(rep, arg);

	if (!pid)
		return;
	thread = event(rep, pid, PTRACE_EVENT_CLONE);
	CHILD_EQ(rep, thread, next_stop(rep));
	CHILD_OK(rep, ptrace(PTRACE_CONT, pid, 0, 0));
	CHILD_OK(rep, ptrace(PTRACE_CONT, thread, 0, 0));
	message = event(rep, pid, PTRACE_EVENT_EXEC);
	CHILD_OK(rep, kill(pid, SIGKILL));
	CHILD_EQ(rep, pid, waitpid(pid, NULL, __WALL));
	CHILD_EQ(rep, thread, message);
	rep->value[0] = 1;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, fork_event)
{ { view_pair, view_creds, have_forking_child, look_fork, view_end_child, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, vfork_event)
{ { view_pair, view_creds, have_vforking_child, look_vfork, view_end_child, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, clone_event)
{ { view_pair, view_creds, have_cloning_child, look_clone, view_end_child, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, exec_event)
{ { view_pair, view_creds, have_executing_child, look_exec, view_end_child, 1, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
