// SPDX-License-Identifier: GPL-2.0
/* Ways in which namespaces come and go; see churn_stories.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "churn_stories.h"

#define MEMBERS 3

/*
 * A pid namespace counts until some time after its end (RCU), and there is no
 * event to wait for: a bounded poll.
 */
static bool full_for_now(int ret, int *tries)
{
	return ret == -ENOSPC && ++*tries < CHILD_DEADLINE_MS &&
	       poll(NULL, 0, 1) == 0;
}

int churn_start(struct child *c, __u64 flags, child_fn fn, void *arg)
{
	int ret, tries = 0;

	do
		ret = child_start(c, flags, fn, arg);
	while (full_for_now(ret, &tries));
	return ret;
}

static int unshare_both(void)
{
	int ret, tries = 0;

	do
		ret = unshare(CLONE_NEWPID | CLONE_NEWTIME) < 0 ? -errno : 0;
	while (full_for_now(ret, &tries));
	return ret;
}

void churn_run(struct child_report *rep, __u64 flags, child_fn fn, void *arg)
{
	struct child_report inner;
	struct child c;

	CHILD_EQ(rep, 0, churn_start(&c, flags, fn, arg));
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	CHILD_HELD(rep, &inner);
}

static void park(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
	while (1)
		pause();
}

/* An init that ends while it has children. */
static void family(struct child_report *rep, void *arg)
{
	struct child c;
	int i;

	(void)arg;
	for (i = 0; i < MEMBERS; i++)
		CHILD_EQ(rep, 0, child_start(&c, 0, park, NULL));
}

static void story_family(struct child_report *rep, void *arg)
{
	churn_run(rep, CLONE_NEWPID, family, arg);
}

/* Namespaces in namespaces, which end from the outside to the inside. */
static void nested(struct child_report *rep, void *arg)
{
	struct child c;

	CHILD_EQ(rep, 0, unshare_both());
	CHILD_EQ(rep, 0, child_start(&c, 0, family, arg));
}

static void story_nested(struct child_report *rep, void *arg)
{
	churn_run(rep, CLONE_NEWPID, nested, arg);
}

/* Nobody can be born where the init is dead. */
static void dead(struct child_report *rep, void *arg)
{
	pid_t pid;
	int i;

	(void)arg;
	CHILD_EQ(rep, 0, unshare_both());
	pid = fork();
	if (pid == 0)
		_exit(getpid() != 1);
	CHILD_EQ(rep, pid, waitpid(pid, &i, 0));
	CHILD_EQ(rep, 0, i);
	for (i = 0; i < MEMBERS; i++) {
		pid = fork();
		if (pid == 0)
			_exit(1);
		CHILD_EQ(rep, -1, pid);
		CHILD_EQ(rep, ENOMEM, errno);
	}
}

static void story_dead(struct child_report *rep, void *arg)
{
	churn_run(rep, 0, dead, arg);
}

/* Enters a namespace that is being killed: too late, or its children die. */
static void enter(struct child_report *rep, void *arg)
{
	const struct child *init = arg;
	int status, i;
	pid_t pid;

	if (setns(init->pidfd, CLONE_NEWPID) < 0) {
		CHILD_EQ(rep, ESRCH, errno);
		return;
	}
	for (i = 0; i < 1000; i++) {
		pid = fork();
		if (pid == 0)
			park(rep, NULL);
		if (pid < 0)
			break;
		/* its end is the end of the namespace: no need to kill it */
		CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
		CHILD_EQ(rep, SIGKILL, status);
	}
	CHILD_EQ(rep, ENOMEM, errno);
}

static void story_enter(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct child init, guest;

	(void)arg;
	CHILD_EQ(rep, 0, churn_start(&init, CLONE_NEWPID, park, NULL));
	CHILD_EQ(rep, 0, child_start(&guest, 0, enter, &init));
	CHILD_EQ(rep, 0, sys_pidfd_send_signal(init.pidfd, SIGKILL, NULL, 0));
	CHILD_EQ(rep, 0, child_wait(&guest, &inner));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, child_wait(&init, &inner));
	CHILD_EQ(rep, SIGKILL, inner.signal);
}

static void *fork_on(void *arg)
{
	atomic_int *strange = arg;
	pid_t pid;

	while (1) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 && errno != ENOMEM)
			atomic_fetch_add(strange, 1);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	return NULL;
}

/* Ends while its threads fork; the first thread may be the first to go. */
static void threads(struct child_report *rep, void *arg)
{
	pthread_t thread;
	int i;

	for (i = 0; i < MEMBERS; i++)
		CHILD_EQ(rep, 0, pthread_create(&thread, NULL, fork_on, arg));
	for (i = 0; i < MEMBERS; i++)
		CHILD_LE(rep, 1, waitpid(-1, NULL, 0) > 0 || errno == ECHILD);
}

static void story_threads(struct child_report *rep, void *arg)
{
	churn_run(rep, CLONE_NEWPID, threads, arg);
}

const child_fn churn_story[CHURN_STORIES] = { story_family, story_nested,
					      story_dead, story_enter,
					      story_threads };
