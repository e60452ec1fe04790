// SPDX-License-Identifier: GPL-2.0
/* The jobs of a simulated user; see users_jobs.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_ops.h"
#include "users_jobs.h"

#define PIPE_ROUNDS 10
#define FILE_BLOCKS 8
#define SIGNALS 10
#define SUMS 20000

static int job_fork(int probe)
{
	pid_t pid = fork();

	(void)probe;
	if (pid == 0)
		_exit(0);
	return perf_reap(pid);
}

static int job_exec(int probe)
{
	pid_t pid = fork();

	if (pid == 0)
		perf_execute(probe);
	return perf_reap(pid);
}

static int pass(int from, int to, int rounds)
{
	char c = 0;

	while (rounds--) {
		if (read(from, &c, 1) != 1 || write(to, &c, 1) != 1)
			return -EPIPE;
	}
	return 0;
}

static int job_pipe(int probe)
{
	int there[2], back[2], ret = -EMFILE;
	pid_t pid;

	(void)probe;
	if (pipe2(there, O_CLOEXEC))
		return ret;
	if (!pipe2(back, O_CLOEXEC)) {
		pid = fork();
		if (pid == 0)
			_exit(pass(there[0], back[1], PIPE_ROUNDS) != 0);
		ret = write(there[1], "", 1) == 1 ? 0 : -EPIPE;
		if (!ret && pid > 0)
			ret = pass(back[0], there[1], PIPE_ROUNDS - 1);
		ret |= perf_reap(pid);
		close(back[0]);
		close(back[1]);
	}
	close(there[0]);
	close(there[1]);
	return ret;
}

/* A file without a name: nothing to remove when this is killed. */
static int job_file(int probe)
{
	char block[4096];
	int fd = memfd_create("job", MFD_CLOEXEC);
	int i, failed = 0;

	(void)probe;
	if (fd < 0)
		return -errno;
	memset(block, 'x', sizeof(block));
	for (i = 0; i < FILE_BLOCKS; i++)
		failed |= write(fd, block, sizeof(block)) != sizeof(block);
	for (i = 0; i < FILE_BLOCKS; i++)
		failed |= pread(fd, block, sizeof(block), i * sizeof(block)) !=
			  sizeof(block);
	close(fd);
	return failed ? -EIO : 0;
}

static int job_signal(int probe)
{
	int i, failed = 0;
	sigset_t set, old;
	siginfo_t info;

	(void)probe;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	for (i = 0; i < SIGNALS; i++) {
		failed |= kill(getpid(), SIGUSR1);
		failed |= sigwaitinfo(&set, &info) != SIGUSR1 ||
			  info.si_pid != getpid();
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return failed ? -ESRCH : 0;
}

static int job_compute(int probe)
{
	unsigned long sum = probe;
	int i;

	for (i = 0; i < SUMS; i++) {
		sum = sum * 31 + i;
		__asm__ volatile("" : "+r"(sum));
	}
	return 0;
}

int user_work(int user, long jobs, int probe)
{
	static int (*const kinds[USER_KINDS])(int probe) = {
		job_fork, job_exec, job_pipe, job_file, job_signal, job_compute,
	};
	int ret = 0;
	long i;

	for (i = 0; i < jobs && !ret; i++)
		ret = kinds[(user + i) % USER_KINDS](probe);
	return ret;
}
