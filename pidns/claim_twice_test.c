// SPDX-License-Identifier: GPL-2.0
/*
 * A message that claims to be from two processes is from the second, also where
 * that has the number which the first one has outside.
 *
 * Promises: unix(7), SCM_CREDENTIALS: the pid is that of the sender's pid
 *           namespace (net/core/scm.c:__scm_send, scm_replace_pid).
 * Needs:    clone3 set_tid, for a number of choice.  Root, or user namespaces,
 *           to make the pid namespaces.
 */
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/socket.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "views_tools.h"

/* struct claim - what the first process of the namespace is told */
struct claim {
	int (*connect)(int sock[2]);
	int number[2]; /* pipe: its own number outside */
};

/* struct two_creds - two control messages of SCM_CREDENTIALS */
union two_creds {
	struct cmsghdr head;
	char space[2 * CMSG_SPACE(sizeof(struct ucred))];
};

static int connect_unix(int sock[2])
{
	return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, sock);
}

/* NETLINK_USERSOCK: from anybody to anybody. */
static int connect_netlink(int sock[2])
{
	struct sockaddr_nl name = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(name);
	int i;

	for (i = 0; i < 2; i++) {
		sock[i] = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
				 NETLINK_USERSOCK);
		if (sock[i] < 0)
			return -1;
	}
	if (bind(sock[1], (struct sockaddr *)&name, sizeof(name)) ||
	    getsockname(sock[1], (struct sockaddr *)&name, &len))
		return -1;
	return connect(sock[0], (struct sockaddr *)&name, sizeof(name));
}

static void fill(struct cmsghdr *c, pid_t pid)
{
	struct ucred cred = { .pid = pid, .uid = getuid(), .gid = getgid() };

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_CREDENTIALS;
	c->cmsg_len = CMSG_LEN(sizeof(cred));
	memcpy(CMSG_DATA(c), &cred, sizeof(cred));
}

/* A byte from two processes; 0 or -errno. */
static int send_twice(int sock, pid_t first, pid_t second)
{
	union two_creds control = { 0 };
	struct iovec byte = { "", 1 };
	struct msghdr msg = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t ret;

	fill(CMSG_FIRSTHDR(&msg), first);
	fill((struct cmsghdr *)(control.space +
				CMSG_SPACE(sizeof(struct ucred))),
	     second);
	ret = view_result(sendmsg(sock, &msg, MSG_DONTWAIT));
	return ret < 0 ? ret : 0;
}

static void stay(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

static void expect_second(struct child_report *rep, const int *sock,
			  pid_t first, pid_t second)
{
	CHILD_EQ(rep, 0, send_twice(sock[0], first, second));
	CHILD_EQ(rep, second, view_sender(sock[1]));
}

static void claim_twice(struct child_report *rep, void *arg)
{
	struct claim *claim = arg;
	int ret, sock[2], one = 1;
	struct child other;
	pid_t outside;

	CHILD_EQ(rep, sizeof(outside),
		 read(claim->number[0], &outside, sizeof(outside)));
	CHILD_OK(rep, claim->connect(sock));
	CHILD_OK(rep, setsockopt(sock[1], SOL_SOCKET, SO_PASSCRED, &one,
				 sizeof(one)));
	/* the other one gets this one's number outside */
	ret = child_start_tid(&other, 0, &outside, 1, stay, NULL);
	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, outside, other.pid);
	expect_second(rep, sock, getpid(), outside);
	expect_second(rep, sock, outside, getpid());
	expect_second(rep, sock, outside, outside);
	CHILD_EQ(rep, 0, child_kill(&other));
}

FIXTURE(claim)
{
	const char *missing;
};

FIXTURE_VARIANT(claim)
{
	int (*connect)(int sock[2]);
};

/* clang-format off */
FIXTURE_VARIANT_ADD(claim, over_a_unix_socket)    { connect_unix };
FIXTURE_VARIANT_ADD(claim, over_a_netlink_socket) { connect_netlink };
/* clang-format on */

FIXTURE_SETUP(claim)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(claim)
{
}

TEST_F(claim, counts_when_it_is_the_last)
{
	struct claim claim = { .connect = variant->connect };
	struct child_report rep;
	struct child c;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pipe(claim.number));
	ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, claim_twice, &claim));
	pid = c.pid;
	ASSERT_EQ(sizeof(pid), write(claim.number[1], &pid, sizeof(pid)));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
