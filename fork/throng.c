// SPDX-License-Identifier: GPL-2.0
/* As many children as there may be; see throng.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "throng.h"
#include "uapi.h"

static void wait_to_be_killed(int parent)
{
	struct pollfd pfd = { .fd = parent, .events = POLLIN };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* ends when the parent ended before that */
	poll(&pfd, 1, -1);
	_exit(1);
}

int throng_add(struct throng *t, int n)
{
	int most = t->n + n;
	int parent = sys_pidfd_open(getpid(), 0);
	int ret = 0;
	pid_t pid;

	if (parent < 0)
		return -errno;
	while (t->n < most) {
		pid = fork();
		if (pid == 0)
			wait_to_be_killed(parent);
		if (pid < 0) {
			ret = -errno;
			break;
		}
		t->pid[t->n++] = pid;
	}
	close(parent);
	return ret;
}

int throng_fill(struct throng *t)
{
	return throng_add(t, THRONG_MOST - t->n);
}

int throng_end(struct throng *t, int n)
{
	int last = t->n - n;
	int ret = 0, status, i;

	for (i = last; i < t->n; i++)
		kill(t->pid[i], SIGKILL);
	for (i = last; i < t->n; i++)
		if (waitpid(t->pid[i], &status, 0) != t->pid[i] ||
		    !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			ret = -ECHILD;
	t->n = last;
	return ret;
}
