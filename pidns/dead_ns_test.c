// SPDX-License-Identifier: GPL-2.0
/*
 * A pid namespace whose first process has ended takes nobody any more.
 *
 * Promises: pid_namespaces(7), "The namespace init process"; fork(2) ENOMEM;
 *           kernel/pid.c:alloc_pid().
 * Guards:   b26ebfe12f34 ("pid: Fix error return value in some cases"), v5.6;
 *           35f71bc0a09a ("fork: report pid reservation failure properly"),
 *           v4.1; "pidns: Stop pid allocation when init dies", v3.8.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>
#include <spawn.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "scene.h"

/* Ways to make a child; 0 when that worked, else a negative errno. */
typedef int (*make_fn)(void);

static int reap(pid_t pid)
{
	if (pid < 0)
		return -errno;
	return waitpid(pid, NULL, 0) == pid ? 0 : -errno;
}

static int make_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return reap(pid);
}

static int make_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(0);
	return reap(pid);
}

/* The program does not exist: the errno tells whether it came to that. */
static int make_spawn(void)
{
	char *const argv[] = { "none", NULL };
	pid_t pid;
	int ret = posix_spawn(&pid, "/proc/none", NULL, NULL, argv, NULL);

	return ret == ENOENT ? 0 : -ret;
}

static int make_clone3(void)
{
	struct uapi_clone_args args = { .exit_signal = SIGCHLD };
	pid_t pid = sys_clone3(&args, sizeof(args));

	if (pid == 0)
		_exit(0);
	return reap(pid);
}

static int make_namespace(void)
{
	struct uapi_clone_args args = { .flags = CLONE_NEWPID,
					.exit_signal = SIGCHLD };
	pid_t pid = sys_clone3(&args, sizeof(args));

	if (pid == 0)
		_exit(0);
	return reap(pid);
}

static int make_unshare(void)
{
	return unshare(CLONE_NEWPID) < 0 ? -errno : 0;
}

static void *nothing(void *arg)
{
	return arg;
}

static int make_thread(void)
{
	pthread_t thread;
	int ret = pthread_create(&thread, NULL, nothing, NULL);

	return ret ? -ret : -pthread_join(thread, NULL);
}

/* Ways into a namespace whose init is dead; a negative errno if barred. */
static int way_unshare(void)
{
	if (unshare(CLONE_NEWPID) < 0)
		return -errno;
	return make_fork();
}

static void init_of_dead(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	CHILD_EQ(rep, 0, gate_wait(&s->go));
}

/* By a pidfd the target must live; the join outlasts it. */
static int way_setns(void)
{
	struct child init;
	struct scene s;
	int ret;

	ret = scene_init(&s);
	if (!ret)
		ret = child_start(&init, CLONE_NEWPID, init_of_dead, &s);
	if (ret)
		return ret;
	if (setns(init.pidfd, CLONE_NEWPID) < 0)
		return -errno;
	ret = gate_open(&s.go);
	return ret ? ret : child_wait(&init, NULL);
}

FIXTURE(dead_ns)
{
	const char *missing;
};

FIXTURE_VARIANT(dead_ns)
{
	int (*way)(void);
	make_fn make;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(dead_ns, unshare_fork)      { way_unshare, make_fork,      -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, unshare_vfork)     { way_unshare, make_vfork,     -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, unshare_spawn)     { way_unshare, make_spawn,     -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, unshare_clone3)    { way_unshare, make_clone3,    -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, unshare_thread)    { way_unshare, make_thread,    -EINVAL };
FIXTURE_VARIANT_ADD(dead_ns, unshare_namespace) { way_unshare, make_namespace, -EINVAL };
FIXTURE_VARIANT_ADD(dead_ns, unshare_unshare)   { way_unshare, make_unshare,   -EINVAL };
FIXTURE_VARIANT_ADD(dead_ns, setns_fork)        { way_setns,   make_fork,      -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, setns_vfork)       { way_setns,   make_vfork,     -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, setns_spawn)       { way_setns,   make_spawn,     -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, setns_clone3)      { way_setns,   make_clone3,    -ENOMEM };
FIXTURE_VARIANT_ADD(dead_ns, setns_thread)      { way_setns,   make_thread,    -EINVAL };
FIXTURE_VARIANT_ADD(dead_ns, setns_namespace)   { way_setns,   make_namespace, -EINVAL };
FIXTURE_VARIANT_ADD(dead_ns, setns_unshare)     { way_setns,   make_unshare,   -EINVAL };
/* clang-format on */

FIXTURE_SETUP(dead_ns)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(dead_ns)
{
}

/* Also again and again: a refusal must not change anything. */
TEST_F(dead_ns, takes_nobody)
{
	int i;

	if (!self->missing && variant->way == way_setns)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (make_clone3() == -ENOSYS)
		SKIP(return, NEEDS_CLONE3);
	ASSERT_EQ(0, variant->way());
	for (i = 0; i < 3; i++)
		EXPECT_EQ(variant->want, variant->make());
}

struct row {
	int (*way)(void);
	make_fn make;
};

/* In a namespace of one's own, where one may go back to. */
static void go_back(struct child_report *rep, void *arg)
{
	struct row *row = arg;
	int self = sys_pidfd_open(1, 0);

	CHILD_LE(rep, 0, self);
	CHILD_EQ(rep, 0, row->way());
	CHILD_EQ(rep, 0, setns(self, CLONE_NEWPID));
	CHILD_EQ(rep, 0, row->make());
}

TEST_F(dead_ns, does_not_hold_the_caller)
{
	struct row row = { variant->way, variant->make };
	struct child_report rep;

	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (make_clone3() == -ENOSYS)
		SKIP(return, NEEDS_CLONE3);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, go_back, &row));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
