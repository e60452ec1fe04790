// SPDX-License-Identifier: GPL-2.0
/*
 * Does the tower tell the truth about its members?
 *
 * Promises: tower.h; NSpid of proc_pid_status(5) as the second witness.
 * Needs:    root or user namespaces.
 */
#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "tower.h"

FIXTURE(tower)
{
	struct tower t;
	const char *missing;
};

FIXTURE_VARIANT(tower)
{
	int depth;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(tower, one_level)   { 1 };
FIXTURE_VARIANT_ADD(tower, four_levels) { 4 };
/* clang-format on */

FIXTURE_SETUP(tower)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->t, variant->depth));
}

FIXTURE_TEARDOWN(tower)
{
	tower_down(&self->t);
}

static void expect_numbers(struct __test_metadata *_metadata,
			   const struct tower_member *m)
{
	long long pid[TOWER_LEVELS + 1];
	int i, n, own;

	/* /proc may be of an outer namespace: its numbers come first */
	own = proc_status(PROC_SELF, "NSpid", pid, 1);
	ASSERT_LE(1, own);
	n = proc_status(m->proc.pid, "NSpid", pid, TOWER_LEVELS + 1);
	ASSERT_EQ(own + m->level, n);
	for (i = 0; i <= m->level; i++)
		EXPECT_EQ(m->pid[i], pid[own - 1 + i]);
}

TEST_F(tower, numbers_agree_with_procfs)
{
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	for (i = 0; i <= variant->depth; i++)
		expect_numbers(_metadata, &self->t.member[i]);
	expect_numbers(_metadata, &self->t.twin);
	expect_numbers(_metadata, &self->t.sibling);
}

static void report_pid(struct child_report *rep, void *arg)
{
	rep->value[0] = getpid();
	rep->value[1] = *(int *)arg;
}

TEST_F(tower, members_obey)
{
	struct child_report rep;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i <= variant->depth; i++) {
		ASSERT_EQ(0, tower_call(&self->t.member[i], report_pid, &i,
					sizeof(i), &rep));
		EXPECT_EQ(self->t.member[i].pid[i], rep.value[0]);
		EXPECT_EQ(i, rep.value[1]);
	}
}

static void stop_at_wrong_value(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 1, 2);
}

TEST_F(tower, a_members_wrong_value_is_reported)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_call(&self->t.sibling, stop_at_wrong_value, NULL, 0,
				&rep));
	EXPECT_EQ(0, child_held(&rep));
	EXPECT_EQ(2, rep.got);
}

static void read_back(struct child_report *rep, void *arg)
{
	char byte = 0;

	rep->value[0] = read(*(int *)arg, &byte, 1) == 1 ? byte : -errno;
}

TEST_F(tower, a_member_takes_and_gives_descriptors)
{
	struct tower_member *m = &self->t.member[variant->depth];
	struct child_report rep;
	struct gate gate;
	int fd, back;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&gate));
	fd = tower_send_fd(m, gate.fd[0]);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(gate.fd[1], "xy", 1));
	ASSERT_EQ(0, tower_call(m, read_back, &fd, sizeof(fd), &rep));
	EXPECT_EQ('x', rep.value[0]);
	back = tower_fetch_fd(m, fd);
	ASSERT_LE(0, back);
	EXPECT_EQ(0, gate_open(&gate));
	gate.fd[0] = back;
	EXPECT_EQ(0, gate_wait(&gate));
}

TEST_HARNESS_MAIN
