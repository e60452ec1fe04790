// SPDX-License-Identifier: GPL-2.0
/*
 * Offsets can be written until somebody has been in the namespace, by whatever
 * way, and never again.
 *
 * Promises: time_namespaces(7), "/proc/PID/timens_offsets", EACCES;
 *           kernel/time/namespace.c:proc_timens_set_offset;
 *           kernel/time/namespace_vdso.c:timens_set_vvar_page.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

static void nobody_enters(struct child_report *rep)
{
	CHILD_OK(rep, timens_shift(&far));
}

static void do_nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

static void a_child_came_and_went(struct child_report *rep)
{
	struct child_report inner;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, child_run(&inner, 0, do_nothing, NULL));
	CHILD_HELD(rep, &inner);
}

static void wait_at_gate(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, gate_wait(arg));
}

/* The child ends with its parent, at the latest. */
static void a_child_is_there(struct child_report *rep)
{
	struct gate gate;
	struct child c;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, gate_init(&gate));
	CHILD_OK(rep, child_start(&c, 0, wait_at_gate, &gate));
}

/* It is in a namespace of its own, not in the one that is pending. */
static void a_clone3_child_came(struct child_report *rep)
{
	struct child_report inner;
	int ret;

	CHILD_OK(rep, timens_shift(&far));
	ret = child_run(&inner, CLONE_NEWTIME, do_nothing, NULL);
	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_OK(rep, ret);
	CHILD_HELD(rep, &inner);
}

static void *return_at_once(void *arg)
{
	return arg;
}

static void a_thread_was_made(struct child_report *rep)
{
	pthread_t thread;
	int ret;

	child_need(rep, lack_of_threads());
	CHILD_OK(rep, timens_shift(&far));
	ret = pthread_create(&thread, NULL, return_at_once, NULL);
	if (ret == EINVAL)
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

static void a_vfork_child_was_made(struct child_report *rep)
{
	struct witness w;
	int ret;

	CHILD_OK(rep, timens_shift(&far));
	ret = witness_clone(CLONE_VFORK, &w);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_OK(rep, ret);
}

static void a_program_was_spawned(struct child_report *rep)
{
	int program = witness_open(WITNESS_STATIC);
	int out[2], ret, status;
	pid_t pid;

	child_need(rep, lack_of_threads());
	CHILD_OK(rep, program);
	CHILD_OK(rep, pipe(out));
	CHILD_OK(rep, timens_shift(&far));
	ret = witness_spawn(program, out[1], &pid);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_TIMENS_EXEC);
	CHILD_OK(rep, ret);
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
}

static void enter_pending(struct child_report *rep, const char *link)
{
	int fd = open(link, O_RDONLY | O_CLOEXEC);

	child_need(rep, lack_of_setns());
	CHILD_OK(rep, fd);
	CHILD_OK(rep, setns(fd, CLONE_NEWTIME));
	CHILD_OK(rep, close(fd));
}

static void the_caller_entered(struct child_report *rep)
{
	CHILD_OK(rep, timens_shift(&far));
	enter_pending(rep, "/proc/self/ns/time_for_children");
}

/* A process that is older than the namespace enters it by its parent's link. */
static void enter_of_parent(struct child_report *rep, void *arg)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/%d/ns/time_for_children",
		 getppid());
	CHILD_OK(rep, gate_wait(arg));
	enter_pending(rep, link);
}

static void another_entered(struct child_report *rep)
{
	struct child_report inner;
	struct gate gate;
	struct child c;

	if (!proc_is_mine())
		child_skip(rep, NEEDS_SELF_PROC);
	CHILD_OK(rep, gate_init(&gate));
	CHILD_OK(rep, child_start(&c, 0, enter_of_parent, &gate));
	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, gate_open(&gate));
	CHILD_OK(rep, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
}

static void it_was_replaced(struct child_report *rep)
{
	a_child_came_and_went(rep);
	CHILD_OK(rep, timens_unshare(NULL));
}

typedef void (*story_fn)(struct child_report *rep);

FIXTURE(frozen)
{
	const char *missing;
	struct offsets own;
};

/* @story: makes a pending namespace, and what happens to it before the write */
FIXTURE_VARIANT(frozen)
{
	story_fn story;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(frozen, not_while_empty)          { nobody_enters, 0 };
FIXTURE_VARIANT_ADD(frozen, with_a_member)            { a_child_is_there, -EACCES };
FIXTURE_VARIANT_ADD(frozen, after_the_last_member)    { a_child_came_and_went, -EACCES };
FIXTURE_VARIANT_ADD(frozen, by_a_spawned_program)     { a_program_was_spawned, -EACCES };
FIXTURE_VARIANT_ADD(frozen, by_setns_of_the_caller)   { the_caller_entered, -EACCES };
FIXTURE_VARIANT_ADD(frozen, by_setns_of_another)      { another_entered, -EACCES };
FIXTURE_VARIANT_ADD(frozen, not_by_a_clone3_child)    { a_clone3_child_came, 0 };
FIXTURE_VARIANT_ADD(frozen, not_by_a_thread)          { a_thread_was_made, 0 };
FIXTURE_VARIANT_ADD(frozen, not_by_a_vfork_child)     { a_vfork_child_was_made, 0 };
FIXTURE_VARIANT_ADD(frozen, not_for_the_next_one)     { it_was_replaced, 0 };
/* clang-format on */

FIXTURE_SETUP(frozen)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, offsets_get(PROC_SELF, &self->own));
}

FIXTURE_TEARDOWN(frozen)
{
}

static void live_and_write(struct child_report *rep, void *arg)
{
	story_fn story = *(story_fn *)arg;
	struct offsets off;

	story(rep);
	rep->value[0] = offsets_write(PROC_SELF, "monotonic 7 0\n");
	CHILD_OK(rep, offsets_get(PROC_SELF, &off));
	rep->value[1] = off.monotonic;
	rep->value[2] = off.boottime;
}

TEST_F(frozen, or_not)
{
	story_fn story = variant->story;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, live_and_write, &story));
	expect_held(_metadata, &rep);
	if (rep.skip || !child_held(&rep))
		return;
	EXPECT_EQ(variant->want, rep.value[0]);
	EXPECT_EQ(variant->want ? self->own.monotonic + far.monotonic :
				  7 * NSEC_PER_SEC,
		  rep.value[1]);
	EXPECT_EQ(self->own.boottime + far.boottime, rep.value[2]);
}

static void write_own(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_EQ(rep, -EACCES, offsets_write(PROC_SELF, "monotonic 0 0\n"));
	CHILD_EQ(rep, -EACCES, offsets_write(PROC_SELF, "7 0 0\n1 0 0\n"));
	/* what it says is looked at first */
	CHILD_EQ(rep, -EINVAL, offsets_write(PROC_SELF, "realtime 0 0\n"));
	CHILD_EQ(rep, -ERANGE, offsets_write(PROC_SELF, "1 9223372036 0\n"));
	witness_report(rep, 0);
}

TEST(members_cannot_move_their_own_clocks)
{
	struct child_report rep;
	struct instant before;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	before = now();
	ASSERT_EQ(0, timens_shift(&far));
	ASSERT_EQ(0, child_run(&rep, 0, write_own, NULL));
	expect_held(_metadata, &rep);
	expect_child_moved(_metadata, &rep, 0, &before, &far);
}

static void write_of_clone3_child(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_EQ(rep, -EACCES, offsets_write(PROC_SELF, "monotonic 0 0\n"));
}

TEST(a_clone3_child_is_a_member)
{
	struct child_report rep;
	const char *missing;
	int ret;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ret = child_run(&rep, CLONE_NEWTIME, write_of_clone3_child, NULL);
	if (ret == -ENOSYS)
		SKIP(return, NEEDS_CLONE3);
	ASSERT_EQ(0, ret);
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
