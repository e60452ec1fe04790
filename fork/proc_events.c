// SPDX-License-Identifier: GPL-2.0
/* Listen to the process connector of the kernel; see proc_events.h. */
#include <errno.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "child.h"
#include "proc_events.h"

/* A message is both headers, then an order to the kernel, or an event. */
#define HEADERS (NLMSG_HDRLEN + sizeof(struct cn_msg))

struct message {
	char byte[HEADERS + sizeof(struct proc_event)]
		__attribute__((aligned(8)));
};

static struct cn_msg *connector(struct message *m)
{
	return NLMSG_DATA(m->byte);
}

static int tell(int sock, __u32 op, __u32 ticket)
{
	struct message m = { { 0 } };
	struct nlmsghdr *nl = (struct nlmsghdr *)m.byte;
	struct cn_msg *cn = connector(&m);

	nl->nlmsg_type = NLMSG_DONE;
	nl->nlmsg_len = HEADERS + sizeof(op);
	cn->id.idx = CN_IDX_PROC;
	cn->id.val = CN_VAL_PROC;
	cn->ack = ticket;
	cn->len = sizeof(op);
	memcpy(cn->data, &op, sizeof(op));
	return send(sock, &m, nl->nlmsg_len, 0) < 0 ? -errno : 0;
}

/* Returns as proc_events_next(). */
static int next_message(int sock, struct message *m, int wait_ms)
{
	struct pollfd pfd = { .fd = sock, .events = POLLIN };

	memset(m, 0, sizeof(*m));
	if (poll(&pfd, 1, wait_ms) == 0)
		return 0;
	if (recv(sock, m, sizeof(*m), MSG_DONTWAIT) < 0)
		return errno == EAGAIN ? 0 : -errno;
	return 1;
}

int proc_events_next(int sock, struct proc_event *event, int wait_ms)
{
	struct message m;
	int ret = next_message(sock, &m, wait_ms);

	if (ret == 1)
		memcpy(event, connector(&m)->data, sizeof(*event));
	return ret;
}

/* The answer is there when send() returns; others hear answers, too. */
static int is_answered(int sock, __u32 ticket)
{
	struct message m;
	int ret;

	while ((ret = next_message(sock, &m, 0)) == 1)
		if (connector(&m)->ack == ticket + 1)
			break;
	return ret;
}

static __u32 unlikely_twice(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_nsec ^ getpid();
}

int proc_events_open(int *sock, int room)
{
	struct sockaddr_nl self = { .nl_family = AF_NETLINK,
				    .nl_groups = CN_IDX_PROC };
	__u32 ticket = unlikely_twice();
	int ret;

	*sock = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
		       NETLINK_CONNECTOR);
	if (*sock < 0)
		return -errno;
	setsockopt(*sock, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	ret = bind(*sock, (struct sockaddr *)&self, sizeof(self)) < 0 ? -errno :
									0;
	if (ret == 0)
		ret = tell(*sock, PROC_CN_MCAST_LISTEN, ticket);
	if (ret < 0) {
		fd_close(sock);
		return ret;
	}
	return is_answered(*sock, ticket);
}

void proc_events_close(int *sock)
{
	/* before v6.6 the kernel does not notice that a listener is gone */
	if (*sock >= 0)
		tell(*sock, PROC_CN_MCAST_IGNORE, 0);
	fd_close(sock);
}
