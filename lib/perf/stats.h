/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics that need no assumption about the shape of the noise: medians,
 * and intervals for them from order statistics.
 *
 * The rank-th smallest and rank-th largest of n independent values enclose the
 * median of what they were drawn from, unless fewer than rank values fall on
 * one side of it.  Each value falls on either side with probability 1/2, so
 * that chance is a binomial tail: exact for every distribution.
 */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include <stddef.h>

/* More values than this are never needed; 0.5^n must stay a normal number. */
#define STAT_MAX 1000

/**
 * stat_sort - sort numbers, smallest first
 * @v: the numbers
 * @n: how many
 */
void stat_sort(double *v, size_t n);

/**
 * stat_median - the middle of sorted numbers
 * @v: the numbers, sorted
 * @n: how many, at least 1
 *
 * Returns the middle one, or the mean of the middle two.
 */
double stat_median(const double *v, size_t n);

/**
 * stat_tail - chance of at most @k heads in @n tosses of a fair coin
 * @n: 1..STAT_MAX
 * @k: negative: the chance is 0
 */
double stat_tail(int n, int k);

/**
 * stat_rank - which order statistics enclose the median
 * @n: how many values, up to STAT_MAX
 * @error: largest allowed chance that they do not, e.g. 0.05
 *
 * Returns the largest rank (1: smallest and largest value) whose interval
 * fails with a chance of at most @error, or 0 when @n is too small for that.
 */
int stat_rank(int n, double error);

/*
 * struct stat_look - one of the moments at which a decision may be taken
 * @n:    after so many values
 * @rank: the interval to use then
 */
struct stat_look {
	int n;
	int rank;
};

/*
 * Looking again and again until the answer pleases makes any test lie.  These
 * are the only looks; the chances of a wrong "above" at each, with the true
 * median exactly on the limit, are 1.56 %, 0.32 % and 0.59 %, so together at
 * most STAT_WRONG.  The same holds for a wrong "below".
 */
#define STAT_LOOKS 3
#define STAT_WRONG 0.025
extern const struct stat_look stat_looks[STAT_LOOKS];

/**
 * stat_side - on which side of a limit is the median?
 * @v: values, sorted
 * @n: how many
 * @rank: of the interval to use, see stat_rank()
 * @limit: the limit
 *
 * Returns 1 when the whole interval is above @limit, -1 when the whole
 * interval is below it, else 0.
 */
int stat_side(const double *v, int n, int rank, double limit);

#endif /* LIB_STATS_H */
