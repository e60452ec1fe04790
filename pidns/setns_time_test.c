// SPDX-License-Identifier: GPL-2.0
/*
 * A process joins the pid and time namespace of another one by its pidfd.
 *
 * Promises: setns(2), pidfds; pid_namespaces(7), time_namespaces(7): the clocks
 *           of the caller move at once, its pid never does
 *           (kernel/nsproxy.c:validate_nsset, commit_nsset).
 * Needs:    root or user namespaces; CONFIG_TIME_NS.
 */
#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

#define AHEAD (1000 * NSEC_PER_SEC)

/*
 * struct trip - where to go
 * @type: CLONE_NEWPID and CLONE_NEWTIME, or one of them
 * @pidfd: of a process there
 * @from_beside: the traveller is in another new pid namespace
 */
struct trip {
	struct scene s;
	int type;
	int pidfd;
	int from_beside;
};

FIXTURE(setns_time)
{
	struct trip trip;
	const char *missing;
};

FIXTURE_SETUP(setns_time)
{
	__u64 flags = CLONE_NEWPID | CLONE_NEWTIME;

	ASSERT_EQ(0, ns_prepare(flags, &self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->trip.s));
}

FIXTURE_TEARDOWN(setns_time)
{
}

static void stay(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

/* Stays in the old time namespace: its clock is that of the host of the trip */
static void have_host(struct child_report *rep, void *arg)
{
	struct offsets off = { AHEAD, AHEAD };
	struct trip *trip = arg;
	struct child host;

	CHILD_EQ(rep, 0, timens_unshare_from_here(&off));
	CHILD_OK(rep, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, 0, child_start(&host, 0, stay, NULL));
	rep->value[0] = host.pid;
	CHILD_EQ(rep, 0, gate_open(&trip->s.up));
	CHILD_EQ(rep, 0, gate_wait(&trip->s.go));
}

static void tell_place(struct child_report *rep, void *arg)
{
	rep->value[0] = kill(1, 0);
	rep->value[1] = getppid();
	rep->value[2] = clock_ns(CLOCK_MONOTONIC);
}

/* The clock after the trip, and where the next child is. */
static void travel(struct child_report *rep, void *arg)
{
	long long start = clock_ns(CLOCK_MONOTONIC);
	struct trip *trip = arg;
	struct child_report inner;
	pid_t pid = getpid();

	CHILD_OK(rep, setns(trip->pidfd, trip->type));
	rep->value[0] = clock_ns(CLOCK_MONOTONIC);
	rep->value[1] = start;
	CHILD_EQ(rep, pid, getpid());
	CHILD_EQ(rep, 0, child_run(&inner, 0, tell_place, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, inner.value[0]);
	CHILD_EQ(rep, trip->type & CLONE_NEWPID ? 0 : pid, inner.value[1]);
	CHILD_LE(rep, rep->value[0], inner.value[2]);
}

/* From a pid namespace beside: the host cannot be seen from here. */
static void travel_from_beside(struct child_report *rep, void *arg)
{
	long long start = clock_ns(CLOCK_MONOTONIC);
	struct trip *trip = arg;

	CHILD_EQ(rep, -1, setns(trip->pidfd, CLONE_NEWPID));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, setns(trip->pidfd, CLONE_NEWPID | CLONE_NEWTIME));
	CHILD_EQ(rep, EINVAL, errno);
	/* all or nothing */
	CHILD_LE(rep, clock_ns(CLOCK_MONOTONIC), start + AHEAD);
	travel(rep, arg);
}

static void expect_trip(struct __test_metadata *_metadata, struct trip *trip)
{
	struct child_report rep;
	struct child owner;
	long long end;

	ASSERT_EQ(0, child_start(&owner, 0, have_host, trip));
	ASSERT_EQ(0, gate_wait_child(&trip->s.up, &owner));
	trip->pidfd = sys_pidfd_open(owner.page->value[0], 0);
	ASSERT_LE(0, trip->pidfd);
	ASSERT_EQ(0, child_run(&rep, trip->from_beside ? CLONE_NEWPID : 0,
			       trip->from_beside ? travel_from_beside : travel,
			       trip));
	end = clock_ns(CLOCK_MONOTONIC);
	expect_held(_metadata, &rep);
	expect_between(_metadata, "the clock after the trip",
		       rep.value[1] + (trip->type & CLONE_NEWTIME ? AHEAD : 0),
		       rep.value[0],
		       end + (trip->type & CLONE_NEWTIME ? AHEAD : 0));
	ASSERT_EQ(0, child_kill(&owner));
}

TEST_F(setns_time, both_at_once_move_children_and_clocks)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->trip.type = CLONE_NEWPID | CLONE_NEWTIME;
	expect_trip(_metadata, &self->trip);
}

TEST_F(setns_time, the_pid_namespace_alone_moves_no_clock)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->trip.type = CLONE_NEWPID;
	expect_trip(_metadata, &self->trip);
}

TEST_F(setns_time, an_invisible_process_still_has_a_time_namespace)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->trip.type = CLONE_NEWTIME;
	self->trip.from_beside = 1;
	expect_trip(_metadata, &self->trip);
}

TEST_HARNESS_MAIN
