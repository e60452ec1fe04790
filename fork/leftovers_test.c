// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel keeps of processes and namespaces that are gone: nothing. The
 * objects of each kind are counted over two equal rounds of births and deaths;
 * the second must not add to what the first left in caches.
 *
 * Promises: none; kernel/pid.c:free_pid(), kernel/pid_namespace.c:
 *           destroy_pid_namespace(), kernel/nsproxy.c:deactivate_nsproxy(),
 *           kernel/exit.c:release_task(), fs/proc/base.c:proc_flush_pid().
 * Guards:   none.
 * Needs:    a machine that nobody else uses (SELFTESTS_VM=1), root there;
 *           CONFIG_SLUB_DEBUG.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "procfs.h"

#define BIRTHS 200

/*
 * Somebody else may take a few objects meanwhile; a leak of one at each birth
 * is far more.
 */
#define STRANGE (BIRTHS / 4)

/* How long they may take to go, RCU and all: no tolerance, a hang. */
#define REST (CHILD_DEADLINE_MS / 3 * 1000000LL)

struct kind {
	const char *cache; /* in /sys/kernel/slab; NULL: directory entries */
	void (*be_born)(struct child_report *rep);
};

FIXTURE(gone)
{
	const char *missing;
};

FIXTURE_VARIANT(gone)
{
	struct kind kind;
};

static void reap(struct child_report *rep, pid_t pid)
{
	int status = -1;

	CHILD_LE(rep, 1, pid);
	CHILD_EQ(rep, pid, waitpid(pid, &status, 0));
	CHILD_EQ(rep, 0, status);
}

static void process(struct child_report *rep)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	reap(rep, pid);
}

/* Its directory in /proc is looked at while it is there. */
static void process_in_proc(struct child_report *rep)
{
	int line[2];
	char path[64];
	pid_t pid;

	CHILD_EQ(rep, 0, pipe(line));
	pid = fork();
	if (pid == 0)
		_exit(close(line[1]) || read(line[0], path, 1));
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, pid);
	CHILD_EQ(rep, 0, access(path, F_OK));
	close(line[1]);
	reap(rep, pid);
	close(line[0]);
}

static void nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

/* With a pidfd, which is a file with an entry and an inode of its own. */
static void pid_namespace(struct child_report *rep)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, nothing, NULL));
	CHILD_HELD(rep, &inner);
}

static void time_namespace(struct child_report *rep)
{
	CHILD_EQ(rep, 0, unshare(CLONE_NEWTIME));
	process(rep);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(gone, numbers)        { { "pid_2",            process } };
FIXTURE_VARIANT_ADD(gone, tasks)          { { "task_struct",      process } };
FIXTURE_VARIANT_ADD(gone, proc_entries)   { { NULL,               process_in_proc } };
FIXTURE_VARIANT_ADD(gone, proc_inodes)    { { "proc_inode_cache", process_in_proc } };
FIXTURE_VARIANT_ADD(gone, pid_namespaces) { { "pid_namespace",    pid_namespace } };
FIXTURE_VARIANT_ADD(gone, pid_ns_entries) { { NULL,               pid_namespace } };
FIXTURE_VARIANT_ADD(gone, numbers_below)  { { "pid_3",            pid_namespace } };
FIXTURE_VARIANT_ADD(gone, time_ns_sets)   { { "nsproxy",          time_namespace } };
/* clang-format on */

FIXTURE_SETUP(gone)
{
	const char *vm = getenv("SELFTESTS_VM");

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing && (!vm || strcmp(vm, "1")))
		self->missing = NEEDS_VM;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(gone)
{
}

/* Those that are kept for the next one are given back first. */
static long long count(struct child_report *rep, const struct kind *kind)
{
	char path[128];
	long long n;
	int ret;

	if (!kind->cache) {
		ret = proc_number("/proc/sys/fs/dentry-state", "", &n);
		CHILD_EQ(rep, 0, ret);
		return n;
	}
	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/shrink", kind->cache);
	if (proc_write(path, "1") < 0)
		child_skip(rep, NEEDS_SLUB_DEBUG);
	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/objects",
		 kind->cache);
	if (proc_number(path, "", &n) < 0)
		child_skip(rep, NEEDS_SLUB_DEBUG);
	return n;
}

/* RCU and others give back later, and there is no event: a bounded poll. */
static long long count_at_rest(struct child_report *rep,
			       const struct kind *kind, long long most)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC_RAW) + REST;
	long long n;

	while (1) {
		n = count(rep, kind);
		if (n <= most || clock_ns(CLOCK_MONOTONIC_RAW) > end)
			return n;
		poll(NULL, 0, 10);
	}
}

static void be_born_and_die(struct child_report *rep, void *arg)
{
	const struct kind *kind = arg;
	long long before, after;
	int i;

	CHILD_EQ(rep, 0, proc_mount_own());
	for (i = 0; i < BIRTHS; i++)
		kind->be_born(rep);
	before = count(rep, kind);
	for (i = 0; i < BIRTHS; i++)
		kind->be_born(rep);
	after = count_at_rest(rep, kind, before + STRANGE);
	snprintf(rep->text, sizeof(rep->text), "(%lld objects more)",
		 after - before);
	CHILD_EQ(rep, 1, after <= before + STRANGE);
}

TEST_F(gone, without_leftovers)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, be_born_and_die,
			       (void *)&variant->kind));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
