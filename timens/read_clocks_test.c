// SPDX-License-Identifier: GPL-2.0
/*
 * A clock reads host time plus the offset: every clock, every offset, every
 * way into the namespace, every path to the clock.
 *
 * Each inside value must lie between two host values taken before and after,
 * with the offset added to both.  There is no other tolerance.
 *
 * Promises: time_namespaces(7) "CLOCK_MONOTONIC ... CLOCK_BOOTTIME", "The
 *           initial time namespace" and the list of what is not affected;
 *           include/linux/time_namespace.h:timens_add_monotonic(),
 *           timens_add_boottime(); kernel/time/namespace_vdso.c:
 *           timens_setup_vdso_clock_data(); lib/vdso/gettimeofday.c.
 * Guards:   2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2: without it vfork, posix_spawn and exec skip;
 *           c73049389e58 ("powerpc/vdso: Fix VDSO data access when running in
 *           a non-root time namespace"), v6.12.
 * Needs:    root or user namespaces; /proc.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "readings.h"
#include "routes.h"

#define SEC NSEC_PER_SEC
#define DAY (24 * 3600 * SEC)
#define YEAR (365 * DAY)

static void read_all(struct child_report *rep, void *arg)
{
	(void)rep;
	readings_take(arg);
}

static void *read_in_thread(void *arg)
{
	readings_take(arg);
	return NULL;
}

static void read_all_in_thread(struct child_report *rep, void *arg)
{
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, read_in_thread, arg));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

FIXTURE(enter)
{
	const char *missing;
	enum route route;
	struct route_job job;
	struct readings *shared;
	char program[256];
	char fd[16];
	char *argv[3];
};

FIXTURE_VARIANT(enter)
{
	enum route route;
	child_fn read;
	const char *program;
};

#define PROBE "read_clocks_probe"
#define PROBE32 "read_clocks_probe32"

/* clang-format off */
FIXTURE_VARIANT_ADD(enter, fork)         { ROUTE_FORK,        read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, fork_thread)  { ROUTE_FORK,        read_all_in_thread, PROBE };
FIXTURE_VARIANT_ADD(enter, clone3)       { ROUTE_CLONE3,      read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, fork_exec)    { ROUTE_FORK_EXEC,   read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, fork_exec32)  { ROUTE_FORK_EXEC,   read_all,           PROBE32 };
FIXTURE_VARIANT_ADD(enter, vfork_exec)   { ROUTE_VFORK_EXEC,  read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, vfork_exec32) { ROUTE_VFORK_EXEC,  read_all,           PROBE32 };
FIXTURE_VARIANT_ADD(enter, exec)         { ROUTE_EXEC,        read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, posix_spawn)  { ROUTE_SPAWN,       read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, setns)        { ROUTE_SETNS,       read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, setns_thread) { ROUTE_SETNS,       read_all_in_thread, PROBE };
FIXTURE_VARIANT_ADD(enter, setns_pidfd)  { ROUTE_SETNS_PIDFD, read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, nested)       { ROUTE_NESTED,      read_all,           PROBE };
FIXTURE_VARIANT_ADD(enter, and_go_back)  { ROUTE_BACK,        read_all,           PROBE };
/* clang-format on */

FIXTURE_SETUP(enter)
{
	int fd;

	self->shared = MAP_FAILED;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, program_beside(variant->program, self->program,
				    sizeof(self->program)));
	if (access(self->program, X_OK) < 0 &&
	    !strcmp(variant->program, PROBE32))
		self->missing = NEEDS_32BIT;
	if (self->missing)
		SKIP(return, "%s", self->missing);

	fd = memfd_create("readings", 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, sizeof(*self->shared)));
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	snprintf(self->fd, sizeof(self->fd), "%d", fd);
	self->argv[0] = self->program;
	self->argv[1] = self->fd;
	self->route = variant->route;
	self->job.fn = variant->read;
	self->job.arg = self->shared;
	self->job.argv = self->argv;
}

FIXTURE_TEARDOWN(enter)
{
	if (self->shared != MAP_FAILED)
		munmap(self->shared, sizeof(*self->shared));
}

/* What one check does, for brackets_take(). */
struct passage {
	enum route route;
	struct offsets off;
	const struct route_job *job;
	struct child_report rep;
};

static int pass(void *arg)
{
	struct passage *p = arg;

	return route_run(&p->rep, p->route, &p->off, p->job);
}

/* Only an alarm clock that can be read outside can be read inside. */
static void expect_clock(struct __test_metadata *_metadata,
			 const struct clock_row *row, int64_t offset,
			 int64_t before, const int64_t *inside, int64_t after)
{
	char what[64];
	int path;

	for (path = 0; path < READ_PATHS; path++) {
		if (inside[path] == READ_ABSENT)
			continue;
		snprintf(what, sizeof(what), "%s %s", row->name,
			 read_path_names[path]);
		if (before == -EINVAL)
			expect_between(_metadata, what, before, inside[path],
				       after);
		else
			expect_between(_metadata, what, before + offset,
				       inside[path], after + offset);
	}
}

static void check(struct __test_metadata *_metadata, FIXTURE_DATA(enter) * self,
		  struct offsets off)
{
	struct passage p = { self->route, off, &self->job, { 0 } };
	struct brackets host;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (clock_ns(CLOCK_MONOTONIC) + off.monotonic < 0 ||
	    clock_ns(CLOCK_BOOTTIME) + off.boottime < 0)
		SKIP(return, NEEDS_UPTIME);
	ASSERT_EQ(0, brackets_take(&host, pass, &p));
	expect_held(_metadata, &p.rep);
	if (p.rep.skip || !child_held(&p.rep))
		return;
	if (self->route == ROUTE_BACK)
		off = (struct offsets){ 0, 0 };
	for (i = 0; i < clock_row_count; i++)
		expect_clock(_metadata, &clock_rows[i],
			     offset_of(&clock_rows[i], &off), host.before[i],
			     self->shared->value[i], host.after[i]);
}

static struct offsets both(int64_t monotonic, int64_t boottime)
{
	return (struct offsets){ monotonic, boottime };
}

/* The clock in whole seconds: less than nothing is refused (ERANGE). */
static int64_t floor_of(clockid_t id)
{
	return clock_ns(id) / SEC * SEC;
}

TEST_F(enter, without_offsets)
{
	check(_metadata, self, both(0, 0));
}

TEST_F(enter, seconds_ahead)
{
	check(_metadata, self, both(1000 * SEC, 2000 * SEC));
}

TEST_F(enter, seconds_behind)
{
	check(_metadata, self,
	      both(-floor_of(CLOCK_MONOTONIC) / 2 / SEC * SEC,
		   -floor_of(CLOCK_BOOTTIME)));
}

TEST_F(enter, one_ahead_one_behind)
{
	check(_metadata, self, both(-SEC / 4, 3 * SEC / 4));
}

TEST_F(enter, nanoseconds_that_carry)
{
	check(_metadata, self, both(2 * SEC - 1, 4 * SEC - 2));
}

TEST_F(enter, nanoseconds_that_do_not_carry)
{
	check(_metadata, self, both(5 * SEC + 1, 7 * SEC + 2));
}

TEST_F(enter, half_a_second_behind)
{
	check(_metadata, self, both(-SEC / 2, -SEC / 2 - 1));
}

TEST_F(enter, days_ahead)
{
	check(_metadata, self, both(3 * DAY + SEC / 3, 30 * DAY + SEC / 5));
}

TEST_F(enter, ten_years_ahead)
{
	check(_metadata, self, both(10 * YEAR + 1, 10 * YEAR + DAY));
}

TEST_F(enter, as_far_behind_as_allowed)
{
	check(_metadata, self,
	      both(-floor_of(CLOCK_MONOTONIC), -floor_of(CLOCK_BOOTTIME)));
}

/* What of the above was left out. */
TEST(alarm_clocks_took_part)
{
	if (clock_ns(CLOCK_BOOTTIME_ALARM) == -EINVAL)
		SKIP(return, NEEDS_RTC);
	EXPECT_LE(0, clock_ns(CLOCK_BOOTTIME_ALARM));
	EXPECT_LE(0, clock_ns(CLOCK_REALTIME_ALARM));
}

TEST(the_vdso_took_part)
{
	if (reading_take(CLOCK_MONOTONIC, READ_VDSO) == READ_ABSENT)
		SKIP(return, NEEDS_VDSO);
}

TEST_HARNESS_MAIN
