// SPDX-License-Identifier: GPL-2.0
/*
 * The first process of a pid namespace that waits while it dies, for others to
 * reap their children, hinders nobody else.
 *
 * Promises: kernel/pid_namespace.c:zap_pid_ns_processes(): it can be frozen
 *           meanwhile, so that the machine can be suspended, and is no reason
 *           for those to wait who wait for all tasks to leave what is traced.
 * Guards:   "pid_namespace: make zap_pid_ns_processes() freezable", v7.3,
 *           v6.12.115; 28319d6dc5e2 ("rcu-tasks: Fix synchronize_rcu_tasks() VS
 *           zap_pid_ns_processes()"), v6.3.
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment), because all
 *           of the machine is frozen; real root; CONFIG_HIBERNATION_SNAPSHOT_DEV;
 *           tracefs, CONFIG_FUNCTION_TRACER.
 */
#include <fcntl.h>
#include <linux/suspend_ioctls.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"

/* Milliseconds until freezing is given up: the default of 20000 is for disks. */
#define TIMEOUT "/sys/power/pm_freeze_timeout"

FIXTURE(dying_init)
{
	struct scene s;
	struct child init;
	struct child in;
	int dir;
	char name[32];
	const char *missing;
};

static void lonely(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	_exit(7);
}

FIXTURE_SETUP(dying_init)
{
	const char *vm = getenv("SELFTESTS_VM");

	self->init = CHILD_NONE;
	self->in = CHILD_NONE;
	self->dir = -1;
	self->missing = vm && !strcmp(vm, "1") ? NULL : NEEDS_VM;
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_real_root();
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	snprintf(self->name, sizeof(self->name), "init_hinders.%d", getpid());
	ASSERT_EQ(0, scene_init(&self->s));
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, lonely, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0, scene_inject(&self->in, self->init.pidfd, scene_member,
				  &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->in));
}

FIXTURE_TEARDOWN(dying_init)
{
	child_kill(&self->in);
	child_kill(&self->init);
	fd_close(&self->dir);
}

/* From here on it waits, until expect_end(). */
static void begin_to_die(struct __test_metadata *_metadata,
			 FIXTURE_DATA(dying_init) * self)
{
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(1, scene_ended(&self->in, CHILD_DEADLINE_MS));
	EXPECT_EQ(0, scene_ended(&self->init, SCENE_NEVER_MS));
}

static void expect_end(struct __test_metadata *_metadata,
		       FIXTURE_DATA(dying_init) * self)
{
	struct child_report rep;

	ASSERT_EQ(0, child_wait(&self->in, NULL));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(7, rep.code);
}

/* Writes to a file of the directory of the test; 0 or -errno. */
static int put(int dir, const char *name, const char *file, const char *text)
{
	char path[96];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", name, file);
	fd = openat(dir, path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/* All processes but the caller, as for a suspend; 0 or -errno. */
static int freeze_and_thaw(int snapshot)
{
	if (ioctl(snapshot, SNAPSHOT_FREEZE, 0) < 0)
		return -errno;
	return ioctl(snapshot, SNAPSHOT_UNFREEZE, 0) < 0 ? -errno : 0;
}

TEST_F(dying_init, can_be_frozen)
{
	int snapshot, ret;
	char before[16];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	snapshot = open("/dev/snapshot", O_RDONLY | O_CLOEXEC);
	if (snapshot < 0 || proc_read(TIMEOUT, before, sizeof(before)) < 0)
		SKIP(return, NEEDS_SNAPSHOT_DEV);
	begin_to_die(_metadata, self);
	ASSERT_EQ(0, proc_write(TIMEOUT, "2000"));
	ret = freeze_and_thaw(snapshot);
	EXPECT_EQ(0, proc_write(TIMEOUT, before));
	EXPECT_EQ(0, ret);
	expect_end(_metadata, self);
}

/* Turned off, it waits for every task that may be in what was traced. */
static void trace_and_stop(struct child_report *rep, void *arg)
{
	const struct _test_data_dying_init *self = arg;
	int dir = self->dir, ret;
	char path[96];

	snprintf(path, sizeof(path), "instances/%s", self->name);
	CHILD_OK(rep, mkdirat(dir, path, 0755));
	ret = put(dir, path, "set_ftrace_filter", "schedule");
	if (!ret)
		ret = put(dir, path, "current_tracer", "function");
	if (!ret)
		ret = put(dir, path, "current_tracer", "nop");
	CHILD_EQ(rep, 0, unlinkat(dir, path, AT_REMOVEDIR));
	if (ret == -ENOENT || ret == -EINVAL)
		child_skip(rep, NEEDS_FUNCTION_TRACER);
	CHILD_EQ(rep, 0, ret);
}

TEST_F(dying_init, does_not_keep_tracing_from_being_turned_off)
{
	struct child_report rep;
	struct child tracer;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->dir = fs_open_new("tracefs");
	if (self->dir == -ENODEV)
		SKIP(return, NEEDS_TRACEFS);
	ASSERT_LE(0, self->dir);
	begin_to_die(_metadata, self);
	ASSERT_EQ(0, child_start(&tracer, 0, trace_and_stop, self));
	EXPECT_EQ(1, scene_ended(&tracer, CHILD_DEADLINE_MS / 2));
	expect_end(_metadata, self);
	ASSERT_EQ(0, child_wait(&tracer, &rep));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
