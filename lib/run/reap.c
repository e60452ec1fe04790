// SPDX-License-Identifier: GPL-2.0
/*
 * Find, name, end and collect descendants.
 *
 * A number found in /proc may mean another process by the time it is used, or
 * always, if that /proc belongs to another pid namespace. So nothing is killed
 * unless waitid(2) says that it is a child of ours: those keep their number
 * until we collect them.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervise.h"

/* Long: deep pid namespaces on a busy machine take seconds to go. */
#define KILL_MS 30000
#define PID_LIMIT 4194304 /* PID_MAX_LIMIT, include/linux/threads.h */

typedef void (*child_fn)(pid_t pid, void *arg);

static int call_if_child(pid_t pid, child_fn fn, void *arg)
{
	siginfo_t info;

	if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL))
		return 0;
	fn(pid, arg);
	return 1;
}

static int each_listed_child(child_fn fn, void *arg)
{
	struct dirent *entry;
	DIR *proc;
	int n = 0;

	proc = opendir("/proc");
	if (!proc)
		return 0;
	while ((entry = readdir(proc)))
		if (atoi(entry->d_name) > 0)
			n += call_if_child(atoi(entry->d_name), fn, arg);
	closedir(proc);
	return n;
}

/* Numbers are given in turn: what is alive most likely has a smaller one. */
static pid_t newest_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid < 0 ? PID_LIMIT : pid;
}

static int each_numbered_child(pid_t from, pid_t to, child_fn fn, void *arg)
{
	int n = 0;

	for (; from <= to; from++)
		n += call_if_child(from, fn, arg);
	return n;
}

/* Without a /proc that shows them, ask about numbers; all take a second. */
static int each_child(child_fn fn, void *arg)
{
	int n = each_listed_child(fn, arg);
	pid_t newest;

	if (n)
		return n;
	newest = newest_pid();
	n = each_numbered_child(1, newest, fn, arg);
	if (n)
		return n;
	return each_numbered_child(newest + 1, PID_LIMIT, fn, arg);
}

static void kill_one(pid_t pid, void *arg)
{
	(void)arg;
	kill(pid, SIGKILL);
}

/* PF_EXITING of include/linux/sched.h, in the 9th field of stat, see proc(5). */
static bool is_exiting(pid_t pid)
{
	char path[40], line[512] = "", *rest;
	unsigned int flags = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	rest = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return rest &&
	       sscanf(rest, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
	       flags & 0x4;
}

/* SIGKILL is on its way, or it is in exit(): SigPnd, ShdPnd of proc(5). */
static bool is_dying(pid_t pid)
{
	unsigned long long pending = 0, more;
	char path[40], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "SigPnd: %llx", &more) == 1 ||
		    sscanf(line, "ShdPnd: %llx", &more) == 1)
			pending |= more;
	fclose(f);
	return (pending >> (SIGKILL - 1) & 1) || is_exiting(pid);
}

struct name_list {
	char *text;
	size_t size;
	int n;
};

static void name_one(pid_t pid, void *arg)
{
	struct name_list *list = arg;
	char path[40], comm[32] = "process";
	size_t len = strlen(list->text);
	FILE *f;

	if (is_dying(pid))
		return;
	list->n++;
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "re");
	if (f) {
		if (fgets(comm, sizeof(comm), f))
			comm[strcspn(comm, "\n")] = '\0';
		fclose(f);
	}
	snprintf(list->text + len, list->size - len, "%s%s(%d)", len ? " " : "",
		 comm, pid);
}

int name_children(char *names, size_t size)
{
	struct name_list list = { names, size, 0 };

	names[0] = '\0';
	each_child(name_one, &list);
	return list.n;
}

int reap_ended(int main_pid, int *status)
{
	int found = 0, s;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &s, WNOHANG | __WALL);
		if (pid < 0)
			return found;
		if (pid == 0)
			return found | 1;
		if (pid == main_pid) {
			*status = s;
			found = 2;
		}
	}
}

int kill_everything(void)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	long long deadline = now_ms() + KILL_MS;
	sigset_t chld;
	int status;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	while (reap_ended(0, &status) & 1) {
		if (now_ms() > deadline)
			return -ETIMEDOUT;
		each_child(kill_one, NULL);
		/* A death is news (SIGCHLD is blocked); else look again soon. */
		sigtimedwait(&chld, NULL, &pause);
	}
	return 0;
}

int room_for(int wanted)
{
	int gate[2], n, status;
	pid_t pid;
	char c;

	if (pipe(gate))
		return 0;
	for (n = 0; n < wanted; n++) {
		pid = fork();
		if (pid < 0)
			break;
		if (pid == 0) {
			close(gate[1]);
			_exit(read(gate[0], &c, 1) != 0);
		}
	}
	close(gate[0]);
	close(gate[1]);
	while (waitpid(-1, &status, 0) > 0)
		;
	return n;
}
