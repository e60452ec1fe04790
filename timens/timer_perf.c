// SPDX-License-Identifier: GPL-2.0
/*
 * What setting a timer or waiting for a moment costs in a time namespace,
 * where the moment has to be moved to the clock of the host.
 *
 * Promises: time_namespaces(7): absolute timers are relative to the clocks of
 *           the namespace (kernel/time/namespace.c:do_timens_ktime_to_host).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <linux/futex.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <time.h>

#include "perf_expect.h"
#include "perf_place.h"

/* A moment long past, in every time namespace. */
static const struct timespec past = { 1, 0 };

static int sleep_until_past(unsigned long n, struct perf_ctx *ctx)
{
	int failed = 0;

	while (n--)
		failed |= clock_nanosleep(ctx->arg, TIMER_ABSTIME, &past, NULL);
	return failed ? -EINVAL : 0;
}

static int wait_until_past(unsigned long n, struct perf_ctx *ctx)
{
	int word = 0;

	(void)ctx;
	while (n--) {
		if (syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &past, NULL,
			    FUTEX_BITSET_MATCH_ANY) != -1 ||
		    errno != ETIMEDOUT)
			return -EINVAL;
	}
	return 0;
}

/* An hour from now: never to expire here, far enough to count. */
static int in_an_hour(clockid_t id, struct itimerspec *spec)
{
	*spec = (struct itimerspec){ { 0, 0 }, { 0, 0 } };
	if (clock_gettime(id, &spec->it_value))
		return -errno;
	spec->it_value.tv_sec += 3600;
	return 0;
}

static int make_timer(struct perf_ctx *ctx)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	timer_t t;

	if (timer_create(ctx->arg, &none, &t))
		return -errno;
	ctx->word[0] = (long)t;
	return 0;
}

static int set_timer(unsigned long n, struct perf_ctx *ctx)
{
	timer_t t = (timer_t)ctx->word[0];
	struct itimerspec spec;
	int failed = in_an_hour(ctx->arg, &spec);

	while (n--)
		failed |= timer_settime(t, TIMER_ABSTIME, &spec, NULL);
	return failed ? -EINVAL : 0;
}

static int make_timerfd(struct perf_ctx *ctx)
{
	ctx->word[0] = timerfd_create(ctx->arg, TFD_CLOEXEC);
	return ctx->word[0] < 0 ? -errno : 0;
}

static int set_timerfd(unsigned long n, struct perf_ctx *ctx)
{
	struct itimerspec spec;
	int failed = in_an_hour(ctx->arg, &spec);

	while (n--)
		failed |= timerfd_settime(ctx->word[0], TFD_TIMER_ABSTIME,
					  &spec, NULL);
	return failed ? -EINVAL : 0;
}

FIXTURE(timer)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(timer)
{
	struct perf_row row;
};

FIXTURE_SETUP(timer)
{
}

FIXTURE_TEARDOWN(timer)
{
}

/* clang-format off */
#define WHY "an addition, lost in the cost of a system call"
#define ROW(name, op, id, prepare) .row = { "timens." name, \
	op, CLOCK_##id, &perf_timens, 1.05, 0, WHY, prepare }

FIXTURE_VARIANT_ADD(timer, nanosleep_monotonic)
	{ ROW("nanosleep.monotonic", sleep_until_past, MONOTONIC, NULL) };
FIXTURE_VARIANT_ADD(timer, nanosleep_boottime)
	{ ROW("nanosleep.boottime", sleep_until_past, BOOTTIME, NULL) };
FIXTURE_VARIANT_ADD(timer, nanosleep_realtime)
	{ ROW("nanosleep.realtime", sleep_until_past, REALTIME, NULL) };
FIXTURE_VARIANT_ADD(timer, futex_monotonic)
	{ ROW("futex.monotonic", wait_until_past, MONOTONIC, NULL) };
FIXTURE_VARIANT_ADD(timer, posix_monotonic)
	{ ROW("timer_settime.monotonic", set_timer, MONOTONIC, make_timer) };
FIXTURE_VARIANT_ADD(timer, posix_boottime)
	{ ROW("timer_settime.boottime", set_timer, BOOTTIME, make_timer) };
FIXTURE_VARIANT_ADD(timer, fd_monotonic)
	{ ROW("timerfd_settime.monotonic", set_timerfd, MONOTONIC, make_timerfd) };
FIXTURE_VARIANT_ADD(timer, fd_boottime)
	{ ROW("timerfd_settime.boottime", set_timerfd, BOOTTIME, make_timerfd) };
/* clang-format on */

TEST_F(timer, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
