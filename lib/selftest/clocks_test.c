// SPDX-License-Identifier: GPL-2.0
/*
 * Do the clock readers read what they say, and is the vDSO found?
 *
 * Promises: clocks.h, vdso.h; clock_getres(2).
 * Needs:    nothing.
 */
#include "clocks.h"
#include "expect.h"
#include "vdso.h"

/* clang-format off */
FIXTURE(clock) { };
/* clang-format on */

FIXTURE_VARIANT(clock)
{
	enum clock_path path;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(clock, libc)    { CLOCK_BY_LIBC };
FIXTURE_VARIANT_ADD(clock, syscall) { CLOCK_BY_SYSCALL };
FIXTURE_VARIANT_ADD(clock, vdso)    { CLOCK_BY_VDSO };
/* clang-format on */

FIXTURE_SETUP(clock)
{
}

FIXTURE_TEARDOWN(clock)
{
}

TEST_F(clock, all_paths_read_the_same_clock)
{
	int64_t low, x, high;
	int i;

	if (variant->path == CLOCK_BY_VDSO && !vdso_find("clock_gettime"))
		SKIP(return, NEEDS_VDSO);
	for (i = 0; i < clock_row_count; i++) {
		low = clock_ns(clock_rows[i].id);
		x = clock_ns_by(clock_rows[i].id, variant->path);
		high = clock_ns(clock_rows[i].id);
		expect_between(_metadata, clock_rows[i].name, low, x, high);
	}
}

TEST(nanoseconds_carry_both_ways)
{
	struct timespec ts = ns_timespec(-1);

	EXPECT_EQ(-1, ts.tv_sec);
	EXPECT_EQ(NSEC_PER_SEC - 1, ts.tv_nsec);
	EXPECT_EQ(-1, timespec_ns(&ts));
	ts = ns_timespec(2 * NSEC_PER_SEC);
	EXPECT_EQ(2, ts.tv_sec);
	EXPECT_EQ(0, ts.tv_nsec);
}

TEST(a_function_the_vdso_lacks_is_not_found)
{
	EXPECT_EQ(NULL, vdso_find("no_such_function"));
}

TEST_HARNESS_MAIN
