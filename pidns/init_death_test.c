// SPDX-License-Identifier: GPL-2.0
/*
 * Who dies with the first process of a pid namespace.
 *
 * Promises: pid_namespaces(7), "The namespace init process";
 *           kernel/pid_namespace.c:zap_pid_ns_processes().
 * Needs:    root or user namespaces.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"
#include "tower.h"

static void stopped(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	prctl(PR_SET_PDEATHSIG, 0);
	gate_open(&s->up);
	raise(SIGSTOP);
	CHILD_EQ(rep, 1, 0);
}

struct orphan {
	struct scene *s;
	struct gate up;
};

static void orphan(struct child_report *rep __attribute__((unused)), void *arg)
{
	struct orphan *o = arg;

	prctl(PR_SET_PDEATHSIG, 0);
	gate_open(&o->up);
	scene_stay(o->s);
}

static void parent_of_orphan(struct child_report *rep, void *arg)
{
	struct orphan o = { .s = arg };
	struct child c;

	CHILD_EQ(rep, 0, gate_init(&o.up));
	CHILD_EQ(rep, 0, child_start(&c, 0, orphan, &o));
	CHILD_EQ(rep, 0, gate_wait(&o.up));
}

static void *second_thread(void *arg)
{
	scene_stay(arg);
	return NULL;
}

static void threaded(struct child_report *rep, void *arg)
{
	pthread_t thread;

	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, second_thread, arg));
	scene_stay(arg);
}

static void nobody(struct child_report *rep __attribute__((unused)),
		   void *arg __attribute__((unused)))
{
}

static const child_fn members[] = {
	scene_member,	  nobody, scene_member, stopped,
	parent_of_orphan, nobody, threaded,	nobody,
};

#define UPS 6 /* how often they open the gate: the threaded one twice */

/* Start a bit of all that can live in a namespace, with zombies between. */
static void start_members(struct child_report *rep, struct scene *s)
{
	struct child c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		CHILD_EQ(rep, 0, child_start(&c, 0, members[i], s));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
}

static void exits(struct child_report *rep, void *arg)
{
	start_members(rep, arg);
	_exit(7);
}

static void faults(struct child_report *rep, void *arg)
{
	void *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHILD_EQ(rep, 1, page != MAP_FAILED);
	prctl(PR_SET_DUMPABLE, 0); /* no core file */
	start_members(rep, arg);
	__atomic_store_n((int *)page, 0, __ATOMIC_RELAXED);
}

static void is_killed(struct child_report *rep, void *arg)
{
	start_members(rep, arg);
	scene_stay(arg);
}

FIXTURE(init_death)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_VARIANT(init_death)
{
	child_fn init;
	int code;
	int signal;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(init_death, by_exit)  { exits,      7, 0 };
FIXTURE_VARIANT_ADD(init_death, by_fault) { faults,    -1, SIGSEGV };
FIXTURE_VARIANT_ADD(init_death, by_kill)  { is_killed, -1, SIGKILL };
/* clang-format on */

FIXTURE_SETUP(init_death)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(init_death)
{
	child_kill(&self->init);
}

TEST_F(init_death, kills_every_member)
{
	struct child_report rep;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, variant->init,
				 &self->s));
	for (i = 0; i < UPS; i++)
		ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0, gate_open(&self->s.go));
	if (variant->init == is_killed) {
		ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
		ASSERT_EQ(0, kill(self->init.pid, SIGKILL));
	}
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(0, scene_left(&self->s));
	EXPECT_EQ(NULL, rep.file);
	EXPECT_EQ(variant->code, rep.code);
	EXPECT_EQ(variant->signal, rep.signal);
}

FIXTURE(init_death_below)
{
	struct tower t;
	const char *missing;
};

FIXTURE_SETUP(init_death_below)
{
	ASSERT_EQ(0, tower_prepare(0, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->t, 3));
}

FIXTURE_TEARDOWN(init_death_below)
{
	tower_down(&self->t);
}

static void expect_killed(struct __test_metadata *_metadata, int pidfd)
{
	struct child c = { .pidfd = pidfd };
	siginfo_t end = { 0 };

	EXPECT_EQ(1, scene_ended(&c, CHILD_DEADLINE_MS));
	EXPECT_EQ(0, waitid((idtype_t)UAPI_P_PIDFD, pidfd, &end,
			    WEXITED | WNOHANG));
	EXPECT_EQ(CLD_KILLED, end.si_code);
	EXPECT_EQ(SIGKILL, end.si_status);
	EXPECT_EQ(-1, sys_pidfd_send_signal(pidfd, 0, NULL, 0));
	EXPECT_EQ(ESRCH, errno);
}

TEST_F(init_death_below, kills_the_namespaces_inside_but_not_beside)
{
	struct child_report rep;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, sys_pidfd_send_signal(self->t.init[1], SIGKILL, NULL, 0));
	expect_killed(_metadata, self->t.twin.proc.pidfd);
	self->t.twin.proc.pid = 0; /* reaped */
	for (i = 3; i > 0; i--) {
		expect_killed(_metadata, self->t.member[i].proc.pidfd);
		expect_killed(_metadata, self->t.init[i]);
		self->t.member[i].proc.pid = 0;
	}
	EXPECT_EQ(0, tower_call(&self->t.sibling, nobody, NULL, 0, &rep));
	EXPECT_EQ(0, tower_call(&self->t.member[0], nobody, NULL, 0, &rep));
}

TEST_HARNESS_MAIN
