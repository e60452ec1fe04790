// SPDX-License-Identifier: GPL-2.0
/*
 * What was looked up about processes in /proc does not stay in memory when
 * they are dead.
 *
 * Promises: fs/proc/base.c:proc_flush_pid().
 * Guards:   7bc3e6e55acf ("proc: Use a list of inodes to flush from proc"),
 *           v5.7: several procfs instances.
 * Needs:    root or user namespaces; /proc that may be mounted anew.
 */
#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "proc_options.h"
#include "scene.h"

#define DENTRIES "/proc/sys/fs/dentry-state"
#define PROCESSES 50
#define ROUNDS 20

static const char *const files[] = {
	"stat",	   "status", "statm",	  "cmdline", "comm", "environ",
	"maps",	   "limits", "io",	  "mounts",  "task", "fd",
	"ns",	   "cwd",    "oom_score", "wchan",   "auxv", "personality",
	"syscall", "stack",  "root",	  "exe",
};

static void look_at_oneself(int dir)
{
	struct stat st;
	char path[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%d/%s", getpid(), files[i]);
		fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW);
	}
}

/* How many entries of directories there are more after a round than before. */
static long long round_growth(struct child_report *rep, int dir)
{
	long long before, after;
	pid_t pid;
	int i;

	CHILD_EQ(rep, 0, proc_number(DENTRIES, "", &before));
	for (i = 0; i < PROCESSES; i++) {
		pid = fork();
		if (pid == 0) {
			look_at_oneself(dir);
			_exit(0);
		}
		CHILD_LE(rep, 1, pid);
		CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
	}
	CHILD_EQ(rep, 0, proc_number(DENTRIES, "", &after));
	return after - before;
}

/*
 * The number is that of the whole machine and others add to it.  But a kernel
 * that keeps what was looked up adds all of it in every single round.
 */
static void smallest_growth(struct child_report *rep,
			    void *arg __attribute__((unused)))
{
	int i, dir = proc_open_new();

	if (dir == -EPERM || dir == -ENOSYS)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, dir);
	rep->value[0] = round_growth(rep, dir);
	for (i = 1; i < ROUNDS && rep->value[0] >= PROCESSES; i++) {
		long long growth = round_growth(rep, dir);

		if (growth < rep->value[0])
			rep->value[0] = growth;
	}
}

TEST(dead_processes_leave_nothing_in_procfs)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &missing));
	if (!missing && access(DENTRIES, R_OK) < 0)
		missing = NEEDS_PROC;
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID | CLONE_NEWNS,
			       smallest_growth, NULL));
	expect_held(_metadata, &rep);
	EXPECT_GT(PROCESSES, rep.value[0]);
}

TEST_HARNESS_MAIN
