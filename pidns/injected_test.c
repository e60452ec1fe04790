// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that were put into a pid namespace from outside have their family
 * outside, but their children have it inside.
 *
 * Promises: pid_namespaces(7), "setns(2) and unshare(2) semantics": getppid(2)
 *           is 0; kernel/exit.c:find_new_reaper().
 * Guards:   c6c70f4455d1 ("exit: fix the setns() && PR_SET_CHILD_SUBREAPER
 *           interaction"), v4.11.
 * Needs:    root or user namespaces.
 */
#include <sys/mman.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"
#include "tower.h"

/* What an orphan tells, in shared memory. */
struct orphan {
	pid_t before;
	pid_t after;
};

struct family {
	struct scene s; /* up: in place; go: it is an orphan now */
	struct gate reap;
	struct orphan *orphan;
	struct child init;
};

#define ORPHAN_CODE 9

static void orphan(struct child_report *rep, void *arg)
{
	struct family *f = arg;

	prctl(PR_SET_PDEATHSIG, 0);
	f->orphan->before = getppid();
	gate_open(&f->s.up);
	CHILD_EQ(rep, 0, gate_wait(&f->s.go));
	f->orphan->after = getppid();
	_exit(ORPHAN_CODE);
}

FIXTURE(injected)
{
	struct family f;
	const char *missing;
};

FIXTURE_SETUP(injected)
{
	self->f.init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->f.s));
	ASSERT_EQ(0, gate_init(&self->f.reap));
	self->f.orphan = mmap(NULL, sizeof(*self->f.orphan),
			      PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->f.orphan);
	/* must not get what belongs to the init */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
}

FIXTURE_TEARDOWN(injected)
{
	child_kill(&self->f.init);
}

/* Reports the status of the first child it can reap, or -ECHILD. */
static void init_reaps(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	int status;

	CHILD_EQ(rep, 0, gate_open(&f->s.up));
	CHILD_EQ(rep, 0, gate_wait(&f->reap));
	rep->value[0] = waitpid(-1, &status, 0) < 0 ? -errno : status;
}

static void parent_inside(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;

	CHILD_EQ(rep, 0, getppid());
	CHILD_EQ(rep, 0, child_start(&c, 0, orphan, f));
	CHILD_EQ(rep, 0, gate_wait(&f->s.up));
}

TEST_F(injected, orphans_it_leaves_go_to_init)
{
	struct family *f = &self->f;
	struct child_report rep;
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&f->init, CLONE_NEWPID, init_reaps, f));
	ASSERT_EQ(0, gate_wait_child(&f->s.up, &f->init));
	ASSERT_EQ(0, scene_inject(&c, f->init.pidfd, parent_inside, f));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, gate_open(&f->s.go));
	ASSERT_EQ(0, gate_open(&f->reap));
	ASSERT_EQ(0, child_wait(&f->init, &rep));
	expect_held(_metadata, &rep);
	EXPECT_LT(1, f->orphan->before);
	EXPECT_EQ(1, f->orphan->after);
	EXPECT_EQ(ORPHAN_CODE << 8, rep.value[0]);
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
	EXPECT_EQ(ECHILD, errno);
}

static void parent_outside(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;

	CHILD_EQ(rep, 0, scene_inject(&c, f->init.pidfd, orphan, f));
	CHILD_EQ(rep, 0, gate_wait_child(&f->s.up, &c));
	rep->value[0] = c.pid;
}

TEST_F(injected, as_an_orphan_it_stays_a_child_of_the_outside)
{
	struct family *f = &self->f;
	struct child_report rep;
	int status;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&f->init, CLONE_NEWPID, init_reaps, f));
	ASSERT_EQ(0, gate_wait_child(&f->s.up, &f->init));
	ASSERT_EQ(0, child_run(&rep, 0, parent_outside, f));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, gate_open(&f->s.go));
	EXPECT_EQ(rep.value[0], waitpid(rep.value[0], &status, 0));
	EXPECT_EQ(ORPHAN_CODE << 8, status);
	ASSERT_EQ(0, gate_open(&f->reap));
	ASSERT_EQ(0, child_wait(&f->init, &rep));
	expect_held(_metadata, &rep);
	EXPECT_EQ(0, f->orphan->before);
	EXPECT_EQ(0, f->orphan->after);
	EXPECT_EQ(-ECHILD, rep.value[0]);
}

static void no_relatives(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	CHILD_LE(rep, 2, getpid());
	CHILD_EQ(rep, 0, getppid());
	CHILD_EQ(rep, 0, getpgid(0));
	CHILD_EQ(rep, 0, getsid(0));
	CHILD_EQ(rep, -1, waitpid(-1, NULL, 0));
	CHILD_EQ(rep, ECHILD, errno);
}

/* Two namespaces down at once. */
TEST_F(injected, has_no_relatives_in_a_namespace_far_below)
{
	struct child_report rep;
	struct tower t;
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_prepare(0, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&t, 2));
	ASSERT_EQ(0, scene_inject(&c, t.init[2], no_relatives, NULL));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
	tower_down(&t);
}

TEST_HARNESS_MAIN
