/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does an operation cost more inside a namespace?  A verdict, not a number.
 *
 * Two processes, one outside and one inside, take turns on the same CPU with
 * batches of about PERF_BATCH_NS, in the order AB BA AB BA...  Each pair gives
 * one ratio, taken within a fraction of a millisecond: what disturbs the
 * machine for longer disturbs both alike, what is shorter spoils few pairs,
 * and the median ignores those.  The two are twins: forked alike by ancestors
 * forked alike, with the same mappings and files, neither the first process of
 * its namespace.  All else would show in the cost of a fork.
 *
 * Where memory happens to lie differs from one pair of twins to the next and
 * is worth up to a percent.  So one measurement is many launches of twins, the
 * median of each launch is one value, and only these values decide, at the
 * looks of stats.h.  Between them run launches of a twin against its like:
 * what those differ by is what this machine cannot tell apart now, and widens
 * the interval.  Of what takes long a launch has few pairs, down to three, and
 * the interval is as wide as these deserve.  In the end the cost is within the
 * limit, over it, or the measurement was inconclusive; never a guess.
 */
#ifndef LIB_PERF_H
#define LIB_PERF_H

#include <stddef.h>

#include "env.h"
#include "uapi.h"

#define PERF_BATCH_NS 100000
#define PERF_LAUNCHES 20
#define PERF_PAIRS 512 /* of one launch */

/*
 * struct perf_ctx - what an operation works with
 * @arg:    from its row
 * @inside: whether this worker is inside; for perf_row.prepare, where what
 *          differs is not the place but something that is there
 * @word:   its own state in this worker, zero at first
 */
struct perf_ctx {
	long arg;
	int inside;
	long word[6];
};

/*
 * An operation does its work @n times: the loop is inside, so that calling it
 * costs nothing that counts.  Returns 0 or a negative errno: what does not
 * work is not measured.
 */
typedef int (*perf_op)(unsigned long n, struct perf_ctx *ctx);

/*
 * struct perf_place - where the inside twin lives
 * @name:        for people and records
 * @flags:       the CLONE_NEW* flags that @enter uses
 * @generations: how many ancestors call @enter, each then forks the next one
 * @enter:       called in both families, @inside tells which; returns 0 or a
 *               negative errno.  NULL: inside is outside
 * @needs:       a constant of needs.h: what is missing when @enter returns
 *               -EUSERS
 */
struct perf_place {
	const char *name;
	__u64 flags;
	int generations;
	int (*enter)(int generation, int inside);
	const char *needs;
};

/*
 * struct perf_row - one line of a table of costs
 * @name:    of the measurement, stable: histories are kept by it
 * @op:      the operation
 * @arg:     for the operation
 * @place:   where it may cost more
 * @limit:   the ratio inside/outside that is worth a mail
 * @slack:   what comes on top in any case, in turns of an empty loop (one or
 *           two CPU cycles each, so it grows with the slowness of the CPU)
 * @why:     where these two come from
 * @prepare: called once in each worker before anything is measured; returns 0
 *           or a negative errno; NULL: nothing to prepare
 * @needs:   a constant of needs.h: what is missing when @prepare returns
 *           -EOPNOTSUPP
 * @weight:  how many times the usual budget it may take; 0 counts as 1
 * @wide:    run on all CPUs that the caller may use, not ahead of others: for
 *           what is many processes at once
 */
struct perf_row {
	const char *name;
	perf_op op;
	long arg;
	const struct perf_place *place;
	double limit;
	double slack;
	const char *why;
	int (*prepare)(struct perf_ctx *ctx);
	const char *needs;
	int weight;
	int wide;
};

/*
 * struct perf_options - how to measure; see perf_options_read()
 * @null:        measure outside against outside
 * @inject:      make the inside twin slower by this many percent
 * @limit:       instead of the row's limit and slack; 0: those of the row
 * @budget_ms:   after this time the answer is what it is; for a row with a
 *               weight, after so many times this
 * @pairs:       take so many pairs per launch, or fewer of what takes long, for
 *               figures rather than a verdict; 0: until they are clear of it
 * @cpu:         where to run, or -1: the last CPU the caller may use
 * @report_only: NULL, or why there shall be no verdict
 * @raw:         directory for all the pairs and launches.tsv, or NULL
 * @profile: do so many operations in each twin and measure nothing: somebody
 *               samples what they do; 0: measure
 * @control: directory with pipes of perf-record(1), for each twin one that is
 *               told when its batches begin and end: "outside.control",
 *               "outside.ack" and the same of "inside"; or NULL
 */
struct perf_options {
	int null;
	double inject;
	double limit;
	int budget_ms;
	int pairs;
	int cpu;
	const char *report_only;
	const char *raw;
	unsigned long profile;
	const char *control;
};

enum perf_verdict {
	PERF_WITHIN,
	PERF_OVER,
	PERF_UNSURE,
	PERF_REPORT, /* measured, not judged */
};

/*
 * struct perf_result - what came out
 * @verdict:  the answer
 * @missing:  a constant of needs.h when this cannot be measured here; then
 *            nothing else is valid
 * @reason:   for PERF_UNSURE and PERF_REPORT
 * @outside, @inside: median cost of one operation, in ns
 * @ratio:    median over the launches of inside/outside
 * @lo, @hi:  interval for it, not yet widened by @spread
 * @limit:    what it was compared with, slack included
 * @spread:   median difference of a twin to its like, as part of 1
 * @loop:     cost of an empty turn of the loop, in ns; subtracted from all
 *            above when it is more than 2 % of the operation
 * @subtracted: whether it was
 * @reference: what a step of work took that no kernel has a part in, in ns:
 *            what makes costs of two boots comparable
 * @pairs, @launches, @nulls: how much was measured
 * @batch:    operations in a batch
 * @cpu:      where it ran; -1: on all of them
 * @fifo:     whether it ran ahead of all SCHED_OTHER processes there
 * @ms:       how long it took
 */
struct perf_result {
	enum perf_verdict verdict;
	const char *missing;
	const char *reason;
	double outside, inside;
	double ratio, lo, hi;
	double limit;
	double spread;
	double loop;
	int subtracted;
	double reference;
	int pairs, launches, nulls;
	unsigned long batch;
	int cpu;
	int fifo;
	int ms;
};

/**
 * perf_options_read - what the environment asks for
 * @o: filled
 * @name: of the row, for options of one row
 *
 * SELFTESTS_PERF_NULL=1, SELFTESTS_PERF_INJECT=PERCENT,
 * SELFTESTS_PERF_LIMIT=LIST, SELFTESTS_PERF_BUDGET_MS=MS, SELFTESTS_PERF_CPU=N,
 * SELFTESTS_PERF_PAIRS=N, SELFTESTS_PERF_RAW=DIRECTORY,
 * SELFTESTS_PERF_REPORT_ONLY=1, SELFTESTS_PERF_PROFILE=COUNT,
 * SELFTESTS_PERF_CONTROL=DIRECTORY and KSFT_MACHINE_SLOW=yes.  LIST is RATIO,
 * +PERCENT% or NAME=one of those, separated by commas; NAME may be a shell
 * pattern, and the last one that fits counts.
 * Returns 0, or -EINVAL when one of them makes no sense.
 */
int perf_options_read(struct perf_options *o, const char *name);

/**
 * perf_compare - measure an operation outside and inside, and judge
 * @row: what to measure
 * @o: how
 * @res: filled
 *
 * All happens in children, which end with the caller.
 * With perf_options.profile nothing but perf_result.missing is valid.
 * Returns 0, or a negative errno when the measurement itself broke: of the
 * operation, of perf_place.enter, or -ETIMEDOUT when a batch never ended.
 */
int perf_compare(const struct perf_row *row, const struct perf_options *o,
		 struct perf_result *res);

/**
 * perf_line - the record of a measurement, in one line without newline
 * @buf, @size: room for it
 * @row: what was measured
 * @res: what came out
 * @env: where
 *
 * What does not fit is cut; 1024 bytes are enough.
 */
void perf_line(char *buf, size_t size, const struct perf_row *row,
	       const struct perf_result *res, const struct env *env);

#endif /* LIB_PERF_H */
