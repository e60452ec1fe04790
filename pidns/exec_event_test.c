// SPDX-License-Identifier: GPL-2.0
/*
 * A tracee that has called exec, seen by a tracer that did not wait for it yet:
 * is it still the one that the tracer means by its number?
 *
 * Promises: ptrace(2), "execve(2) under ptrace": the thread ID changes; ESRCH
 *           (kernel/ptrace.c:looks_like_a_spurious_pid).
 * Guards:   dbb5afad100a ("ptrace: make ptrace() fail if the tracee changed its
 *           pid unexpectedly"), v5.13.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

static void *exec_anything(void *arg)
{
	/* the tracer ends it before it does anything */
	execl("/proc/self/exe", "nothing", NULL);
	return arg;
}

static void stop_for_tracer(struct child_report *rep)
{
	CHILD_OK(rep, ptrace(PTRACE_TRACEME, 0, 0, 0));
	CHILD_OK(rep, raise(SIGSTOP));
}

static void leader_calls_exec(struct child_report *rep, void *arg)
{
	stop_for_tracer(rep);
	exec_anything(NULL);
	CHILD_EQ(rep, 0, errno);
}

static void thread_calls_exec(struct child_report *rep, void *arg)
{
	pthread_t thread;

	stop_for_tracer(rep);
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, exec_anything, NULL));
	pthread_join(thread, NULL);
	CHILD_EQ(rep, 0, errno);
}

/* struct trace - who is traced */
struct trace {
	__u64 flags;
	child_fn tracee;
	bool by_thread;
};

static void let_go(struct child_report *rep, struct child *c,
		   const struct trace *t)
{
	long options = PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int status;

	CHILD_EQ(rep, 0, child_start(c, t->flags, t->tracee, NULL));
	CHILD_EQ(rep, c->pid, waitpid(c->pid, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	if (t->by_thread)
		options |= PTRACE_O_TRACECLONE;
	CHILD_OK(rep, ptrace(PTRACE_SETOPTIONS, c->pid, 0, options));
	CHILD_OK(rep, ptrace(PTRACE_CONT, c->pid, 0, 0));
}

/* Both of them stop, in any order; then both go on. */
static pid_t let_thread_go(struct child_report *rep, pid_t pid)
{
	unsigned long thread;
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
	CHILD_EQ(rep, PTRACE_EVENT_CLONE << 8 | SIGTRAP, status >> 8);
	CHILD_OK(rep, ptrace(PTRACE_GETEVENTMSG, pid, 0, &thread));
	CHILD_EQ(rep, thread, waitpid(thread, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status));
	CHILD_OK(rep, ptrace(PTRACE_CONT, pid, 0, 0));
	CHILD_OK(rep, ptrace(PTRACE_CONT, thread, 0, 0));
	return thread;
}

/* Know that it has stopped, and leave it to be waited for. */
static void peek_at_exec(struct child_report *rep, pid_t pid)
{
	siginfo_t info = { 0 };

	/* WEXITED: else there seems to be nobody while a leader goes */
	CHILD_OK(rep, waitid(P_PID, pid, &info,
			     WSTOPPED | WEXITED | WNOWAIT | __WALL));
	CHILD_EQ(rep, pid, info.si_pid);
	CHILD_EQ(rep, PTRACE_EVENT_EXEC << 8 | SIGTRAP, info.si_status);
}

static void wait_for_exec(struct child_report *rep, pid_t pid)
{
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
	CHILD_EQ(rep, PTRACE_EVENT_EXEC << 8 | SIGTRAP, status >> 8);
}

static void trace_exec(struct child_report *rep, void *arg)
{
	unsigned long former = 0;
	struct trace *t = arg;
	struct child c;
	pid_t number;

	child_need(rep, lack_of_proc());
	if (t->by_thread)
		child_need(rep, lack_of_threads());
	let_go(rep, &c, t);
	number = t->by_thread ? let_thread_go(rep, c.pid) : c.pid;
	peek_at_exec(rep, c.pid);
	/* with another former number it may not be the one that is meant */
	CHILD_EQ(rep, t->by_thread ? -ESRCH : 0,
		 view_result(ptrace(PTRACE_GETEVENTMSG, c.pid, 0, &former)));
	wait_for_exec(rep, c.pid);
	CHILD_OK(rep, ptrace(PTRACE_GETEVENTMSG, c.pid, 0, &former));
	CHILD_EQ(rep, number, former);
	CHILD_EQ(rep, 0, child_kill(&c));
}

FIXTURE(exec)
{
	const char *missing;
};

FIXTURE_VARIANT(exec)
{
	struct trace trace;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(exec, of_leader_beside) { { 0,            leader_calls_exec, false } };
FIXTURE_VARIANT_ADD(exec, of_leader_below)  { { CLONE_NEWPID, leader_calls_exec, false } };
FIXTURE_VARIANT_ADD(exec, of_thread_beside) { { 0,            thread_calls_exec, true } };
FIXTURE_VARIANT_ADD(exec, of_thread_below)  { { CLONE_NEWPID, thread_calls_exec, true } };
/* clang-format on */

FIXTURE_SETUP(exec)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(exec)
{
}

TEST_F(exec, is_told_by_the_number_before_it)
{
	struct trace trace = variant->trace;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, trace_exec, &trace);
}

TEST_HARNESS_MAIN
