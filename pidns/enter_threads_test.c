// SPDX-License-Identifier: GPL-2.0
/*
 * A pending pid namespace is that of one thread, not of the whole process.
 *
 * Promises: kernel/fork.c:check_unshare_flags() asks for a single thread only
 *           with CLONE_THREAD, CLONE_SIGHAND and CLONE_VM, whatever unshare(2)
 *           says of CLONE_NEWPID; pid_namespaces(7), "setns(2) and unshare(2)
 *           semantics"; struct nsproxy is that of a task.
 * Needs:    root or user namespaces; a C library that can make threads.
 */
#include <pthread.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"

/*
 * struct pair - two threads, of which the second one makes a child when told
 * @join: it makes a namespace of its own before that
 */
struct pair {
	struct child_report *rep;
	struct gate up;
	struct gate go;
	int join;
};

FIXTURE(threads)
{
	const char *missing;
};

FIXTURE_SETUP(threads)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(threads)
{
}

static void tell_pid(struct child_report *rep, void *arg)
{
	rep->value[0] = getpid();
	rep->value[1] = getppid();
}

/* The child of this thread and how it knows itself. */
static void bear(struct child_report *rep, int inside)
{
	struct child_report inner;
	struct child c;
	pid_t pid;

	CHILD_EQ(rep, 0, child_start(&c, 0, tell_pid, NULL));
	pid = c.pid;
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, inside ? 1 : pid, inner.value[0]);
	CHILD_EQ(rep, inside ? 0 : getpid(), inner.value[1]);
}

static void *second(void *arg)
{
	struct pair *p = arg;

	CHILD_EQ(p->rep, 0, gate_open(&p->up));
	CHILD_EQ(p->rep, 0, gate_wait(&p->go));
	if (p->join)
		CHILD_OK(p->rep, unshare(CLONE_NEWPID));
	bear(p->rep, p->join);
	return NULL;
}

static void first(struct child_report *rep, void *arg)
{
	struct pair p = { .rep = rep, .join = *(int *)arg };
	pthread_t thread;

	CHILD_EQ(rep, 0, gate_init(&p.up));
	CHILD_EQ(rep, 0, gate_init(&p.go));
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, second, &p));
	CHILD_EQ(rep, 0, gate_wait(&p.up));
	CHILD_OK(rep, unshare(CLONE_NEWPID));
	bear(rep, 1);
	CHILD_EQ(rep, 0, gate_open(&p.go));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

static void expect_pair(struct __test_metadata *_metadata, int join)
{
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, 0, first, &join));
	expect_held(_metadata, &rep);
}

TEST_F(threads, one_may_unshare_and_the_other_stays)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_pair(_metadata, 0);
}

TEST_F(threads, each_may_have_a_namespace_of_its_own)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_pair(_metadata, 1);
}

TEST_HARNESS_MAIN
