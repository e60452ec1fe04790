// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer learns of new processes by their numbers in its own pid namespace,
 * wherever the traced process is.
 *
 * Promises: ptrace(2), PTRACE_GETEVENTMSG; kernel/fork.c:kernel_clone(),
 *           fs/exec.c:exec_binprm(), include/linux/ptrace.h:ptrace_event_pid().
 * Guards:   4e52365f2795 ("ptrace: fix fork event messages across pid
 *           namespaces"), v3.16.
 * Needs:    root or user namespaces; CONFIG_PID_NS; the right to trace
 *           children.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "image.h"
#include "lack.h"
#include "procfs.h"
#include "raw_clone.h"

#define EVENTS                                                            \
	(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | \
	 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

FIXTURE(trace)
{
	const char *missing;
	char path[512];
	int line[2];
};

struct row {
	int inside; /* the tracer is in the same pid namespace */
	int flags;
	int event;
};

FIXTURE_VARIANT(trace)
{
	struct row row;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(trace, fork_from_above) { { 0, SIGCHLD, PTRACE_EVENT_FORK } };
FIXTURE_VARIANT_ADD(trace, fork_from_inside) { { 1, SIGCHLD, PTRACE_EVENT_FORK } };
FIXTURE_VARIANT_ADD(trace, vfork_from_above) { { 0, CLONE_VFORK | SIGCHLD, PTRACE_EVENT_VFORK } };
FIXTURE_VARIANT_ADD(trace, vfork_from_inside) { { 1, CLONE_VFORK | SIGCHLD, PTRACE_EVENT_VFORK } };
FIXTURE_VARIANT_ADD(trace, vfork_done_from_above) {
	{ 0, CLONE_VFORK | SIGCHLD, PTRACE_EVENT_VFORK_DONE } };
FIXTURE_VARIANT_ADD(trace, vfork_done_from_inside) {
	{ 1, CLONE_VFORK | SIGCHLD, PTRACE_EVENT_VFORK_DONE } };
FIXTURE_VARIANT_ADD(trace, clone_from_above) { { 0, 0, PTRACE_EVENT_CLONE } };
FIXTURE_VARIANT_ADD(trace, clone_from_inside) { { 1, 0, PTRACE_EVENT_CLONE } };
FIXTURE_VARIANT_ADD(trace, exec_from_above) { { 0, 0, PTRACE_EVENT_EXEC } };
FIXTURE_VARIANT_ADD(trace, exec_from_inside) { { 1, 0, PTRACE_EVENT_EXEC } };
/* clang-format on */

struct job {
	const struct row *row;
	const char *path;
	int out;
};

FIXTURE_SETUP(trace)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->path, sizeof(self->path)));
	ASSERT_EQ(0, pipe(self->line));
}

FIXTURE_TEARDOWN(trace)
{
}

/* Hands back the number of its child as it sees it. */
static void be_traced(struct child_report *rep, const struct job *job)
{
	pid_t pid;

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	if (job->row->event == PTRACE_EVENT_EXEC) {
		rep->value[0] = getpid();
		image_exec(job->path, job->out, NULL, 0);
		_exit(1);
	}
	pid = raw_clone(job->row->flags, NULL);
	if (pid == 0)
		_exit(0);
	rep->value[0] = pid;
	_exit(pid < 0 || waitpid(pid, NULL, __WALL) != pid);
}

/* The number that a process, even one that has ended, has where it lives. */
static void note_inner_number(struct child_report *rep, pid_t pid)
{
	long long inner[33];
	int n;

	if (!proc_is_mine())
		return;
	n = proc_status(pid, "NSpid", inner, 33);
	CHILD_LE(rep, 1, n);
	rep->value[2] = inner[n - 1];
}

/* The new process is traced, too: so its number here is one to wait for. */
static void let_new_process_go(struct child_report *rep, pid_t pid)
{
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status));
	note_inner_number(rep, pid);
	CHILD_EQ(rep, 0, ptrace(PTRACE_DETACH, pid, NULL, NULL));
}

static void trace(struct child_report *rep, void *arg)
{
	const struct job *job = arg;
	int event = job->row->event;
	unsigned long message = 0;
	int status;
	pid_t pid;

	pid = raw_clone((job->row->inside ? 0 : CLONE_NEWPID) | SIGCHLD, NULL);
	if (pid == 0)
		be_traced(rep, job);
	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, SIGSTOP << 8 | 0x7f, status);
	CHILD_EQ(rep, 0,
		 ptrace(PTRACE_SETOPTIONS, pid, NULL,
			event == PTRACE_EVENT_VFORK_DONE ?
				PTRACE_O_TRACEVFORKDONE :
				EVENTS));
	CHILD_EQ(rep, 0, ptrace(PTRACE_CONT, pid, NULL, NULL));
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, SIGTRAP | event << 8, status >> 8);
	CHILD_EQ(rep, 0, ptrace(PTRACE_GETEVENTMSG, pid, NULL, &message));
	if (event == PTRACE_EVENT_EXEC)
		CHILD_EQ(rep, pid, message);
	else if (event == PTRACE_EVENT_VFORK_DONE)
		note_inner_number(rep, message);
	else
		let_new_process_go(rep, message);
	rep->value[1] = message;
	CHILD_EQ(rep, 0, ptrace(PTRACE_DETACH, pid, NULL, NULL));
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
}

TEST_F(trace, names_the_process_as_the_tracer_knows_it)
{
	struct job job = {
		.row = &variant->row,
		.path = self->path,
		.out = self->line[1],
	};
	struct child_report rep;
	int number;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, job.row->inside ? CLONE_NEWPID : 0, trace,
			       &job));
	expect_held(_metadata, &rep);
	/* the first process and its child, or the second and its child */
	number = job.row->event == PTRACE_EVENT_EXEC ? 1 : 2;
	EXPECT_EQ(number + job.row->inside, rep.value[0]);
	if (job.row->inside)
		EXPECT_EQ(rep.value[0], rep.value[1]);
	if (rep.value[2])
		EXPECT_EQ(rep.value[0], rep.value[2]);
}

TEST_HARNESS_MAIN
