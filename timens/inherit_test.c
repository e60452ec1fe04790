// SPDX-License-Identifier: GPL-2.0
/*
 * Which children are in the new time namespace, and with which clocks: fork,
 * clone with and without shared memory, threads, grandchildren.
 *
 * Promises: time_namespaces(7): unshare(2) moves the children, not the caller;
 *           clone(2), CLONE_NEWTIME of clone3;
 *           kernel/nsproxy.c:copy_namespaces.
 * Guards:   2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2: before it, vfork and threads fail with EINVAL;
 *           a8616d2dc193 ("riscv: vdso: fix NULL deference in
 *           vdso_join_timens() when vfork"), v6.1.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

/*
 * struct origin - where the test itself is
 * @self: the test before it had a pending time namespace
 * @before: its clocks before it had children
 */
struct origin {
	struct witness self;
	struct instant before;
};

FIXTURE(inherit)
{
	const char *missing;
	struct origin origin;
};

/* From here on the test has a pending time namespace with moved clocks. */
static int depart(struct origin *o)
{
	int ret;

	witness_take(&o->self);
	ret = timens_shift(&far);
	o->before = now();
	return ret;
}

FIXTURE_SETUP(inherit)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, depart(&self->origin));
}

FIXTURE_TEARDOWN(inherit)
{
}

/* Not moved, but its own children would be: the test itself, among others. */
static void expect_old(struct __test_metadata *_metadata,
		       const struct origin *o, const struct witness *w)
{
	struct instant after = now();
	struct witness own;

	witness_take(&own);
	expect_moved(_metadata, w, &o->before, &after, &unmoved);
	EXPECT_EQ(o->self.ns, w->ns);
	EXPECT_NE(o->self.ns, w->children);
	EXPECT_EQ(own.children, w->children);
}

TEST_F(inherit, the_caller_does_not_move)
{
	struct witness w;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(self->origin.self.ns, self->origin.self.children);
	witness_take(&w);
	expect_old(_metadata, &self->origin, &w);
}

TEST_F(inherit, a_forked_child_is_in_the_new_namespace)
{
	struct child_report rep;
	struct witness w, own;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	witness_take(&own);
	ASSERT_EQ(0, child_run(&rep, 0, witness_child, NULL));
	expect_held(_metadata, &rep);
	w = witness_of(&rep, 0);
	expect_child_moved(_metadata, &rep, 0, &self->origin.before, &far);
	EXPECT_EQ(own.children, w.ns);
	EXPECT_EQ(own.children, w.children);
	witness_take(&own);
	expect_old(_metadata, &self->origin, &own);
}

static void *witness_thread(void *arg)
{
	witness_take(arg);
	return NULL;
}

/* A child of the child, and a thread of it. */
static void have_family(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct witness w;
	pthread_t thread;

	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, witness_thread, &w));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	CHILD_OK(rep, child_run(&inner, 0, witness_child, arg));
	CHILD_HELD(rep, &inner);
	memcpy(rep->value, inner.value, sizeof(w));
	memcpy((char *)rep->value + sizeof(w), &w, sizeof(w));
	witness_report(rep, 2);
}

TEST_F(inherit, grandchildren_and_threads_share_it)
{
	struct child_report rep;
	struct witness w;
	int64_t ns;
	int i;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, have_family, NULL));
	expect_held(_metadata, &rep);
	ns = witness_of(&rep, 2).ns;
	for (i = 0; i < 3; i++) {
		w = witness_of(&rep, i);
		expect_child_moved(_metadata, &rep, i, &self->origin.before,
				   &far);
		EXPECT_EQ(ns, w.ns);
		EXPECT_EQ(ns, w.children);
	}
}

TEST_F(inherit, a_new_thread_stays_in_the_old_one)
{
	pthread_t thread;
	struct witness w;
	int ret;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = pthread_create(&thread, NULL, witness_thread, &w);
	if (ret == EINVAL)
		SKIP(return, NEEDS_TIMENS_VFORK);
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	expect_old(_metadata, &self->origin, &w);
}

FIXTURE(shared_memory)
{
	const char *missing;
	struct origin origin;
};

FIXTURE_VARIANT(shared_memory)
{
	int flags;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(shared_memory, vfork)         { CLONE_VFORK };
FIXTURE_VARIANT_ADD(shared_memory, clone_vm)      { 0 };
FIXTURE_VARIANT_ADD(shared_memory, clone_sighand) { CLONE_SIGHAND };
FIXTURE_VARIANT_ADD(shared_memory, vfork_newns)   { CLONE_VFORK | CLONE_NEWNS };
/* clang-format on */

FIXTURE_SETUP(shared_memory)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME | CLONE_NEWNS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, depart(&self->origin));
}

FIXTURE_TEARDOWN(shared_memory)
{
}

/* One memory has one page of offsets: its users cannot be told apart. */
TEST_F(shared_memory, child_stays_in_the_old_one)
{
	struct witness w;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = witness_clone(variant->flags, &w);
	if (ret == -EINVAL)
		SKIP(return, NEEDS_TIMENS_VFORK);
	ASSERT_EQ(0, ret);
	expect_old(_metadata, &self->origin, &w);
}

TEST_HARNESS_MAIN
