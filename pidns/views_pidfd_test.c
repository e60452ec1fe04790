// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by a pidfd that came from somewhere else: it refers to the
 * process everywhere, but what may be asked depends on where one is.
 *
 * Promises: pidfd_open(2), fdinfo; PIDFD_GET_INFO(2const): EREMOTE, before
 *           v7.0 ESRCH, for a process outside; setns(2); pidfd_getfd(2);
 *           waitid(2) (fs/pidfs.c:pidfd_show_fdinfo, pidfd_info,
 *           pidfd_ioctl, kernel/nsproxy.c:validate_nsset).
 * Guards:   15d42eb26bbe ("pidfd: add NSpid entries to fdinfo"), v5.5;
 *           3d6d8da48d0b ("pidfd: check pid has attached task in fdinfo"),
 *           v5.5.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include "lack.h"
#include "views.h"

static void look_fdinfo(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);
	char path[64];

	snprintf(path, sizeof(path), "self/fdinfo/%d", v->pidfd);
	rep->value[0] = view_number(dir, path, "Pid:\t");
	close(dir);
}

/* The line has one number per level, from the observer's to the target's. */
static void look_fdinfo_levels(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v), level;
	char path[64], buf[1024], *at;

	snprintf(path, sizeof(path), "self/fdinfo/%d", v->pidfd);
	CHILD_OK(rep, view_read(dir, path, buf, sizeof(buf)));
	close(dir);
	at = strstr(buf, "\nNSpid:");
	CHILD_OK(rep, at ? 0 : -ENODATA);
	at += strlen("\nNSpid:");
	for (level = v->level; v->peer && level <= v->peer_level; level++) {
		CHILD_EQ(rep, '\t', *at);
		CHILD_EQ(rep, v->names[level], strtol(at, &at, 10));
	}
	if (!v->peer)
		CHILD_EQ(rep, 0, strtol(at, &at, 10));
	CHILD_EQ(rep, '\n', *at);
	rep->value[0] = v->peer != 0;
}

static void hand_over_proc(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
}

/* The target reads about itself in the observer's procfs. */
static void read_own_fdinfo(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_take_over(v->fd[FOR_TARGET]);
	int pidfd = sys_pidfd_open(v->own, 0);
	char path[64];

	CHILD_OK(rep, pidfd);
	snprintf(path, sizeof(path), "self/fdinfo/%d", pidfd);
	rep->value[1] = view_number(dir, path, "\nPid:\t");
	close(pidfd);
	close(dir);
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
}

static void get_info(struct child_report *rep, int pidfd,
		     struct uapi_pidfd_info *info)
{
	memset(info, 0, sizeof(*info));
	info->mask = PIDFD_INFO_PID;
	view_see(rep, ioctl(pidfd, PIDFD_GET_INFO, info));
	/* a kernel without it may know other ioctls */
	if (rep->value[0] == -ENOTTY || rep->value[0] == -EINVAL)
		child_skip(rep, NEEDS_PIDFD_INFO);
	if (rep->value[0] == -ESRCH)
		rep->value[0] = -EREMOTE;
	if (!rep->value[0])
		CHILD_EQ(rep, PIDFD_INFO_PID, info->mask & PIDFD_INFO_PID);
}

static void look_info(struct child_report *rep, void *arg)
{
	struct uapi_pidfd_info info;
	struct view *v = arg;

	get_info(rep, v->pidfd, &info);
	if (rep->value[0])
		return;
	rep->value[0] = info.pid;
	CHILD_EQ(rep, info.pid, info.tgid);
}

static void offer_child(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_child(rep, v, NULL, NULL);
	CHILD_EQ(rep, 0,
		 view_hand_over(v->fd[FOR_TARGET], view_child_pidfd(rep)));
}

static void look_info_ppid(struct child_report *rep, void *arg)
{
	struct uapi_pidfd_info info;
	struct view *v = arg;
	int pidfd;

	view_child_number(rep, v);
	pidfd = view_take_over(v->fd[FOR_OBSERVER]);
	CHILD_OK(rep, pidfd);
	get_info(rep, pidfd, &info);
	close(pidfd);
	if (!rep->value[0])
		rep->value[0] = info.ppid;
}

static ino_t inode(struct child_report *rep, const char *path)
{
	struct stat st;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, stat(path, &st));
	return st.st_ino;
}

static void note_namespace(struct child_report *rep, void *arg)
{
	rep->value[1] = inode(rep, "/proc/self/ns/pid");
}

/* Anybody with the pidfd and the rights of a tracer may open it. */
static void look_namespace(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct stat st;
	int fd;

	fd = ioctl(v->pidfd, PIDFD_GET_PID_NAMESPACE, 0);
	if (fd < 0 && (errno == ENOTTY || errno == EINVAL))
		child_skip(rep, NEEDS_PIDFD_NS);
	CHILD_OK(rep, fd);
	CHILD_OK(rep, fstat(fd, &st));
	rep->value[0] = (long long)st.st_ino == v->note[0];
	close(fd);
}

static void join(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, setns(v->pidfd, CLONE_NEWPID));
	if (!rep->value[0])
		rep->value[0] = inode(rep, "/proc/self/ns/pid_for_children") ==
				(ino_t)v->note[0];
}

static void look_setns(struct child_report *rep, void *arg)
{
	struct child_report joined;
	struct view *v = arg;

	/* a child, so that the observer stays as it is */
	CHILD_EQ(rep, 0, child_run(&joined, 0, join, v));
	CHILD_HELD(rep, &joined);
	rep->value[0] = joined.value[0];
	if (rep->value[0] == -EPERM && !v->peer_level)
		child_skip(rep, NEEDS_REAL_ROOT);
}

static void look_wait(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info;

	view_see(rep, waitid((idtype_t)UAPI_P_PIDFD, v->pidfd, &info,
			     WEXITED | WNOHANG));
}

static void note_fd(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[1] = v->fd[FOR_TARGET];
}

static void look_getfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct stat want, got;
	int fd = sys_pidfd_getfd(v->pidfd, v->note[0], 0);

	if (fd < 0 && errno == EPERM)
		child_skip(rep, NEEDS_PTRACE);
	CHILD_OK(rep, fd);
	CHILD_OK(rep, fstat(fd, &got));
	CHILD_OK(rep, fstat(v->fd[FOR_TARGET], &want));
	rep->value[0] = got.st_ino == want.st_ino;
	close(fd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, fdinfo_pid)
{ { NULL, NULL, NULL, look_fdinfo, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, fdinfo_nspid_of_all_levels)
{ { NULL, NULL, NULL, look_fdinfo_levels, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, fdinfo_read_by_target)
{ { view_pair, hand_over_proc, read_own_fdinfo, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, info_pid)
{ { NULL, NULL, NULL, look_info, NULL, VIEW_PID, -EREMOTE, 0 } };
FIXTURE_VARIANT_ADD(view, info_ppid)
{ { view_pair, view_creds, offer_child, look_info_ppid, view_end_child, VIEW_PID, -EREMOTE, 0 } };
FIXTURE_VARIANT_ADD(view, namespace_opens_everywhere)
{ { NULL, NULL, note_namespace, look_namespace, NULL, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, setns)
{ { NULL, NULL, note_namespace, look_setns, NULL, 1, -EINVAL, 0 } };
FIXTURE_VARIANT_ADD(view, waitid_by_a_stranger)
{ { NULL, NULL, NULL, look_wait, NULL, -ECHILD, -ECHILD, 0 } };
FIXTURE_VARIANT_ADD(view, getfd_works_everywhere)
{ { view_pair, NULL, note_fd, look_getfd, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
