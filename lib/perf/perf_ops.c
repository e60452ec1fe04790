// SPDX-License-Identifier: GPL-2.0
/* What several tables of costs measure; see perf_ops.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_ops.h"
#include "procfs.h"

int perf_fork_wait(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;

	(void)ctx;
	while (n--) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		if (perf_reap(pid))
			return -ECHILD;
	}
	return 0;
}

int perf_vfork_wait(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;

	(void)ctx;
	while (n--) {
		pid = vfork();
		if (pid == 0)
			_exit(0);
		if (perf_reap(pid))
			return -ECHILD;
	}
	return 0;
}

static void *nothing(void *arg)
{
	return arg;
}

int perf_thread(unsigned long n, struct perf_ctx *ctx)
{
	pthread_t t;

	(void)ctx;
	while (n--) {
		if (pthread_create(&t, NULL, nothing, NULL) ||
		    pthread_join(t, NULL))
			return -EAGAIN;
	}
	return 0;
}

int perf_open_ns(struct perf_ctx *ctx, const char *path)
{
	ctx->word[0] = open(path, O_RDONLY | O_CLOEXEC);
	if (ctx->word[0] < 0)
		return -errno;
	if (setns(ctx->word[0], 0))
		return errno == EPERM ? -EOPNOTSUPP : -errno;
	return 0;
}

int perf_enter(unsigned long n, struct perf_ctx *ctx)
{
	int failed = 0;

	while (n--)
		failed |= setns(ctx->word[0], 0);
	return failed ? -errno : 0;
}

int perf_open_probe(const char *name)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		return -errno;
	path[n] = '\0';
	n = strrchr(path, '/') + 1 - path;
	snprintf(path + n, sizeof(path) - n, "%s", name);
	fd = open(path, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

__noreturn void perf_execute(int fd)
{
	static char *const argv[] = { "probe", NULL };

	syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
	_exit(127);
}

int perf_fork_exec(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		if (pid == 0)
			perf_execute(ctx->word[0]);
		if (perf_reap(pid))
			return -ECHILD;
	}
	return 0;
}

int perf_reap(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return -ECHILD;
	return 0;
}

/* This file acts on the pid namespace of who writes, in whichever /proc it is. */
#define LAST_PID "/proc/sys/kernel/ns_last_pid"

int perf_near_end(const struct perf_ctx *ctx)
{
	char text[32];
	int n;

	n = snprintf(text, sizeof(text), "%ld", ctx->word[5]);
	return pwrite(ctx->word[4], text, n, 0) == n ? 0 : -errno;
}

static pid_t next_number(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return perf_reap(pid) ? -1 : pid;
}

int perf_open_end(struct perf_ctx *ctx, long before)
{
	long long max;
	pid_t pid = 0;
	long i;

	ctx->word[4] = open(LAST_PID, O_WRONLY | O_CLOEXEC);
	if (ctx->word[4] < 0 ||
	    proc_number("/proc/sys/kernel/pid_max", "", &max))
		return -EOPNOTSUPP;
	ctx->word[5] = ctx->inside ? max - 1 - before : max / 2;
	if (perf_near_end(ctx))
		return errno == EPERM ? -EOPNOTSUPP : -errno;
	for (i = 0; i <= before && ctx->inside; i++)
		pid = next_number();
	return ctx->inside && (pid < 0 || pid > ctx->word[5]) ? -ERANGE : 0;
}
