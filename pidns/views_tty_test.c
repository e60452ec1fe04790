// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through the terminal it controls.
 *
 * Promises: tcgetpgrp(3), tcgetsid(3): 0 for what is not visible; tcsetpgrp(3):
 *           ESRCH (drivers/tty/tty_jobctrl.c:tiocgpgrp, tiocgsid, tiocspgrp).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "inside.h"
#include "views.h"

#define TTY_MASTER 2
#define TTY_SLAVE 3

/* A terminal nobody else has, and a pair of sockets. */
static int prepare_tty(struct view *v)
{
	int ret = view_pair(v), unlock = 0;

	if (ret)
		return ret;
	v->fd[TTY_MASTER] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
	/* absent: the row skips in have_leader() */
	if (v->fd[TTY_MASTER] < 0)
		return 0;
	ret = ioctl(v->fd[TTY_MASTER], TIOCSPTLCK, &unlock);
	if (ret < 0)
		return -errno;
	/* also where nobody has mounted its directory */
	v->fd[TTY_SLAVE] = ioctl(v->fd[TTY_MASTER], TIOCGPTPEER,
				 O_RDWR | O_NOCTTY | O_CLOEXEC);
	return v->fd[TTY_SLAVE] < 0 ? -errno : 0;
}

static void take_tty(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_OK(rep, setsid());
	CHILD_OK(rep, ioctl(v->fd[TTY_SLAVE], TIOCSCTTY, 0));
}

static void have_leader(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->fd[TTY_MASTER] < 0)
		child_skip(rep, NEEDS_PTY);
	view_child(rep, v, take_tty, NULL);
}

static void look(struct child_report *rep, const struct view *v,
		 unsigned long cmd)
{
	pid_t want = view_child_number(rep, v), got = -1;

	CHILD_OK(rep, ioctl(v->fd[TTY_MASTER], cmd, &got));
	CHILD_EQ(rep, want, got);
	rep->value[0] = got != 0;
}

static void look_group(struct child_report *rep, void *arg)
{
	look(rep, arg, TIOCGPGRP);
}

static void look_session(struct child_report *rep, void *arg)
{
	look(rep, arg, TIOCGSID);
}

/* Field 8 of /proc/PID/stat, tpgid, stands behind the device; -1: none. */
static long long read_group(int dir, long long pid)
{
	char path[64], buf[1024], *at;
	long len;
	int i;

	snprintf(path, sizeof(path), "%lld/stat", pid);
	len = view_read(dir, path, buf, sizeof(buf));
	if (len < 0)
		return len;
	at = strrchr(buf, ')') + 2;
	for (i = 3; i < 8; i++)
		at = strchr(at, ' ') + 1;
	return atoll(at);
}

static void look_stat(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	pid_t pid = view_child_number(rep, v);
	int dir = view_proc(rep, v);

	rep->value[0] = read_group(dir, pid);
	close(dir);
	if (rep->value[0] >= 0)
		rep->value[0] = rep->value[0] == pid;
}

static void hand_over_proc(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
}

/*
 * The parent of the leader reads, in the procfs of the observer.  How that
 * calls the leader stands there with the file descriptor that refers to it.
 */
static void read_elsewhere(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_take_over(v->fd[FOR_TARGET]);
	char path[64];
	long long pid;

	CHILD_OK(rep, dir);
	have_leader(rep, v);
	snprintf(path, sizeof(path), "self/fdinfo/%d", view_child_pidfd(rep));
	pid = view_number(dir, path, "\nPid:\t");
	rep->value[2] = pid < 0 ? pid : read_group(dir, pid) == pid;
	close(dir);
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[1];
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, foreground_group)
{ { prepare_tty, view_creds, have_leader, look_group, view_end_child, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, session)
{ { prepare_tty, view_creds, have_leader, look_session, view_end_child, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_stat_tpgid)
{ { prepare_tty, view_creds, have_leader, look_stat, view_end_child, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, proc_stat_tpgid_for_other_readers)
{ { prepare_tty, hand_over_proc, read_elsewhere, look_note, view_end_child, 1, -ENOENT, 0 } };
/* clang-format on */

FIXTURE(terminal)
{
	struct view v;
	const char *missing;
};

FIXTURE_SETUP(terminal)
{
	int i;

	for (i = 0; i < VIEW_FDS; i++)
		self->v.fd[i] = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	ASSERT_EQ(0, prepare_tty(&self->v));
	if (!self->missing && self->v.fd[TTY_MASTER] < 0)
		self->missing = NEEDS_PTY;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(terminal)
{
	int i;

	for (i = 0; i < VIEW_FDS; i++)
		fd_close(&self->v.fd[i]);
}

/* The caller's session has the terminal; a group of its child comes to it. */
static void move_terminal(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	pid_t pid, got = -1, none;

	take_tty(rep, v);
	/* else a change of the group stops whoever is in the background */
	CHILD_EQ(rep, 0, view_block(SIGTTOU));
	pid = fork();
	if (!pid)
		while (1)
			pause();
	CHILD_OK(rep, setpgid(pid, pid));
	CHILD_OK(rep, ioctl(v->fd[TTY_SLAVE], TIOCSPGRP, &pid));
	CHILD_OK(rep, ioctl(v->fd[TTY_SLAVE], TIOCGPGRP, &got));
	CHILD_EQ(rep, pid, got);
	none = v->number;
	CHILD_EQ(rep, -ESRCH,
		 view_result(ioctl(v->fd[TTY_SLAVE], TIOCSPGRP, &none)));
	CHILD_OK(rep, kill(pid, SIGKILL));
	CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
}

/* Not the first process: that one's number is no group of its own. */
static void in_child(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, move_terminal, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(terminal, group_is_set_by_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->v.number = getpid();
	expect_inside(_metadata, in_child, &self->v);
}

TEST_HARNESS_MAIN
