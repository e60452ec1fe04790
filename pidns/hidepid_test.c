// SPDX-License-Identifier: GPL-2.0
/*
 * A procfs of a pid namespace that hides processes from other users, or all
 * that is no process from everybody.
 *
 * Promises: proc(5), "Mount options": hidepid, gid, subset;
 *           fs/proc/base.c:has_pid_permissions(), proc_pid_lookup().
 * Needs:    root, for a second user; /proc that may be mounted anew.
 */
#include "caps.h"
#include "expect.h"
#include "proc_options.h"

#define NOBODY 65534
#define GROUP "65534" /* the reader's */

struct mount {
	const char *hidepid;
	const char *gid;
	int listed; /* is the init in the directory? */
	int stat; /* of /1 */
	int open; /* of /1/stat */
	int dir;
};

/* Another user, with the init's procfs at hand. */
static void reader(struct child_report *rep, void *arg)
{
	struct mount *m = arg;
	struct stat st;

	if (caps_become(NOBODY) < 0)
		child_skip(rep, NEEDS_ROOT);
	child_die_with_parent(rep);
	CHILD_EQ(rep, m->listed, proc_lists(m->dir, "1"));
	CHILD_EQ(rep, m->stat, fstatat(m->dir, "1", &st, 0) < 0 ? -errno : 0);
	CHILD_EQ(rep, m->open, proc_can_open(m->dir, "1/stat"));
	/* oneself is never hidden */
	CHILD_EQ(rep, 1, proc_lists(m->dir, "2"));
	CHILD_EQ(rep, 0, proc_can_open(m->dir, "2/stat"));
	CHILD_EQ(rep, 0, proc_can_open(m->dir, "self/stat"));
}

static void owner(struct child_report *rep, void *arg)
{
	struct mount *m = arg;
	struct child_report inner;
	int fs = proc_begin();

	if (fs == -ENOSYS)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, fs);
	if (m->hidepid)
		CHILD_EQ(rep, 0, proc_option(fs, "hidepid", m->hidepid, 0));
	if (m->gid)
		CHILD_EQ(rep, 0, proc_option(fs, "gid", m->gid, 0));
	m->dir = proc_finish(fs);
	if (m->dir == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, m->dir);
	CHILD_EQ(rep, 0, child_run(&inner, 0, reader, m));
	CHILD_HELD(rep, &inner);
	/* root sees all, whatever is hidden */
	CHILD_EQ(rep, 1, proc_lists(m->dir, "1"));
	CHILD_EQ(rep, 0, proc_can_open(m->dir, "1/stat"));
}

FIXTURE(hidepid)
{
	struct mount mount;
	const char *missing;
};

FIXTURE_VARIANT(hidepid)
{
	const char *hidepid;
	const char *gid;
	int listed;
	int stat;
	int open;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(hidepid, unset)                { NULL, NULL,  1, 0,       0 };
FIXTURE_VARIANT_ADD(hidepid, off)                  { "0",  NULL,  1, 0,       0 };
FIXTURE_VARIANT_ADD(hidepid, no_access)            { "1",  NULL,  1, 0,       -EPERM };
FIXTURE_VARIANT_ADD(hidepid, no_access_by_name)    { "noaccess", NULL, 1, 0,  -EPERM };
FIXTURE_VARIANT_ADD(hidepid, no_access_but_group)  { "1",  GROUP, 1, 0,       0 };
FIXTURE_VARIANT_ADD(hidepid, invisible)            { "2",  NULL,  0, -ENOENT, -ENOENT };
FIXTURE_VARIANT_ADD(hidepid, invisible_but_group)  { "2",  GROUP, 1, 0,       0 };
FIXTURE_VARIANT_ADD(hidepid, ptraceable)           { "4",  NULL,  0, -ENOENT, -ENOENT };
FIXTURE_VARIANT_ADD(hidepid, ptraceable_for_group) { "4",  GROUP, 0, -ENOENT, -ENOENT };
/* clang-format on */

FIXTURE_SETUP(hidepid)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->mount = (struct mount){ .hidepid = variant->hidepid,
				      .gid = variant->gid,
				      .listed = variant->listed,
				      .stat = variant->stat,
				      .open = variant->open };
}

FIXTURE_TEARDOWN(hidepid)
{
}

TEST_F(hidepid, hides_init_from_another_user)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID | CLONE_NEWNS, owner,
			       &self->mount));
	expect_held(_metadata, &rep);
}

static void only_processes(struct child_report *rep,
			   void *arg __attribute__((unused)))
{
	int dir, fs = proc_begin();

	if (fs == -ENOSYS)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, fs);
	CHILD_EQ(rep, 0, proc_option(fs, "subset", "pid", 0));
	dir = proc_finish(fs);
	if (dir == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, dir);
	CHILD_EQ(rep, 1, proc_lists(dir, NULL));
	CHILD_EQ(rep, 1, proc_lists(dir, "1"));
	CHILD_EQ(rep, 0, proc_lists(dir, "loadavg"));
	CHILD_EQ(rep, 0, proc_can_open(dir, "1/stat"));
	CHILD_EQ(rep, 0, proc_can_open(dir, "self/stat"));
	CHILD_EQ(rep, 0, proc_can_open(dir, "thread-self/stat"));
	CHILD_EQ(rep, -ENOENT, proc_can_open(dir, "loadavg"));
	CHILD_EQ(rep, -ENOENT, proc_can_open(dir, "sys/kernel/pid_max"));
}

TEST(subset_shows_processes_only)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID | CLONE_NEWNS, only_processes,
			       NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
