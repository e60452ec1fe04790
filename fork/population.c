// SPDX-License-Identifier: GPL-2.0
/* Births, execs and deaths to be counted; see population.h. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "population.h"

#define PROCESSES 24
#define THREADS 3 /* of every fourth process, which then executes something */

_Static_assert(PROCESSES + PROCESSES / 4 * THREADS == POPULATION_BIRTHS, "");
_Static_assert(PROCESSES / 4 == POPULATION_EXECS, "");

static void *idle(void *arg)
{
	return arg;
}

static void live_with_threads(const char *path)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, idle, NULL))
			_exit(1);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	execl(path, path, NULL);
	_exit(1);
}

void population_live(struct child_report *rep, void *path)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < PROCESSES; i++) {
		pid = fork();
		if (pid == 0) {
			if (i % 4 == 0)
				live_with_threads(path);
			_exit(i);
		}
		CHILD_LE(rep, 1, pid);
		CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
		/* exec_probe, run without orders, ends with 2 */
		CHILD_EQ(rep, (i % 4 ? i : 2) << 8, status);
	}
}
