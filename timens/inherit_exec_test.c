// SPDX-License-Identifier: GPL-2.0
/*
 * A program that is executed with a pending time namespace is in it, whoever
 * executes it and however the process was made.
 *
 * Promises: time_namespaces(7); kernel/nsproxy.c:exec_task_namespaces.
 * Guards:   2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

struct job;
typedef void (*job_fn)(struct child_report *rep, const struct job *job);

/* struct job - what a process is to execute, and how */
struct job {
	job_fn how;
	int program;
	int out;
};

/* Ends the process: the program reports in its place, not through @rep. */
static void run_program(struct child_report *rep, const struct job *job)
{
	rep->done = 1;
	CHILD_OK(rep, witness_exec(job->program, job->out));
}

static void run_in_child(struct child_report *rep, void *arg)
{
	run_program(rep, arg);
}

static void by_fork(struct child_report *rep, const struct job *job)
{
	struct child_report inner;

	CHILD_OK(rep, child_run(&inner, 0, run_in_child, (void *)job));
	CHILD_HELD(rep, &inner);
}

static void fork_in_child(struct child_report *rep, void *arg)
{
	by_fork(rep, arg);
}

static void by_grandchild(struct child_report *rep, const struct job *job)
{
	struct child_report inner;

	CHILD_OK(rep, child_run(&inner, 0, fork_in_child, (void *)job));
	CHILD_HELD(rep, &inner);
}

/* Kernels that let memory be shared do the rest at exec as well. */
static void need_exec(struct child_report *rep)
{
	struct witness w;
	int ret = witness_clone(CLONE_VFORK, &w);

	if (ret == -EINVAL)
		child_skip(rep, NEEDS_TIMENS_EXEC);
	CHILD_OK(rep, ret);
}

static void by_caller(struct child_report *rep, const struct job *job)
{
	need_exec(rep);
	run_program(rep, job);
}

static void wait_for(struct child_report *rep, pid_t pid)
{
	int status;

	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
}

static void by_vfork(struct child_report *rep, const struct job *job)
{
	pid_t pid;

	need_exec(rep);
	pid = vfork();
	if (!pid) {
		witness_exec(job->program, job->out);
		_exit(127);
	}
	CHILD_OK(rep, pid);
	wait_for(rep, pid);
}

static void by_spawn(struct child_report *rep, const struct job *job)
{
	pid_t pid;

	need_exec(rep);
	child_need(rep, lack_of_threads());
	CHILD_OK(rep, witness_spawn(job->program, job->out, &pid));
	wait_for(rep, pid);
}

static void *exec_in_thread(void *arg)
{
	const struct job *job = arg;

	witness_exec(job->program, job->out);
	return NULL;
}

/* The thread takes the place of the process, with its own namespaces. */
static void by_thread(struct child_report *rep, const struct job *job)
{
	pthread_t thread;

	need_exec(rep);
	child_need(rep, lack_of_threads());
	rep->done = 1;
	CHILD_EQ(rep, 0,
		 pthread_create(&thread, NULL, exec_in_thread, (void *)job));
	pthread_join(thread, NULL);
	CHILD_EQ(rep, 0, -1);
}

FIXTURE(exec)
{
	const char *missing;
	int pipe[2];
	struct job job;
};

FIXTURE_VARIANT(exec)
{
	job_fn how;
	enum witness_program program;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(exec, by_a_child)               { by_fork,       WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_a_child_dynamic)       { by_fork,       WITNESS_SELF };
FIXTURE_VARIANT_ADD(exec, by_a_grandchild)          { by_grandchild, WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_a_grandchild_dynamic)  { by_grandchild, WITNESS_SELF };
FIXTURE_VARIANT_ADD(exec, by_vfork)                 { by_vfork,      WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_vfork_dynamic)         { by_vfork,      WITNESS_SELF };
FIXTURE_VARIANT_ADD(exec, by_posix_spawn)           { by_spawn,      WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_posix_spawn_dynamic)   { by_spawn,      WITNESS_SELF };
FIXTURE_VARIANT_ADD(exec, by_the_caller)            { by_caller,     WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_the_caller_dynamic)    { by_caller,     WITNESS_SELF };
FIXTURE_VARIANT_ADD(exec, by_a_thread)              { by_thread,     WITNESS_STATIC };
FIXTURE_VARIANT_ADD(exec, by_a_thread_dynamic)      { by_thread,     WITNESS_SELF };
/* clang-format on */

FIXTURE_SETUP(exec)
{
	self->pipe[0] = -1;
	self->pipe[1] = -1;
	self->job.program = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pipe(self->pipe));
	self->job.program = witness_open(variant->program);
	ASSERT_LE(0, self->job.program);
	self->job.out = self->pipe[1];
	self->job.how = variant->how;
}

FIXTURE_TEARDOWN(exec)
{
	fd_close(&self->pipe[0]);
	fd_close(&self->pipe[1]);
	fd_close(&self->job.program);
}

/* Slot 0: the process with the pending time namespace, before and after. */
static void do_job(struct child_report *rep, void *arg)
{
	const struct job *job = arg;

	CHILD_OK(rep, timens_shift(&far));
	witness_report(rep, 0);
	job->how(rep, job);
	witness_report(rep, 1);
}

TEST_F(exec, moves_the_program)
{
	struct instant before, after;
	struct child_report rep;
	struct witness w, parent;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	before = now();
	ASSERT_EQ(0, child_run(&rep, 0, do_job, &self->job));
	after = now();
	expect_held(_metadata, &rep);
	if (rep.skip || !child_held(&rep))
		return;
	fd_close(&self->pipe[1]);
	ASSERT_EQ(0, witness_read(self->pipe[0], &w));
	parent = witness_of(&rep, 0);
	expect_moved(_metadata, &w, &before, &after, &far);
	expect_moved(_metadata, &parent, &before, &after, &unmoved);
	EXPECT_EQ(parent.children, w.ns);
	EXPECT_EQ(parent.children, w.children);
}

__attribute__((constructor)) static void be_a_witness(void)
{
	witness_main();
}

TEST_HARNESS_MAIN
