// SPDX-License-Identifier: GPL-2.0
/*
 * How far offsets may move a clock: not below zero, and not beyond half of
 * what the kernel's nanoseconds can hold.
 *
 * Promises: time_namespaces(7), "/proc/PID/timens_offsets", ERANGE;
 *           kernel/time/namespace.c:proc_timens_set_offset.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include "caps.h"
#include "procfs.h"
#include "witness_expect.h"

#define MSEC 1000000LL
/* The first value a moved clock may not have: past KTIME_SEC_MAX / 2 seconds */
#define END ((INT64_MAX / NSEC_PER_SEC / 2 + 1) * NSEC_PER_SEC)

/*
 * The limits count from the clock at the moment of the write, which is known
 * up to the time the write took.  An attempt that took too long to tell is
 * repeated; so many times only on a machine that stands still.
 */
#define ATTEMPTS 1000

FIXTURE(range)
{
	const char *missing;
};

/* @value: where the clock @id is to go, in nanoseconds; @want: 0 or errno */
FIXTURE_VARIANT(range)
{
	clockid_t id;
	int64_t value;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(range, monotonic_to_zero)      { CLOCK_MONOTONIC, 0, 0 };
FIXTURE_VARIANT_ADD(range, monotonic_a_ms_less)    { CLOCK_MONOTONIC, -MSEC, -ERANGE };
FIXTURE_VARIANT_ADD(range, monotonic_a_s_less)     { CLOCK_MONOTONIC, -NSEC_PER_SEC, -ERANGE };
FIXTURE_VARIANT_ADD(range, monotonic_below_the_end) { CLOCK_MONOTONIC, END - MSEC, 0 };
FIXTURE_VARIANT_ADD(range, monotonic_at_the_end)   { CLOCK_MONOTONIC, END, -ERANGE };
FIXTURE_VARIANT_ADD(range, monotonic_past_end)     { CLOCK_MONOTONIC, END + NSEC_PER_SEC, -ERANGE };
FIXTURE_VARIANT_ADD(range, boottime_to_zero)       { CLOCK_BOOTTIME, 0, 0 };
FIXTURE_VARIANT_ADD(range, boottime_a_ms_less)     { CLOCK_BOOTTIME, -MSEC, -ERANGE };
FIXTURE_VARIANT_ADD(range, boottime_a_s_less)      { CLOCK_BOOTTIME, -NSEC_PER_SEC, -ERANGE };
FIXTURE_VARIANT_ADD(range, boottime_below_the_end) { CLOCK_BOOTTIME, END - MSEC, 0 };
FIXTURE_VARIANT_ADD(range, boottime_at_the_end)    { CLOCK_BOOTTIME, END, -ERANGE };
FIXTURE_VARIANT_ADD(range, boottime_past_the_end)  { CLOCK_BOOTTIME, END + NSEC_PER_SEC, -ERANGE };
/* clang-format on */

FIXTURE_SETUP(range)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(range)
{
}

/* struct attempt - to move a clock, and where it went while that was tried */
struct attempt {
	clockid_t id;
	int64_t value;
	struct offsets own; /* of the caller's namespace */
	int64_t low;
	int64_t high;
};

static int move_clock(struct attempt *a)
{
	int64_t start = clock_ns(a->id) - offset_for(&a->own, a->id);
	struct timespec off = ns_timespec(a->value - start);
	char text[64];
	int ret;

	snprintf(text, sizeof(text), "%d %lld %ld\n", a->id,
		 (long long)off.tv_sec, off.tv_nsec);
	ret = offsets_write(PROC_SELF, text);
	a->low = a->value;
	a->high = a->value + clock_ns(a->id) -
		  (start + offset_for(&a->own, a->id));
	return ret;
}

/* Did the clock stay on one side of each limit for all of the write? */
static bool certain(const struct attempt *a)
{
	return a->high < 0 || a->low >= END || (a->low >= 0 && a->high < END);
}

static void try_to_move(struct child_report *rep, void *arg)
{
	struct attempt *a = arg;
	int i;

	CHILD_OK(rep, offsets_get(PROC_SELF, &a->own));
	CHILD_OK(rep, timens_unshare(NULL));
	for (i = 0; i < ATTEMPTS; i++) {
		rep->value[0] = move_clock(a);
		if (certain(a))
			return;
	}
	CHILD_EQ(rep, 1, certain(a));
}

TEST_F(range, is_kept)
{
	struct attempt a = { .id = variant->id, .value = variant->value };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, try_to_move, &a));
	expect_held(_metadata, &rep);
	EXPECT_EQ(variant->want, rep.value[0]);
}

TEST_HARNESS_MAIN
