// SPDX-License-Identifier: GPL-2.0
/*
 * Who adopts and who reaps the orphans of a pid namespace.
 *
 * Promises: pid_namespaces(7), "The namespace init process";
 *           PR_SET_CHILD_SUBREAPER of prctl(2);
 *           kernel/exit.c:find_new_reaper().
 * Guards:   c6c70f4455d1 ("exit: fix the setns() && PR_SET_CHILD_SUBREAPER
 *           interaction"), v4.11.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

/* What an orphan tells, in shared memory. */
struct orphan {
	pid_t pid;
	pid_t before;
	pid_t after;
};

struct family {
	struct scene s; /* up: born; go: it is an orphan now */
	struct orphan *orphan;
	int inject; /* pidfd of the init where the orphan's parent shall live */
};

#define ORPHAN_CODE 9

static void orphan(struct child_report *rep, void *arg)
{
	struct family *f = arg;

	prctl(PR_SET_PDEATHSIG, 0);
	f->orphan->pid = getpid();
	f->orphan->before = getppid();
	gate_open(&f->s.up);
	CHILD_EQ(rep, 0, gate_wait(&f->s.go));
	f->orphan->after = getppid();
	_exit(ORPHAN_CODE);
}

static void parent(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, 0, orphan, f));
	CHILD_EQ(rep, 0, gate_wait(&f->s.up));
}

/* Outlives the parent, is an ancestor of the orphan, and asked for nothing. */
static void bystander(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, parent, arg));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, -1, waitpid(-1, NULL, WNOHANG));
	CHILD_EQ(rep, ECHILD, errno);
}

/* Have an orphan of ANCESTOR, and reap it when it is the caller's by right. */
static void adopt_from(struct child_report *rep, struct family *f,
		       child_fn ancestor)
{
	struct child_report inner;
	int status;

	CHILD_EQ(rep, 0, child_run(&inner, 0, ancestor, f));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, gate_open(&f->s.go));
	CHILD_EQ(rep, f->orphan->pid, waitpid(-1, &status, 0));
	CHILD_EQ(rep, ORPHAN_CODE << 8, status);
	CHILD_EQ(rep, getpid(), f->orphan->after);
	CHILD_EQ(rep, -1, waitpid(-1, &status, 0));
	CHILD_EQ(rep, ECHILD, errno);
}

static void adopt(struct child_report *rep, struct family *f)
{
	adopt_from(rep, f, parent);
}

static void init_adopts(struct child_report *rep, void *arg)
{
	adopt(rep, arg);
}

static void member_subreaper(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	adopt(rep, arg);
}

static void init_has_subreaper(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, member_subreaper, arg));
	CHILD_HELD(rep, &inner);
}

static void distant_subreaper(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	adopt_from(rep, arg, bystander);
}

static void init_has_distant_subreaper(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, distant_subreaper, arg));
	CHILD_HELD(rep, &inner);
}

/* The nearest one counts, not the one above it. */
static void subreaper_in_subreaper(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	init_has_subreaper(rep, arg);
}

static void init_has_two_subreapers(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, subreaper_in_subreaper, arg));
	CHILD_HELD(rep, &inner);
}

/* Dead before its parent: what is handed on is a zombie. */
static void parent_of_zombie(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;
	siginfo_t end;

	CHILD_EQ(rep, 0, child_start(&c, 0, orphan, f));
	CHILD_EQ(rep, 0, gate_open(&f->s.go));
	CHILD_EQ(rep, 0, waitid(P_PID, c.pid, &end, WEXITED | WNOWAIT));
}

static void init_gets_zombie(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child_report inner;
	int status;

	CHILD_EQ(rep, 0, child_run(&inner, 0, parent_of_zombie, f));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, f->orphan->pid, waitpid(-1, &status, 0));
	CHILD_EQ(rep, ORPHAN_CODE << 8, status);
}

/* An init that ignores SIGCHLD finds no zombie, only no children. */
static void init_does_not_care(struct child_report *rep, void *arg)
{
	struct family *f = arg;
	struct child c;

	signal(SIGCHLD, SIG_IGN);
	CHILD_EQ(rep, 0, child_start(&c, 0, parent, f));
	CHILD_EQ(rep, 1, scene_ended(&c, CHILD_DEADLINE_MS));
	CHILD_EQ(rep, 0, gate_open(&f->s.go));
	CHILD_EQ(rep, -1, waitpid(-1, NULL, 0));
	CHILD_EQ(rep, ECHILD, errno);
	CHILD_EQ(rep, 1, f->orphan->after);
	/* its number is given back a moment after it stops being a child */
	while (kill(f->orphan->pid, 0) == 0)
		sched_yield();
	CHILD_EQ(rep, ESRCH, errno);
}

struct mother {
	struct child_report *rep;
	struct family *f;
	struct child c;
};

static void *have_child(void *arg)
{
	struct mother *m = arg;

	CHILD_EQ(m->rep, 0, child_start(&m->c, 0, orphan, m->f));
	CHILD_EQ(m->rep, 0, gate_wait(&m->f->s.up));
	return NULL;
}

/* The child of a thread that leaves stays with the process. */
static void thread_of_member(struct child_report *rep, void *arg)
{
	struct mother m = { .rep = rep, .f = arg };
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, have_child, &m));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	CHILD_EQ(rep, 0, gate_open(&m.f->s.go));
	CHILD_EQ(rep, m.f->orphan->pid, waitpid(-1, NULL, 0));
	CHILD_EQ(rep, getpid(), m.f->orphan->after);
}

static void init_has_threaded_member(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, thread_of_member, arg));
	CHILD_HELD(rep, &inner);
}

FIXTURE(reap)
{
	struct family f;
	const char *missing;
};

FIXTURE_VARIANT(reap)
{
	child_fn init;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(reap, init_adopts)                 { init_adopts };
FIXTURE_VARIANT_ADD(reap, subreaper_adopts)            { init_has_subreaper };
FIXTURE_VARIANT_ADD(reap, nearest_subreaper_adopts)    { init_has_two_subreapers };
FIXTURE_VARIANT_ADD(reap, ancestors_do_not_adopt)      { init_has_distant_subreaper };
FIXTURE_VARIANT_ADD(reap, other_threads_keep_it)       { init_has_threaded_member };
FIXTURE_VARIANT_ADD(reap, init_gets_zombies)           { init_gets_zombie };
FIXTURE_VARIANT_ADD(reap, init_that_ignores_sigchld)   { init_does_not_care };
/* clang-format on */

FIXTURE_SETUP(reap)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->f.s));
	self->f.orphan = mmap(NULL, sizeof(*self->f.orphan),
			      PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->f.orphan);
}

FIXTURE_TEARDOWN(reap)
{
}

TEST_F(reap, inside)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, variant->init, &self->f));
	expect_held(_metadata, &rep);
}

/* A subreaper outside of the namespace changes nothing inside. */
TEST_F(reap, inside_though_a_subreaper_waits_outside)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, variant->init, &self->f));
	expect_held(_metadata, &rep);
	EXPECT_EQ(-1, waitpid(-1, NULL, WNOHANG));
	EXPECT_EQ(ECHILD, errno);
}

TEST_HARNESS_MAIN
