// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by the file of its pid namespace, which translates
 * numbers and knows its relatives.
 *
 * Promises: NS_GET_PID_FROM_PIDNS, NS_GET_TGID_FROM_PIDNS, NS_GET_PID_IN_PIDNS,
 *           NS_GET_TGID_IN_PIDNS of ioctl_nsfs(2): ESRCH (fs/nsfs.c:ns_ioctl);
 *           NS_GET_PARENT: EPERM; NS_GET_USERNS; NS_GET_NSTYPE;
 *           NS_GET_OWNER_UID: EINVAL.
 * Guards:   ca567df74a28 ("nsfs: add pid translation ioctls"), v6.11;
 *           725ecd80688b ("nsfs: fix wrong error code returned for
 *           pidns ioctls"), v7.1, v6.12.92, v6.18.34.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "lack.h"
#include "views.h"

static int open_own(struct child_report *rep)
{
	int fd = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fd);
	return fd;
}

static void hand_over_namespace(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = open_own(rep);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_TARGET], fd));
	close(fd);
}

/* One of the four ioctls on the namespace of the target. */
static void translate(struct child_report *rep, const struct view *v,
		      unsigned long cmd, pid_t pid)
{
	int its = view_take_over(v->fd[FOR_OBSERVER]), mine = open_own(rep);

	CHILD_OK(rep, its);
	if (ioctl(mine, cmd, v->own) < 0) {
		CHILD_EQ(rep, ENOTTY, errno);
		child_skip(rep, NEEDS_NS_PID_IOCTL);
	}
	view_see(rep, ioctl(its, cmd, pid));
	close(its);
	close(mine);
}

static void pid_from(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	translate(rep, v, NS_GET_PID_FROM_PIDNS, v->names[v->peer_level]);
}

static void tgid_from(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	translate(rep, v, NS_GET_TGID_FROM_PIDNS, v->names[v->peer_level]);
}

/* The number that the target has for itself. */
static void look_in(struct child_report *rep, const struct view *v,
		    unsigned long cmd)
{
	translate(rep, v, cmd, v->number);
	if (rep->value[0] >= 0)
		rep->value[0] = rep->value[0] == v->names[v->peer_level];
}

static void pid_in(struct child_report *rep, void *arg)
{
	look_in(rep, arg, NS_GET_PID_IN_PIDNS);
}

static void tgid_in(struct child_report *rep, void *arg)
{
	look_in(rep, arg, NS_GET_TGID_IN_PIDNS);
}

/* What the target would call the observer. */
static void own_pid_in(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	translate(rep, v, NS_GET_PID_IN_PIDNS, v->own);
	if (rep->value[0] >= 0)
		rep->value[0] = rep->value[0] == v->seen_as;
}

static void own_tgid_in(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	translate(rep, v, NS_GET_TGID_IN_PIDNS, v->own);
	if (rep->value[0] >= 0)
		rep->value[0] = rep->value[0] == v->seen_as;
}

static bool same_file(struct child_report *rep, int one, int other)
{
	struct stat a, b;

	CHILD_OK(rep, fstat(one, &a));
	CHILD_OK(rep, fstat(other, &b));
	return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* How many parents up from the target's is the observer's namespace? */
static void count_parents(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = view_take_over(v->fd[FOR_OBSERVER]), mine = open_own(rep);
	int parent, steps;

	CHILD_OK(rep, fd);
	for (steps = 0; !same_file(rep, fd, mine); steps++) {
		parent = ioctl(fd, NS_GET_PARENT);
		view_see(rep, parent);
		if (parent < 0)
			break;
		close(fd);
		fd = parent;
	}
	close(fd);
	close(mine);
	if (rep->value[0] < 0)
		return;
	CHILD_EQ(rep, v->peer_level - v->level, steps);
	rep->value[0] = 1;
}

static void own_parent(struct child_report *rep, void *arg)
{
	int mine = open_own(rep);

	view_see(rep, ioctl(mine, NS_GET_PARENT));
	close(mine);
}

static void user_namespace(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = view_take_over(v->fd[FOR_OBSERVER]), owner, mine;

	owner = ioctl(fd, NS_GET_USERNS);
	/* level 0 may belong to a user namespace further out */
	if (owner < 0 && errno == EPERM && !v->peer_level)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, owner);
	mine = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	CHILD_OK(rep, mine);
	rep->value[0] = same_file(rep, owner, mine);
	close(mine);
	close(owner);
	close(fd);
}

static void type(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = view_take_over(v->fd[FOR_OBSERVER]);

	view_see(rep, ioctl(fd, NS_GET_NSTYPE));
	close(fd);
}

static void owner_uid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = view_take_over(v->fd[FOR_OBSERVER]);
	uid_t uid;

	view_see(rep, ioctl(fd, NS_GET_OWNER_UID, &uid));
	close(fd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, pid_from_pidns)
{ { view_pair, NULL, hand_over_namespace, pid_from, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, tgid_from_pidns)
{ { view_pair, NULL, hand_over_namespace, tgid_from, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, pid_in_pidns)
{ { view_pair, NULL, hand_over_namespace, pid_in, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, tgid_in_pidns)
{ { view_pair, NULL, hand_over_namespace, tgid_in, NULL, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, own_pid_in_pidns)
{ { view_pair, NULL, hand_over_namespace, own_pid_in, NULL, 1, 1, -ESRCH } };
FIXTURE_VARIANT_ADD(view, own_tgid_in_pidns)
{ { view_pair, NULL, hand_over_namespace, own_tgid_in, NULL, 1, 1, -ESRCH } };
FIXTURE_VARIANT_ADD(view, parents_up_to_here)
{ { view_pair, NULL, hand_over_namespace, count_parents, NULL, 1, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, parent_of_own_namespace)
{ { NULL, NULL, NULL, own_parent, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, owning_user_namespace)
{ { view_pair, NULL, hand_over_namespace, user_namespace, NULL, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, type)
{ { view_pair, NULL, hand_over_namespace, type, NULL, CLONE_NEWPID, CLONE_NEWPID, 0 } };
FIXTURE_VARIANT_ADD(view, owner_uid_is_for_user_namespaces)
{ { view_pair, NULL, hand_over_namespace, owner_uid, NULL, -EINVAL, -EINVAL, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
