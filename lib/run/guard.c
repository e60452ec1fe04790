// SPDX-License-Identifier: GPL-2.0
/*
 * Two processes watch each other and run_all.sh: whichever is killed, another
 * one is told by the kernel and ends all descendants.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise.h"

/* Out of reach of the terminal, and of signals to the caller's group. */
static int stand_apart(pid_t parent, const sigset_t *set)
{
	setsid();
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) ||
	    prctl(PR_SET_PDEATHSIG, SIGTERM) ||
	    sigprocmask(SIG_BLOCK, set, NULL))
		return -errno;
	if (parent && getppid() != parent)
		return -ESRCH;
	return 0;
}

static noreturn void guard(pid_t child, const sigset_t *set)
{
	int status, sig;

	do {
		sig = sigwaitinfo(set, NULL);
		if (sig > 0 && sig != SIGCHLD)
			kill(child, SIGTERM);
	} while (waitpid(child, &status, WNOHANG) != child);
	/* Usually there is nobody; but who knows how the child ended. */
	kill_everything();
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int stand_guard(pid_t parent)
{
	pid_t self = getpid(), child;
	sigset_t set;
	int ret;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	ret = stand_apart(parent, &set);
	if (ret)
		return ret;
	child = fork();
	if (child < 0)
		return -errno;
	if (child)
		guard(child, &set);
	ret = stand_apart(self, &set);
	if (ret)
		return ret;
	ret = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return ret < 0 ? -errno : ret;
}
