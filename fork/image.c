// SPDX-License-Identifier: GPL-2.0
/* What an executed program finds itself to be; see image.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clocks.h"
#include "image.h"
#include "nslink.h"
#include "procfs.h"
#include "vdso.h"

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1U
#endif
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif

#define FDS_VARIABLE "IMAGE_FDS"

/* A child's own number, by its exit code: small in every new namespace. */
static int64_t number_of_a_child(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(getpid() < 200 ? getpid() : 200);
	if (pid < 0)
		return -errno;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return WEXITSTATUS(status);
}

/* The grandchild: its parent is gone when the line is closed. */
static void tell_parent(int in, int out)
{
	char byte;
	int64_t ppid;

	if (read(in, &byte, 1) != 0)
		_exit(1);
	ppid = getppid();
	if (write(out, &ppid, sizeof(ppid)) != sizeof(ppid))
		_exit(1);
	_exit(0);
}

static int64_t parent_of_an_orphan(void)
{
	int line[2], answer[2];
	int64_t ppid;
	pid_t pid;

	if (pipe(line) < 0 || pipe(answer) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(line[1]);
		pid = fork();
		if (pid == 0)
			tell_parent(line[0], answer[1]);
		_exit(pid < 0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		return -errno;
	close(line[1]);
	close(answer[1]);
	if (read(answer[0], &ppid, sizeof(ppid)) != sizeof(ppid))
		return -ENODATA;
	/* if it is ours now, it is waited for; else it was never */
	waitpid(-1, NULL, ppid == getpid() ? 0 : WNOHANG);
	return ppid;
}

static void look_at_clocks(int64_t *value)
{
	int path;

	for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_VDSO; path++) {
		value[IMAGE_MONOTONIC + path] =
			clock_ns_by(CLOCK_MONOTONIC, path);
		value[IMAGE_BOOTTIME + path] =
			clock_ns_by(CLOCK_BOOTTIME, path);
	}
	value[IMAGE_VDSO] = vdso_base() != 0;
}

static void look_at_fds(int64_t *value, const char *list)
{
	struct stat st;
	char *end;
	int i;

	for (i = 0; i < IMAGE_FDS && list && *list; i++) {
		if (fstat(strtol(list, &end, 10), &st) < 0)
			value[i] = -errno;
		else
			value[i] = st.st_ino;
		list = *end ? end + 1 : NULL;
	}
}

void image_take_over(void)
{
	struct image_report report = { { 0 } };
	const char *out = getenv(IMAGE_OUT_VARIABLE);
	int64_t *value = report.value;
	long long threads;

	if (!out)
		return;
	/* first: later calls open files */
	look_at_fds(value + IMAGE_FD, getenv(FDS_VARIABLE));
	value[IMAGE_PID] = getpid();
	value[IMAGE_TID] = syscall(SYS_gettid);
	value[IMAGE_PPID] = getppid();
	value[IMAGE_PGRP] = getpgrp();
	value[IMAGE_THREADS] = proc_stat(PROC_SELF, 20, &threads);
	if (value[IMAGE_THREADS] == 0)
		value[IMAGE_THREADS] = threads;
	value[IMAGE_NS_PID] = nslink(NSLINK_PID);
	value[IMAGE_NS_PID_CHILDREN] = nslink_named("pid_for_children");
	value[IMAGE_NS_TIME] = nslink(NSLINK_TIME);
	value[IMAGE_NS_TIME_CHILDREN] = nslink_named("time_for_children");
	look_at_clocks(value);
	value[IMAGE_INTERPRETER] = getauxval(AT_BASE) != 0;
	value[IMAGE_POINTER] = sizeof(void *);
	value[IMAGE_CHILD] = number_of_a_child();
	value[IMAGE_ORPHAN_PPID] = parent_of_an_orphan();
	_exit(write(atoi(out), &report, sizeof(report)) != sizeof(report));
}

int image_path(const char *name, char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);
	char *base;

	if (len < 0)
		return -errno;
	path[len] = '\0';
	if (!name)
		return 0;
	base = strrchr(path, '/') + 1;
	if ((size_t)snprintf(base, path + size - base, "%s", name) >=
	    (size_t)(path + size - base))
		return -ENAMETOOLONG;
	return access(path, X_OK) < 0 ? -errno : 0;
}

int image_script(const char *interpreter)
{
	int fd = memfd_create("script", MFD_CLOEXEC | MFD_EXEC);

	/* the flag came in v6.3; before, all are executable */
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("script", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (dprintf(fd, "#!%s\n", interpreter) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

int image_exec(const char *path, int out, const int *fd, int fds)
{
	char out_var[32], fds_var[IMAGE_FDS * 12 + 32] = FDS_VARIABLE "=";
	char *const env[] = { out_var, fds_var, NULL };
	char *const argv[] = { (char *)path, NULL };
	int i, len;

	snprintf(out_var, sizeof(out_var), IMAGE_OUT_VARIABLE "=%d", out);
	for (i = 0; i < fds && i < IMAGE_FDS; i++) {
		len = strlen(fds_var);
		snprintf(fds_var + len, sizeof(fds_var) - len, "%s%d",
			 i ? "," : "", fd[i]);
	}
	execve(path, argv, env);
	return -errno;
}

int image_fetch(int in, struct image_report *report)
{
	ssize_t len = read(in, report, sizeof(*report));

	if (len == 0 || (len < 0 && errno == EAGAIN))
		return -ENODATA;
	return len == sizeof(*report) ? 0 : -EBADMSG;
}
