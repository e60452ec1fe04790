// SPDX-License-Identifier: GPL-2.0
/* From launches to a verdict; see perf.h. */
#include <string.h>

#include "perf_impl.h"
#include "stats.h"

/* After so many launches comes one of a twin against its like. */
#define NULL_EVERY 3

/* A launch that does not get clear of the limit says that, too. */
#define LAUNCH_NS 250000000LL

/*
 * Of what takes long there are only so many pairs that they take this time,
 * but always as many as the median needs to ignore one; more where others get
 * in the way.
 */
#define PAIRS_NS 60000000LL
#define FEWEST_PAIRS 3

static void set_limit(struct perf_study *s)
{
	double limit = s->row->limit;

	if (s->o->limit > 0)
		limit = s->o->limit;
	else
		limit += s->row->slack * s->gauge.loop / s->gauge.outside;
	s->res->limit = limit;
	s->res->batch = s->gauge.batch;
	s->res->loop = s->gauge.loop;
	s->res->subtracted = s->gauge.minus > 0;
}

static int most_pairs(const struct perf_study *s)
{
	double most = s->row->wide ? LAUNCH_NS : PAIRS_NS;
	double pairs = most / (TWINS * s->gauge.outside * s->gauge.batch);
	int limit = PERF_PAIRS;

	if (s->o->pairs && s->o->pairs < limit)
		limit = s->o->pairs;
	if (pairs >= limit)
		return limit;
	return pairs > FEWEST_PAIRS ? pairs : FEWEST_PAIRS;
}

static int run_launch(struct perf_study *s, int null)
{
	long long deadline = perf_now() + LAUNCH_NS;
	double limit = null || s->o->pairs ? 0 : s->res->limit;
	int most = null ? s->launch.pairs : most_pairs(s);

	return perf_launch(&s->twins, &s->gauge, limit, most, deadline,
			   &s->launch);
}

static int measure(struct perf_study *s, int null)
{
	int first = s->res->launches % 2;
	int ret;

	s->twins.inside = !null && !s->o->null;
	s->twins.inject = null ? 0 : s->o->inject;
	ret = twins_start(&s->twins, first ? INSIDE : OUTSIDE);
	if (!ret && !s->res->batch) {
		ret = perf_gauge(&s->twins, &s->gauge);
		set_limit(s);
	}
	if (!ret)
		ret = run_launch(s, null);
	/* After an error a twin may be stuck; our end will be its end. */
	if (ret)
		return ret;
	twins_stop(&s->twins);
	return perf_raw_write(&s->raw, s->res->launches, null, &s->launch);
}

static int launch(struct perf_study *s)
{
	int k = s->res->launches;
	double took = perf_now();
	int who, ret;

	ret = measure(s, 0);
	if (ret)
		return ret;
	took = perf_now() - took;
	if (!k || took < s->quickest)
		s->quickest = took;
	s->medians[k] = s->launch.median;
	for (who = 0; who < TWINS; who++)
		s->ns[who][k] = s->launch.typical[who];
	s->reference[k] = s->launch.reference;
	s->res->launches++;
	s->res->pairs += s->launch.pairs;
	return 0;
}

static double median_of(const double *v, int n)
{
	double sorted[PERF_LAUNCHES];

	memcpy(sorted, v, n * sizeof(*v));
	stat_sort(sorted, n);
	return stat_median(sorted, n);
}

/* What this machine cannot tell apart now. */
static int null_launch(struct perf_study *s)
{
	double m;
	int ret;

	ret = measure(s, 1);
	if (ret)
		return ret;
	m = s->launch.median;
	s->nulls[s->res->nulls++] = m > 1 ? m - 1 : 1 / m - 1;
	s->res->spread = median_of(s->nulls, s->res->nulls);
	return 0;
}

static void sum_up(struct perf_study *s, int rank)
{
	struct perf_result *res = s->res;
	double sorted[PERF_LAUNCHES];
	int n = res->launches;

	if (!n)
		return;
	memcpy(sorted, s->medians, sizeof(sorted));
	stat_sort(sorted, n);
	res->ratio = stat_median(sorted, n);
	res->lo = sorted[rank - 1];
	res->hi = sorted[n - rank];
	res->outside = median_of(s->ns[OUTSIDE], n);
	res->inside = median_of(s->ns[INSIDE], n);
	res->reference = median_of(s->reference, n);
}

/* Returns whether that is an answer. */
static int decide(struct perf_study *s, int rank)
{
	struct perf_result *res = s->res;

	sum_up(s, rank);
	res->verdict = PERF_UNSURE;
	res->reason = "near-limit";
	if (res->lo / (1 + res->spread) > res->limit)
		res->verdict = PERF_OVER;
	else if (res->hi * (1 + res->spread) < res->limit)
		res->verdict = PERF_WITHIN;
	if (res->verdict != PERF_UNSURE)
		res->reason = NULL;
	return res->verdict != PERF_UNSURE;
}

/*
 * Nor is time spent on what cannot become an answer any more.  One launch does
 * not tell: it may have been kept from work.
 */
static int out_of_time(const struct perf_study *s, int next_look)
{
	int weight = s->row->weight ? s->row->weight : 1;
	double spent = perf_now() - s->start;

	if (s->res->launches > 1)
		spent += s->quickest * (next_look - s->res->launches - 1);
	return spent > weight * s->o->budget_ms * 1e6;
}

/* As few launches as give an answer, looked at only when stats.h allows. */
int perf_study(struct perf_study *s)
{
	int i, ret;

	for (i = 0; i < STAT_LOOKS; i++) {
		while (s->res->launches < stat_looks[i].n) {
			if (out_of_time(s, stat_looks[i].n)) {
				sum_up(s, 1);
				s->res->verdict = PERF_UNSURE;
				s->res->reason = "out-of-time";
				return 0;
			}
			ret = launch(s);
			if (!ret && s->res->launches % NULL_EVERY == 0)
				ret = null_launch(s);
			if (ret)
				return ret;
		}
		/* Where there will be no verdict one look is enough. */
		if (decide(s, stat_looks[i].rank) || s->o->report_only)
			return 0;
	}
	return 0;
}
