// SPDX-License-Identifier: GPL-2.0
/* Roles that come with other processes. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "roles.h"

/* If the runner fails to kill them, they go by themselves. */
#define LIFE_S 60

static void ignore_all(void)
{
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
}

static void stay(void)
{
	time_t end = time(NULL) + LIFE_S;

	ignore_all();
	while (time(NULL) < end)
		sleep(1);
	_exit(0);
}

/* Always another process: gone whenever somebody looks. */
static void keep_forking(void)
{
	time_t end = time(NULL) + LIFE_S;

	while (time(NULL) < end) {
		if (fork())
			_exit(0);
		usleep(300);
	}
	_exit(0);
}

/* A stopped process cannot go by itself. */
static void keep_one_stopped(void)
{
	time_t end = time(NULL) + LIFE_S;
	pid_t pid = fork();

	if (pid == 0) {
		kill(getpid(), SIGSTOP);
		stay();
	}
	ignore_all();
	while (time(NULL) < end)
		sleep(1);
	if (pid > 0)
		kill(pid, SIGKILL);
	_exit(0);
}

/* An orphan has lost its parent, here in a session of its own. */
static void start_orphan(void (*life)(void))
{
	if (fork())
		return;
	setsid();
	if (!fork())
		life();
	_exit(0);
}

/* In a process of its own: unshare() decides about all further children. */
static void start_namespace(void)
{
	if (fork())
		return;
	if (!unshare(CLONE_NEWPID) && !fork())
		fork(); /* the namespace's init, and a member */
	stay();
}

int play_hang(void)
{
	printf("TAP version 13\n1..3\nok 1 global.one\n");
	printf("#  RUN           global.two ...\n");
	fflush(stdout);
	ignore_all();
	start_namespace();
	start_orphan(stay);
	start_orphan(keep_one_stopped);
	start_orphan(keep_forking);
	stay();
	return 1;
}

int play_orphan(void)
{
	printf("TAP version 13\n1..1\n");
	fflush(stdout);
	start_orphan(stay);
	printf("ok 1 global.one\n");
	return 0;
}

int become_interruptible(char **argv)
{
	int sig;

	setpgid(0, 0);
	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	execvp(argv[0], argv);
	perror(argv[0]);
	return 127;
}
