// SPDX-License-Identifier: GPL-2.0
/*
 * Ways to make a pid namespace, and what forbids it.
 *
 * Promises: clone(2), unshare(2) CLONE_NEWPID; kernel/fork.c:copy_process(),
 *           kernel/pid_namespace.c:copy_pid_ns().
 * Guards:   e79f525e99b0 ("pidns: fix vfork() after unshare(CLONE_NEWPID)"),
 *           v3.12; 123be07b0b39 ("fork(): disable CLONE_PARENT for init"),
 *           v2.6.32.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

#define STACK 65536

/* What the rows below call the flags of clone(2). */
#define NEW CLONE_NEWPID
#define SIBLING CLONE_PARENT
#define MEMORY CLONE_VM
#define VFORK (CLONE_VM | CLONE_VFORK)
#define HANDLERS (CLONE_VM | CLONE_SIGHAND)
#define THREAD (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)

/* Who calls. */
enum who {
	ANYBODY,
	PENDING, /* has unshared, but no child yet */
	USED, /* has unshared, and the init is alive */
	INIT, /* of a new namespace */
	MEMBER, /* of a new namespace, a child of its init */
};

struct job {
	enum who who;
	int flags;
	int want;
	int *seen; /* shared memory: the child's own number */
	struct scene s;
};

static int look(void *arg)
{
	struct job *job = arg;

	/* a thread must not end the process */
	__atomic_store_n(job->seen, getpid(), __ATOMIC_RELEASE);
	syscall(SYS_exit, 0);
	return 0;
}

/* Its stack goes with the process: a thread may still be on it. */
static void call(struct child_report *rep, struct job *job)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pid;

	CHILD_EQ(rep, 1, stack != MAP_FAILED);
	pid = clone(look, stack + STACK, job->flags | SIGCHLD, job, NULL, NULL,
		    NULL);
	CHILD_EQ(rep, job->want < 0 ? job->want : 0, pid < 0 ? -errno : 0);
	if (pid < 0)
		return;
	/*
	 * A dying init ignores SIGCHLD; who shares its handlers does so too and
	 * has nothing to wait for.
	 */
	if (!(job->flags & (CLONE_SIGHAND | CLONE_PARENT)))
		CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
	while (!__atomic_load_n(job->seen, __ATOMIC_ACQUIRE))
		sched_yield();
	CHILD_EQ(rep, job->want, *job->seen);
}

static void call_as_child(struct child_report *rep, void *arg)
{
	call(rep, arg);
}

static void caller(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct job *job = arg;
	struct child c;

	if (job->who == PENDING || job->who == USED)
		CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	if (job->who == USED) {
		CHILD_EQ(rep, 0, child_start(&c, 0, scene_member, &job->s));
		CHILD_EQ(rep, 0, gate_wait_child(&job->s.up, &c));
	}
	if (job->who == MEMBER) {
		CHILD_EQ(rep, 0, child_run(&inner, 0, call_as_child, job));
		CHILD_HELD(rep, &inner);
	} else {
		call(rep, job);
	}
	if (job->who == USED)
		CHILD_EQ(rep, 0, child_kill(&c));
}

FIXTURE(enter)
{
	struct job job;
	const char *missing;
};

FIXTURE_VARIANT(enter)
{
	enum who who;
	int flags;
	int want; /* the child's own number, or a negative errno */
};

/* clang-format off */
FIXTURE_VARIANT_ADD(enter, clone)                  { ANYBODY, NEW,                  1 };
FIXTURE_VARIANT_ADD(enter, clone_same_memory)      { ANYBODY, NEW | MEMORY,         1 };
FIXTURE_VARIANT_ADD(enter, clone_same_handlers)    { ANYBODY, NEW | HANDLERS,       1 };
FIXTURE_VARIANT_ADD(enter, clone_vfork)            { ANYBODY, NEW | VFORK,          1 };
FIXTURE_VARIANT_ADD(enter, clone_sibling)          { ANYBODY, NEW | SIBLING,        1 };
FIXTURE_VARIANT_ADD(enter, clone_thread)           { ANYBODY, NEW | THREAD,   -EINVAL };
FIXTURE_VARIANT_ADD(enter, pending_fork)           { PENDING, 0,                    1 };
FIXTURE_VARIANT_ADD(enter, pending_vfork)          { PENDING, VFORK,                1 };
FIXTURE_VARIANT_ADD(enter, pending_sibling)        { PENDING, SIBLING,              1 };
FIXTURE_VARIANT_ADD(enter, pending_same_memory)    { PENDING, HANDLERS,             1 };
FIXTURE_VARIANT_ADD(enter, pending_clone)          { PENDING, NEW,            -EINVAL };
FIXTURE_VARIANT_ADD(enter, pending_thread)         { PENDING, THREAD,         -EINVAL };
FIXTURE_VARIANT_ADD(enter, used_fork)              { USED,    0,                    2 };
FIXTURE_VARIANT_ADD(enter, used_vfork)             { USED,    VFORK,                2 };
FIXTURE_VARIANT_ADD(enter, used_clone)             { USED,    NEW,            -EINVAL };
FIXTURE_VARIANT_ADD(enter, used_thread)            { USED,    THREAD,         -EINVAL };
FIXTURE_VARIANT_ADD(enter, init_clone)             { INIT,    NEW,                  1 };
FIXTURE_VARIANT_ADD(enter, init_thread)            { INIT,    THREAD,               1 };
FIXTURE_VARIANT_ADD(enter, init_sibling)           { INIT,    SIBLING,        -EINVAL };
FIXTURE_VARIANT_ADD(enter, init_sibling_namespace) { INIT,    SIBLING | NEW,  -EINVAL };
FIXTURE_VARIANT_ADD(enter, member_clone)           { MEMBER,  NEW,                  1 };
FIXTURE_VARIANT_ADD(enter, member_sibling)         { MEMBER,  SIBLING,              3 };
/* clang-format on */

FIXTURE_SETUP(enter)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->job = (struct job){ .who = variant->who,
				  .flags = variant->flags,
				  .want = variant->want };
	ASSERT_EQ(0, scene_init(&self->job.s));
	self->job.seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->job.seen);
}

FIXTURE_TEARDOWN(enter)
{
}

TEST_F(enter, gives_the_right_number_or_errno)
{
	int flags = variant->who >= INIT ? CLONE_NEWPID : 0;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, flags, caller, &self->job));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
