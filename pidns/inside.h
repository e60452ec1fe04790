/* SPDX-License-Identifier: GPL-2.0 */
/* For tests that ask their questions inside, where numbers differ. */
#ifndef PIDNS_INSIDE_H
#define PIDNS_INSIDE_H

#include "expect.h"

struct inside_task {
	child_fn fn;
	void *arg;
};

static inline void inside_go_deeper(struct child_report *rep, void *arg)
{
	struct inside_task *task = arg;
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, task->fn, task->arg));
	CHILD_HELD(rep, &inner);
}

/**
 * expect_inside - the test fails unless a function holds two namespaces down
 * @_metadata: of the test
 * @fn: runs as the first process of the lower of two new pid namespaces
 * @arg: handed to @fn
 *
 * Two, so that neither the outermost namespace nor the one above is the right
 * one by chance.
 */
static inline void expect_inside(struct __test_metadata *_metadata, child_fn fn,
				 void *arg)
{
	struct inside_task task = { fn, arg };
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, inside_go_deeper, &task));
	expect_held(_metadata, &rep);
}

#endif /* PIDNS_INSIDE_H */
