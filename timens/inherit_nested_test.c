// SPDX-License-Identifier: GPL-2.0
/*
 * Time namespaces in time namespaces, and side by side: offsets count from the
 * initial one, and nobody else is moved.
 *
 * Promises: time_namespaces(7): offsets are relative to the initial time
 *           namespace; kernel/time/namespace.c:clone_time_ns: a new one starts
 *           with those of its parent.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include "caps.h"
#include "procfs.h"
#include "witness_expect.h"

/* Different amounts, so that sums and mix-ups show. */
static const struct offsets outer = {
	500 * NSEC_PER_SEC + 600000000,
	7000 * NSEC_PER_SEC + 800000000,
};

static const struct offsets inner = {
	30 * NSEC_PER_SEC + 700000000,
	90000 * NSEC_PER_SEC + 500000000,
};

FIXTURE(nested)
{
	const char *missing;
	struct offsets own; /* of the namespace the test runs in */
	struct instant before;
};

FIXTURE_SETUP(nested)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, offsets_get(PROC_SELF, &self->own));
	self->before = now();
}

FIXTURE_TEARDOWN(nested)
{
}

/* struct plan - what to write at the second level, if anything */
struct plan {
	const struct offsets *write;
};

/* Slot 0: second level; slot 1: first level. */
static void nest(struct child_report *rep, void *arg)
{
	const struct plan *plan = arg;
	struct child_report deep;
	struct offsets seen, off;

	CHILD_OK(rep, offsets_get(PROC_SELF, &off));
	CHILD_OK(rep, timens_unshare(NULL));
	/* inherited, exactly */
	CHILD_OK(rep, offsets_get(PROC_SELF, &seen));
	CHILD_EQ(rep, off.monotonic, seen.monotonic);
	CHILD_EQ(rep, off.boottime, seen.boottime);
	if (plan->write)
		CHILD_OK(rep, offsets_set(plan->write));
	CHILD_OK(rep, child_run(&deep, 0, witness_child, NULL));
	CHILD_HELD(rep, &deep);
	memcpy(rep->value, deep.value, sizeof(struct witness));
	witness_report(rep, 1);
}

static void expect_slots(struct __test_metadata *_metadata,
			 const struct child_report *rep,
			 const struct instant *before,
			 const struct offsets *first,
			 const struct offsets *second)
{
	struct witness w1 = witness_of(rep, 1), w2 = witness_of(rep, 0);

	expect_child_moved(_metadata, rep, 1, before, first);
	expect_child_moved(_metadata, rep, 0, before, second);
	EXPECT_NE(w1.ns, w2.ns);
	EXPECT_EQ(w1.children, w2.ns);
}

TEST_F(nested, starts_where_its_parent_is)
{
	struct plan plan = { NULL };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&outer));
	ASSERT_EQ(0, child_run(&rep, 0, nest, &plan));
	expect_held(_metadata, &rep);
	expect_slots(_metadata, &rep, &self->before, &outer, &outer);
}

TEST_F(nested, counts_from_the_initial_namespace)
{
	struct offsets absolute = { self->own.monotonic + inner.monotonic,
				    self->own.boottime + inner.boottime };
	struct plan plan = { &absolute };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&outer));
	ASSERT_EQ(0, child_run(&rep, 0, nest, &plan));
	expect_held(_metadata, &rep);
	expect_slots(_metadata, &rep, &self->before, &outer, &inner);
}

/* Zero is the initial namespace's time, also from far away. */
TEST_F(nested, can_go_back_to_zero)
{
	struct offsets zero = { 0, 0 };
	struct offsets back = { -self->own.monotonic, -self->own.boottime };
	struct plan plan = { &zero };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&outer));
	ASSERT_EQ(0, child_run(&rep, 0, nest, &plan));
	expect_held(_metadata, &rep);
	expect_slots(_metadata, &rep, &self->before, &outer, &back);
}

/* A namespace and its offsets, replaced before anybody was in it. */
TEST_F(nested, replaces_a_pending_one)
{
	struct child_report rep;
	struct witness first, second;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&outer));
	witness_take(&first);
	ASSERT_EQ(0, timens_unshare(NULL));
	witness_take(&second);
	EXPECT_EQ(first.ns, second.ns);
	EXPECT_NE(first.children, second.children);
	ASSERT_EQ(0, child_run(&rep, 0, witness_child, NULL));
	expect_held(_metadata, &rep);
	EXPECT_EQ(second.children, witness_of(&rep, 0).ns);
	expect_child_moved(_metadata, &rep, 0, &self->before, &outer);
}

/* struct member - a process that stays in its namespace until told to look */
struct member {
	struct gate ready, look;
	const struct offsets *shift;
};

static void look_when_told(struct child_report *rep, void *arg)
{
	struct member *m = arg;

	CHILD_OK(rep, gate_open(&m->ready));
	CHILD_OK(rep, gate_wait(&m->look));
	witness_report(rep, 0);
}

static void be_a_member(struct child_report *rep, void *arg)
{
	struct member *m = arg;
	struct child_report deep;

	CHILD_OK(rep, timens_shift(m->shift));
	CHILD_OK(rep, child_run(&deep, 0, look_when_told, m));
	CHILD_HELD(rep, &deep);
	memcpy(rep->value, deep.value, sizeof(struct witness));
	witness_report(rep, 1);
}

TEST_F(nested, leaves_those_beside_it_alone)
{
	struct member m[2] = { { .shift = &outer }, { .shift = &inner } };
	struct child c[2] = { CHILD_NONE, CHILD_NONE };
	struct child_report rep;
	struct instant after;
	struct witness w;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, gate_init(&m[i].ready));
		ASSERT_EQ(0, gate_init(&m[i].look));
		ASSERT_EQ(0, child_start(&c[i], 0, be_a_member, &m[i]));
		EXPECT_EQ(0, gate_wait_child(&m[i].ready, &c[i]));
	}
	/* both are in their namespaces now, and look */
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, gate_open(&m[i].look));
		EXPECT_EQ(0, child_wait(&c[i], &rep));
		expect_held(_metadata, &rep);
		expect_child_moved(_metadata, &rep, 0, &self->before,
				   m[i].shift);
		expect_child_moved(_metadata, &rep, 1, &self->before, &unmoved);
	}
	witness_take(&w);
	after = now();
	expect_moved(_metadata, &w, &self->before, &after, &unmoved);
}

TEST_HARNESS_MAIN
