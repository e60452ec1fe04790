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
	if (child_held(rep))
		return;
	/* before the verdict: readers and run_all.sh take the first line */
	if (rep->file)
		TH_LOG("in child, %s:%d: %s is %lld, expected %s %lld %s",
		       rep->file, rep->line, rep->what, rep->got, rep->relation,
		       rep->want, rep->text);
	else if (rep->signal)
		TH_LOG("the child was ended by signal %d", rep->signal);
	else
		TH_LOG("the child ended early with exit code %d", rep->code);
	EXPECT_EQ(1, child_held(rep));
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
	if (low > x)
		TH_LOG("%s is %lld, that is %lld below the least, %lld", what,
		       x, low - x, low);
	if (x > high)
		TH_LOG("%s is %lld, that is %lld above the most, %lld", what, x,
		       x - high, high);
	EXPECT_LE(low, x);
	EXPECT_LE(x, high);
}

#endif /* LIB_EXPECT_H */
