// SPDX-License-Identifier: GPL-2.0
/*
 * Places that show a clock which time namespaces move, and do not move it: not
 * promised, so an open gap is an expected failure. When one is closed its test
 * passes by itself; a value that is neither the host's nor the namespace's
 * fails.
 *
 * Promises: none; kernel/sys.c:do_sys_times(), kernel/time/timer_list.c,
 *           net/ipv4/devinet.c:put_cacheinfo(), kernel/events/core.c:
 *           perf_event_set_clock(), kernel/bpf/syscall.c:
 *           bpf_prog_get_info_by_fd().
 * Guards:   none.
 * Needs:    root or user namespaces; root for /proc/timer_list and BPF;
 *           CONFIG_NET_NS, CONFIG_INET; perf events.
 */
#include "caps.h"
#include "expect.h"
#include "gaps_show.h"
#include "hop.h"

#define SEC NSEC_PER_SEC

FIXTURE(gap)
{
	const char *missing;
};

/*
 * struct place - where a clock is shown
 * @show:  nanoseconds of it
 * @clock: which one it should be
 * @also:  namespaces that it takes besides
 */
struct place {
	int64_t (*show)(struct child_report *rep);
	clockid_t clock;
	int also;
};

FIXTURE_VARIANT(gap)
{
	struct place place;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(gap, times)         { { show_times,         CLOCK_MONOTONIC } };
FIXTURE_VARIANT_ADD(gap, timer_list)    { { show_timer_list,    CLOCK_MONOTONIC } };
FIXTURE_VARIANT_ADD(gap, address)       { { show_address,       CLOCK_MONOTONIC, CLONE_NEWNET } };
FIXTURE_VARIANT_ADD(gap, perf)          { { show_perf,          CLOCK_MONOTONIC } };
FIXTURE_VARIANT_ADD(gap, perf_boottime) { { show_perf_boottime, CLOCK_BOOTTIME } };
FIXTURE_VARIANT_ADD(gap, bpf)           { { show_bpf,           CLOCK_BOOTTIME } };
/* clang-format on */

FIXTURE_SETUP(gap)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME | variant->place.also,
				&self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(gap)
{
}

enum { OPEN, CLOSED };

static void look(struct child_report *rep, void *arg)
{
	const struct offsets off = { 5000 * SEC, 7000 * SEC };
	const struct place *place = arg;
	int64_t before, inside, after;
	int old;

	before = place->show(rep);
	old = timens_enter(rep, &off);
	inside = place->show(rep);
	timens_leave(rep, old);
	after = place->show(rep);
	rep->value[0] = OPEN;
	if (inside > after) {
		inside -= place->clock == CLOCK_BOOTTIME ? off.boottime :
							   off.monotonic;
		rep->value[0] = CLOSED;
	}
	CHILD_LE(rep, before, inside);
	CHILD_LE(rep, inside, after);
}

TEST_F(gap, is_closed)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, look, (void *)&variant->place));
	expect_held(_metadata, &rep);
	if (rep.skip || !child_held(&rep) || rep.value[0] == CLOSED)
		return;
#ifdef XFAIL_ADD
	_metadata->exit_code = KSFT_XFAIL;
#else
	SKIP(return, NEEDS_XFAIL);
#endif
}

TEST_HARNESS_MAIN
