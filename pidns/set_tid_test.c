// SPDX-License-Identifier: GPL-2.0
/*
 * Choosing the numbers of a new process at every level.
 *
 * Promises: clone3(2), "The set_tid array";
 *           kernel/fork.c:copy_clone_args_from_user(),
 *           kernel/pid.c:alloc_pid().
 * Guards:   49cb2fc42ce4 ("fork: extend clone3() to support setting a PID"),
 *           v5.5; 1caef81da05a ("pid: use checkpoint_restore_ns_capable() for
 *           set_tid"), v5.9.
 * Needs:    root or user namespaces.
 */
#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "scene.h"

/* Stand for what is only known at run time, and for an array elsewhere. */
#define MAX (-100)
#define BAD .pointer = (const pid_t *)8
#define NONE .no_array = 1
#define NEW CLONE_NEWPID

#define LEVELS 32 /* MAX_PID_NS_LEVEL of the kernel */

struct choice {
	int flags;
	size_t size;
	pid_t tid[LEVELS + 1];
	const pid_t *pointer; /* instead of the array */
	int no_array;
	int want; /* the returned number, or a negative errno */
};

static long choose(const struct choice *c)
{
	struct uapi_clone_args args = { .flags = c->flags,
					.exit_signal = SIGCHLD,
					.set_tid = (uintptr_t)c->tid,
					.set_tid_size = c->size };
	pid_t pid;

	if (c->pointer || c->no_array || !c->size)
		args.set_tid = (uintptr_t)c->pointer;
	pid = sys_clone3(&args, sizeof(args));
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return waitpid(pid, NULL, 0) == pid ? pid : -errno;
}

static void need_set_tid(struct child_report *rep)
{
	struct choice probe = { .size = 1, .tid = { 0 } };
	long ret = choose(&probe);

	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	if (ret == -E2BIG)
		child_skip(rep, NEEDS_SET_TID);
}

/* One level: the caller is the init, 2 is in use, as is 1. */
static void one_level(struct child_report *rep, void *arg)
{
	struct choice c = *(struct choice *)arg;
	struct child held;
	struct scene s;
	long long most;
	size_t i;

	need_set_tid(rep);
	CHILD_EQ(rep, 0, scene_init(&s));
	CHILD_EQ(rep, 0, child_start(&held, 0, scene_member, &s));
	CHILD_EQ(rep, 0, gate_wait_child(&s.up, &held));
	for (i = 0; i < c.size && i < ARRAY_SIZE(c.tid); i++)
		if (c.tid[i] == MAX) {
			if (proc_number("/proc/sys/kernel/pid_max", "", &most))
				child_skip(rep, NEEDS_PROC);
			c.tid[i] = most;
		}
	CHILD_EQ(rep, c.want, choose(&c));
	/* a chosen number does not change which one is next, a given one does */
	CHILD_EQ(rep, c.flags && c.want == 3 ? 4 : 3,
		 choose(&(struct choice){ 0 }));
	CHILD_EQ(rep, 500,
		 choose(&(struct choice){ .size = 1, .tid = { 500 } }));
	CHILD_EQ(rep, 0, child_kill(&held));
}

FIXTURE(set_tid)
{
	const char *missing;
};

FIXTURE_VARIANT(set_tid)
{
	struct choice c;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(set_tid, free_number)        { { 0, 1, { 500 },       .want = 500     } };
FIXTURE_VARIANT_ADD(set_tid, next_number)        { { 0, 1, { 3 },         .want = 3       } };
FIXTURE_VARIANT_ADD(set_tid, zero)               { { 0, 1, { 0 },         .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, negative)           { { 0, 1, { -1 },        .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, pid_max)            { { 0, 1, { MAX },       .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, init_in_use)        { { 0, 1, { 1 },         .want = -EEXIST } };
FIXTURE_VARIANT_ADD(set_tid, member_in_use)      { { 0, 1, { 2 },         .want = -EEXIST } };
FIXTURE_VARIANT_ADD(set_tid, array_without_size) { { 0, 0, BAD,           .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, size_without_array) { { 0, 1, NONE,          .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, bad_pointer)        { { 0, 1, BAD,           .want = -EFAULT } };
FIXTURE_VARIANT_ADD(set_tid, too_many_levels)    { { 0, 33, { 500 },      .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, first_is_1)         { { NEW, 2, { 1, 600 },  .want = 600     } };
FIXTURE_VARIANT_ADD(set_tid, only_first_is_1)    { { NEW, 1, { 1 },       .want = 3       } };
FIXTURE_VARIANT_ADD(set_tid, first_is_2)         { { NEW, 1, { 2 },       .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, first_is_0)         { { NEW, 1, { 0 },       .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, outer_is_0)         { { NEW, 2, { 1, 0 },    .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, outer_is_pid_max)   { { NEW, 2, { 1, MAX },  .want = -EINVAL } };
FIXTURE_VARIANT_ADD(set_tid, outer_in_use)       { { NEW, 2, { 1, 2 },    .want = -EEXIST } };
/* clang-format on */

FIXTURE_SETUP(set_tid)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(set_tid)
{
}

TEST_F(set_tid, gives_the_number_or_errno)
{
	struct choice c = variant->c;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, one_level, &c));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
