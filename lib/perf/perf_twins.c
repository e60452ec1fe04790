// SPDX-License-Identifier: GPL-2.0
/* A pair of workers that differ in their namespaces and in nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "perf_impl.h"

/*
 * The last but one process that leaves a pid namespace wakes its init.  With
 * these around, no process that an operation makes is ever that one.
 */
#define IDLE_MEMBERS 3

static void idle(struct twins *t)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(t->life[0], &c, 1))
		_exit(1);
	_exit(0);
}

/* Forks the last generation: the worker and those who keep it company. */
static pid_t fork_members(struct twins *t, int who)
{
	pid_t pid;
	int i;

	for (i = 0; i < IDLE_MEMBERS; i++) {
		pid = fork();
		if (pid == 0)
			idle(t);
		if (pid < 0)
			return pid;
	}
	pid = fork();
	if (pid == 0)
		twin_work(t, who);
	return pid;
}

/* What is left to do for who forked the next generation; does not return. */
static void see_off(struct twins *t, int who, pid_t pid)
{
	if (pid < 0) {
		twin_answer(t, who, -errno);
		_exit(1);
	}
	/* An init that ends takes the idle members with it. */
	if (waitpid(pid, NULL, 0) != pid)
		_exit(1);
	twin_answer(t, who, -ECHILD);
	_exit(0);
}

/*
 * The chain of ancestors.  It is as long for the outside twin, which pays for
 * ancestors that never called exec as the other one does: in the length of
 * its anon_vma chains (mm/rmap.c:anon_vma_fork).
 */
static void ancestors(struct twins *t, int who)
{
	const struct perf_place *place = t->row->place;
	int inside = who == INSIDE && t->inside;
	int error, i;
	pid_t pid;

	for (i = 0; i < place->generations; i++) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		error = place->enter ? place->enter(i, inside) : 0;
		if (error) {
			twin_answer(t, who, error);
			_exit(1);
		}
		pid = fork();
		if (pid)
			see_off(t, who, pid);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	see_off(t, who, fork_members(t, who));
}

static int hear(struct twins *t, int who)
{
	struct pollfd p = { .fd = t->answer[who][0], .events = POLLIN };
	char c;
	int n;

	n = poll(&p, 1, CHILD_DEADLINE_MS);
	if (n <= 0)
		return n ? -errno : -ETIMEDOUT;
	if (read(p.fd, &c, 1) != 1)
		return -EPIPE;
	return t->order[who].error;
}

int twins_init(struct twins *t, const struct perf_row *row)
{
	*t = (struct twins){ .row = row };
	t->order = mmap(NULL, TWINS * sizeof(*t->order), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t->order == MAP_FAILED)
		return -errno;
	/* A twin may be gone already when it is told to go. */
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return -errno;
	return prctl(PR_SET_CHILD_SUBREAPER, 1) ? -errno : 0;
}

static int fork_ancestor(struct twins *t, int who)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid)
		return hear(t, who);
	/* In both families alike, so that only the controller can command. */
	close(t->command[OUTSIDE][1]);
	close(t->command[INSIDE][1]);
	close(t->life[1]);
	ancestors(t, who);
	return 0;
}

static void forget(int fd[2])
{
	fd[0] = -1;
	fd[1] = -1;
}

int twins_start(struct twins *t, int first)
{
	int ret, i;

	forget(t->life);
	for (i = 0; i < TWINS; i++) {
		forget(t->command[i]);
		forget(t->answer[i]);
		t->order[i] = (struct twin_order){ 0 };
	}
	for (i = 0; i < TWINS; i++) {
		if (pipe2(t->command[i], O_CLOEXEC) ||
		    pipe2(t->answer[i], O_CLOEXEC))
			return -errno;
	}
	if (pipe2(t->life, O_CLOEXEC))
		return -errno;
	ret = fork_ancestor(t, first);
	if (ret)
		return ret;
	return fork_ancestor(t, !first);
}

void twins_stop(struct twins *t)
{
	int i;

	/* Whatever each of them is waiting for, it ends now. */
	fd_close(&t->life[1]);
	for (i = 0; i < TWINS; i++)
		fd_close(&t->command[i][1]);
	/* Exactly the family: the controller has no other children. */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	fd_close(&t->life[0]);
	for (i = 0; i < TWINS; i++) {
		fd_close(&t->command[i][0]);
		fd_close(&t->answer[i][0]);
		fd_close(&t->answer[i][1]);
	}
}

long long twin_run(struct twins *t, int who, enum twin_task task,
		   unsigned long n)
{
	struct twin_order *o = &t->order[who];
	char c = 0;
	int ret;

	o->task = task;
	o->n = n;
	if (write(t->command[who][1], &c, 1) != 1)
		return -errno;
	ret = hear(t, who);
	if (ret)
		return ret;
	return o->ns > 0 ? o->ns : 1;
}
