// SPDX-License-Identifier: GPL-2.0
/* What a process sees of its time namespace; see witness.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs.h"
#include "witness.h"

#define PROBE "clock_probe"
#define OUT_VARIABLE "TIMENS_WITNESS_FD"

static int64_t inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -errno : (int64_t)st.st_ino;
}

void witness_take(struct witness *w)
{
	int path;

	for (path = 0; path < CLOCK_PATHS; path++) {
		w->monotonic[path] = clock_ns_by(CLOCK_MONOTONIC, path);
		w->boottime[path] = clock_ns_by(CLOCK_BOOTTIME, path);
	}
	w->ns = inode_of("/proc/self/ns/time");
	w->children = inode_of("/proc/self/ns/time_for_children");
	w->pid = getpid();
	w->uid = getuid();
}

void witness_report(struct child_report *rep, unsigned int slot)
{
	struct witness w;

	witness_take(&w);
	memcpy((char *)rep->value + slot * sizeof(w), &w, sizeof(w));
}

struct witness witness_of(const struct child_report *rep, unsigned int slot)
{
	struct witness w;

	memcpy(&w, (char *)rep->value + slot * sizeof(w), sizeof(w));
	return w;
}

void witness_child(struct child_report *rep, void *arg)
{
	(void)arg;
	witness_report(rep, 0);
}

static int take(void *arg)
{
	witness_take(arg);
	return 0;
}

int witness_clone(int flags, struct witness *w)
{
	static const size_t size = 256 * 1024;
	char *stack = malloc(size);
	int ret, status = 0;
	pid_t pid;

	if (!stack)
		return -ENOMEM;
	pid = clone(take, stack + size, flags | CLONE_VM | SIGCHLD, w);
	ret = pid < 0 ? -errno : 0;
	if (!ret && waitpid(pid, &status, 0) < 0)
		ret = -errno;
	free(stack);
	return ret < 0 || !status ? ret : -ECHILD;
}

/* The probe lies beside the test, wherever the test was started from. */
int witness_open(enum witness_program program)
{
	char self[4096], path[4096 + sizeof(PROBE) + 1];
	ssize_t len;
	int fd;

	if (program == WITNESS_SELF) {
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len < 0)
		return -errno;
	self[len] = '\0';
	snprintf(path, sizeof(path), "%s/" PROBE, dirname(self));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* How a program learns the fd: in its environment, which tests do not parse. */
struct words {
	char variable[sizeof(OUT_VARIABLE) + 16];
	char *argv[2];
	char *envp[2];
};

static void words_fill(struct words *w, int out)
{
	static char name[] = PROBE;

	snprintf(w->variable, sizeof(w->variable), OUT_VARIABLE "=%d", out);
	w->argv[0] = name;
	w->argv[1] = NULL;
	w->envp[0] = w->variable;
	w->envp[1] = NULL;
}

int witness_exec(int program, int out)
{
	struct words w;

	words_fill(&w, out);
	fexecve(program, w.argv, w.envp);
	return -errno;
}

int witness_spawn(int program, int out, pid_t *pid)
{
	char path[64];
	struct words w;

	words_fill(&w, out);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", program);
	return -posix_spawn(pid, path, NULL, NULL, w.argv, w.envp);
}

int witness_read(int in, struct witness *w)
{
	ssize_t len = read(in, w, sizeof(*w));

	if (len < 0)
		return -errno;
	return len == sizeof(*w) ? 0 : -EBADMSG;
}

void witness_main(void)
{
	const char *out = getenv(OUT_VARIABLE);
	struct witness w;

	if (!out)
		return;
	witness_take(&w);
	_exit(write(atoi(out), &w, sizeof(w)) != sizeof(w));
}

int64_t initial_clock_ns(clockid_t id)
{
	struct offsets off;
	int ret;

	ret = offsets_get(PROC_SELF, &off);
	if (ret < 0)
		return ret;
	return clock_ns(id) - offset_for(&off, id);
}

int timens_shift(const struct offsets *shift)
{
	struct offsets off;
	int ret;

	ret = offsets_get(PROC_SELF, &off);
	if (ret < 0)
		return ret;
	off.monotonic += shift->monotonic;
	off.boottime += shift->boottime;
	return timens_unshare(&off);
}
