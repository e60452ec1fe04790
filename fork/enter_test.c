// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers and places of a child made straight into new namespaces, and of one
 * who enters existing ones: who moves at once, who with the next fork.
 *
 * Promises: fork(2) RETURN VALUE; setns(2) with a pidfd; time_namespaces(7),
 *           against it for setns(2) and clone3(2), which move at once:
 *           kernel/nsproxy.c:commit_nsset(), copy_namespaces();
 *           kernel/pid.c:alloc_pid(), pid_vnr().
 * Guards:   a402f1e35313 ("fork: allow CLONE_NEWTIME in clone3 flags"), v6.3.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <sys/mman.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "lack.h"
#include "nslink.h"
#include "procfs.h"
#include "raw_clone.h"

FIXTURE(enter)
{
	const char *missing;
};

FIXTURE_SETUP(enter)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(enter)
{
}

static void look_at_links(struct child_report *rep, void *arg)
{
	(void)arg;
	rep->value[0] = nslink(NSLINK_TIME);
	rep->value[1] = nslink_named("time_for_children");
	rep->value[2] = nslink(NSLINK_PID);
	rep->value[3] = nslink_named("pid_for_children");
	rep->value[4] = getpid();
	rep->value[5] = getppid();
}

TEST_F(enter, by_clone3_at_once)
{
	int64_t time_ns = nslink(NSLINK_TIME), pid_ns = nslink(NSLINK_PID);
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID | CLONE_NEWTIME,
			       look_at_links, NULL));
	expect_held(_metadata, &rep);
	EXPECT_NE(time_ns, rep.value[0]);
	EXPECT_EQ(rep.value[0], rep.value[1]);
	EXPECT_NE(pid_ns, rep.value[2]);
	EXPECT_EQ(rep.value[2], rep.value[3]);
	EXPECT_EQ(1, rep.value[4]);
	EXPECT_EQ(0, rep.value[5]);
	EXPECT_EQ(time_ns, nslink(NSLINK_TIME));
	EXPECT_EQ(time_ns, nslink_named("time_for_children"));
	EXPECT_EQ(pid_ns, nslink_named("pid_for_children"));
}

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC,
	.boottime = 5000 * NSEC_PER_SEC,
};

static void park_here(struct gate *up)
{
	gate_open(up);
	while (1)
		pause();
}

static void park(struct child_report *rep, void *arg)
{
	look_at_links(rep, NULL);
	/* who enters us comes to where we are, not to where our children go */
	CHILD_EQ(rep, 0, unshare(CLONE_NEWPID | CLONE_NEWTIME));
	park_here(arg);
}

/* A process whose child is first in new namespaces; both die with us. */
static void hold(struct child_report *rep, void *arg)
{
	struct child init;
	struct gate up;

	CHILD_EQ(rep, 0, gate_init(&up));
	CHILD_EQ(rep, 0, timens_unshare(&shift));
	CHILD_EQ(rep, 0, child_start(&init, CLONE_NEWPID, park, &up));
	CHILD_EQ(rep, 0, gate_wait_child(&up, &init));
	memcpy(rep->value, init.page->value, sizeof(rep->value));
	rep->value[6] = init.pid;
	park_here(arg);
}

static void enter_and_fork(struct child_report *rep, const long long *there)
{
	int64_t low, now, high, pid_ns = nslink(NSLINK_PID);
	int pidfd = sys_pidfd_open(there[6], 0);
	struct child_report inner;
	struct offsets base, off;
	pid_t pid = getpid();

	child_need(rep, lack_of_setns());
	CHILD_LE(rep, 0, pidfd);
	CHILD_EQ(rep, 0, offsets_get(PROC_SELF, &base));
	CHILD_EQ(rep, -1, setns(pidfd, 0));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, setns(pidfd, CLONE_NEWPID | CLONE_VM));
	CHILD_EQ(rep, EINVAL, errno);
	low = clock_ns(CLOCK_MONOTONIC);
	CHILD_EQ(rep, 0, setns(pidfd, CLONE_NEWPID | CLONE_NEWTIME));
	now = clock_ns(CLOCK_MONOTONIC);
	high = clock_ns_by(CLOCK_MONOTONIC, CLOCK_BY_SYSCALL);
	CHILD_EQ(rep, 0, offsets_get(PROC_SELF, &off));
	CHILD_EQ(rep, shift.monotonic, off.monotonic);
	CHILD_LE(rep, low - base.monotonic + shift.monotonic, now);
	CHILD_LE(rep, now, high);
	CHILD_EQ(rep, pid, getpid());
	CHILD_EQ(rep, there[0], nslink(NSLINK_TIME));
	CHILD_EQ(rep, there[0], nslink_named("time_for_children"));
	CHILD_EQ(rep, pid_ns, nslink(NSLINK_PID));
	CHILD_EQ(rep, there[2], nslink_named("pid_for_children"));
	CHILD_EQ(rep, 0, child_run(&inner, 0, look_at_links, NULL));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, there[0], inner.value[0]);
	CHILD_EQ(rep, there[2], inner.value[2]);
	CHILD_EQ(rep, 2, inner.value[4]);
	CHILD_EQ(rep, 0, inner.value[5]);
}

static void enter_by_pidfd(struct child_report *rep, void *arg)
{
	struct child holder;
	struct gate up;

	(void)arg;
	CHILD_EQ(rep, 0, gate_init(&up));
	CHILD_EQ(rep, 0, child_start(&holder, 0, hold, &up));
	CHILD_EQ(rep, 0, gate_wait_child(&up, &holder));
	enter_and_fork(rep, holder.page->value);
	CHILD_EQ(rep, 0, child_kill(&holder));
}

TEST_F(enter, by_setns_clocks_at_once_and_number_with_the_next_fork)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, enter_by_pidfd, NULL));
	expect_held(_metadata, &rep);
}

#define DEEP 4

/* A generation: what fork returned to the parent, and what the child sees. */
struct generation {
	pid_t returned;
	pid_t self;
	pid_t parent;
};

struct family {
	struct generation *shared;
	int level;
};

static void descend(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct generation *g = &f->shared[f->level];
	struct child_report inner;
	struct child c;

	g->self = getpid();
	g->parent = getppid();
	if (f->level == DEEP)
		return;
	/* one more number is used, so that generations differ */
	CHILD_EQ(rep, 0, child_run(&inner, 0, look_at_links, NULL));
	f->level++;
	CHILD_EQ(rep, 0,
		 child_start(&c, f->level & 1 ? CLONE_NEWPID : 0, descend, f));
	g[1].returned = c.pid;
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
}

TEST_F(enter, by_fork_each_generation_with_numbers_of_its_own_place)
{
	/* every other generation is the first of a new pid namespace */
	static const struct generation want[DEEP + 1] = {
		[2] = { 3, 3, 1 },
		[3] = { 5, 1, 0 },
		[4] = { 3, 3, 1 },
	};
	struct family f = { .level = 0 };
	struct child_report rep;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	f.shared = mmap(NULL, sizeof(want), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, f.shared);
	ASSERT_EQ(0, child_run(&rep, 0, descend, &f));
	expect_held(_metadata, &rep);
	EXPECT_EQ(getpid(), f.shared[0].parent);
	EXPECT_EQ(1, f.shared[1].self);
	EXPECT_EQ(0, f.shared[1].parent);
	for (i = 2; i <= DEEP; i++) {
		EXPECT_EQ(want[i].returned, f.shared[i].returned);
		EXPECT_EQ(want[i].self, f.shared[i].self);
		EXPECT_EQ(want[i].parent, f.shared[i].parent);
	}
}

TEST_HARNESS_MAIN
