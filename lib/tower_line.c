// SPDX-License-Identifier: GPL-2.0
/* Orders to parked processes, and their answers; see tower.h. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tower_line.h"

enum order { RUN = 'r', TAKE_FD = 't', GIVE_FD = 'g' };

void line_clear(struct tower_member *m)
{
	m->proc = CHILD_NONE;
	m->sock = -1;
	m->far_sock = -1;
	m->page = NULL;
}

int line_init(struct tower_member *m)
{
	int sv[2];
	void *page;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv) < 0)
		return -errno;
	m->sock = sv[0];
	m->far_sock = sv[1];
	page = mmap(NULL, sizeof(*m->page), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -errno;
	m->page = page;
	return 0;
}

void line_end(struct tower_member *m)
{
	if (m->proc.pid > 0)
		child_kill(&m->proc);
	if (m->page)
		munmap(m->page, sizeof(*m->page));
	m->page = NULL;
	fd_close(&m->sock);
	fd_close(&m->far_sock);
}

/* Send one order or answer, with a file descriptor unless @fd is -1. */
static int line_send(int sock, char order, int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} ctl = { 0 };
	struct iovec iov = { &order, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (fd >= 0) {
		msg.msg_control = ctl.buf;
		msg.msg_controllen = sizeof(ctl.buf);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

/* Returns the order, or 0 at the end of the line, or a negative errno. */
static int line_receive(int sock, int *fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} ctl = { 0 };
	char order = 0;
	struct iovec iov = { &order, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = ctl.buf,
			      .msg_controllen = sizeof(ctl.buf) };
	struct cmsghdr *cmsg;
	ssize_t len;

	do
		len = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return len < 0 ? -errno : 0;
	*fd = -1;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (cmsg && cmsg->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(cmsg), sizeof(int));
	return order;
}

/* A wrong value or something missing ends the function, not the member. */
static void line_run(struct tower_page *page)
{
	jmp_buf home;

	page->rep.home = &home;
	if (!setjmp(home))
		page->fn(&page->rep, page->arg);
	page->rep.done = 1;
}

void line_obey(struct tower_member *m)
{
	int order, fd;

	while (1) {
		order = line_receive(m->far_sock, &fd);
		if (order <= 0)
			return;
		if (order == TAKE_FD)
			m->page->fd = fd;
		if (order == RUN)
			line_run(m->page);
		line_send(m->far_sock, order,
			  order == GIVE_FD ? m->page->fd : -1);
	}
}

/* Wait for the answer, or for the end of the member. */
static int line_answer(struct tower_member *m, int *fd)
{
	struct pollfd fds[] = {
		{ .fd = m->sock, .events = POLLIN },
		{ .fd = m->proc.pidfd, .events = POLLIN },
	};
	int ret;

	do
		ret = poll(fds, 2, CHILD_DEADLINE_MS);
	while (ret < 0 && errno == EINTR);
	if (ret <= 0)
		return ret < 0 ? -errno : -ETIMEDOUT;
	if (!(fds[0].revents & POLLIN))
		return -ECHILD;
	ret = line_receive(m->sock, fd);
	return ret > 0 ? 0 : -ECHILD;
}

int tower_begin(struct tower_member *m, child_fn fn, const void *arg,
		size_t size)
{
	int parent_fd = m->page->rep.parent_fd;

	if (size > TOWER_ARG)
		return -E2BIG;
	memset(&m->page->rep, 0, sizeof(m->page->rep));
	m->page->rep.parent_fd = parent_fd;
	m->page->fn = fn;
	if (size)
		memcpy(m->page->arg, arg, size);
	return line_send(m->sock, RUN, -1);
}

int tower_end(struct tower_member *m, struct child_report *rep)
{
	int fd, ret;

	ret = line_answer(m, &fd);
	*rep = m->page->rep;
	return ret;
}

int tower_call(struct tower_member *m, child_fn fn, const void *arg,
	       size_t size, struct child_report *rep)
{
	int ret = tower_begin(m, fn, arg, size);

	memset(rep, 0, sizeof(*rep));
	return ret < 0 ? ret : tower_end(m, rep);
}

int tower_send_fd(struct tower_member *m, int fd)
{
	int ret, none;

	ret = line_send(m->sock, TAKE_FD, fd);
	if (!ret)
		ret = line_answer(m, &none);
	return ret < 0 ? ret : m->page->fd;
}

int tower_fetch_fd(struct tower_member *m, int fd)
{
	int ret, got = -1;

	m->page->fd = fd;
	ret = line_send(m->sock, GIVE_FD, -1);
	if (!ret)
		ret = line_answer(m, &got);
	return ret < 0 ? ret : got;
}
