// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through its process group, which may hold processes of
 * several pid namespaces: whom does a signal reach, and whom do they see?
 *
 * Promises: kill(2), 0 and negative numbers (kernel/signal.c:kill_something_info,
 *           send_signal_locked).
 * Guards:   7a0cf094944e ("signal: Correct namespace fixups of si_pid and
 *           si_uid"), v5.2.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include "caps.h"
#include "expect.h"
#include "tower.h"
#include "views_tools.h"

#define DEPTH 2

FIXTURE(group)
{
	struct tower tower;
	const char *missing;
};

static struct tower_member *member(struct tower *t, int i)
{
	return i <= DEPTH     ? &t->member[i] :
	       i == DEPTH + 1 ? &t->twin :
				&t->sibling;
}

/* Whoever joined last gets a signal to the group first. */
static int rejoin(struct tower *t, const struct tower_member *m)
{
	pid_t leader = t->member[1].pid[0];

	if (setpgid(m->pid[0], getpgrp()) < 0)
		return -errno;
	return view_result(setpgid(m->pid[0], leader));
}

/*
 * One group of all members, and of nobody else; member 1 leads it.  Those who
 * cannot see so many others come last.
 */
FIXTURE_SETUP(group)
{
	pid_t leader;
	int i;

	ASSERT_EQ(0, tower_prepare(0, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->tower, DEPTH));
	leader = self->tower.member[1].pid[0];
	ASSERT_EQ(0, setpgid(leader, leader));
	for (i = DEPTH + 2; i >= 0; i--)
		ASSERT_EQ(0, rejoin(&self->tower, member(&self->tower, i)));
}

FIXTURE_TEARDOWN(group)
{
	if (!self->missing)
		tower_down(&self->tower);
}

static void get_ready(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, view_block(view_signal()));
}

static void signal_own_group(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, kill(0, view_signal()));
}

static void signal_group(struct child_report *rep, void *arg)
{
	pid_t *group = arg;

	view_see(rep, kill(-*group, view_signal()));
}

/* 0 or more: who sent it; -EAGAIN: nobody did */
static void read_signal(struct child_report *rep, void *arg)
{
	siginfo_t info;

	rep->value[0] = view_take(view_signal(), &info);
	if (!rep->value[0])
		rep->value[0] = info.si_pid;
}

static long long ask(struct __test_metadata *_metadata, struct tower_member *m,
		     child_fn fn, pid_t group)
{
	struct child_report rep;

	ASSERT_EQ(0, tower_call(m, fn, &group, sizeof(group), &rep));
	expect_held(_metadata, &rep);
	return rep.value[0];
}

/*
 * Everybody reads the number of the sender here, or 0 if it has none.  Up to
 * v7.2, somebody further out reads the number the sender has for itself.
 */
static void expect_sender(struct __test_metadata *_metadata, struct tower *t,
			  const struct tower_member *sender)
{
	long long seen, want;
	int i;

	for (i = 0; i <= DEPTH + 2; i++) {
		want = tower_pid(sender, member(t, i));
		seen = ask(_metadata, member(t, i), read_signal, 0);
		if (member(t, i)->level < sender->level &&
		    seen == sender->pid[sender->level])
			continue;
		EXPECT_EQ(want, seen)
		TH_LOG("read by member %d of %d", i, DEPTH + 2);
	}
}

static void get_all_ready(struct __test_metadata *_metadata, struct tower *t)
{
	int i;

	for (i = 0; i <= DEPTH + 2; i++)
		ask(_metadata, member(t, i), get_ready, 0);
}

static void signal_from(struct __test_metadata *_metadata, struct tower *t,
			struct tower_member *sender)
{
	get_all_ready(_metadata, t);
	ask(_metadata, sender, signal_own_group, 0);
	expect_sender(_metadata, t, sender);
}

TEST_F(group, kill_0_from_outside_reaches_all)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	signal_from(_metadata, &self->tower, &self->tower.member[0]);
}

TEST_F(group, kill_0_from_the_middle_reaches_all)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	signal_from(_metadata, &self->tower, &self->tower.member[1]);
}

TEST_F(group, kill_0_from_inside_reaches_all)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	signal_from(_metadata, &self->tower, &self->tower.member[DEPTH]);
}

TEST_F(group, kill_0_from_the_side_reaches_all)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, rejoin(&self->tower, &self->tower.sibling));
	ASSERT_EQ(0, rejoin(&self->tower, &self->tower.member[0]));
	signal_from(_metadata, &self->tower, &self->tower.sibling);
}

TEST_F(group, is_named_by_the_number_of_its_leader_here)
{
	struct tower_member *m = self->tower.member;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i < DEPTH; i++) {
		get_all_ready(_metadata, &self->tower);
		EXPECT_EQ(0, ask(_metadata, &m[i], signal_group, m[1].pid[i]));
		expect_sender(_metadata, &self->tower, &m[i]);
	}
	get_all_ready(_metadata, &self->tower);
	/* the leader has no number there */
	EXPECT_EQ(-ESRCH, ask(_metadata, &m[DEPTH], signal_group, m[1].pid[1]));
	EXPECT_EQ(-ESRCH, ask(_metadata, &self->tower.sibling, signal_group,
			      m[1].pid[1]));
	for (i = 0; i <= DEPTH + 2; i++)
		EXPECT_EQ(-EAGAIN, ask(_metadata, member(&self->tower, i),
				       read_signal, 0));
}

TEST_HARNESS_MAIN
