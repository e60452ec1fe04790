// SPDX-License-Identifier: GPL-2.0
/* Talk to the audit system of the kernel; see audit_talk.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "audit_talk.h"
#include "child.h"
#include "lack.h"

struct message {
	struct nlmsghdr head;
	char data[AUDIT_ROOM];
};

int audit_open(void)
{
	int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);

	return sock < 0 ? -errno : sock;
}

/* Returns the length of what is behind the header, or a negative errno. */
static int receive(int sock, struct message *m)
{
	struct pollfd pfd = { .fd = sock, .events = POLLIN };
	ssize_t got;

	if (poll(&pfd, 1, CHILD_DEADLINE_MS) == 0)
		return -ETIMEDOUT;
	memset(m, 0, sizeof(*m));
	got = recv(sock, m, sizeof(*m) - 1, 0);
	if (got < 0)
		return -errno;
	return got < NLMSG_HDRLEN ? -EBADMSG : got - NLMSG_HDRLEN;
}

int audit_next(int sock, int type, void *data, size_t size)
{
	struct message m;
	int len;

	do
		len = receive(sock, &m);
	while (len >= 0 && m.head.nlmsg_type != type);
	if (len < 0)
		return len;
	if ((size_t)len > size - 1)
		len = size - 1;
	memcpy(data, m.data, len);
	((char *)data)[len] = 0;
	return len;
}

static int send_order(int sock, int type, const void *data, size_t size)
{
	struct message m = { .head = { 0 } };

	m.head.nlmsg_type = type;
	m.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	m.head.nlmsg_len = NLMSG_LENGTH(size);
	memcpy(m.data, data, size);
	return send(sock, &m, m.head.nlmsg_len, 0) < 0 ? -errno : 0;
}

int audit_order(int sock, int type, const void *data, size_t size)
{
	struct nlmsgerr answer;
	int ret = send_order(sock, type, data, size);

	if (ret)
		return ret;
	ret = audit_next(sock, NLMSG_ERROR, &answer, sizeof(answer));
	return ret < 0 ? ret : answer.error;
}

/* The answer and what was asked for come in any order. */
int audit_status(struct audit_status *status)
{
	int sock = audit_open(), ret, answers = 0;
	struct message m;

	if (sock < 0)
		return sock;
	ret = send_order(sock, AUDIT_GET, status, sizeof(*status));
	while (!ret && answers < 2) {
		ret = receive(sock, &m);
		if (ret < 0)
			break;
		ret = 0;
		answers++;
		if (m.head.nlmsg_type == NLMSG_ERROR)
			ret = ((struct nlmsgerr *)m.data)->error;
		else
			memcpy(status, m.data, sizeof(*status));
	}
	close(sock);
	return ret;
}

int audit_set_daemon(int sock, pid_t pid)
{
	struct audit_status status = { .mask = AUDIT_STATUS_PID, .pid = pid };

	return audit_order(sock, AUDIT_SET, &status, sizeof(status));
}

const char *lack_of_audit_vm(void)
{
	const char *vm = getenv("SELFTESTS_VM"), *lack = lack_of_first_pid_ns();
	struct audit_status status;
	int ret;

	if (!vm || strcmp(vm, "1"))
		return NEEDS_VM;
	if (lack)
		return lack;
	ret = audit_status(&status);
	if (ret == -EPROTONOSUPPORT || ret == -EAFNOSUPPORT)
		return NEEDS_AUDIT;
	if (ret)
		return NEEDS_REAL_ROOT;
	/* somebody else's */
	return status.pid ? NEEDS_VM : NULL;
}
