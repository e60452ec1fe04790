// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by the calls that take the network namespace of a process.
 *
 * Promises: rtnetlink(7), RTM_GETNSID with NETNSA_PID: ESRCH
 *           (net/core/net_namespace.c:get_net_ns_by_pid).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <sys/socket.h>

#include "views.h"

/* struct request - a question with one attribute, or its answer */
struct request {
	struct nlmsghdr head;
	struct rtgenmsg rtgen;
	char pad[3];
	struct rtattr attr;
	__u32 pid;
	char room[512];
};

static void look_id(struct child_report *rep, void *arg)
{
	struct request r = {
		.head.nlmsg_type = RTM_GETNSID,
		.head.nlmsg_flags = NLM_F_REQUEST,
		.head.nlmsg_len = offsetof(struct request, room),
		.attr.rta_type = NETNSA_PID,
		.attr.rta_len = RTA_LENGTH(sizeof(__u32)),
	};
	struct view *v = arg;
	int sock;

	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	CHILD_OK(rep, sock);
	r.pid = v->number;
	CHILD_EQ(rep, r.head.nlmsg_len, send(sock, &r, r.head.nlmsg_len, 0));
	CHILD_LE(rep, sizeof(r.head), recv(sock, &r, sizeof(r), 0));
	close(sock);
	rep->value[0] = r.head.nlmsg_type;
	if (r.head.nlmsg_type == NLMSG_ERROR)
		rep->value[0] = ((struct nlmsgerr *)&r.rtgen)->error;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, id_by_pid)
{ { NULL, NULL, NULL, look_id, NULL, RTM_NEWNSID, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
