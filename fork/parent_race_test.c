// SPDX-License-Identifier: GPL-2.0
/*
 * Children made for one's parent (CLONE_PARENT) while that parent ends: each is
 * an ordinary child of whoever inherits it, and is reaped by an ordinary wait.
 *
 * Promises: clone(2), CLONE_PARENT; wait(2); kernel/fork.c:copy_process(),
 *           kernel/exit.c:forget_original_parent().
 * Guards:   b4e00444cab4 ("fork: fix copy_process(CLONE_PARENT) race with the
 *           exiting ->real_parent"), v5.10.
 * Needs:    root or user namespaces; CONFIG_PID_NS.
 */
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "raw_clone.h"
#include "soak.h"

#define ROUNDS 10
#define SIBLINGS 12

FIXTURE(parent)
{
	const char *missing;
	atomic_int *made;
};

FIXTURE_SETUP(parent)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->made = mmap(NULL, sizeof(*self->made), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->made);
}

FIXTURE_TEARDOWN(parent)
{
}

/* Siblings are children of our parent, or of the init that inherits us. */
static void make_siblings(atomic_int *made)
{
	pid_t pid;
	int i;

	for (i = 0; i < SIBLINGS; i++) {
		pid = raw_clone(CLONE_PARENT | SIGCHLD, NULL);
		if (pid == 0)
			_exit(0);
		if (pid > 0)
			atomic_fetch_add(made, 1);
	}
	_exit(SIBLINGS);
}

/* The one who ends has a child that makes it children. */
static void end_early(atomic_int *made)
{
	pid_t pid = fork();

	if (pid == 0)
		make_siblings(made);
	_exit(pid < 0);
}

/* An ordinary wait, for each there is; the number of all. */
static int reap_all(void)
{
	int n = 0;

	while (waitpid(-1, NULL, 0) > 0)
		n++;
	return n;
}

static void inherit(struct child_report *rep, void *arg)
{
	atomic_int *made = arg;
	pid_t pid;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		atomic_store(made, 0);
		pid = fork();
		if (pid == 0)
			end_early(made);
		CHILD_LE(rep, 1, pid);
		CHILD_EQ(rep, SIBLINGS + 2, reap_all());
		CHILD_EQ(rep, SIBLINGS, atomic_load(made));
		/* nobody is left whom only an unusual wait would find */
		CHILD_EQ(rep, -1, waitpid(-1, NULL, __WALL));
		CHILD_EQ(rep, ECHILD, errno);
	}
}

TEST_F_TIMEOUT(parent, that_ends_leaves_ordinary_children, SOAK_TIMEOUT)
{
	struct child_report rep;
	struct soak soak;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	soak_begin(&soak);
	while (soak_again(&soak)) {
		ASSERT_EQ(0,
			  child_run(&rep, CLONE_NEWPID, inherit, self->made));
		expect_held(_metadata, &rep);
	}
}

TEST_HARNESS_MAIN
