// SPDX-License-Identifier: GPL-2.0
/*
 * Pid and time namespaces made, entered, forked into and destroyed by several
 * at once: every call works or fails as documented, everybody ends, and in the
 * end exactly as many namespaces can be made as at the start.
 *
 * Promises: pid_namespaces(7), fork(2) ENOMEM; namespaces(7),
 *           /proc/sys/user; kernel/pid.c:alloc_pid(), free_pid();
 *           kernel/pid_namespace.c:zap_pid_ns_processes().
 * Guards:   24c037ebf572 ("exit: pidns: alloc_pid() leaks pid_namespace if
 *           child_reaper is exiting"), v3.19;
 *           3fd372262166 ("pid_ns: Fix race between setns'ed fork() and
 *           zap_pid_ns_processes()"), v4.12;
 *           751c644b95bb ("pid: Handle the exit of a multi-threaded init."),
 *           v3.9.
 * Needs:    user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS; a writable
 *           /proc/sys/user.
 */
#include <stdatomic.h>
#include <sys/mman.h>

#include "caps.h"
#include "churn_stories.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "soak.h"

#define NAMESPACES 16 /* of each kind that there may be */
#define WORKERS 3
#define ROUNDS CHURN_STORIES /* by each: every story once */

FIXTURE(churn)
{
	const char *missing;
	atomic_int *strange; /* calls that failed as they must not */
};

FIXTURE_SETUP(churn)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME | CLONE_NEWUSER,
				&self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->strange = mmap(NULL, sizeof(*self->strange),
			     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0);
	ASSERT_NE(MAP_FAILED, self->strange);
}

FIXTURE_TEARDOWN(churn)
{
}

struct work {
	atomic_int *strange;
	int first; /* story, so that different ones run at the same time */
};

static void work(struct child_report *rep, void *arg)
{
	struct work *w = arg;
	int i;

	for (i = 0; i < ROUNDS; i++)
		churn_run(rep, 0, churn_story[(w->first + i) % CHURN_STORIES],
			  w->strange);
}

static void hold_both(struct child_report *rep, void *arg)
{
	struct gate *up = arg;
	int ret;

	/* the pid namespace is the one we are in: only one of each a head */
	ret = unshare(CLONE_NEWTIME) < 0 ? -errno : 0;
	CHILD_EQ(rep, 0, ret);
	gate_open(up);
	while (1)
		pause();
}

static void nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

/* Exactly as many as there may be. */
static void fill(struct child_report *rep)
{
	struct child c[NAMESPACES], more;
	struct gate up;
	int i;

	CHILD_EQ(rep, 0, gate_init(&up));
	for (i = 0; i < NAMESPACES; i++) {
		CHILD_EQ(rep, 0,
			 churn_start(&c[i], CLONE_NEWPID, hold_both, &up));
		CHILD_EQ(rep, 0, gate_wait_child(&up, &c[i]));
	}
	CHILD_EQ(rep, -ENOSPC, child_start(&more, CLONE_NEWPID, nothing, NULL));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWTIME));
	CHILD_EQ(rep, ENOSPC, errno);
	for (i = 0; i < NAMESPACES; i++)
		CHILD_EQ(rep, 0, child_kill(&c[i]));
}

static void limit(struct child_report *rep, const char *path)
{
	char text[16];
	int ret;

	snprintf(text, sizeof(text), "%d", NAMESPACES);
	ret = proc_write(path, text);
	if (ret == -EACCES || ret == -EPERM || ret == -EROFS)
		child_skip(rep, NEEDS_PROC_SYS);
	CHILD_EQ(rep, 0, ret);
}

static void churn(struct child_report *rep, void *arg)
{
	struct work w = { .strange = arg };
	struct child c[WORKERS];
	struct child_report inner;
	int i;

	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	limit(rep, "/proc/sys/user/max_pid_namespaces");
	limit(rep, "/proc/sys/user/max_time_namespaces");
	for (i = 0; i < WORKERS; i++) {
		w.first = i;
		CHILD_EQ(rep, 0, child_start(&c[i], 0, work, &w));
	}
	for (i = 0; i < WORKERS; i++) {
		CHILD_EQ(rep, 0, child_wait(&c[i], &inner));
		CHILD_HELD(rep, &inner);
	}
	fill(rep);
}

TEST_F_TIMEOUT(churn, leaves_nothing_behind, SOAK_TIMEOUT)
{
	struct child_report rep;
	struct soak soak;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	soak_begin(&soak);
	while (soak_again(&soak)) {
		ASSERT_EQ(0, child_run(&rep, 0, churn, self->strange));
		expect_held(_metadata, &rep);
		EXPECT_EQ(0, atomic_load(self->strange));
		if (rep.skip || !child_held(&rep))
			break;
	}
}

TEST_HARNESS_MAIN
