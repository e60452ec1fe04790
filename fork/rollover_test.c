// SPDX-License-Identifier: GPL-2.0
/*
 * Process numbers that come to their end start again at 300, pass over what is
 * still in use, and are handed out once at a time: at every level, with many
 * forking at once, for many laps.
 *
 * Promises: kernel/pid.c:alloc_pid(), free_pid(); proc_sys_kernel(5), pid_max
 *           and ns_last_pid.
 * Guards:   5fdee8c4a5e1 ("pids: fix a race in pid generation that causes pids
 *           to be reused immediately"), v2.6.36.
 * Needs:    root or user namespaces; CONFIG_PID_NS; the laps with a small
 *           pid_max v6.14, those that jump CONFIG_CHECKPOINT_RESTORE.
 */
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "pid_limit.h"

#define SMALL_MAX 340
#define LAPS 3
#define HELD 5

FIXTURE(numbers)
{
	const char *missing;
};

FIXTURE_SETUP(numbers)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(numbers)
{
}

/* Returns the number of a child that has come and gone. */
static pid_t come_and_go(struct child_report *rep)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(getpid() & 0xff);
	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, (pid & 0xff) << 8, status);
	return pid;
}

static void ascend(struct child_report *rep, void *arg)
{
	pid_t pid;

	(void)arg;
	for (pid = 2; pid < 150; pid++)
		CHILD_EQ(rep, pid, come_and_go(rep));
}

TEST_F(numbers, rise_one_by_one)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, ascend, NULL));
	expect_held(_metadata, &rep);
}

/* What comes after @pid, with numbers below @max, some of them in use. */
static pid_t next_number(pid_t pid, int max, const pid_t *held, int n)
{
	int i;

	pid = pid + 1 < max ? pid + 1 : RESERVED_PIDS;
	for (i = 0; i < n; i++)
		if (pid == held[i])
			return next_number(pid, max, held, n);
	return pid;
}

static void jump_to_the_end(struct child_report *rep, void *arg)
{
	int max = pid_limit_get();
	pid_t pid;
	int i, lap;

	(void)arg;
	pid_limit_need(rep);
	CHILD_LE(rep, PID_MAX_LEAST, max);
	for (lap = 0; lap < LAPS; lap++) {
		pid = max - 4;
		pid_next_set(rep, pid);
		for (i = 0; i < 8; i++) {
			CHILD_EQ(rep, pid, come_and_go(rep));
			pid = next_number(pid, max, NULL, 0);
		}
	}
}

TEST_F(numbers, start_again_at_the_end)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, jump_to_the_end, NULL));
	expect_held(_metadata, &rep);
}

static void park(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
	while (1)
		pause();
}

static void small_laps(struct child_report *rep, void *arg)
{
	static const pid_t held[HELD] = { RESERVED_PIDS, 301, 333,
					  SMALL_MAX - 2, SMALL_MAX - 1 };
	struct child holder[HELD];
	pid_t pid = RESERVED_PIDS - 4;
	int i;

	(void)arg;
	pid_limit_set(rep, SMALL_MAX);
	pid_next_set(rep, pid + 1);
	for (i = 0; i < HELD; i++) {
		while (pid + 1 < held[i])
			pid = come_and_go(rep);
		CHILD_EQ(rep, 0, child_start(&holder[i], 0, park, NULL));
		CHILD_EQ(rep, held[i], holder[i].pid);
		pid = held[i];
	}
	for (i = 0; i < LAPS * (SMALL_MAX - RESERVED_PIDS); i++) {
		pid = next_number(pid, SMALL_MAX, held, HELD);
		CHILD_EQ(rep, pid, come_and_go(rep));
	}
	for (i = 0; i < HELD; i++)
		CHILD_EQ(rep, 0, child_kill(&holder[i]));
}

static void in_small_ns(struct child_report *rep, void *arg)
{
	struct child_report inner;

	pid_limit_harmless(rep);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, small_laps, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(numbers, pass_over_those_in_use_lap_after_lap)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, in_small_ns, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
