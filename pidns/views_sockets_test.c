// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through sockets: whose pid comes with a message, and who
 * is at the other end?
 *
 * Promises: unix(7), SCM_CREDENTIALS, SO_PEERCRED, SCM_PIDFD, SO_PEERPIDFD:
 *           numbers are those of the receiver's pid namespace
 *           (net/core/scm.c:scm_recv, net/core/sock.c:cred_to_ucred).
 * Guards:   109f6e39fa07 ("af_unix: Allow SO_PEERCRED to work across
 *           namespaces."), v2.6.36.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/socket.h>
#include <sys/stat.h>

#include "views.h"

static void send_plain(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_TARGET], -1));
}

static void send_own_credentials(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred me = { .pid = v->own, .uid = geteuid(), .gid = getegid() };

	CHILD_EQ(rep, 0,
		 view_send_control(v->fd[FOR_TARGET], SCM_CREDENTIALS, &me,
				   sizeof(me)));
}

static void look_credentials(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = view_sender(v->fd[FOR_OBSERVER]);
}

/*
 * CAP_SYS_ADMIN lets a sender name another process, but only one it can see.
 * The observer sends to itself, so what it names is what it must read back.
 */
static void look_naming_target(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred named = { .pid = v->number };
	int ret = view_send_control(v->fd[FOR_TARGET], SCM_CREDENTIALS, &named,
				    sizeof(named));

	/* in a user namespace of one's own, level 0 belongs to somebody else */
	if (ret == -EPERM && !v->level)
		child_skip(rep, NEEDS_REAL_ROOT);
	rep->value[0] = ret;
	if (ret < 0)
		return;
	rep->value[0] = view_sender(v->fd[FOR_OBSERVER]);
	CHILD_LE(rep, 0, rep->value[0]);
}

/* Make a connection whose both ends belong to the caller; hand one over. */
static void hand_over_connection(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int sv[2];

	CHILD_OK(rep, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_TARGET], sv[0]));
	close(sv[0]);
	close(sv[1]);
}

static void look_peercred(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred seen = { .pid = -1 };
	socklen_t len = sizeof(seen);
	int fd = view_take_over(v->fd[FOR_OBSERVER]);

	CHILD_LE(rep, 0, fd);
	CHILD_OK(rep, getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &seen, &len));
	rep->value[0] = seen.pid;
	close(fd);
}

/*
 * Does this pidfd refer to the target?  On pidfs (v6.9) the inode is that of
 * the process, and v->pidfd came from the parent of the target.
 */
static void report_same_process(struct child_report *rep, const struct view *v,
				int pidfd)
{
	struct stat want, got;

	CHILD_OK(rep, fstat(v->pidfd, &want));
	CHILD_OK(rep, fstat(pidfd, &got));
	rep->value[0] = want.st_ino == got.st_ino && want.st_dev == got.st_dev;
	close(pidfd);
}

static void arm_passpidfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int on = 1, ret;

	ret = setsockopt(v->fd[FOR_OBSERVER], SOL_SOCKET, SO_PASSPIDFD, &on,
			 sizeof(on));
	if (ret < 0 && errno == ENOPROTOOPT)
		child_skip(rep, NEEDS_PASSPIDFD);
	CHILD_EQ(rep, 0, ret);
}

static void look_scm_pidfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int pidfd = -1;

	CHILD_EQ(rep, 0,
		 view_take_control(v->fd[FOR_OBSERVER], SCM_PIDFD, &pidfd,
				   sizeof(pidfd)));
	report_same_process(rep, v, pidfd);
}

static void look_peerpidfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = view_take_over(v->fd[FOR_OBSERVER]), pidfd = -1, ret;
	socklen_t len = sizeof(pidfd);

	CHILD_LE(rep, 0, fd);
	ret = getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &len);
	if (ret < 0 && errno == ENOPROTOOPT)
		child_skip(rep, NEEDS_PEERPIDFD);
	CHILD_EQ(rep, 0, ret);
	close(fd);
	report_same_process(rep, v, pidfd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, scm_credentials_by_kernel)
{ { view_pair, view_creds, send_plain, look_credentials, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_credentials_by_sender)
{ { view_pair, view_creds, send_own_credentials, look_credentials, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_credentials_naming_another)
{ { view_pair, view_creds, NULL, look_naming_target, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, so_peercred)
{ { view_pair, NULL, hand_over_connection, look_peercred, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_pidfd_is_the_sender)
{ { view_pair, arm_passpidfd, send_plain, look_scm_pidfd, NULL, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, so_peerpidfd_is_the_peer)
{ { view_pair, NULL, hand_over_connection, look_peerpidfd, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
