// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process and its tracer through the signals of tracing.
 *
 * Promises: ptrace(2), PTRACE_GETSIGINFO at an event; a signal that the tracer
 *           exchanges comes from the tracer
 *           (kernel/signal.c:ptrace_do_notify, ptrace_signal).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "caps.h"
#include "inside.h"
#include "views_tools.h"

FIXTURE(tracer)
{
	const char *missing;
};

FIXTURE_SETUP(tracer)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(tracer)
{
}

/* Stops for its tracer; then waits for the signal that it gets instead. */
static void be_traced(struct child_report *rep, void *arg)
{
	siginfo_t info;

	CHILD_EQ(rep, 0, view_block(SIGUSR2));
	CHILD_OK(rep, ptrace(PTRACE_TRACEME, 0, 0, 0));
	CHILD_OK(rep, kill(getpid(), SIGUSR1));
	CHILD_EQ(rep, 0, view_take(SIGUSR2, &info));
	rep->value[0] = info.si_pid;
	rep->value[1] = info.si_code;
}

static void wait_stop(struct child_report *rep, pid_t pid, int what)
{
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status));
	CHILD_EQ(rep, what, status >> 8);
}

/* Is it told who traces it?  @arg: CLONE_NEWPID or 0 */
static void exchange_signal(struct child_report *rep, void *arg)
{
	struct child_report tracee;
	__u64 *flags = arg;
	struct child c;
	pid_t pid;

	CHILD_EQ(rep, 0, child_start(&c, *flags, be_traced, NULL));
	pid = c.pid;
	wait_stop(rep, pid, SIGUSR1);
	CHILD_OK(rep, ptrace(PTRACE_CONT, pid, 0, SIGUSR2));
	CHILD_EQ(rep, 0, child_wait(&c, &tracee));
	CHILD_HELD(rep, &tracee);
	CHILD_EQ(rep, SI_USER, tracee.value[1]);
	CHILD_EQ(rep, *flags ? 0 : getpid(), tracee.value[0]);
}

TEST_F(tracer, exchanged_signal_is_from_tracer_beside)
{
	__u64 flags = 0;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, exchange_signal, &flags);
}

TEST_F(tracer, exchanged_signal_is_from_nobody_above)
{
	__u64 flags = CLONE_NEWPID;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, exchange_signal, &flags);
}

static void stop_and_exit(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, ptrace(PTRACE_TRACEME, 0, 0, 0));
	CHILD_OK(rep, kill(getpid(), SIGSTOP));
}

static void read_event(struct child_report *rep, void *arg)
{
	struct child_report tracee;
	siginfo_t info;
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, 0, stop_and_exit, NULL));
	wait_stop(rep, c.pid, SIGSTOP);
	CHILD_OK(rep, ptrace(PTRACE_SETOPTIONS, c.pid, 0, PTRACE_O_TRACEEXIT));
	CHILD_OK(rep, ptrace(PTRACE_CONT, c.pid, 0, 0));
	wait_stop(rep, c.pid, PTRACE_EVENT_EXIT << 8 | SIGTRAP);
	CHILD_OK(rep, ptrace(PTRACE_GETSIGINFO, c.pid, 0, &info));
	CHILD_EQ(rep, c.pid, info.si_pid);
	CHILD_OK(rep, ptrace(PTRACE_DETACH, c.pid, 0, 0));
	CHILD_EQ(rep, 0, child_wait(&c, &tracee));
	CHILD_HELD(rep, &tracee);
}

TEST_F(tracer, event_has_number_of_tracee)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, read_event, NULL);
}

TEST_HARNESS_MAIN
