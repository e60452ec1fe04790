// SPDX-License-Identifier: GPL-2.0
/*
 * Places that show a clock which time namespaces move, and do not move it: not
 * promised, so an open gap is an expected failure. When one is closed its test
 * passes by itself; a value that is neither the host's nor the namespace's
 * fails.
 *
 * Promises: none; kernel/sys.c:do_sys_times(), kernel/time/timer_list.c.
 * Guards:   none.
 * Needs:    root or user namespaces; root for /proc/timer_list.
 */
#include <stdio.h>
#include <sys/times.h>

#include "caps.h"
#include "expect.h"
#include "hop.h"
#include "procfs.h"

#define SEC NSEC_PER_SEC

/* Nanoseconds of a clock that should be CLOCK_MONOTONIC, as somebody shows it */
typedef int64_t (*show_fn)(struct child_report *rep);

static int64_t show_times(struct child_report *rep)
{
	struct tms tms;

	return times(&tms) * (SEC / sysconf(_SC_CLK_TCK));
}

static int64_t show_timer_list(struct child_report *rep)
{
	long long now;
	int ret = proc_number("/proc/timer_list", "now at", &now);

	if (ret == -ENOENT || ret == -EACCES || ret == -EPERM)
		child_skip(rep, NEEDS_TIMER_LIST);
	CHILD_EQ(rep, 0, ret);
	return now;
}

enum { OPEN, CLOSED };

static void look(struct child_report *rep, void *arg)
{
	const struct offsets off = { 5000 * SEC, 7000 * SEC };
	show_fn show = *(show_fn *)arg;
	int64_t before, inside, after;
	int old;

	before = show(rep);
	old = timens_enter(rep, &off);
	inside = show(rep);
	timens_leave(rep, old);
	after = show(rep);
	rep->value[0] = OPEN;
	if (inside > after) {
		inside -= off.monotonic;
		rep->value[0] = CLOSED;
	}
	CHILD_LE(rep, before, inside);
	CHILD_LE(rep, inside, after);
}

static void expect_gap(struct __test_metadata *_metadata, show_fn show)
{
	const char *missing;
	struct child_report rep;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, look, &show));
	expect_held(_metadata, &rep);
	if (rep.skip || !child_held(&rep) || rep.value[0] == CLOSED)
		return;
#ifdef XFAIL_ADD
	_metadata->exit_code = KSFT_XFAIL;
#else
	SKIP(return, NEEDS_XFAIL);
#endif
}

TEST(times_is_moved)
{
	expect_gap(_metadata, show_times);
}

TEST(the_timer_list_is_moved)
{
	expect_gap(_metadata, show_timer_list);
}

TEST_HARNESS_MAIN
