/* SPDX-License-Identifier: GPL-2.0 */
/* The inner parts of perf.h; for perf*.c only. */
#ifndef LIB_PERF_IMPL_H
#define LIB_PERF_IMPL_H

#include "perf.h"

enum { OUTSIDE, INSIDE, TWINS };

enum twin_task {
	TWIN_RUN, /* a batch of the operation */
	TWIN_EMPTY, /* a batch of empty turns */
	TWIN_REFERENCE, /* steps of work that no kernel has a part in */
};

/*
 * struct twin_order - shared between the controller and one twin
 * @task, @n: what to do
 * @ns:       how long it took
 * @error:    0 or a negative errno
 */
struct twin_order {
	enum twin_task task;
	unsigned long n;
	long long ns;
	int error;
};

/*
 * struct twins - a pair of workers, as their controller sees them
 * @row:     what they do
 * @inside:  whether the second one is really inside
 * @inject:  by how many percent the second one is slowed down
 * @order:   shared with each
 * @command: pipe to each
 * @answer:  pipe from each
 * @life:    pipe that nobody writes to; its end is the end of everybody
 */
struct twins {
	const struct perf_row *row;
	int inside;
	double inject;
	struct twin_order *order;
	int command[TWINS][2];
	int answer[TWINS][2];
	int life[2];
};

/**
 * twins_init - once per controller, before anything is forked
 * @t: filled
 * @row: what the twins will do
 *
 * Makes the caller the one who reaps the whole family.
 * Returns 0 or a negative errno.
 */
int twins_init(struct twins *t, const struct perf_row *row);

/**
 * twins_start - bring a pair to life
 * @t: of twins_init(); @t->inside and @t->inject are to be set
 * @first: which of the two is forked first
 *
 * Returns 0 or the negative errno of whatever did not work, also that of
 * perf_place.enter and perf_row.prepare.  twins_stop() is needed either way.
 */
int twins_start(struct twins *t, int first);

/**
 * twins_stop - end a pair and all its ancestors, and reap them
 * @t: of twins_start()
 */
void twins_stop(struct twins *t);

/**
 * twin_run - let one of them work
 * @t: the pair; @who: OUTSIDE or INSIDE
 * @task, @n: what to do
 *
 * Returns how long it took in ns (at least 1), or a negative errno.
 */
long long twin_run(struct twins *t, int who, enum twin_task task,
		   unsigned long n);

/**
 * twin_answer - tell the controller, from any process of a family
 * @t: the pair; @who: whose family
 * @error: 0 or a negative errno
 */
void twin_answer(struct twins *t, int who, int error);

/**
 * twin_work - be a worker until the controller goes; does not return
 * @t: the pair; @who: which one
 */
void twin_work(struct twins *t, int who);

/*
 * struct perf_gauge - what is found out once per measurement
 * @batch:   operations that take about PERF_BATCH_NS outside
 * @outside: what one of them costs, in ns, roughly
 * @loop:    cost of an empty turn of a loop, in ns
 * @minus:   what to subtract per operation: @loop, or 0 when it does not count
 */
struct perf_gauge {
	unsigned long batch;
	double outside;
	double loop;
	double minus;
};

/*
 * struct perf_launch - what one pair of twins gave
 * @pairs:   how many pairs of batches
 * @ns:      what one operation took in each batch, in ns
 * @typical: median of those
 * @median:  of the ratios inside/outside
 * @reference: median of what a step took of work without a kernel, in ns
 */
struct perf_launch {
	int pairs;
	double ns[TWINS][PERF_PAIRS];
	double typical[TWINS];
	double median;
	double reference;
};

/**
 * perf_gauge - find the length of a batch and the cost of the loop
 * @t: a pair that was just started
 * @g: filled
 *
 * Returns 0 or a negative errno of the operation.
 */
int perf_gauge(struct twins *t, struct perf_gauge *g);

/**
 * perf_launch - measure with one pair of twins
 * @t: a pair that was just started
 * @g: of perf_gauge()
 * @limit: stop when the median is clear of it; 0: never stop for that
 * @most: stop after so many pairs, at most PERF_PAIRS
 * @deadline: of CLOCK_MONOTONIC in ns, stop then
 * @l: filled
 *
 * Returns 0 or a negative errno of the operation.
 */
int perf_launch(struct twins *t, const struct perf_gauge *g, double limit,
		int most, long long deadline, struct perf_launch *l);

/**
 * perf_now - CLOCK_MONOTONIC in ns
 */
long long perf_now(void);

/*
 * struct perf_raw - files with all that was measured
 * @name:     of the row
 * @pairs:    one line per pair of batches, or -1
 * @launches: one line per launch of any row, or -1
 */
struct perf_raw {
	const char *name;
	int pairs;
	int launches;
};

/**
 * perf_raw_open - make the files for a measurement
 * @raw: filled; the end of the process closes it
 * @directory: where, or NULL: no files are wanted
 * @name: of the row
 *
 * Makes NAME.tsv anew, and launches.tsv when it is not there.
 * Returns 0 or a negative errno.
 */
int perf_raw_open(struct perf_raw *raw, const char *directory,
		  const char *name);

/**
 * perf_raw_write - append a launch
 * @raw: of perf_raw_open()
 * @launch: its number
 * @null: whether it was a twin against its like
 * @l: the launch
 *
 * Returns 0 or a negative errno.
 */
int perf_raw_write(const struct perf_raw *raw, int launch, int null,
		   const struct perf_launch *l);

/*
 * struct perf_study - one measurement, as the process sees it that controls it
 * @medians: of the launches
 * @nulls:   by how much a twin differed from its like, as part of 1
 * @ns:      median cost of an operation in each launch
 * @reference: and of a step of the other work
 * @quickest: launch so far, in ns
 * @start:   of CLOCK_MONOTONIC in ns
 * @raw:     of perf_raw_open()
 */
struct perf_study {
	const struct perf_row *row;
	const struct perf_options *o;
	struct perf_result *res;
	struct twins twins;
	struct perf_gauge gauge;
	struct perf_launch launch;
	double medians[PERF_LAUNCHES];
	double nulls[PERF_LAUNCHES];
	double ns[TWINS][PERF_LAUNCHES];
	double reference[PERF_LAUNCHES];
	double quickest;
	long long start;
	struct perf_raw raw;
};

/**
 * perf_study - launch until there is an answer, or no time
 * @s: with everything set that is not a result
 *
 * Returns 0 or a negative errno.
 */
int perf_study(struct perf_study *s);

/**
 * perf_profile - only do the operations, for somebody who samples them
 * @s: as for perf_study()
 *
 * Returns 0 or a negative errno; -ETIMEDOUT when perf does not answer.
 */
int perf_profile(struct perf_study *s);

#endif /* LIB_PERF_IMPL_H */
