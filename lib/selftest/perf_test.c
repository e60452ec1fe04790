// SPDX-License-Identifier: GPL-2.0
/*
 * Can the verdicts about costs be believed?
 *
 * Outside against outside must never be over, an injected slowdown always must
 * be; and nothing may be left of a measurement that was killed.
 *
 * Promises: perf.h.
 * Needs:    root or user namespaces for the one test inside a namespace.
 */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "expect.h"
#include "perf.h"
#include "perf_place.h"

static int read_clock(unsigned long n, struct perf_ctx *ctx)
{
	struct timespec t;
	int failed = 0;

	(void)ctx;
	while (n--)
		failed |= clock_gettime(CLOCK_MONOTONIC, &t);
	return failed ? -EINVAL : 0;
}

static int fork_and_wait(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;

	(void)ctx;
	while (n--) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return -ECHILD;
	}
	return 0;
}

/* So long that a launch has a handful of them. */
static int compute(unsigned long n, struct perf_ctx *ctx)
{
	long i;

	(void)ctx;
	while (n--) {
		for (i = 0; i < 20000000; i++)
			__asm__ volatile("");
	}
	return 0;
}

static int refuse(unsigned long n, struct perf_ctx *ctx)
{
	(void)n;
	(void)ctx;
	return -EPROTO;
}

static int die(unsigned long n, struct perf_ctx *ctx)
{
	(void)n;
	(void)ctx;
	_exit(0);
}

static int no_entrance(int generation, int inside)
{
	(void)generation;
	return inside ? -EXDEV : 0;
}

static const struct perf_place nowhere = { "nowhere", 0, 1, NULL };
static const struct perf_place closed = { "closed", 0, 1, no_entrance };

static const struct perf_row clock_row = {
	.name = "selftest.clock",
	.op = read_clock,
	.place = &nowhere,
	.limit = 1.05,
};

static const struct perf_row fork_row = {
	.name = "selftest.fork",
	.op = fork_and_wait,
	.place = &nowhere,
	.limit = 1.08,
};

static const struct perf_row long_row = {
	.name = "selftest.long",
	.op = compute,
	.place = &nowhere,
	.limit = 1.08,
};

FIXTURE(verdict)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(verdict)
{
	const struct perf_row *row;
	double inject;
	enum perf_verdict never;
	enum perf_verdict sometimes;
};

FIXTURE_SETUP(verdict)
{
}

FIXTURE_TEARDOWN(verdict)
{
}

/*
 * "sometimes" must be seen at least once: a method that is never sure would
 * pass otherwise.
 */
/* clang-format off */
FIXTURE_VARIANT_ADD(verdict, same_clock)   { &clock_row,  0, PERF_OVER,   PERF_WITHIN };
FIXTURE_VARIANT_ADD(verdict, same_fork)    { &fork_row,   0, PERF_OVER,   PERF_WITHIN };
FIXTURE_VARIANT_ADD(verdict, same_long)    { &long_row,   0, PERF_OVER,   PERF_WITHIN };
FIXTURE_VARIANT_ADD(verdict, slower_clock) { &clock_row, 20, PERF_WITHIN, PERF_OVER };
FIXTURE_VARIANT_ADD(verdict, slower_fork)  { &fork_row,  20, PERF_WITHIN, PERF_OVER };
FIXTURE_VARIANT_ADD(verdict, slower_long)   { &long_row,   20, PERF_WITHIN, PERF_OVER };
/* clang-format on */

/* Fewer on a machine where each takes longer, but never fewer than one. */
TEST_F(verdict, is_right)
{
	struct perf_options o = { .inject = variant->inject,
				  .budget_ms = 3000,
				  .cpu = -1 };
	struct perf_result res;
	int i, seen = 0, ms = 0;

	for (i = 0; i < 20 && ms < 3000; i++) {
		ASSERT_EQ(0, perf_compare(variant->row, &o, &res));
		ASSERT_EQ(NULL, res.missing);
		EXPECT_NE((int)variant->never, (int)res.verdict)
		TH_LOG("ratio %.4f [%.4f, %.4f], limit %.4f", res.ratio, res.lo,
		       res.hi, res.limit);
		seen += res.verdict == variant->sometimes;
		ms += res.ms;
	}
	EXPECT_LE(1, seen)
	TH_LOG("%d times without a verdict", i);
}

TEST(operation_that_fails_is_not_measured)
{
	struct perf_row row = { .name = "x", .op = refuse, .place = &nowhere };
	struct perf_options o = { .budget_ms = 1000, .cpu = -1 };
	struct perf_result res;

	EXPECT_EQ(-EPROTO, perf_compare(&row, &o, &res));
}

TEST(worker_that_ends_is_noticed)
{
	struct perf_row row = { .name = "x", .op = die, .place = &nowhere };
	struct perf_options o = { .budget_ms = 1000, .cpu = -1 };
	struct perf_result res;

	EXPECT_EQ(-ECHILD, perf_compare(&row, &o, &res));
}

TEST(place_that_cannot_be_entered_is_an_error)
{
	struct perf_row row = clock_row;
	struct perf_options o = { .budget_ms = 1000, .cpu = -1 };
	struct perf_result res;

	row.place = &closed;
	EXPECT_EQ(-EXDEV, perf_compare(&row, &o, &res));
	/* ... but not when nobody wants to go there */
	o.null = 1;
	EXPECT_EQ(0, perf_compare(&row, &o, &res));
}

TEST(budget_ends_a_measurement)
{
	struct perf_options o = { .budget_ms = 0, .cpu = -1 };
	struct perf_result res;

	EXPECT_EQ(0, perf_compare(&clock_row, &o, &res));
	EXPECT_EQ(1, res.verdict == PERF_UNSURE);
}

TEST(unfit_machine_gets_no_verdict)
{
	struct perf_options o = { .inject = 50,
				  .budget_ms = 3000,
				  .cpu = -1,
				  .report_only = "asked" };
	struct perf_result res;

	EXPECT_EQ(0, perf_compare(&clock_row, &o, &res));
	EXPECT_EQ(1, res.verdict == PERF_REPORT);
	EXPECT_LT(1, res.ratio);
}

static int tell_and_hang(unsigned long n, struct perf_ctx *ctx)
{
	(void)n;
	if (write(ctx->arg, "", 1) == 1)
		pause();
	return -EPIPE;
}

/*
 * Every process of a measurement inherits the pipe; its end is the end of the
 * last one.
 */
TEST(nothing_outlives_the_caller)
{
	struct perf_row row = { .name = "x",
				.op = tell_and_hang,
				.place = &perf_both };
	struct perf_options o = { .budget_ms = 1000, .cpu = -1 };
	struct perf_result res = { 0 };
	struct pollfd end = { .events = POLLIN };
	int fd[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(fd));
	row.arg = fd[1];
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		_exit(perf_compare(&row, &o, &res) || !res.missing);
	}
	ASSERT_LT(0, pid);
	close(fd[1]);
	end.fd = fd[0];
	ASSERT_EQ(1, poll(&end, 1, CHILD_DEADLINE_MS));
	if (read(fd[0], &c, 1) == 0)
		SKIP(return, NEEDS_USERNS);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(1, poll(&end, 1, CHILD_DEADLINE_MS));
	EXPECT_EQ(0, read(fd[0], &c, 1));
}

TEST_HARNESS_MAIN
