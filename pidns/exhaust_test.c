// SPDX-License-Identifier: GPL-2.0
/*
 * Running out of numbers, in a pid namespace or in the one above it.
 *
 * Promises: fork(2) EAGAIN; kernel/pid.c:alloc_pid().
 * Guards:   f83606f5eb00 ("fork: report pid exhaustion correctly"), v4.19.
 * Needs:    unprivileged user namespaces: nobody else is safe from writing the
 *           limit of the whole machine where there is but one.
 */
#include "expect.h"
#include "pid_max.h"
#include "scene.h"

/* Take all numbers from RESERVED_PIDS on; returns the last one. */
static pid_t fill(struct child_report *rep, struct scene *s, long long most)
{
	pid_t pid = 0;
	int i;

	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, RESERVED_PIDS - 1));
	for (i = RESERVED_PIDS; i < most; i++) {
		pid = fork();
		if (pid == 0) {
			/* ends with the last holder of the other end */
			fd_close(&s->go.fd[1]);
			gate_wait(&s->go);
			_exit(0);
		}
		CHILD_EQ(rep, i, pid < 0 ? -errno : pid);
	}
	return pid;
}

static void exhausted(struct child_report *rep, void *arg)
{
	long long most;
	pid_t last;

	pid_max_need(rep);
	most = pid_max_smallest();
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, most));
	last = fill(rep, arg, most);
	CHILD_EQ(rep, -EAGAIN, pid_max_next());
	CHILD_EQ(rep, -EAGAIN, pid_max_next());
	CHILD_EQ(rep, 0, kill(last, SIGKILL));
	CHILD_EQ(rep, last, waitpid(last, NULL, 0));
	CHILD_EQ(rep, last, pid_max_next());
}

struct levels {
	struct scene s;
	struct gate full;
	struct gate failed;
	struct gate room;
};

static void inner_level(struct child_report *rep, void *arg)
{
	struct levels *l = arg;

	CHILD_EQ(rep, 2, pid_max_next());
	CHILD_EQ(rep, 0, gate_open(&l->s.up));
	CHILD_EQ(rep, 0, gate_wait(&l->full));
	CHILD_EQ(rep, -EAGAIN, pid_max_next());
	CHILD_EQ(rep, 0, gate_open(&l->failed));
	CHILD_EQ(rep, 0, gate_wait(&l->room));
	/* 3 was taken and must have been given back */
	CHILD_EQ(rep, 0, pid_max_set(LAST_PID, 2));
	CHILD_EQ(rep, 3, pid_max_next());
}

/* The numbers run out one level above the caller. */
static void exhausted_above(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct levels *l = arg;
	struct child c;
	long long most;
	pid_t last;

	pid_max_need(rep);
	most = pid_max_smallest();
	CHILD_EQ(rep, 0, pid_max_set(PID_MAX, most));
	CHILD_EQ(rep, 0, child_start(&c, CLONE_NEWPID, inner_level, l));
	CHILD_EQ(rep, 0, gate_wait_child(&l->s.up, &c));
	last = fill(rep, &l->s, most);
	CHILD_EQ(rep, 0, gate_open(&l->full));
	CHILD_EQ(rep, 0, gate_wait_child(&l->failed, &c));
	CHILD_EQ(rep, 0, kill(last, SIGKILL));
	CHILD_EQ(rep, last, waitpid(last, NULL, 0));
	CHILD_EQ(rep, 0, gate_open(&l->room));
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
}

static void harmless(struct child_report *rep, void *arg)
{
	pid_max_in_namespace(rep, exhausted, arg);
}

static void harmless_above(struct child_report *rep, void *arg)
{
	pid_max_in_namespace(rep, exhausted_above, arg);
}

TEST(fork_says_eagain)
{
	struct child_report rep;
	struct scene s;

	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_run(&rep, 0, harmless, &s));
	expect_held(_metadata, &rep);
}

TEST(fork_says_eagain_one_level_below_and_leaks_no_number)
{
	struct child_report rep;
	struct levels l;

	ASSERT_EQ(0, scene_init(&l.s));
	ASSERT_EQ(0, gate_init(&l.full));
	ASSERT_EQ(0, gate_init(&l.failed));
	ASSERT_EQ(0, gate_init(&l.room));
	ASSERT_EQ(0, child_run(&rep, 0, harmless_above, &l));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
