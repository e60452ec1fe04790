// SPDX-License-Identifier: GPL-2.0
/*
 * A pid namespace whose first process has several threads.
 *
 * Promises: pid_namespaces(7), "The namespace init process";
 *           kernel/exit.c:find_child_reaper().
 * Guards:   751c644b95bb ("pid: Handle the exit of a multi-threaded init."),
 *           v3.9.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

struct threads {
	struct scene *s;
	struct child_report *rep;
	int leader; /* the kernel clears it when the first thread is gone */
};

/* The first thread leaves, a second one stays and decides. */
static void leader_leaves(struct child_report *rep, struct scene *s,
			  void *(*second)(void *))
{
	struct threads t = { .s = s, .rep = rep, .leader = 1 };
	pthread_t thread;

	syscall(SYS_set_tid_address, &t.leader);
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, second, &t));
	syscall(SYS_exit, 7);
}

static void parent_is_init(struct child_report *rep,
			   void *arg __attribute__((unused)))
{
	CHILD_EQ(rep, 1, getppid());
}

/* What the second thread finds: the namespace goes on as before. */
static void go_on_alone(struct threads *t)
{
	struct child_report rep;
	struct child c;

	while (__atomic_load_n(&t->leader, __ATOMIC_ACQUIRE))
		sched_yield();
	CHILD_EQ(t->rep, 1, getpid());
	CHILD_EQ(t->rep, 2, syscall(SYS_gettid));
	CHILD_EQ(t->rep, 0, child_run(&rep, 0, parent_is_init, NULL));
	CHILD_HELD(t->rep, &rep);
	CHILD_EQ(t->rep, 0, child_start(&c, 0, scene_member, t->s));
	CHILD_EQ(t->rep, 0, gate_wait(&t->s->up));
	t->rep->done = 1;
}

static void *exit_late(void *arg)
{
	go_on_alone(arg);
	_exit(7);
}

static void *leave_late(void *arg)
{
	go_on_alone(arg);
	syscall(SYS_exit, 7);
	return NULL;
}

static void second_thread_exits(struct child_report *rep, void *arg)
{
	leader_leaves(rep, arg, exit_late);
}

static void last_thread_leaves(struct child_report *rep, void *arg)
{
	leader_leaves(rep, arg, leave_late);
}

FIXTURE(init_threads)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(init_threads)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(init_threads)
{
	child_kill(&self->init);
}

static void expect_end(struct __test_metadata *_metadata,
		       FIXTURE_DATA(init_threads) * self, child_fn fn)
{
	struct child_report rep;

	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, fn, &self->s));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(0, scene_left(&self->s));
	EXPECT_EQ(7, rep.code);
	rep.code = 0;
	expect_held(_metadata, &rep);
}

TEST_F(init_threads, leader_leaves_and_a_second_thread_exits)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_end(_metadata, self, second_thread_exits);
}

TEST_F(init_threads, leader_leaves_and_the_last_thread_leaves)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_end(_metadata, self, last_thread_leaves);
}

TEST_HARNESS_MAIN
