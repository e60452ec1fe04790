// SPDX-License-Identifier: GPL-2.0
/* One launch: calibrate, warm up, take pairs until they say enough. */
#include <string.h>

#include "perf_impl.h"
#include "stats.h"

/*
 * The first moment to look at the pairs; the next ones are at twice as many.
 * Where a launch stops does not decide anything but the place of its median.
 */
#define FIRST_LOOK 32
#define LAUNCH_ERROR 0.01

/* With fewer pairs than this, one of the two medians could not ignore any. */
#define TWO_MEDIANS 6

/* What takes so long warms itself up, and is not disturbed for the most of it. */
#define LONG_NS 5000000

/* A loop that costs less than this part of the operation is not subtracted. */
#define LOOP_COUNTS 0.02

/* Warm when so many batches in a row set no record by more than a hundredth. */
#define WARM_QUIET 3
#define WARM_MOST 30
#define WARM_RECORD 0.99

/*
 * The quickest of three: what disturbs only makes longer.  An operation that
 * takes long is alone in its batch, whatever this says.
 */
static long long quickest(struct twins *t, int who, enum twin_task task,
			  unsigned long n)
{
	long long best = 0, ns;
	int i;

	for (i = 0; i < 3 && best < LONG_NS; i++) {
		ns = twin_run(t, who, task, n);
		if (ns < 0)
			return ns;
		if (!i || ns < best)
			best = ns;
	}
	return best;
}

int perf_gauge(struct twins *t, struct perf_gauge *g)
{
	long long ns, loop;

	*g = (struct perf_gauge){ .batch = 1 };
	for (;;) {
		ns = quickest(t, OUTSIDE, TWIN_RUN, g->batch);
		if (ns < 0)
			return ns;
		if (ns >= PERF_BATCH_NS / 2)
			break;
		g->batch *= ns < PERF_BATCH_NS / 20 ? 8 : 2;
	}
	g->outside = (double)ns / g->batch;
	g->batch = PERF_BATCH_NS / g->outside;
	if (!g->batch)
		g->batch = 1;
	loop = quickest(t, OUTSIDE, TWIN_EMPTY, PERF_BATCH_NS);
	if (loop < 0)
		return loop;
	g->loop = (double)loop / PERF_BATCH_NS;
	if (g->loop > g->outside * LOOP_COUNTS)
		g->minus = g->loop;
	g->outside -= g->minus;
	return 0;
}

/*
 * Work without a kernel, between the pairs: how fast is this CPU now?  Before
 * an even pair, where the twin that does it comes twice in a row anyway.
 */
#define REFERENCE_EVERY 4
#define REFERENCE_STEPS 20000

static int take_reference(struct twins *t, const struct perf_launch *l,
			  double *reference)
{
	long long ns;

	if (l->pairs % REFERENCE_EVERY)
		return 0;
	ns = twin_run(t, OUTSIDE, TWIN_REFERENCE, REFERENCE_STEPS);
	if (ns < 0)
		return ns;
	reference[l->pairs / REFERENCE_EVERY] = (double)ns / REFERENCE_STEPS;
	return 0;
}

static int warm_up(struct twins *t, int who, unsigned long n)
{
	long long best = 0, ns;
	int i, quiet = 0;

	for (i = 0; i < WARM_MOST && quiet < WARM_QUIET; i++) {
		ns = twin_run(t, who, TWIN_RUN, n);
		if (ns < 0)
			return ns;
		quiet++;
		if (!i || ns < best * WARM_RECORD)
			quiet = 0;
		if (!i || ns < best)
			best = ns;
		if (best >= LONG_NS)
			break;
	}
	return 0;
}

static int pair(struct twins *t, const struct perf_gauge *g,
		struct perf_launch *l)
{
	int first = l->pairs % 2 ? INSIDE : OUTSIDE;
	int who, i;
	long long ns;
	double each;

	for (i = 0; i < TWINS; i++) {
		who = i ? !first : first;
		ns = twin_run(t, who, TWIN_RUN, g->batch);
		if (ns < 0)
			return ns;
		each = (double)ns / g->batch - g->minus;
		/* A clock that stood still must not become a division by 0. */
		l->ns[who][l->pairs] = each > 0.001 ? each : 0.001;
	}
	l->pairs++;
	return 0;
}

static double median_of(const double *v, int n)
{
	double sorted[PERF_PAIRS];

	memcpy(sorted, v, n * sizeof(*v));
	stat_sort(sorted, n);
	return stat_median(sorted, n);
}

/* Ratios of every @step-th pair from @from on, sorted; returns how many. */
static int ratios(const struct perf_launch *l, int from, int step, double *r)
{
	int i, n = 0;

	for (i = from; i < l->pairs; i += step)
		r[n++] = l->ns[INSIDE][i] / l->ns[OUTSIDE][i];
	stat_sort(r, n);
	return n;
}

/*
 * In AB BA AB BA... each twin works twice in a row, and the second time finds
 * more of its memory in the caches.  So an operation that uses much memory has
 * ratios of two kinds, above and below the truth, and the median of all would
 * be one or the other.  The truth is between the medians of both, in the middle
 * on the scale of ratios; one step of Newton's is a good enough root.
 */
static double launch_median(const struct perf_launch *l)
{
	double r[PERF_PAIRS], a, b, middle;

	if (l->pairs < TWO_MEDIANS)
		return stat_median(r, ratios(l, 0, 1, r));
	a = stat_median(r, ratios(l, 0, 2, r));
	b = stat_median(r, ratios(l, 1, 2, r));
	middle = (a + b) / 2;
	return (middle + a * b / middle) / 2;
}

/* Returns whether the pairs so far are clear of the limit. */
static int look(struct perf_launch *l, double limit)
{
	double r[PERF_PAIRS];
	int n = ratios(l, 0, 1, r);

	l->median = launch_median(l);
	return limit > 0 && stat_side(r, n, stat_rank(n, LAUNCH_ERROR), limit);
}

static int take_pairs(struct twins *t, const struct perf_gauge *g, double limit,
		      int most, long long deadline, double *reference,
		      struct perf_launch *l)
{
	int next = FIRST_LOOK;
	int ret = 0;

	while (!ret && l->pairs < most) {
		ret = take_reference(t, l, reference);
		if (!ret)
			ret = pair(t, g, l);
		if (l->pairs < next)
			continue;
		if (look(l, limit) || perf_now() > deadline)
			return ret;
		next *= 2;
	}
	if (!ret)
		look(l, 0);
	return ret;
}

int perf_launch(struct twins *t, const struct perf_gauge *g, double limit,
		int most, long long deadline, struct perf_launch *l)
{
	double reference[PERF_PAIRS / REFERENCE_EVERY];
	int who, ret;

	l->pairs = 0;
	ret = warm_up(t, OUTSIDE, g->batch);
	if (!ret)
		ret = warm_up(t, INSIDE, g->batch);
	if (!ret)
		ret = take_pairs(t, g, limit, most, deadline, reference, l);
	if (ret)
		return ret;
	for (who = 0; who < TWINS; who++)
		l->typical[who] = median_of(l->ns[who], l->pairs);
	l->reference =
		median_of(reference, (l->pairs - 1) / REFERENCE_EVERY + 1);
	return 0;
}
