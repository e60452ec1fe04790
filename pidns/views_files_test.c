// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that owns the signals of an open file.
 *
 * Promises: F_SETOWN(2const), F_GETOWN, F_SETOWN_EX, F_GETOWN_EX: ESRCH, 0
 *           (fs/fcntl.c:f_setown, f_getown, f_setown_ex, f_getown_ex).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <sys/socket.h>

#include "views.h"

static int prepare_pipe(struct view *v)
{
	return view_result(pipe2(v->fd, O_CLOEXEC));
}

static void own_file(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_OK(rep, fcntl(v->fd[0], F_SETOWN, v->own));
}

/* Groups of their own, so that these have a number here. */
static void own_as(struct child_report *rep, const struct view *v, int type)
{
	struct f_owner_ex owner = { type, v->own };

	CHILD_OK(rep, setpgid(0, 0));
	CHILD_OK(rep, fcntl(v->fd[0], F_SETOWN_EX, &owner));
}

static void own_as_group(struct child_report *rep, void *arg)
{
	own_as(rep, arg, F_OWNER_PGRP);
}

static void own_as_thread(struct child_report *rep, void *arg)
{
	own_as(rep, arg, F_OWNER_TID);
}

static void look_getown(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* the C library would ask F_GETOWN_EX instead */
	view_see(rep, syscall(__NR_fcntl, v->fd[0], F_GETOWN));
}

static void look_owner(struct child_report *rep, const struct view *v, int type)
{
	struct f_owner_ex owner = { -1, -1 };

	CHILD_OK(rep, fcntl(v->fd[0], F_GETOWN_EX, &owner));
	CHILD_EQ(rep, type, owner.type);
	rep->value[0] = owner.pid;
}

static void look_getown_ex(struct child_report *rep, void *arg)
{
	look_owner(rep, arg, F_OWNER_PID);
}

static void look_group(struct child_report *rep, void *arg)
{
	look_owner(rep, arg, F_OWNER_PGRP);
}

static void look_thread(struct child_report *rep, void *arg)
{
	look_owner(rep, arg, F_OWNER_TID);
}

static void lead_group(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, setpgid(0, 0));
}

static void name_owner(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, fcntl(v->fd[0], F_SETOWN, v->number));
}

static void name_group(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, fcntl(v->fd[0], F_SETOWN, -v->number));
}

static void name_owner_ex(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct f_owner_ex owner = { F_OWNER_PID, v->number };

	view_see(rep, fcntl(v->fd[0], F_SETOWN_EX, &owner));
}

/* Was this process named, and only if it is visible there? */
static void was_named(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct f_owner_ex owner = { -1, -1 };

	if (!v->is_target)
		return;
	CHILD_OK(rep, fcntl(v->fd[0], F_GETOWN_EX, &owner));
	CHILD_EQ(rep, v->seen_as ? v->own : 0, owner.pid);
}

/* A byte to read makes a signal for the owner, wherever its writer lives. */
static int prepare_sockets(struct view *v)
{
	int type = SOCK_STREAM | SOCK_CLOEXEC;

	return view_result(socketpair(AF_UNIX, type, 0, v->fd));
}

static void arm_sigio(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, view_block(view_signal()));
	CHILD_OK(rep, fcntl(v->fd[1], F_SETSIG, view_signal()));
	CHILD_OK(rep, fcntl(v->fd[1], F_SETOWN, v->own));
	CHILD_OK(rep, fcntl(v->fd[1], F_SETFL, O_ASYNC | O_NONBLOCK));
}

static void write_byte(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 1, write(v->fd[0], "", 1));
}

static void look_sigio(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info;

	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	rep->value[0] = info.si_fd == v->fd[1] && info.si_code == POLL_IN;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, f_getown)
{ { prepare_pipe, NULL, own_file, look_getown, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_getown_ex)
{ { prepare_pipe, NULL, own_file, look_getown_ex, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_getown_ex_group)
{ { prepare_pipe, NULL, own_as_group, look_group, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_getown_ex_thread)
{ { prepare_pipe, NULL, own_as_thread, look_thread, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_setown)
{ { prepare_pipe, NULL, NULL, name_owner, was_named, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, f_setown_group)
{ { prepare_pipe, NULL, lead_group, name_group, was_named, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, f_setown_ex)
{ { prepare_pipe, NULL, NULL, name_owner_ex, was_named, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sigio_finds_its_owner)
{ { prepare_sockets, arm_sigio, write_byte, look_sigio, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
