/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one header that knows both the harness and lib/: judges what children
 * report.  Included by tests, never by lib/.
 */
#ifndef LIB_EXPECT_H
#define LIB_EXPECT_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "kselftest_harness.h"

#include "child.h"
#include "needs.h"

/**
 * expect_held - the test fails unless the child saw what it should
 * @_metadata: of the test
 * @rep: report of a child
 *
 * Prints the child's first wrong value under the child's file and line.  A
 * child that found something missing makes the test skip; what follows in the
 * test then must not depend on the child.
 */
static inline void expect_held(struct __test_metadata *_metadata,
			       const struct child_report *rep)
{
	if (rep->skip)
		SKIP(return, "%s", rep->skip);
	EXPECT_EQ(1, child_held(rep))
	{
		if (rep->file)
			TH_LOG("in child, %s:%d: %s is %lld, expected %s %lld %s",
			       rep->file, rep->line, rep->what, rep->got,
			       rep->relation, rep->want, rep->text);
		else if (rep->signal)
			TH_LOG("the child was ended by signal %d", rep->signal);
		else
			TH_LOG("the child ended early with exit code %d",
			       rep->code);
	}
}

/**
 * expect_between - the test fails unless @low <= @x <= @high
 * @_metadata: of the test
 * @what: what @x is, for the message
 */
static inline void expect_between(struct __test_metadata *_metadata,
				  const char *what, long long low, long long x,
				  long long high)
{
	EXPECT_EQ(true, low <= x && x <= high)
	TH_LOG("%s is %lld, not between %lld and %lld (%lld %s)", what, x, low,
	       high, x < low ? low - x : x - high,
	       x < low ? "too small" : "too large");
}

#endif /* LIB_EXPECT_H */
