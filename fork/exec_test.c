// SPDX-License-Identifier: GPL-2.0
/*
 * A process that executes a program stays who it is and where it is: numbers,
 * namespaces and clocks, whatever the program and whichever thread asks; a
 * namespace's first process stays its init.
 *
 * Promises: execve(2); pid_namespaces(7); time_namespaces(7);
 *           fs/exec.c:de_thread(), kernel/pid.c:exchange_tids(),
 *           kernel/exit.c:find_child_reaper().
 * Guards:   none.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <fcntl.h>

#include "caps.h"
#include "clocks.h"
#include "exec_job.h"
#include "expect.h"
#include "image.h"
#include "lack.h"
#include "procfs.h"

/* In a static libc this is the static program, too. */
static void __attribute__((constructor)) take_over(void)
{
	image_take_over();
}

enum image { STATIC, DYNAMIC, SCRIPT, COMPAT };

FIXTURE(exec)
{
	const char *missing;
	int script;
	int line[2];
	char path[512];
	struct exec_job job;
	struct offsets base;
};

FIXTURE_VARIANT(exec)
{
	enum image image;
	enum exec_place place;
	enum exec_caller caller;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(exec, static_init)           { STATIC,  INIT,   LEADER };
FIXTURE_VARIANT_ADD(exec, static_init_thread)    { STATIC,  INIT,   THREAD };
FIXTURE_VARIANT_ADD(exec, static_init_heir)      { STATIC,  INIT,   HEIR };
FIXTURE_VARIANT_ADD(exec, static_init_crowd)     { STATIC,  INIT,   CROWD };
FIXTURE_VARIANT_ADD(exec, static_member)         { STATIC,  MEMBER, LEADER };
FIXTURE_VARIANT_ADD(exec, static_member_thread)  { STATIC,  MEMBER, THREAD };
FIXTURE_VARIANT_ADD(exec, static_member_heir)    { STATIC,  MEMBER, HEIR };
FIXTURE_VARIANT_ADD(exec, static_member_crowd)   { STATIC,  MEMBER, CROWD };
FIXTURE_VARIANT_ADD(exec, dynamic_init)          { DYNAMIC, INIT,   LEADER };
FIXTURE_VARIANT_ADD(exec, dynamic_init_thread)   { DYNAMIC, INIT,   THREAD };
FIXTURE_VARIANT_ADD(exec, dynamic_member)        { DYNAMIC, MEMBER, LEADER };
FIXTURE_VARIANT_ADD(exec, dynamic_member_thread) { DYNAMIC, MEMBER, THREAD };
FIXTURE_VARIANT_ADD(exec, script_init)           { SCRIPT,  INIT,   LEADER };
FIXTURE_VARIANT_ADD(exec, script_init_thread)    { SCRIPT,  INIT,   THREAD };
FIXTURE_VARIANT_ADD(exec, script_member)         { SCRIPT,  MEMBER, LEADER };
FIXTURE_VARIANT_ADD(exec, script_member_thread)  { SCRIPT,  MEMBER, THREAD };
FIXTURE_VARIANT_ADD(exec, compat_init)           { COMPAT,  INIT,   LEADER };
FIXTURE_VARIANT_ADD(exec, compat_init_thread)    { COMPAT,  INIT,   THREAD };
FIXTURE_VARIANT_ADD(exec, compat_member)         { COMPAT,  MEMBER, LEADER };
FIXTURE_VARIANT_ADD(exec, compat_member_thread)  { COMPAT,  MEMBER, THREAD };
/* clang-format on */

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC + 123456789,
	.boottime = 5000 * NSEC_PER_SEC + 987654321,
};

static void exec_as_member(struct child_report *rep, void *arg)
{
	exec_run(rep, 0, exec_here, arg);
}

static void make_namespaces(struct child_report *rep, void *arg)
{
	struct exec_job *job = arg;

	CHILD_EQ(rep, 0, timens_unshare(&shift));
	exec_run(rep, CLONE_NEWPID,
		 job->place == INIT ? exec_here : exec_as_member, job);
}

FIXTURE_SETUP(exec)
{
	static const char *const name[] = {
		[STATIC] = "exec_probe",
		[SCRIPT] = "exec_probe",
		[COMPAT] = "exec_probe32",
	};
	int ret;

	self->script = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	ret = image_path(name[variant->image], self->path, sizeof(self->path));
	if (ret == -ENOENT && !self->missing)
		self->missing = lack_of_proc();
	if (ret == -ENOENT && !self->missing && variant->image == COMPAT)
		self->missing = NEEDS_32BIT;
	if (!self->missing && variant->caller != LEADER)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ret);
	if (variant->image == SCRIPT) {
		self->script = image_script(self->path);
		ASSERT_LE(0, self->script);
		snprintf(self->path, sizeof(self->path), "/proc/self/fd/%d",
			 self->script);
	}
	ASSERT_EQ(0, pipe2(self->line, O_NONBLOCK));
	ASSERT_EQ(0, exec_job_init(&self->job, self->path, self->line[1]));
	self->job.place = variant->place;
	self->job.caller = variant->caller;
	ASSERT_EQ(0, offsets_get(PROC_SELF, &self->base));
}

FIXTURE_TEARDOWN(exec)
{
	fd_close(&self->script);
}

static void expect_clocks(struct __test_metadata *_metadata,
			  const int64_t *value, int64_t low, int64_t high,
			  bool vdso)
{
	int last = vdso ? CLOCK_BY_VDSO : CLOCK_BY_SYSCALL;
	int path;

	for (path = CLOCK_BY_LIBC; path <= last; path++)
		expect_between(_metadata, "a clock in the image", low,
			       value[path], high);
}

static void expect_self(struct __test_metadata *_metadata, const int64_t *value,
			const struct exec_before *before, enum exec_place place)
{
	EXPECT_EQ(place, before->pid);
	EXPECT_EQ(place, value[IMAGE_PID]);
	EXPECT_EQ(place, value[IMAGE_TID]);
	EXPECT_EQ(place == INIT ? 0 : 1, value[IMAGE_PPID]);
	EXPECT_EQ(1, value[IMAGE_THREADS]);
	EXPECT_EQ(before->ns_pid, value[IMAGE_NS_PID]);
	EXPECT_EQ(before->ns_pid, value[IMAGE_NS_PID_CHILDREN]);
	EXPECT_EQ(before->ns_time, value[IMAGE_NS_TIME]);
	EXPECT_EQ(before->ns_time, value[IMAGE_NS_TIME_CHILDREN]);
	EXPECT_EQ(1, value[IMAGE_ORPHAN_PPID]);
}

TEST_F(exec, keeps_what_the_process_is)
{
	struct image_report report = { { 0 } };
	const int64_t *value = report.value;
	int64_t mono[2], boot[2];
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	mono[0] = clock_ns(CLOCK_MONOTONIC) - self->base.monotonic;
	boot[0] = clock_ns(CLOCK_BOOTTIME) - self->base.boottime;
	ASSERT_EQ(0, child_run(&rep, 0, make_namespaces, &self->job));
	mono[1] = clock_ns(CLOCK_MONOTONIC) - self->base.monotonic;
	boot[1] = clock_ns(CLOCK_BOOTTIME) - self->base.boottime;
	expect_held(_metadata, &rep);
	ASSERT_EQ(0, image_fetch(self->line[0], &report));
	EXPECT_EQ(-ENODATA, image_fetch(self->line[0], &report));
	if (variant->image == STATIC && value[IMAGE_INTERPRETER])
		SKIP(return, NEEDS_STATIC_LIBC);
	if (variant->image == DYNAMIC && !value[IMAGE_INTERPRETER])
		SKIP(return, NEEDS_DYNAMIC_LIBC);
	expect_self(_metadata, value, self->job.before, variant->place);
	expect_clocks(_metadata, value + IMAGE_MONOTONIC,
		      mono[0] + shift.monotonic, mono[1] + shift.monotonic,
		      value[IMAGE_VDSO]);
	expect_clocks(_metadata, value + IMAGE_BOOTTIME,
		      boot[0] + shift.boottime, boot[1] + shift.boottime,
		      value[IMAGE_VDSO]);
}

TEST_HARNESS_MAIN
