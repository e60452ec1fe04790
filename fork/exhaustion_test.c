// SPDX-License-Identifier: GPL-2.0
/*
 * When there are no numbers, or no processes for a user, any more: the exact
 * count, the exact error, and everything there again once they have ended.
 *
 * Promises: fork(2) ERRORS, EAGAIN; getrlimit(2), RLIMIT_NPROC;
 *           proc_sys_kernel(5), pid_max; kernel/pid.c:alloc_pid(),
 *           kernel/fork.c:copy_process().
 * Guards:   f83606f5eb00 ("fork: report pid exhaustion correctly"), v4.19;
 *           35f71bc0a09a ("fork: report pid reservation failure properly"),
 *           v4.1.
 * Needs:    pid_max per pid namespace (v6.14), root or user namespaces;
 *           RLIMIT_NPROC root in the initial user namespace.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "pid_limit.h"
#include "procfs.h"
#include "throng.h"

#define MAX 310
#define FIRST_LAP (MAX - 2) /* 1 is the init */
#define NEXT_LAPS (MAX - RESERVED_PIDS) /* numbers start again at 300 */
#define FREED 5

FIXTURE(exhaustion)
{
	const char *missing;
};

FIXTURE_SETUP(exhaustion)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(exhaustion)
{
}

/* The error is the same where a cgroup or a limit allows no more processes. */
static void need_room(struct child_report *rep, int n)
{
	struct throng t = { 0 };
	int ret = throng_add(&t, n);

	CHILD_EQ(rep, 0, throng_end(&t, t.n));
	if (ret == -EAGAIN)
		child_skip(rep, NEEDS_PROCESSES);
	CHILD_EQ(rep, 0, ret);
}

/* @n: how many processes there will be at a time */
static void run_harmless(struct child_report *rep, child_fn fn, int n)
{
	struct child_report inner;

	pid_limit_harmless(rep);
	need_room(rep, n);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, fn, NULL));
	CHILD_HELD(rep, &inner);
}

static void use_up_numbers(struct child_report *rep, void *arg)
{
	struct throng t = { 0 };
	int lap;

	(void)arg;
	pid_limit_set(rep, MAX);
	CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
	CHILD_EQ(rep, FIRST_LAP, t.n);
	CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
	CHILD_EQ(rep, FIRST_LAP, t.n);
	CHILD_EQ(rep, 0, throng_end(&t, t.n));
	for (lap = 0; lap < 2; lap++) {
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, NEXT_LAPS, t.n);
		/* one ends, one more can be */
		CHILD_EQ(rep, 0, throng_end(&t, 1));
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, NEXT_LAPS, t.n);
		CHILD_EQ(rep, 0, throng_end(&t, t.n));
	}
	CHILD_EQ(rep, -1, waitpid(-1, NULL, WNOHANG));
}

static void numbers(struct child_report *rep, void *arg)
{
	(void)arg;
	run_harmless(rep, use_up_numbers, FIRST_LAP);
}

TEST_F(exhaustion, of_numbers)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, numbers, NULL));
	expect_held(_metadata, &rep);
}

struct below {
	struct gate go;
	struct gate done;
};

/* Fails more often than there are numbers here, and none of them is lost. */
static void fork_below(struct child_report *rep, void *arg)
{
	struct below *b = arg;
	struct throng t = { 0 };
	int i;

	pid_limit_set(rep, MAX);
	pid_next_set(rep, RESERVED_PIDS);
	gate_open(&b->done);
	CHILD_EQ(rep, 0, gate_wait(&b->go));
	for (i = 0; i < 3 * NEXT_LAPS; i++) {
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, 0, t.n);
	}
	gate_open(&b->done);
	CHILD_EQ(rep, 0, gate_wait(&b->go));
	CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
	CHILD_EQ(rep, FREED, t.n);
	CHILD_EQ(rep, 0, throng_end(&t, t.n));
}

static void use_up_numbers_above(struct child_report *rep, void *arg)
{
	struct throng t = { 0 };
	struct child_report inner;
	struct below b;
	struct child c;

	(void)arg;
	pid_limit_set(rep, MAX);
	CHILD_EQ(rep, 0, gate_init(&b.go));
	CHILD_EQ(rep, 0, gate_init(&b.done));
	CHILD_EQ(rep, 0, child_start(&c, CLONE_NEWPID, fork_below, &b));
	CHILD_EQ(rep, 0, gate_wait_child(&b.done, &c));
	pid_next_set(rep, RESERVED_PIDS);
	CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
	CHILD_EQ(rep, NEXT_LAPS, t.n);
	gate_open(&b.go);
	CHILD_EQ(rep, 0, gate_wait_child(&b.done, &c));
	CHILD_EQ(rep, 0, throng_end(&t, FREED));
	gate_open(&b.go);
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, throng_end(&t, t.n));
}

static void numbers_above(struct child_report *rep, void *arg)
{
	(void)arg;
	run_harmless(rep, use_up_numbers_above, 2 * NEXT_LAPS);
}

TEST_F(exhaustion, of_numbers_one_level_above)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, numbers_above, NULL));
	expect_held(_metadata, &rep);
}

/* No system gives this user to anybody: below the 32-bit "nobody" numbers. */
#define LONELY 0x7fffdead
#define PROCESSES 20

static void *idle(void *arg)
{
	return arg;
}

/* A process of its own: when it is reaped, its thread does not count any more */
static int thread_in_child(void)
{
	pthread_t thread;
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(pthread_create(&thread, NULL, idle, NULL) ||
		      pthread_join(thread, NULL));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return status;
}

static void use_up_processes(struct child_report *rep, void *arg)
{
	const struct rlimit limit = { PROCESSES, PROCESSES };
	struct throng t = { 0 };
	pthread_t thread;
	int lap;

	(void)arg;
	if (caps_become(LONELY) < 0)
		child_skip(rep, NEEDS_REAL_ROOT);
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, setrlimit(RLIMIT_NPROC, &limit));
	for (lap = 0; lap < 3; lap++) {
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, PROCESSES - 1, t.n);
		CHILD_EQ(rep, EAGAIN,
			 pthread_create(&thread, NULL, idle, NULL));
		/* there is room for a process, but not for its thread */
		CHILD_EQ(rep, 0, throng_end(&t, 1));
		CHILD_EQ(rep, 1 << 8, thread_in_child());
		CHILD_EQ(rep, 0, throng_end(&t, 1));
		CHILD_EQ(rep, 0, thread_in_child());
		CHILD_EQ(rep, 0, throng_end(&t, t.n));
	}
}

/* In a pid namespace of its own, or not: the user is what counts. */
TEST_F(exhaustion, of_processes_of_a_user)
{
	struct child_report rep;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, use_up_processes, NULL));
	expect_held(_metadata, &rep);
	if (rep.skip)
		return;
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, use_up_processes, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
