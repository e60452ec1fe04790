/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the stories about the life and death of a pid namespace share: members
 * that hold on to life, and a way to see that they are gone.
 */
#ifndef PIDNS_SCENE_H
#define PIDNS_SCENE_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/*
 * How long a thing that must not happen is given to happen, in milliseconds.
 * A broken kernel needs microseconds; a right one never fails for this.
 */
#define SCENE_NEVER_MS 50

/*
 * struct scene - gates between a test and the members of a namespace
 * @up:    a member opens it when it is in place
 * @go:    the test opens it to let one member go on
 * @alive: every process that is alive has it open
 */
struct scene {
	struct gate up;
	struct gate go;
	struct gate alive;
};

/**
 * scene_init - make the gates, before the first member is born
 *
 * Returns 0 or a negative errno of pipe2(2).
 */
static inline int scene_init(struct scene *s)
{
	int ret = gate_init(&s->up);

	if (!ret)
		ret = gate_init(&s->go);
	return ret ? ret : gate_init(&s->alive);
}

/**
 * scene_close - give the gates back
 * @s: of scene_init()
 */
static inline void scene_close(struct scene *s)
{
	gate_close(&s->up);
	gate_close(&s->go);
	gate_close(&s->alive);
}

/**
 * scene_stay - live on whatever signal comes, except SIGKILL and SIGSTOP
 *
 * For members: opens @s->up first.  The parent death signal is given up, it
 * would hide a kernel that forgets to kill; so this ends by itself one day.
 */
static inline void scene_stay(struct scene *s)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, 0);
	gate_open(&s->up);
	poll(NULL, 0, CHILD_DEADLINE_MS);
	_exit(0);
}

/* scene_member - scene_stay() as the function of a child; @arg: the scene */
static inline void scene_member(struct child_report *rep, void *arg)
{
	(void)rep;
	scene_stay(arg);
}

/**
 * scene_left - does anybody else still hold @s->alive open?
 *
 * Gives up the caller's own hold on it.  A process closes its files before it
 * can be reaped, so this needs no waiting.
 * Returns 0 when all are gone, 1 when somebody is left, or a negative errno.
 */
static inline int scene_left(struct scene *s)
{
	char byte;

	fd_close(&s->alive.fd[1]);
	if (fcntl(s->alive.fd[0], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	if (read(s->alive.fd[0], &byte, 1) == 0)
		return 0;
	return errno == EAGAIN ? 1 : -errno;
}

/**
 * scene_ended - has a child ended, so that its parent can reap it?
 * @c: the child
 * @ms: how long to wait for it
 *
 * Returns 1 or 0.
 */
static inline int scene_ended(const struct child *c, int ms)
{
	struct pollfd pfd = { .fd = c->pidfd, .events = POLLIN };

	return poll(&pfd, 1, ms);
}

/**
 * scene_inject - start a child of the caller in the pid namespace of a process
 * @c: filled, as child_start() does
 * @pidfd: of a process in that namespace
 * @fn, @arg: see child_start()
 *
 * The caller's later children are born in its own namespace again, if it has
 * CAP_SYS_ADMIN there; else they join as well.
 * Returns 0 or a negative errno of setns(2), clone3(2).
 */
static inline int scene_inject(struct child *c, int pidfd, child_fn fn,
			       void *arg)
{
	int self = sys_pidfd_open(getpid(), 0);
	int ret;

	*c = CHILD_NONE;
	if (self < 0)
		return -errno;
	ret = setns(pidfd, CLONE_NEWPID) < 0 ? -errno : 0;
	if (!ret)
		ret = child_start(c, 0, fn, arg);
	if (setns(self, CLONE_NEWPID) < 0 && errno != EPERM && !ret)
		ret = -errno;
	close(self);
	return ret;
}

#endif /* PIDNS_SCENE_H */
