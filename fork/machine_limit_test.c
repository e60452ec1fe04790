// SPDX-License-Identifier: GPL-2.0
/*
 * When the machine has no room for another thread: the exact error, inside and
 * outside of pid namespaces, and room again once some have ended.
 *
 * Promises: fork(2) ERRORS, EAGAIN; proc_sys_kernel(5), threads-max;
 *           kernel/fork.c:copy_process().
 * Guards:   none.
 * Needs:    a machine that may be disturbed (SELFTESTS_VM=1), root there.
 */
#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "throng.h"

#define THREADS_MAX "/proc/sys/kernel/threads-max"
#define ROOM 40

FIXTURE(machine)
{
	const char *missing;
	long long before;
};

FIXTURE_SETUP(machine)
{
	self->before = 0;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!getenv("SELFTESTS_VM"))
		self->missing = NEEDS_VM;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, proc_number(THREADS_MAX, "", &self->before));
}

static int set_threads_max(long long max)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", max);
	return proc_write(THREADS_MAX, text);
}

FIXTURE_TEARDOWN(machine)
{
	if (self->before)
		EXPECT_EQ(0, set_threads_max(self->before));
}

/* Kernel threads come and go, so the count is a bound, not exact. */
static void fill(struct child_report *rep, void *arg)
{
	struct throng t = { 0 };
	int i;

	(void)arg;
	for (i = 0; i < 3; i++) {
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_LE(rep, 1, t.n);
		CHILD_LE(rep, t.n, 2 * ROOM);
		CHILD_EQ(rep, 0, throng_end(&t, t.n));
	}
}

TEST_F(machine, is_full)
{
	struct child_report rep;
	long long threads;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* the fourth number of /proc/loadavg follows a slash */
	ASSERT_EQ(0, proc_number("/proc/loadavg", "/", &threads));
	ASSERT_EQ(0, set_threads_max(threads + ROOM));
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, fill, NULL));
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, child_run(&rep, 0, fill, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
