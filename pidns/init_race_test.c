// SPDX-License-Identifier: GPL-2.0
/*
 * Forking into a pid namespace while its first process dies.
 *
 * Promises: pid_namespaces(7), "The namespace init process";
 *           kernel/pid_namespace.c:zap_pid_ns_processes().
 * Guards:   3fd372262166 ("pid_ns: Fix race between setns'ed fork() and
 *           zap_pid_ns_processes()"), v4.12.
 * Needs:    root or user namespaces.
 */
#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

#define ROUNDS 20 /* the window is hit in most rounds on two CPUs */
#define MEMBERS 2
#define MANY 300 /* children after which a round ends without a verdict */

struct race {
	struct scene s;
	struct gate done;
	struct child init;
};

/*
 * The forks shall not stop while the init dies: they have a CPU of their own
 * where there are two.
 */
static void stay_on_cpu(int last)
{
	int cpu, step = last ? -1 : 1;
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		return;
	for (cpu = last ? CPU_SETSIZE - 1 : 0; cpu >= 0 && cpu < CPU_SETSIZE;
	     cpu += step)
		if (CPU_ISSET(cpu, &all))
			break;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Outside of the namespace: fork into it until that is refused. */
static void fork_into_it(struct child_report *rep, void *arg)
{
	struct race *race = arg;
	pid_t pid = 1;
	int i;

	signal(SIGCHLD, SIG_IGN); /* nobody waits for them */
	stay_on_cpu(1);
	CHILD_EQ(rep, 0, setns(race->init.pidfd, CLONE_NEWPID));
	for (i = 0; i < MANY && pid > 0; i++) {
		pid = fork();
		if (pid == 0) {
			poll(NULL, 0, CHILD_DEADLINE_MS);
			_exit(0);
		}
		if (i == 0)
			CHILD_EQ(rep, 0, gate_open(&race->s.up));
	}
	if (pid < 0)
		CHILD_EQ(rep, ENOMEM, errno);
	fd_close(&race->s.alive.fd[1]);
	CHILD_EQ(rep, 0, gate_open(&race->done));
	CHILD_EQ(rep, 0, gate_wait(&race->s.go));
}

/* Inside: several members fork while the init is killed. */
static void fork_inside(struct child_report *rep, void *arg)
{
	struct race *race = arg;
	int i;

	signal(SIGCHLD, SIG_IGN);
	for (i = 0; i < MEMBERS; i++)
		CHILD_OK(rep, fork());
	for (i = 0; i < MANY / MEMBERS; i++)
		if (fork() == 0)
			scene_stay(&race->s);
	scene_stay(&race->s);
}

FIXTURE(race)
{
	struct race race;
	struct child forker;
	const char *missing;
};

FIXTURE_SETUP(race)
{
	self->race.init = CHILD_NONE;
	self->forker = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(race)
{
	child_kill(&self->race.init);
	child_kill(&self->forker);
}

static void round_outside(struct __test_metadata *_metadata, struct race *race,
			  struct child *forker)
{
	struct child_report rep;

	ASSERT_EQ(0, scene_init(&race->s));
	ASSERT_EQ(0, gate_init(&race->done));
	ASSERT_EQ(0, child_start(&race->init, CLONE_NEWPID, scene_member,
				 &race->s));
	ASSERT_EQ(0, gate_wait_child(&race->s.up, &race->init));
	ASSERT_EQ(0, child_start(forker, 0, fork_into_it, race));
	ASSERT_EQ(0, gate_wait_child(&race->s.up, forker));
	ASSERT_EQ(0, kill(race->init.pid, SIGKILL));
	ASSERT_EQ(0, child_wait(&race->init, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	EXPECT_EQ(0, gate_wait_child(&race->done, forker));
	EXPECT_EQ(0, scene_left(&race->s));
	EXPECT_EQ(0, gate_open(&race->s.go));
	ASSERT_EQ(0, child_wait(forker, &rep));
	expect_held(_metadata, &rep);
	scene_close(&race->s);
	gate_close(&race->done);
}

TEST_F(race, no_child_from_outside_outlives_init)
{
	int i;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	stay_on_cpu(0);
	for (i = 0; i < ROUNDS; i++)
		round_outside(_metadata, &self->race, &self->forker);
}

static void round_inside(struct __test_metadata *_metadata, struct race *race)
{
	struct child_report rep;

	ASSERT_EQ(0, scene_init(&race->s));
	ASSERT_EQ(0, child_start(&race->init, CLONE_NEWPID, fork_inside, race));
	ASSERT_EQ(0, gate_wait_child(&race->s.up, &race->init));
	ASSERT_EQ(0, kill(race->init.pid, SIGKILL));
	ASSERT_EQ(0, child_wait(&race->init, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
	EXPECT_EQ(0, scene_left(&race->s));
	scene_close(&race->s);
}

TEST_F(race, no_child_from_inside_outlives_init)
{
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i < ROUNDS; i++)
		round_inside(_metadata, &self->race);
}

TEST_HARNESS_MAIN
