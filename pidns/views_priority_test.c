// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by the calls that read or set its priority, or that of
 * its process group or user, for the CPU or for I/O.
 *
 * Promises: getpriority(2), setpriority(2), ioprio_get(2), ioprio_set(2): ESRCH
 *           (kernel/sys.c, block/ioprio.c).
 * Guards:   8639b46139b0 ("pidns: fix set/getpriority and ioprio_set/get in
 *           PRIO_USER mode"), v4.5.
 * Needs:    root, or user namespaces, to make the pid namespaces; real root for
 *           the rows that need another user.
 */
#include <sys/resource.h>

#include "views.h"

/* linux/ioprio.h is younger than some C libraries */
#define IO_WHO_PROCESS 1
#define IO_WHO_PGRP 2
#define IO_WHO_USER 3
#define IO_BEST_EFFORT(n) (2 << 13 | (n))

#define NICEST 19

/* A user that nobody is, so that only our processes count. */
#define NOBODY_IS 2000000123

/*
 * A group of its own, because rows ask for that too.  Niceness can only grow
 * without privilege, so each pair adds one.
 */
static void note_nice(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_OK(rep, setpgid(0, 0));
	CHILD_EQ(rep, v->own, getpgid(0));
	rep->value[1] = getpriority(PRIO_PROCESS, 0);
}

/*
 * Who is as nice as can be already has to start over, and not all may.  A
 * second note tells that there was room.
 */
static void note_room(struct child_report *rep, void *arg)
{
	note_nice(rep, arg);
	if (rep->value[1] == NICEST) {
		if (setpriority(PRIO_PROCESS, 0, 0) < 0)
			child_skip(rep, NEEDS_LOWER_NICE);
		rep->value[1] = 0;
	}
	rep->value[2] = 1;
}

static void be_nicer(struct child_report *rep, void *arg)
{
	note_room(rep, arg);
	rep->value[1]++;
	CHILD_OK(rep, setpriority(PRIO_PROCESS, 0, rep->value[1]));
}

static void see_nice(struct child_report *rep, const struct view *v, int which)
{
	/* the system call itself returns 20 - nice, and no errno in disguise */
	view_see(rep, syscall(__NR_getpriority, which, v->number));
	if (rep->value[0] > 0)
		rep->value[0] = 20 - rep->value[0] == v->note[0];
}

static void get_nice(struct child_report *rep, void *arg)
{
	see_nice(rep, arg, PRIO_PROCESS);
}

static void get_group_nice(struct child_report *rep, void *arg)
{
	see_nice(rep, arg, PRIO_PGRP);
}

static void set_nice(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, setpriority(PRIO_PROCESS, v->number, v->note[0] + 1));
}

static void set_group_nice(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, setpriority(PRIO_PGRP, v->number, v->note[0] + 1));
}

static void was_made_nicer(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target && v->note[1])
		CHILD_EQ(rep, v->note[0] + !!v->seen_as,
			 getpriority(PRIO_PROCESS, 0));
}

static void set_own_io(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	long ret = syscall(__NR_ioprio_set, IO_WHO_PROCESS, 0,
			   IO_BEST_EFFORT(v->level + 1));

	if (ret < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_BLOCK);
	CHILD_OK(rep, ret);
	note_nice(rep, arg);
}

static void see_io(struct child_report *rep, const struct view *v, int which)
{
	view_see(rep, syscall(__NR_ioprio_get, which, v->number));
	if (rep->value[0] > 0)
		rep->value[0] = rep->value[0] ==
				IO_BEST_EFFORT(v->peer_level + 1);
}

static void get_io(struct child_report *rep, void *arg)
{
	see_io(rep, arg, IO_WHO_PROCESS);
}

static void get_group_io(struct child_report *rep, void *arg)
{
	see_io(rep, arg, IO_WHO_PGRP);
}

static void set_io(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, syscall(__NR_ioprio_set, IO_WHO_PROCESS, v->number,
			      IO_BEST_EFFORT(7)));
}

static void set_group_io(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, syscall(__NR_ioprio_set, IO_WHO_PGRP, v->number,
			      IO_BEST_EFFORT(7)));
}

static void was_set_io(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_EQ(rep, IO_BEST_EFFORT(v->seen_as ? 7 : v->level + 1),
			 syscall(__NR_ioprio_get, IO_WHO_PROCESS, 0));
}

static void become_user(struct child_report *rep, void *arg)
{
	syscall(__NR_ioprio_set, IO_WHO_PROCESS, 0, IO_BEST_EFFORT(6));
	CHILD_OK(rep, setpriority(PRIO_PROCESS, 0, 5));
	CHILD_OK(rep, setresuid(NOBODY_IS, NOBODY_IS, NOBODY_IS));
	child_die_with_parent(rep);
}

static void child_of_user(struct child_report *rep, void *arg)
{
	/* in a user namespace of one's own there is one user */
	if (seteuid(NOBODY_IS) < 0)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, seteuid(0));
	child_die_with_parent(rep);
	view_child(rep, arg, become_user, NULL);
}

static void get_user_nice(struct child_report *rep, void *arg)
{
	view_see(rep, syscall(__NR_getpriority, PRIO_USER, NOBODY_IS));
}

static void set_user_nice(struct child_report *rep, void *arg)
{
	view_see(rep, setpriority(PRIO_USER, NOBODY_IS, 5));
}

static void get_user_io(struct child_report *rep, void *arg)
{
	view_see(rep, syscall(__NR_ioprio_get, IO_WHO_USER, NOBODY_IS));
	if (rep->value[0] < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_BLOCK);
}

static void set_user_io(struct child_report *rep, void *arg)
{
	view_see(rep, syscall(__NR_ioprio_set, IO_WHO_USER, NOBODY_IS,
			      IO_BEST_EFFORT(6)));
	if (rep->value[0] < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_BLOCK);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, getpriority)
{ { NULL, NULL, be_nicer, get_nice, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, getpriority_of_group)
{ { NULL, NULL, be_nicer, get_group_nice, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, setpriority)
{ { NULL, NULL, note_room, set_nice, was_made_nicer, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, setpriority_of_group)
{ { NULL, NULL, note_room, set_group_nice, was_made_nicer, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_get)
{ { NULL, NULL, set_own_io, get_io, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_get_of_group)
{ { NULL, NULL, set_own_io, get_group_io, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_set)
{ { NULL, NULL, set_own_io, set_io, was_set_io, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_set_of_group)
{ { NULL, NULL, set_own_io, set_group_io, was_set_io, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, getpriority_of_user)
{ { view_pair, NULL, child_of_user, get_user_nice, view_end_child, 15, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, setpriority_of_user)
{ { view_pair, NULL, child_of_user, set_user_nice, view_end_child, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_get_of_user)
{ { view_pair, NULL, child_of_user, get_user_io, view_end_child, IO_BEST_EFFORT(6), -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ioprio_set_of_user)
{ { view_pair, NULL, child_of_user, set_user_io, view_end_child, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
