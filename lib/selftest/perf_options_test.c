// SPDX-License-Identifier: GPL-2.0
/*
 * Are the options of measurements understood, and nonsense refused?
 *
 * Promises: perf.h.
 * Needs:    nothing.
 */
#include <errno.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "perf.h"

FIXTURE(option)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(option)
{
	const char *limit;
	int ret;
	int percent;
};

FIXTURE_SETUP(option)
{
}

FIXTURE_TEARDOWN(option)
{
}

/* clang-format off */
FIXTURE_VARIANT_ADD(option, ratio)         { "1.02",           0,   2 };
FIXTURE_VARIANT_ADD(option, percent)       { "+3%",            0,   3 };
FIXTURE_VARIANT_ADD(option, of_this_row)   { "a=1.5,b=+7%",    0,   7 };
FIXTURE_VARIANT_ADD(option, of_other_rows) { "a=1.5,bb=+7%",   0, -100 };
FIXTURE_VARIANT_ADD(option, last_counts)   { "+2%,b=+9%",      0,   9 };
FIXTURE_VARIANT_ADD(option, pattern)       { "b*=+4%",         0,   4 };
FIXTURE_VARIANT_ADD(option, other_pattern) { "+2%,a*=+9%",     0,   2 };
FIXTURE_VARIANT_ADD(option, no_number)     { "b=much",   -EINVAL,   0 };
FIXTURE_VARIANT_ADD(option, no_value)      { "b=",       -EINVAL,   0 };
FIXTURE_VARIANT_ADD(option, negative)      { "-1",       -EINVAL,   0 };
FIXTURE_VARIANT_ADD(option, trailing)      { "1.5x",     -EINVAL,   0 };
/* clang-format on */

TEST_F(option, limit_is_read)
{
	struct perf_options o;
	int ret;

	clearenv();
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_LIMIT", variant->limit, 1));
	ret = perf_options_read(&o, "b");
	EXPECT_EQ(variant->ret, ret);
	if (!ret)
		EXPECT_EQ(variant->percent, (int)(o.limit * 100 + 0.5) - 100);
}

TEST(nothing_set_means_the_row_decides)
{
	struct perf_options o;

	clearenv();
	ASSERT_EQ(0, perf_options_read(&o, "b"));
	EXPECT_EQ(1, o.limit == 0);
	EXPECT_EQ(1, o.inject == 0);
	EXPECT_EQ(0, o.null);
	EXPECT_EQ(-1, o.cpu);
	EXPECT_EQ(NULL, o.raw);
	EXPECT_EQ(NULL, o.report_only);
	EXPECT_LT(0, o.budget_ms);
}

TEST(numbers_are_read)
{
	struct perf_options o;

	clearenv();
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_NULL", "1", 1));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_INJECT", "12.5", 1));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_BUDGET_MS", "700", 1));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_CPU", "1", 1));
	ASSERT_EQ(0, setenv("KSFT_MACHINE_SLOW", "yes", 1));
	ASSERT_EQ(0, perf_options_read(&o, "b"));
	EXPECT_EQ(1, o.null);
	EXPECT_EQ(125, (int)(o.inject * 10));
	EXPECT_EQ(700, o.budget_ms);
	EXPECT_EQ(1, o.cpu);
	EXPECT_STREQ("slow-machine", o.report_only);
}

TEST(profile_is_read)
{
	struct perf_options o;

	clearenv();
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_PROFILE", "5000", 1));
	ASSERT_EQ(0, perf_options_read(&o, "b"));
	EXPECT_EQ(5000, o.profile);
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_PROFILE", "elsewhere", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_PROFILE", "-1", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_PROFILE", "0", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
}

TEST(nonsense_is_refused)
{
	struct perf_options o;

	clearenv();
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_INJECT", "-5", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_INJECT", "ten", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
	ASSERT_EQ(0, unsetenv("SELFTESTS_PERF_INJECT"));
	ASSERT_EQ(0, setenv("SELFTESTS_PERF_BUDGET_MS", "0", 1));
	EXPECT_EQ(-EINVAL, perf_options_read(&o, "b"));
}

TEST_HARNESS_MAIN
