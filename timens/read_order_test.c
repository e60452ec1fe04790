// SPDX-License-Identifier: GPL-2.0
/*
 * One process, one clock, several paths and both sides: readings stay in order
 * and the offset is exact to the width of a hop.
 *
 * Promises: time_namespaces(7); clock_gettime(2): a monotonic clock does not go
 *           back, whatever path it is read on; lib/vdso/gettimeofday.c:
 *           do_hres_timens(), do_coarse_timens(); kernel/time/posix-timers.c.
 * Guards:   none.
 * Needs:    root or user namespaces; /proc.
 */
#include <fcntl.h>
#include <stdio.h>

#include "caps.h"
#include "expect.h"
#include "hop.h"
#include "readings.h"

#define SEC NSEC_PER_SEC

/* Offsets with every kind of nanoseconds. */
#define PLACES 3

static const struct offsets places[PLACES] = {
	{ 1000 * SEC + 500000000, 3000 * SEC + 1 },
	{ 86400 * SEC + 999999999, 1 },
	{ -1, -SEC / 10 },
};

#define HOPS 20
#define READINGS 3000

FIXTURE(one_process)
{
	const char *missing;
};

FIXTURE_SETUP(one_process)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(one_process)
{
}

static void run(struct __test_metadata *_metadata,
		FIXTURE_DATA(one_process) * self, child_fn fn)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fn, NULL));
	expect_held(_metadata, &rep);
}

static int missing(int64_t reading)
{
	return reading == READ_ABSENT || reading == -EINVAL;
}

/* Says which clock and path a wrong value belongs to. */
static void about(struct child_report *rep, const struct clock_row *row,
		  int path)
{
	snprintf(rep->text, sizeof(rep->text), "(%s %s)", row->name,
		 read_path_names[path]);
}

static void in_order(struct child_report *rep, const struct clock_row *row)
{
	int64_t last = 0, now;
	int i, path;

	for (i = 0; i < READINGS; i++) {
		for (path = 0; path < READ_PATHS; path++) {
			now = reading_take(row->id, path);
			if (missing(now))
				continue;
			about(rep, row, path);
			CHILD_LE(rep, last, now);
			last = now;
		}
	}
}

static void read_in_order(struct child_report *rep, void *arg)
{
	int place, i;

	for (place = 0; place < PLACES; place++) {
		close(timens_enter(rep, &places[place]));
		for (i = 0; i < clock_row_count; i++)
			if (clock_rows[i].moved_by != -1)
				in_order(rep, &clock_rows[i]);
	}
}

TEST_F(one_process, never_reads_a_clock_going_back)
{
	run(_metadata, self, read_in_order);
}

/* A fine clock read after its coarse twin cannot be behind it. */
static void coarse_first(struct child_report *rep, void *arg)
{
	int64_t coarse, fine;
	int i, path;

	close(timens_enter(rep, &places[0]));
	for (i = 0; i < READINGS; i++) {
		path = i % READ_PATHS;
		coarse = reading_take(CLOCK_MONOTONIC_COARSE, path);
		fine = clock_ns_by(CLOCK_MONOTONIC,
				   i % 2 ? CLOCK_BY_SYSCALL : CLOCK_BY_LIBC);
		if (!missing(coarse))
			CHILD_LE(rep, coarse, fine);
	}
}

TEST_F(one_process, never_reads_a_coarse_clock_ahead_of_its_fine_twin)
{
	run(_metadata, self, coarse_first);
}

static void hop(struct child_report *rep, const struct clock_row *row, int path,
		const struct offsets *off)
{
	int64_t moved = offset_of(row, off), before, inside, after;
	int old;

	before = clock_ns(row->id);
	old = timens_enter(rep, off);
	inside = reading_take(row->id, path);
	timens_leave(rep, old);
	after = clock_ns(row->id);
	close(old);
	if (missing(inside))
		return;
	about(rep, row, path);
	CHILD_LE(rep, before + moved, inside);
	CHILD_LE(rep, inside, after + moved);
}

static void hop_around(struct child_report *rep, void *arg)
{
	int i, path, n;

	for (n = 0; n < HOPS; n++)
		for (i = 0; i < clock_row_count; i++)
			for (path = 0; path < READ_PATHS; path++)
				hop(rep, &clock_rows[i], path,
				    &places[n % PLACES]);
}

TEST_F(one_process, finds_every_clock_moved_on_every_path)
{
	run(_metadata, self, hop_around);
}

/* Both coarse clocks at the same tick: their distance is the same for ever. */
static int64_t coarse_distance(int path)
{
	int64_t before, mono, after;

	do {
		before = reading_take(CLOCK_REALTIME_COARSE, path);
		mono = reading_take(CLOCK_MONOTONIC_COARSE, path);
		after = reading_take(CLOCK_REALTIME_COARSE, path);
	} while (before != after);
	return missing(mono) ? 0 : mono - before;
}

/* Again when somebody sets the time meanwhile. */
static void measure(struct child_report *rep, int path,
		    const struct offsets *off)
{
	int64_t before, inside, after;
	int old;

	do {
		before = coarse_distance(path);
		old = timens_enter(rep, off);
		inside = coarse_distance(path);
		timens_leave(rep, old);
		close(old);
		after = coarse_distance(path);
	} while (before != after);
	if (before)
		CHILD_EQ(rep, off->monotonic, inside - before);
}

static void measure_all(struct child_report *rep, void *arg)
{
	int path, place;

	for (place = 0; place < PLACES; place++)
		for (path = 0; path < READ_PATHS; path++)
			measure(rep, path, &places[place]);
}

TEST_F(one_process, finds_the_coarse_clock_moved_to_the_nanosecond)
{
	run(_metadata, self, measure_all);
}

/*
 * Two namespaces that exist at the same time, and the one they come from: each
 * keeps its own time.
 */
static void visit_both(struct child_report *rep, void *arg)
{
	int64_t before, first, second, after;
	int home, a, b, n;

	home = timens_enter(rep, &places[0]);
	a = open("/proc/self/ns/time", O_RDONLY | O_CLOEXEC);
	timens_leave(rep, home);
	close(timens_enter(rep, &places[1]));
	b = open("/proc/self/ns/time", O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, a);
	CHILD_OK(rep, b);
	for (n = 0; n < HOPS; n++) {
		timens_leave(rep, home);
		before = clock_ns(CLOCK_BOOTTIME);
		timens_leave(rep, a);
		first = clock_ns(CLOCK_BOOTTIME);
		timens_leave(rep, b);
		second = clock_ns(CLOCK_BOOTTIME);
		timens_leave(rep, home);
		after = clock_ns(CLOCK_BOOTTIME);
		first -= places[0].boottime;
		second -= places[1].boottime;
		CHILD_LE(rep, before, first);
		CHILD_LE(rep, first, second);
		CHILD_LE(rep, second, after);
	}
}

TEST_F(one_process, finds_namespaces_side_by_side_apart)
{
	run(_metadata, self, visit_both);
}

TEST_HARNESS_MAIN
