// SPDX-License-Identifier: GPL-2.0
/*
 * Which texts the timens_offsets file takes, what they mean, and how it shows
 * them again.
 *
 * Promises: time_namespaces(7), "/proc/PID/timens_offsets": the records and
 *           EINVAL, ERANGE; fs/proc/base.c:timens_offsets_write;
 *           kernel/time/namespace.c:proc_timens_set_offset, show_offset.
 * Guards:   06aba58e5849 ("time/namespace: Validate nanosecond field in
 *           proc_timens_set_offset()"), v7.3.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "procfs.h"
#include "witness.h"

#define SELF "/proc/self/timens_offsets"

/* What is there before each row, so that a refused text can be told by it. */
/* clang-format off */
#define KEPT { 100 * NSEC_PER_SEC + 1, 200 * NSEC_PER_SEC + 2 }
/* clang-format on */

FIXTURE(text)
{
	const char *missing;
};

/*
 * @want: 0 when all is taken, a count of bytes when less is, or the errno
 * @left: the offsets afterwards
 */
FIXTURE_VARIANT(text)
{
	const char *text;
	int want;
	struct offsets left;
};

/* clang-format off */
#define MONO(sec, nsec) \
	{ (sec) * NSEC_PER_SEC + (nsec), 200 * NSEC_PER_SEC + 2 }
#define BOOT(sec, nsec) \
	{ 100 * NSEC_PER_SEC + 1, (sec) * NSEC_PER_SEC + (nsec) }
#define BOTH(mono, boot) \
	{ (mono) * NSEC_PER_SEC, (boot) * NSEC_PER_SEC }

/* clocks: by name or number, the two that can be moved */
FIXTURE_VARIANT_ADD(text, monotonic_by_name)    { "monotonic 5 0\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, monotonic_by_number)  { "1 5 0\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, boottime_by_name)     { "boottime 5 0\n", 0, BOOT(5, 0) };
FIXTURE_VARIANT_ADD(text, boottime_by_number)   { "7 5 0\n", 0, BOOT(5, 0) };
FIXTURE_VARIANT_ADD(text, both_clocks)          { "monotonic 5 0\nboottime 6 0\n", 0, BOTH(5, 6) };
FIXTURE_VARIANT_ADD(text, both_other_order)     { "boottime 6 0\nmonotonic 5 0\n", 0, BOTH(5, 6) };
FIXTURE_VARIANT_ADD(text, both_by_number)       { "7 6 0\n1 5 0\n", 0, BOTH(5, 6) };
FIXTURE_VARIANT_ADD(text, same_clock_last_wins) { "monotonic 4 0\nmonotonic 5 0\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, third_line_left)      { "1 4 0\n7 6 0\n1 9 0\n", 12, BOTH(4, 6) };
FIXTURE_VARIANT_ADD(text, bad_third_line)       { "1 4 0\n7 6 0\nnonsense\n", 12, BOTH(4, 6) };
FIXTURE_VARIANT_ADD(text, realtime)             { "realtime 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, realtime_by_number)   { "0 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, cpu_by_number)        { "2 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, raw_by_number)        { "4 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, coarse_by_number)     { "6 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, alarm_by_number)      { "9 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, tai)                  { "tai 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, tai_by_number)        { "11 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, minus_one)            { "-1 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, upper_case)           { "MONOTONIC 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, header_name)          { "CLOCK_MONOTONIC 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, monotonic_raw)        { "monotonic_raw 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, boottime_alarm)       { "boottime_alarm 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, name_cut_short)       { "mono 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, number_with_zero)     { "01 5 0\n", -EINVAL, KEPT };

/* seconds: signed */
FIXTURE_VARIANT_ADD(text, zero)                 { "monotonic 0 0\n", 0, MONO(0, 0) };
FIXTURE_VARIANT_ADD(text, ten_years)            { "7 315576000 0\n", 0, BOOT(315576000, 0) };
FIXTURE_VARIANT_ADD(text, negative)             { "monotonic -1 0\n", 0, MONO(-1, 0) };
FIXTURE_VARIANT_ADD(text, minus_1500_ms)        { "7 -2 500000000\n", 0, BOOT(-2, 500000000) };
FIXTURE_VARIANT_ADD(text, minus_500_ms)         { "1 -1 500000000\n", 0, MONO(-1, 500000000) };
FIXTURE_VARIANT_ADD(text, decimal_with_zeros)   { "monotonic 010 0\n", 0, MONO(10, 0) };
FIXTURE_VARIANT_ADD(text, plus_sign)            { "monotonic +5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, hexadecimal)          { "monotonic 0x5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, fraction)             { "monotonic 5.5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, exponent)             { "monotonic 1e3 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, two_minus_signs)      { "monotonic --5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, word_for_seconds)     { "monotonic now 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, most_seconds)         { "monotonic 9223372036 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, more_than_ktime)      { "monotonic 9223372037 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, less_than_ktime)      { "boottime -9223372037 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, largest_64_bits)      { "7 9223372036854775807 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, smallest_64_bits)     { "1 -9223372036854775808 0\n", -ERANGE, KEPT };

/* nanoseconds: 0 to 999999999, always counted forward */
FIXTURE_VARIANT_ADD(text, most_nsec)            { "1 5 999999999\n", 0, MONO(5, 999999999) };
FIXTURE_VARIANT_ADD(text, one_nsec)             { "boottime 5 1\n", 0, BOOT(5, 1) };
FIXTURE_VARIANT_ADD(text, a_second_of_nsec)     { "monotonic 5 1000000000\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, nsec_32_bits)         { "boottime 5 4294967296\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, negative_nsec)        { "monotonic 5 -1\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, nsec_64_bits)         { "1 5 18446744073709551615\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, no_nsec)              { "monotonic 5\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, word_for_nsec)        { "monotonic 5 x\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, plus_nsec)            { "monotonic 5 +1\n", -EINVAL, KEPT };

/* lines and blanks */
FIXTURE_VARIANT_ADD(text, no_newline)           { "monotonic 5 0", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, no_last_newline)      { "monotonic 5 0\nboottime 6 0", 0, BOTH(5, 6) };
FIXTURE_VARIANT_ADD(text, tabs)                 { "monotonic\t5\t0\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, many_blanks)          { "  monotonic   5   0", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, carriage_return)      { "monotonic 5 0\r\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, more_words)           { "monotonic 5 0 and more\n", 0, MONO(5, 0) };
FIXTURE_VARIANT_ADD(text, newline_only)         { "\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, blanks_only)          { "   ", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, clock_only)           { "monotonic\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, first_line_empty)     { "\nmonotonic 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, empty_line_between)   { "1 5 0\n\n7 6 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, empty_line_at_the_end) { "monotonic 5 0\n\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, comment)              { "# 5 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, commas)               { "monotonic,5,0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, two_in_one_line)      { "monotonic 5 0 boottime 6 0\n", 0, MONO(5, 0) };

/* all or nothing */
FIXTURE_VARIANT_ADD(text, second_line_malformed) { "monotonic 5 0\nnonsense\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, second_clock_refused) { "1 5 0\nrealtime 6 0\n", -EINVAL, KEPT };
FIXTURE_VARIANT_ADD(text, second_out_of_range)  { "1 5 0\n7 9223372036 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, second_would_go_back) { "7 5 0\n1 -9223372036 0\n", -ERANGE, KEPT };
FIXTURE_VARIANT_ADD(text, first_out_of_range)   { "1 9223372036 0\n7 5 0\n", -ERANGE, KEPT };
/* clang-format on */

/* No clock may become negative: right after boot there is no room for that. */
static bool too_early(const struct offsets *off)
{
	return initial_clock_ns(CLOCK_MONOTONIC) + off->monotonic < 0 ||
	       initial_clock_ns(CLOCK_BOOTTIME) + off->boottime < 0;
}

FIXTURE_SETUP(text)
{
	struct offsets before = KEPT;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (!self->missing && too_early(&variant->left))
		self->missing = NEEDS_UPTIME;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(&before));
}

FIXTURE_TEARDOWN(text)
{
}

TEST_F(text, means_what_it_should)
{
	size_t len = strlen(variant->text);
	struct offsets off;
	ssize_t ret;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	fd = open(SELF, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ret = write(fd, variant->text, len);
	if (ret < 0)
		ret = -errno;
	EXPECT_EQ(variant->want ? variant->want : (ssize_t)len, ret);
	EXPECT_EQ(0, offsets_get(PROC_SELF, &off));
	EXPECT_EQ(variant->left.monotonic, off.monotonic);
	EXPECT_EQ(variant->left.boottime, off.boottime);
	EXPECT_EQ(0, close(fd));
}

TEST_HARNESS_MAIN
