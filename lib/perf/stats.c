// SPDX-License-Identifier: GPL-2.0
/* Medians and their intervals; see stats.h. */
#include <stdlib.h>

#include "stats.h"

const struct stat_look stat_looks[STAT_LOOKS] = {
	{ 6, 1 },
	{ 12, 2 },
	{ 20, 5 },
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

void stat_sort(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
}

double stat_median(const double *v, size_t n)
{
	if (n % 2)
		return v[n / 2];
	return (v[n / 2 - 1] + v[n / 2]) / 2;
}

double stat_tail(int n, int k)
{
	double term = 1, sum = 0;
	int i;

	for (i = 0; i < n; i++)
		term /= 2;
	for (i = 0; i <= k && i <= n; i++) {
		sum += term;
		term = term * (n - i) / (i + 1);
	}
	return sum;
}

int stat_rank(int n, double error)
{
	int rank = 0;

	while (rank < n / 2 && 2 * stat_tail(n, rank) <= error)
		rank++;
	return rank;
}

int stat_side(const double *v, int n, int rank, double limit)
{
	if (v[rank - 1] > limit)
		return 1;
	if (v[n - rank] < limit)
		return -1;
	return 0;
}
