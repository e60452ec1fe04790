// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by its family: groups, sessions, and the signals of dying
 * parents and broken pipes.
 *
 * Promises: setpgid(2): EPERM for a group that is not in the session here,
 *           ESRCH for no child; setsid(2); wait(2): ECHILD;
 *           PR_SET_PDEATHSIG(2const), si_pid; pipe(7), SIGPIPE
 *           (kernel/sys.c:setpgid, ksys_setsid,
 *           kernel/signal.c:__send_signal_locked).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/prctl.h>
#include <sys/wait.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"
#include "signals.h"
#include "views_tools.h"

FIXTURE(family)
{
	const char *missing;
};

FIXTURE_SETUP(family)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(family)
{
}

/* Groups are made and joined by number, in the session of the caller. */
static void move_children(struct child_report *rep, void *arg)
{
	pid_t *outside = arg, one = fork(), two = one ? fork() : 0;

	if (!one || !two)
		while (1)
			pause();
	CHILD_OK(rep, setpgid(one, one));
	CHILD_EQ(rep, one, getpgid(one));
	CHILD_OK(rep, setpgid(two, one));
	CHILD_EQ(rep, one, getpgid(two));
	CHILD_OK(rep, setpgid(getpid(), getpid()));
	CHILD_EQ(rep, getpid(), getpgrp());
	CHILD_OK(rep, setpgid(two, getpid()));
	CHILD_EQ(rep, 0, *outside == getpid());
	CHILD_EQ(rep, -EPERM, view_result(setpgid(two, *outside)));
	CHILD_EQ(rep, -ESRCH, view_result(setpgid(*outside, 0)));
	CHILD_EQ(rep, -EPERM, view_result(setpgid(0, *outside)));
}

TEST_F(family, group_is_made_and_joined_by_numbers_here)
{
	pid_t outside = getpid();

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, move_children, &outside);
}

static void lead_session(struct child_report *rep, void *arg)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		pid = setsid();
		/* the first process of the namespace is 1 */
		_exit(pid < 2 || pid != getpid() || pid != getsid(0) ||
		      pid != getpgid(0));
	}
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
}

TEST_F(family, session_is_named_by_its_leader_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, lead_session, NULL);
}

static void break_pipe(struct child_report *rep, void *arg)
{
	siginfo_t info;
	int fd[2];

	CHILD_OK(rep, pipe(fd));
	close(fd[0]);
	CHILD_EQ(rep, 0, view_block(SIGPIPE));
	CHILD_EQ(rep, -EPIPE, view_result(write(fd[1], "", 1)));
	CHILD_EQ(rep, 0, view_take(SIGPIPE, &info));
	CHILD_EQ(rep, getpid(), info.si_pid);
}

TEST_F(family, sigpipe_is_from_oneself)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, break_pipe, NULL);
}

/*
 * struct orphan - a grandchild that is signalled when its parent ends
 * @flags: CLONE_NEWPID or 0
 * @up:    it is in place
 * @out:   who signalled it
 */
struct orphan {
	__u64 flags;
	struct gate up;
	int out[2];
};

static void wait_for_orphanage(struct child_report *rep, void *arg)
{
	struct orphan *o = arg;
	siginfo_t info = { 0 };
	long long seen;
	sigset_t set;

	CHILD_EQ(rep, 0, view_block(view_signal()));
	CHILD_OK(rep, prctl(PR_SET_PDEATHSIG, view_signal()));
	CHILD_EQ(rep, 0, gate_open(&o->up));
	sigemptyset(&set);
	sigaddset(&set, view_signal());
	seen = signal_wait(&set, &info);
	if (seen > 0)
		seen = info.si_pid;
	CHILD_EQ(rep, sizeof(seen), write(o->out[1], &seen, sizeof(seen)));
	while (1)
		pause();
}

static void be_parent(struct child_report *rep, void *arg)
{
	struct child child;
	struct orphan *o = arg;

	CHILD_EQ(rep, 0, child_start(&child, o->flags, wait_for_orphanage, o));
	CHILD_EQ(rep, 0, gate_wait(&o->up));
	rep->value[0] = getpid();
}

/* The orphan dies with the namespace around. */
static void make_orphan(struct child_report *rep, void *arg)
{
	struct child_report parent;
	struct orphan *o = arg;
	long long seen;

	CHILD_EQ(rep, 0, gate_init(&o->up));
	CHILD_OK(rep, pipe(o->out));
	CHILD_EQ(rep, 0, child_run(&parent, 0, be_parent, o));
	CHILD_HELD(rep, &parent);
	CHILD_EQ(rep, sizeof(seen), read(o->out[0], &seen, sizeof(seen)));
	CHILD_EQ(rep, o->flags ? 0 : parent.value[0], seen);
}

TEST_F(family, death_of_parent_beside_has_its_number)
{
	struct orphan o = { 0 };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, make_orphan, &o);
}

TEST_F(family, death_of_parent_above_has_no_number)
{
	struct orphan o = { .flags = CLONE_NEWPID };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, make_orphan, &o);
}

static void tell_number_outside(struct child_report *rep, void *arg)
{
	proc_status(PROC_SELF, "Pid", &rep->value[0], 1);
	scene_stay(arg);
}

static void wait_by_number_outside(struct child_report *rep, void *arg)
{
	struct child_report *told;
	struct scene s;
	struct child c;

	(void)arg;
	child_need(rep, lack_of_proc());
	CHILD_EQ(rep, 0, scene_init(&s));
	CHILD_EQ(rep, 0, child_start(&c, 0, tell_number_outside, &s));
	CHILD_EQ(rep, 0, gate_wait_child(&s.up, &c));
	told = c.page;
	CHILD_LE(rep, c.pid + 1, told->value[0]);
	CHILD_EQ(rep, 0, waitpid(c.pid, NULL, WNOHANG));
	CHILD_EQ(rep, -ECHILD,
		 view_result(waitpid(told->value[0], NULL, WNOHANG)));
	CHILD_EQ(rep, -ECHILD,
		 view_result(waitid(P_PID, told->value[0], NULL,
				    WEXITED | WNOHANG)));
	CHILD_EQ(rep, 0, child_kill(&c));
}

TEST_F(family, child_is_not_found_by_its_number_outside)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, wait_by_number_outside, NULL);
}

TEST_HARNESS_MAIN
