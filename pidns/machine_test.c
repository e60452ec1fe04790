// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of the whole machine that a pid namespace does not change.
 *
 * Promises: sysinfo(2), procs; proc_loadavg(5), the fourth field, behind the
 *           slash (kernel/sys.c:do_sysinfo, fs/proc/loadavg.c).
 * Needs:    root or user namespaces, to make the pid namespaces.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"

#define MANY 8

FIXTURE(machine)
{
	struct child outside[MANY];
	struct scene s;
	const char *missing;
};

FIXTURE_SETUP(machine)
{
	int i;

	for (i = 0; i < MANY; i++)
		self->outside[i] = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
	for (i = 0; i < MANY; i++) {
		ASSERT_EQ(0, child_start(&self->outside[i], 0, scene_member,
					 &self->s));
		ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->outside[i]));
	}
}

FIXTURE_TEARDOWN(machine)
{
	int i;

	for (i = 0; i < MANY; i++)
		child_kill(&self->outside[i]);
}

/* All of them live outside, and this one inside. */
static void read_sysinfo(struct child_report *rep, void *arg)
{
	struct sysinfo info;

	CHILD_OK(rep, sysinfo(&info));
	CHILD_LE(rep, MANY + 1, info.procs);
}

static void read_loadavg(struct child_report *rep, void *arg)
{
	char buf[128];

	CHILD_OK(rep, proc_read("/proc/loadavg", buf, sizeof(buf)));
	CHILD_LE(rep, MANY + 1, atoll(strchr(buf, '/') + 1));
}

TEST_F(machine, has_processes_outside_too_says_sysinfo)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, read_sysinfo, NULL);
}

TEST_F(machine, has_processes_outside_too_says_loadavg)
{
	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, read_loadavg, NULL);
}

TEST_HARNESS_MAIN
