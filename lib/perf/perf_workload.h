/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Workloads: operations with parameters and a table of their own, for people
 * who know the classics.  Knows the harness, as perf_expect.h does.
 */
#ifndef LIB_PERF_WORKLOAD_H
#define LIB_PERF_WORKLOAD_H

#include "perf_expect.h"
#include "perf_params.h"

/* Seconds that a test may take when somebody asks for much; see @TEST_F_TIMEOUT. */
#define WORKLOAD_TIMEOUT 3600

/* Times the usual budget, for parameters that somebody asked for. */
#define WORKLOAD_ASKED 20

/*
 * struct workload - what is measured
 * @row:      the name is that without parameters
 * @params:   with the defaults
 * @variable: of the environment, for other ones
 * @table:    prints lines that begin with "# "; NULL: nothing to say
 */
struct workload {
	struct perf_row row;
	struct perf_param *params;
	const char *variable;
	void (*table)(const struct workload *w, const struct perf_result *res);
};

/**
 * expect_cheap_workload - the test fails if it costs more than its limit inside
 * @_metadata: of the test
 * @w: the workload
 *
 * As expect_cheap(), and prints the table beside the record.
 */
static inline void expect_cheap_workload(struct __test_metadata *_metadata,
					 struct workload *w)
{
	struct perf_result res;
	char name[128];
	int asked;

	asked = perf_params_read(w->params, w->variable);
	ASSERT_LE(0, asked)
	TH_LOG("a parameter in %s or after -- makes no sense", w->variable);
	perf_params_name(w->params, w->row.name, name, sizeof(name));
	w->row.name = name;
	if (asked)
		w->row.weight = WORKLOAD_ASKED;
	expect_cheap_result(_metadata, &w->row, &res);
	if (res.launches && w->table)
		w->table(w, &res);
	fflush(stdout);
}

#endif /* LIB_PERF_WORKLOAD_H */
