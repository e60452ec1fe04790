// SPDX-License-Identifier: GPL-2.0
/* Gates: one process waits for another; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "child.h"

int gate_init(struct gate *g)
{
	*g = GATE_NONE;
	return pipe2(g->fd, O_CLOEXEC) < 0 ? -errno : 0;
}

void gate_close(struct gate *g)
{
	fd_close(&g->fd[0]);
	fd_close(&g->fd[1]);
}

int gate_open(struct gate *g)
{
	return write(g->fd[1], "", 1) == 1 ? 0 : -errno;
}

/* Wait for a byte in the pipe, or for the end of the process of @pidfd. */
static int gate_poll(struct gate *g, int pidfd)
{
	struct pollfd fds[] = {
		{ .fd = g->fd[0], .events = POLLIN },
		{ .fd = pidfd, .events = POLLIN },
	};
	char byte;
	int ret;

	do
		ret = poll(fds, 2, CHILD_DEADLINE_MS);
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	if (ret == 0)
		return -ETIMEDOUT;
	if (!fds[0].revents)
		return -ECHILD;
	return read(g->fd[0], &byte, 1) == 1 ? 0 : -EPIPE;
}

int gate_wait(struct gate *g)
{
	return gate_poll(g, -1);
}

int gate_wait_child(struct gate *g, const struct child *c)
{
	return gate_poll(g, c->pidfd);
}
