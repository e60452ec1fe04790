/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Judges a row of a table of costs.  Like expect.h this knows the harness: it
 * is included by tests, never by lib/.
 */
#ifndef LIB_PERF_EXPECT_H
#define LIB_PERF_EXPECT_H

#include <stdio.h>

#include "env.h"
#include "expect.h"
#include "perf.h"

/**
 * expect_cheap_result - expect_cheap(), and what came out
 * @_metadata: of the test
 * @row: the row
 * @res: filled; has no launches when nothing could be measured
 */
static inline void expect_cheap_result(struct __test_metadata *_metadata,
				       const struct perf_row *row,
				       struct perf_result *res)
{
	struct perf_options o;
	struct env env;
	char line[1024];
	int ret;

	*res = (struct perf_result){ 0 };
	ASSERT_EQ(0, perf_options_read(&o, row->name))
	TH_LOG("a SELFTESTS_PERF_ variable makes no sense");
	env_read(&env);
	if (!o.report_only)
		o.report_only = env.unfit;
	ret = perf_compare(row, &o, res);
	ASSERT_EQ(0, ret)
	TH_LOG("%s cannot be measured: %s", row->name, strerror(-ret));
	if (res->missing)
		SKIP(return, "%s", res->missing);
	if (o.profile)
		return;
	env_after(&env);
	perf_line(line, sizeof(line), row, res, &env);
	printf("# %s\n", line);
	fflush(stdout);
	if (res->verdict == PERF_REPORT)
		SKIP(return, SLOW_MACHINE);
	if (res->verdict == PERF_UNSURE)
		SKIP(return, INCONCLUSIVE);
	EXPECT_EQ(1, res->verdict == PERF_WITHIN)
	TH_LOG("%s costs %.4g ns inside, %.4g outside: x %.3f; the limit is %.3f: %s",
	       row->name, res->inside, res->outside, res->ratio, res->limit,
	       row->why);
}

/**
 * expect_cheap - the test fails if a row costs more inside than its limit
 * @_metadata: of the test
 * @row: the row
 *
 * Prints the record.  A measurement without a verdict is a skip: it must not
 * make a commit good or bad.
 */
static inline void expect_cheap(struct __test_metadata *_metadata,
				const struct perf_row *row)
{
	struct perf_result res;

	expect_cheap_result(_metadata, row, &res);
}

#endif /* LIB_PERF_EXPECT_H */
