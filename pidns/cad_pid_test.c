// SPDX-License-Identifier: GPL-2.0
/*
 * The process that Ctrl-Alt-Del is told to, named inside a pid namespace.
 *
 * Promises: proc_sys_kernel(5), cad_pid: numbers of the pid namespace of who
 *           reads or writes; 0 for an invisible process; ESRCH
 *           (kernel/reboot.c:proc_do_cad_pid).
 * Needs:    real root; to name another process also a machine that may be
 *           disturbed (SELFTESTS_VM=1).
 */
#include <stdlib.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"

#define CAD_PID "/proc/sys/kernel/cad_pid"

static long long read_cad_pid(void)
{
	long long pid;
	int ret = proc_number(CAD_PID, "", &pid);

	return ret ? ret : pid;
}

static int write_cad_pid(pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return proc_write(CAD_PID, text);
}

FIXTURE(cad)
{
	const char *missing;
	pid_t before;
};

FIXTURE_SETUP(cad)
{
	self->before = 0;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_real_root();
	if (!self->missing)
		self->missing = lack_of_first_pid_ns();
	if (!self->missing && access(CAD_PID, R_OK | W_OK))
		self->missing = NEEDS_PROC_SYS;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->before = read_cad_pid();
	ASSERT_LE(0, self->before);
}

FIXTURE_TEARDOWN(cad)
{
	if (self->before && read_cad_pid() != self->before)
		EXPECT_EQ(0, write_cad_pid(self->before));
}

static void read_inside(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, read_cad_pid());
}

TEST_F(cad, process_is_invisible_inside)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, read_inside, NULL);
}

/* Refused, it changes nothing. */
static void name_outsider(struct child_report *rep, void *arg)
{
	pid_t *number = arg;

	CHILD_EQ(rep, -ESRCH, write_cad_pid(*number));
}

TEST_F(cad, process_is_not_found_by_its_number_outside)
{
	pid_t own = getpid();

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, name_outsider, &own);
	EXPECT_EQ(self->before, read_cad_pid());
}

/* It stays, so that it can be read from outside. */
static void name_oneself(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, write_cad_pid(getpid()));
	CHILD_EQ(rep, getpid(), read_cad_pid());
	CHILD_EQ(rep, -ESRCH, write_cad_pid(getpid() + 1));
	CHILD_EQ(rep, getpid(), read_cad_pid());
	scene_stay(arg);
}

TEST_F(cad, process_is_named_by_its_number_inside)
{
	const char *vm = getenv("SELFTESTS_VM");
	struct child_report rep;
	struct scene s;
	struct child c;

	if (!self->missing && (!vm || strcmp(vm, "1")))
		self->missing = NEEDS_VM;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, name_oneself, &s));
	if (gate_wait_child(&s.up, &c)) {
		ASSERT_EQ(0, child_wait(&c, &rep));
		expect_held(_metadata, &rep);
	} else {
		EXPECT_EQ(c.pid, read_cad_pid());
	}
	EXPECT_EQ(0, child_kill(&c));
}

TEST_HARNESS_MAIN
