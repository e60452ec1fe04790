// SPDX-License-Identifier: GPL-2.0
/* Ways to make a task; see inherit.h. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "clocks.h"
#include "flag_row.h"
#include "inherit.h"

#define STACK_SIZE 65536

struct made {
	enum inherit_way way;
	struct inherit_view *view;
	struct gate done;
};

static const int clone_flags[INHERIT_WAYS] = {
	[BY_VM] = CLONE_VM | SIGCHLD,
	[BY_FILES] = CLONE_FILES | CLONE_FS | CLONE_SYSVSEM | SIGCHLD,
	[BY_SIGHAND] = SHARED_SIGHAND | SIGCHLD,
	[BY_PARENT] = CLONE_PARENT | SIGCHLD,
	[BY_THREAD] = THREAD_FLAGS,
};

void inherit_look(struct inherit_view *view)
{
	static const clockid_t id[2] = { CLOCK_MONOTONIC, CLOCK_BOOTTIME };
	int i, path;

	for (i = 0; i < NSLINKS; i++)
		view->link[i] = nslink(i);
	view->pid_children = nslink_named("pid_for_children");
	view->time_children = nslink_named("time_for_children");
	for (i = 0; i < 2; i++)
		for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_VDSO; path++)
			view->clock[i][path] = clock_ns_by(id[i], path);
	view->tid = syscall(SYS_gettid);
	view->ready = 1;
}

static void *look(void *arg)
{
	struct made *made = arg;

	inherit_look(made->view);
	gate_open(&made->done);
	return NULL;
}

static int look_and_end(void *arg)
{
	struct made *made = arg;
	/* _exit() would end the whole thread group */
	long end = made->way == BY_THREAD ? SYS_exit : SYS_exit_group;

	/* once the gate is open, *made may be gone: it is on a stack */
	look(made);
	syscall(end, 0);
	return 0;
}

static int by_fork(struct made *made)
{
	pid_t pid = fork();

	if (pid == 0)
		look_and_end(made);
	return pid < 0 ? -errno : pid;
}

/* The number that comes back is the one of the child, not the grandchild. */
static int by_grandchild(struct made *made)
{
	pid_t pid = fork();

	if (pid == 0) {
		pid = by_fork(made);
		_exit(pid < 0 || waitpid(pid, NULL, 0) != pid);
	}
	return pid < 0 ? -errno : pid;
}

static int by_vfork(struct made *made)
{
	pid_t pid = vfork();

	if (pid == 0)
		look_and_end(made);
	return pid < 0 ? -errno : pid;
}

static int by_pthread(struct made *made)
{
	pthread_t thread;
	int ret = pthread_create(&thread, NULL, look, made);

	if (ret)
		return -ret;
	ret = pthread_join(thread, NULL);
	return ret ? -ret : (int)made->view->tid;
}

static int by_clone(struct made *made)
{
	/* never given back: the task may still be on it */
	char *stack = malloc(STACK_SIZE);
	pid_t pid;

	if (!stack)
		return -ENOMEM;
	pid = clone(look_and_end, stack + STACK_SIZE, clone_flags[made->way],
		    made, NULL, NULL, NULL);
	return pid < 0 ? -errno : pid;
}

static int make(struct made *made)
{
	if (made->way == BY_FORK)
		return by_fork(made);
	if (made->way == BY_GRANDCHILD)
		return by_grandchild(made);
	if (made->way == BY_VFORK)
		return by_vfork(made);
	if (made->way == BY_PTHREAD)
		return by_pthread(made);
	return by_clone(made);
}

/*
 * The init of a pid namespace ignores SIGCHLD once it ends, and whoever shares
 * its signal handlers does then, too: nothing is left to wait for.
 */
static int reaped_itself(enum inherit_way way)
{
	return way == BY_SIGHAND && errno == ECHILD;
}

int inherit_make(enum inherit_way way, struct inherit_view *view)
{
	struct made made = { .way = way, .view = view };
	int status = 0;
	int ret, pid;

	view->ready = 0;
	ret = gate_init(&made.done);
	if (ret < 0)
		return ret;
	pid = make(&made);
	if (pid < 0)
		goto out;
	if (way == BY_PARENT || way == BY_THREAD)
		ret = gate_wait(&made.done);
	else if (way != BY_PTHREAD && waitpid(pid, &status, 0) != pid)
		ret = reaped_itself(way) ? 0 : -errno;
	if (ret < 0 || status || !view->ready)
		pid = -ECHILD;
out:
	gate_close(&made.done);
	return pid;
}
