// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through sockets: whose pid comes with a message, and who
 * is at the other end?
 *
 * Promises: unix(7), SCM_CREDENTIALS, SO_PEERCRED, SCM_PIDFD, SO_PEERPIDFD:
 *           numbers are those of the receiver's pid namespace
 *           (net/core/scm.c:scm_recv, net/core/sock.c:cred_to_ucred).
 * Guards:   the forging rules of net/core/scm.c:scm_check_creds.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "views.h"

#define FOR_TARGET 0
#define FOR_OBSERVER 1

static int prepare_pair(struct view *v)
{
	return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, v->fd) < 0 ?
		       -errno :
		       0;
}

/* One control message, of any kind we use here. */
struct control {
	union {
		char buf[CMSG_SPACE(sizeof(struct ucred)) +
			 CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	};
};

/* Send a byte with a control message, unless @data is NULL; 0 or -errno. */
static int send_control(int fd, int type, const void *data, size_t size)
{
	struct control ctl = { 0 };
	struct iovec iov = { "", 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (data) {
		msg.msg_control = ctl.buf;
		msg.msg_controllen = CMSG_SPACE(size);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = type;
		cmsg->cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(cmsg), data, size);
	}
	return sendmsg(fd, &msg, MSG_DONTWAIT) == 1 ? 0 : -errno;
}

static int send_byte(int fd, const struct ucred *cred)
{
	return send_control(fd, SCM_CREDENTIALS, cred, sizeof(*cred));
}

/* Receive a byte and the control message of @type; its size or -errno. */
static int receive_byte(int fd, int type, void *data, size_t size)
{
	struct control ctl = { 0 };
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = ctl.buf,
			      .msg_controllen = sizeof(ctl.buf) };
	struct cmsghdr *cmsg;

	/* the byte was sent before: nothing to wait for */
	if (recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
		return -errno;
	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != type)
			continue;
		memcpy(data, CMSG_DATA(cmsg), size);
		return cmsg->cmsg_len - CMSG_LEN(0);
	}
	return -ENOMSG;
}

static void arm_passcred(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int on = 1;

	CHILD_OK(rep, setsockopt(v->fd[FOR_OBSERVER], SOL_SOCKET, SO_PASSCRED,
				 &on, sizeof(on)));
}

static void send_plain(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, send_byte(v->fd[FOR_TARGET], NULL));
}

static void send_own_credentials(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred me = { .pid = v->own, .uid = geteuid(), .gid = getegid() };

	CHILD_EQ(rep, 0, send_byte(v->fd[FOR_TARGET], &me));
}

static void look_credentials(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred seen = { .pid = -1 };

	CHILD_EQ(rep, sizeof(seen),
		 receive_byte(v->fd[FOR_OBSERVER], SCM_CREDENTIALS, &seen,
			      sizeof(seen)));
	rep->value[0] = seen.pid;
}

/*
 * CAP_SYS_ADMIN lets a sender name another process, but only one it can see.
 * The observer sends to itself, so what it names is what it must read back.
 */
static void look_naming_target(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred named = { .pid = v->number }, seen = { .pid = -1 };
	int ret = send_byte(v->fd[FOR_TARGET], &named);

	/* in a user namespace of one's own, level 0 belongs to somebody else */
	if (ret == -EPERM && !v->level)
		child_skip(rep, NEEDS_REAL_ROOT);
	rep->value[0] = ret;
	if (ret < 0)
		return;
	CHILD_LE(rep, 0,
		 receive_byte(v->fd[FOR_OBSERVER], SCM_CREDENTIALS, &seen,
			      sizeof(seen)));
	rep->value[0] = seen.pid;
}

/* Make a connection whose both ends belong to the caller; hand one over. */
static void hand_over_connection(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int sv[2];

	CHILD_OK(rep, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	CHILD_EQ(rep, 0,
		 send_control(v->fd[FOR_TARGET], SCM_RIGHTS, &sv[0],
			      sizeof(sv[0])));
	close(sv[0]);
	close(sv[1]);
}

static void look_peercred(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct ucred seen = { .pid = -1 };
	socklen_t len = sizeof(seen);
	int fd = -1;

	CHILD_EQ(rep, sizeof(fd),
		 receive_byte(v->fd[FOR_OBSERVER], SCM_RIGHTS, &fd,
			      sizeof(fd)));
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

	CHILD_EQ(rep, sizeof(pidfd),
		 receive_byte(v->fd[FOR_OBSERVER], SCM_PIDFD, &pidfd,
			      sizeof(pidfd)));
	report_same_process(rep, v, pidfd);
}

static void look_peerpidfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = -1, pidfd = -1, ret;
	socklen_t len = sizeof(pidfd);

	CHILD_EQ(rep, sizeof(fd),
		 receive_byte(v->fd[FOR_OBSERVER], SCM_RIGHTS, &fd,
			      sizeof(fd)));
	ret = getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &len);
	if (ret < 0 && errno == ENOPROTOOPT)
		child_skip(rep, NEEDS_PEERPIDFD);
	CHILD_EQ(rep, 0, ret);
	close(fd);
	report_same_process(rep, v, pidfd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, scm_credentials_by_kernel)
{ { prepare_pair, arm_passcred, send_plain, look_credentials, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_credentials_by_sender)
{ { prepare_pair, arm_passcred, send_own_credentials, look_credentials, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_credentials_naming_another)
{ { prepare_pair, arm_passcred, NULL, look_naming_target, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, so_peercred)
{ { prepare_pair, NULL, hand_over_connection, look_peercred, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, scm_pidfd_is_the_sender)
{ { prepare_pair, arm_passpidfd, send_plain, look_scm_pidfd, NULL, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, so_peerpidfd_is_the_peer)
{ { prepare_pair, NULL, hand_over_connection, look_peerpidfd, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
