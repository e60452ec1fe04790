// SPDX-License-Identifier: GPL-2.0
/*
 * Are the parameters of workloads understood, and nonsense refused?
 *
 * Promises: perf_params.h.
 * Needs:    nothing.
 */
#include <errno.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "perf_params.h"

#define VARIABLE "SELFTESTS_PARAMS"

FIXTURE(param)
{
	struct perf_param p[3];
};

FIXTURE_VARIANT(param)
{
	const char *text;
	int ret;
	int size, threads;
	const char *name;
};

FIXTURE_SETUP(param)
{
	self->p[0] = (struct perf_param){ 's', 64, 1000, 0 };
	self->p[1] = (struct perf_param){ 't', 2, 8, 0 };
	self->p[2] = (struct perf_param){ 0, 0, 0, 0 };
}

FIXTURE_TEARDOWN(param)
{
}

/* clang-format off */
FIXTURE_VARIANT_ADD(param, none)       { "",            0,  64, 2, "x" };
FIXTURE_VARIANT_ADD(param, one)        { "-s 10",       1,  10, 2, "x.s10" };
FIXTURE_VARIANT_ADD(param, both)       { " -t 8 -s 10", 2,  10, 8, "x.s10-t8" };
FIXTURE_VARIANT_ADD(param, joined)     { "-s10 -t3 ",   2,  10, 3, "x.s10-t3" };
FIXTURE_VARIANT_ADD(param, twice)      { "-s 10 -s 20", 1,  20, 2, "x.s20" };
FIXTURE_VARIANT_ADD(param, most)       { "-s 1000",     1, 1000, 2, "x.s1000" };
FIXTURE_VARIANT_ADD(param, too_much)   { "-s 1001",     -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, zero)       { "-s 0",        -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, negative)   { "-s -1",       -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, unknown)    { "-x 1",        -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, no_number)  { "-s",          -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, no_option)  { "10",          -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, trailing)   { "-s 10k",      -EINVAL, 0, 0, "" };
FIXTURE_VARIANT_ADD(param, huge)
	{ "-s 99999999999999999999", -EINVAL, 0, 0, "" };
/* clang-format on */

TEST_F(param, is_read)
{
	char name[64];

	ASSERT_EQ(0, setenv(VARIABLE, variant->text, 1));
	ASSERT_EQ(variant->ret, perf_params_read(self->p, VARIABLE));
	if (variant->ret < 0)
		return;
	EXPECT_EQ(variant->size, perf_param(self->p, 's'));
	EXPECT_EQ(variant->threads, perf_param(self->p, 't'));
	perf_params_name(self->p, "x", name, sizeof(name));
	EXPECT_STREQ(variant->name, name);
}

TEST_HARNESS_MAIN
