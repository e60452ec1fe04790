// SPDX-License-Identifier: GPL-2.0
/*
 * Do the statistics give the answers that are known?
 *
 * Promises: stats.h.
 * Needs:    nothing.
 */
#include <math.h>
#include <string.h>

#include "kselftest_harness.h"
#include "stats.h"

static int near(double want, double got)
{
	return fabs(want - got) <= 0.000000001 * fabs(want);
}

TEST(median_is_the_middle)
{
	double odd[] = { 9, 1, 5 };
	double even[] = { 4, 1, 3, 2 };
	double one[] = { 7 };

	stat_sort(odd, 3);
	stat_sort(even, 4);
	EXPECT_EQ(1, near(5, stat_median(odd, 3)));
	EXPECT_EQ(1, near(2.5, stat_median(even, 4)));
	EXPECT_EQ(1, near(7, stat_median(one, 1)));
}

TEST(tail_is_the_binomial_one)
{
	EXPECT_EQ(1, near(1.0 / 64, stat_tail(6, 0)));
	EXPECT_EQ(1, near(56.0 / 1024, stat_tail(10, 2)));
	EXPECT_EQ(1, near(1, stat_tail(10, 10)));
	EXPECT_EQ(1, near(0.5, stat_tail(STAT_MAX - 1, STAT_MAX / 2 - 1)));
	EXPECT_EQ(1, stat_tail(10, -1) == 0);
}

FIXTURE(rank)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(rank)
{
	int n;
	double error;
	int rank;
};

FIXTURE_SETUP(rank)
{
}

FIXTURE_TEARDOWN(rank)
{
}

/*
 * From tables of the sign test (critical value plus one); for 1000 from the
 * normal approximation, 500.5 - 1.96 * sqrt(1000) / 2.
 */
/* clang-format off */
FIXTURE_VARIANT_ADD(rank, too_few)       {    5, 0.05,   0 };
FIXTURE_VARIANT_ADD(rank, just_enough)   {    6, 0.05,   1 };
FIXTURE_VARIANT_ADD(rank, ten)           {   10, 0.05,   2 };
FIXTURE_VARIANT_ADD(rank, twenty)        {   20, 0.05,   6 };
FIXTURE_VARIANT_ADD(rank, twenty_strict) {   20, 0.01,   4 };
FIXTURE_VARIANT_ADD(rank, hundred)       {  100, 0.05,  40 };
FIXTURE_VARIANT_ADD(rank, thousand)      { 1000, 0.05, 469 };
/* clang-format on */

TEST_F(rank, encloses_the_median_often_enough)
{
	EXPECT_EQ(variant->rank, stat_rank(variant->n, variant->error));
}

TEST(side_needs_the_whole_interval)
{
	double v[] = { 1, 2, 3, 4, 5, 6 };

	EXPECT_EQ(1, stat_side(v, 6, 1, 0.5));
	EXPECT_EQ(0, stat_side(v, 6, 1, 1));
	EXPECT_EQ(0, stat_side(v, 6, 1, 6));
	EXPECT_EQ(-1, stat_side(v, 6, 1, 6.5));
	EXPECT_EQ(1, stat_side(v, 6, 2, 1.5));
	EXPECT_EQ(-1, stat_side(v, 6, 2, 5.5));
}

/*
 * Exact: the chance that the looks say "above" when each value is above the
 * limit with chance @p, by following all paths through the looks.
 */
static double chance_of_above(double p)
{
	double at[32] = { 1 }, said = 0;
	int n = 0, look, i;

	for (look = 0; look < STAT_LOOKS; look++) {
		for (; n < stat_looks[look].n; n++) {
			for (i = n + 1; i > 0; i--)
				at[i] = at[i] * p + at[i - 1] * (1 - p);
			at[0] *= p;
		}
		/* at[i]: i of n are below, nothing was said so far */
		for (i = 0; i <= n; i++) {
			if (i < stat_looks[look].rank)
				said += at[i];
			if (i < stat_looks[look].rank ||
			    n - i < stat_looks[look].rank)
				at[i] = 0;
		}
	}
	return said;
}

TEST(looks_seldom_say_above_of_what_is_on_the_limit)
{
	EXPECT_EQ(1, chance_of_above(0.5) <= STAT_WRONG);
	EXPECT_EQ(1, chance_of_above(0.5) > STAT_WRONG / 2);
}

TEST(looks_hardly_ever_say_above_of_what_is_below)
{
	EXPECT_EQ(1, chance_of_above(0.25) < 0.0003);
	EXPECT_EQ(1, chance_of_above(0.1) < 0.000002);
}

TEST(looks_find_what_is_above)
{
	EXPECT_EQ(1, chance_of_above(0.9) > 0.95);
	EXPECT_EQ(1, chance_of_above(0.99) > 0.9999);
}

/* xorshift32: the same numbers in each run */
static double noise(unsigned int *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed / 4294967296.0;
}

/* Values with a long tail upwards, like times, and median 1. */
static int says_above(unsigned int *seed)
{
	double v[32], sorted[32];
	int n = 0, look, side;

	for (look = 0; look < STAT_LOOKS; look++) {
		for (; n < stat_looks[look].n; n++)
			v[n] = 0.5 / (1 - noise(seed));
		memcpy(sorted, v, sizeof(v));
		stat_sort(sorted, n);
		side = stat_side(sorted, n, stat_looks[look].rank, 1);
		if (side)
			return side > 0;
	}
	return 0;
}

TEST(looks_do_what_was_computed)
{
	const int runs = 20000;
	unsigned int seed = 1;
	double share;
	int i, above = 0;

	for (i = 0; i < runs; i++)
		above += says_above(&seed);
	share = (double)above / runs;
	/* four standard deviations of 20000 throws; the seed is fixed anyway */
	EXPECT_EQ(1, fabs(share - chance_of_above(0.5)) < 0.0044);
}

TEST_HARNESS_MAIN
