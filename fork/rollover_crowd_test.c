// SPDX-License-Identifier: GPL-2.0
/*
 * Many fork at once, in several pid namespaces and into namespaces below them,
 * while the numbers run through lap after lap: no number is given to two
 * living processes, at neither level, and no end of a process is lost.
 *
 * Promises: kernel/pid.c:alloc_pid(), free_pid(); wait(2).
 * Guards:   5fdee8c4a5e1 ("pids: fix a race in pid generation that causes pids
 *           to be reused immediately"), v2.6.36.
 * Needs:    root or user namespaces; CONFIG_PID_NS; small laps v6.14, jumps
 *           CONFIG_CHECKPOINT_RESTORE.
 */
#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "pid_limit.h"
#include "soak.h"

#define PLACES 2 /* pid namespaces side by side, each with one below */
#define FORKERS 2 /* in each of them */
#define FORKS 24 /* by each of those */
#define UNREAPED 5 /* each leaves so many behind it: they keep their numbers */
#define UPPER_MAX 318 /* from 300: a lap is little more than what lives */
#define LOWER_MAX 314
#define NUMBERS 4096 /* as many as are looked at */

enum { UPPER, LOWER, LEVELS };

/* Shared by all who live in one place. */
struct place {
	atomic_uchar used[LEVELS][NUMBERS];
	atomic_int twice; /* numbers that were given to two */
	atomic_int strange;
	atomic_int forked;
	atomic_int reaped;
};

struct child_slot {
	pid_t upper;
	pid_t lower;
};

struct job {
	struct place *place;
	struct child_slot *slot;
	int below; /* pidfd of the first process of the namespace below */
	int jump;
	struct gate up;
};

FIXTURE(crowd)
{
	const char *missing;
	struct place *place;
	struct child_slot *slot;
};

FIXTURE_VARIANT(crowd)
{
	int jump;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(crowd, small_laps)  { 0 };
FIXTURE_VARIANT_ADD(crowd, jumps_back)  { 1 };
/* clang-format on */

#define SLOTS (PLACES * FORKERS * UNREAPED)

static void *shared(size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

FIXTURE_SETUP(crowd)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->place = shared(PLACES * sizeof(*self->place));
	ASSERT_NE(MAP_FAILED, self->place);
	self->slot = shared(SLOTS * sizeof(*self->slot));
	ASSERT_NE(MAP_FAILED, self->slot);
}

FIXTURE_TEARDOWN(crowd)
{
}

/* A number is in use from before fork() returns until it is waited for. */
static void take(struct place *p, int level, pid_t pid)
{
	if (pid < 1 || pid >= NUMBERS)
		atomic_fetch_add(&p->strange, 1);
	else if (atomic_exchange(&p->used[level][pid], 1))
		atomic_fetch_add(&p->twice, 1);
}

static void give_back(struct place *p, const struct child_slot *slot)
{
	if (slot->upper < NUMBERS && slot->upper > 0)
		atomic_store(&p->used[UPPER][slot->upper], 0);
	if (slot->lower < NUMBERS && slot->lower > 0)
		atomic_store(&p->used[LOWER][slot->lower], 0);
}

static void make_one(struct child_report *rep, struct place *p,
		     struct child_slot *slot)
{
	pid_t pid = fork();

	if (pid == 0) {
		slot->lower = getpid();
		take(p, LOWER, slot->lower);
		_exit(slot->lower & 0xff);
	}
	CHILD_LE(rep, 1, pid);
	take(p, UPPER, pid);
	slot->upper = pid;
	atomic_fetch_add(&p->forked, 1);
}

static void reap_one(struct child_report *rep, struct place *p,
		     struct child_slot *slot)
{
	pid_t pid = slot->upper;
	siginfo_t end;
	int status;

	/* so that both numbers are known while they are still in use */
	CHILD_EQ(rep, 0, waitid(P_PID, pid, &end, WEXITED | WNOWAIT));
	CHILD_EQ(rep, pid, end.si_pid);
	CHILD_EQ(rep, slot->lower & 0xff, end.si_status);
	give_back(p, slot);
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, (slot->lower & 0xff) << 8, status);
	slot->upper = 0;
	atomic_fetch_add(&p->reaped, 1);
}

static void fork_much(struct child_report *rep, void *arg)
{
	struct job *job = arg;
	struct child_slot *slot;
	int i;

	CHILD_EQ(rep, 0, setns(job->below, CLONE_NEWPID));
	for (i = 0; i < FORKS + UNREAPED; i++) {
		slot = &job->slot[i % UNREAPED];
		if (i >= UNREAPED)
			reap_one(rep, job->place, slot);
		if (i < FORKS)
			make_one(rep, job->place, slot);
	}
	CHILD_EQ(rep, -1, waitpid(-1, NULL, WNOHANG));
}

static void live_below(struct child_report *rep, void *arg)
{
	struct job *job = arg;

	if (!job->jump) {
		pid_limit_set(rep, LOWER_MAX);
		pid_next_set(rep, RESERVED_PIDS - 4);
	}
	gate_open(&job->up);
	while (1)
		pause();
}

static bool all_ended(const struct child *c, int n)
{
	struct pollfd end = { .events = POLLIN };

	while (n--) {
		end.fd = c[n].pidfd;
		if (poll(&end, 1, 0) == 0)
			return false;
	}
	return true;
}

/* The first process of a place. */
static void hold_place(struct child_report *rep, void *arg)
{
	struct child below, forker[FORKERS];
	struct child_report inner;
	struct job job = *(struct job *)arg;
	int i;

	take(job.place, UPPER, getpid());
	if (!job.jump) {
		pid_limit_set(rep, UPPER_MAX);
		pid_next_set(rep, RESERVED_PIDS - 4);
	}
	CHILD_EQ(rep, 0, gate_init(&job.up));
	CHILD_EQ(rep, 0, child_start(&below, CLONE_NEWPID, live_below, &job));
	CHILD_EQ(rep, 0, gate_wait_child(&job.up, &below));
	take(job.place, LOWER, 1);
	take(job.place, UPPER, below.pid);
	job.below = below.pidfd;
	for (i = 0; i < FORKERS; i++, job.slot += UNREAPED) {
		CHILD_EQ(rep, 0, child_start(&forker[i], 0, fork_much, &job));
		take(job.place, UPPER, forker[i].pid);
	}
	/* again and again to numbers that are in use, for both */
	while (job.jump && !all_ended(forker, FORKERS))
		pid_next_set(rep, 2);
	for (i = 0; i < FORKERS; i++) {
		CHILD_EQ(rep, 0, child_wait(&forker[i], &inner));
		CHILD_HELD(rep, &inner);
	}
	CHILD_EQ(rep, 0, child_kill(&below));
}

static void hold_places(struct child_report *rep, void *arg)
{
	struct job *job = arg;
	struct child_report inner;
	struct child c[PLACES];
	int i;

	if (!job->jump)
		pid_limit_harmless(rep);
	for (i = 0; i < PLACES; i++) {
		CHILD_EQ(rep, 0,
			 child_start(&c[i], CLONE_NEWPID, hold_place, job));
		job->place++;
		job->slot += FORKERS * UNREAPED;
	}
	for (i = 0; i < PLACES; i++) {
		CHILD_EQ(rep, 0, child_wait(&c[i], &inner));
		CHILD_HELD(rep, &inner);
	}
}

static void expect_order(struct __test_metadata *_metadata, struct place *place)
{
	int i;

	for (i = 0; i < PLACES; i++) {
		EXPECT_EQ(0, atomic_load(&place[i].twice));
		EXPECT_EQ(0, atomic_load(&place[i].strange));
		EXPECT_EQ(FORKERS * FORKS, atomic_load(&place[i].forked));
		EXPECT_EQ(FORKERS * FORKS, atomic_load(&place[i].reaped));
	}
}

TEST_F_TIMEOUT(crowd, never_shares_a_number, SOAK_TIMEOUT)
{
	struct job job = { .jump = variant->jump };
	struct child_report rep;
	struct soak soak;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	soak_begin(&soak);
	while (soak_again(&soak)) {
		memset(self->place, 0, PLACES * sizeof(*self->place));
		job.place = self->place;
		job.slot = self->slot;
		ASSERT_EQ(0, child_run(&rep, 0, hold_places, &job));
		expect_held(_metadata, &rep);
		if (rep.skip)
			return;
		expect_order(_metadata, self->place);
	}
}

TEST_HARNESS_MAIN
