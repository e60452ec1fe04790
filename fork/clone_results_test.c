// SPDX-License-Identifier: GPL-2.0
/*
 * What clone(2) and clone3(2) hand back and set up besides namespaces: pidfd
 * and thread ids, exit signal, signal handlers; and what clone(2) makes of the
 * flags that only clone3(2) has.
 *
 * Promises: clone(2), "The flags mask"; set_tid_address(2);
 *           kernel/fork.c:kernel_clone(), kernel/sched/core.c:schedule_tail().
 * Guards:   9014143bab2f ("fork: don't check parent_tidptr with CLONE_PIDFD"),
 *           v5.2;
 *           3f2c788a1314 ("fork: prevent accidental access to clone3
 *           features"), v5.7;
 *           c0ee554906c3 ("pid: Handle failure to allocate the first pid in a
 *           pid namespace"), v4.15.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "nslink.h"
#include "procfs.h"
#include "raw_clone.h"

#define STACK_SIZE 65536

FIXTURE(results)
{
	const char *missing;
};

FIXTURE_SETUP(results)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(results)
{
}

/* Everything that clone3() can report of a child, and how the child sees it. */
struct results {
	int pidfd;
	pid_t parent_tid;
	pid_t child_tid;
	pid_t self;
	pid_t set_address;
	pid_t left;
};

static void look_at_results(struct results *shared, const struct results *mine)
{
	shared->child_tid = mine->child_tid;
	/* the memory was copied before the parent's variable was written */
	shared->parent_tid = mine->parent_tid;
	shared->pidfd = mine->pidfd;
	shared->self = getpid();
	shared->set_address = syscall(SYS_set_tid_address, &shared->left);
	_exit(0);
}

TEST_F(results, pidfd_and_numbers_each_at_its_place)
{
	struct results mine = { .pidfd = -7,
				.parent_tid = -7,
				.child_tid = -7 };
	struct uapi_clone_args args = {
		.flags = CLONE_NEWPID | CLONE_PIDFD | CLONE_PARENT_SETTID |
			 CLONE_CHILD_SETTID,
		.pidfd = (uintptr_t)&mine.pidfd,
		.parent_tid = (uintptr_t)&mine.parent_tid,
		.child_tid = (uintptr_t)&mine.child_tid,
		.exit_signal = SIGCHLD,
	};
	struct results *shared;
	long long seen;
	char path[64];
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, shared);
	pid = sys_clone3(&args, sizeof(args));
	if (pid == 0)
		look_at_results(shared, &mine);
	ASSERT_LE(1, pid);
	EXPECT_EQ(pid, mine.parent_tid);
	EXPECT_EQ(-7, mine.child_tid);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", mine.pidfd);
	if (proc_is_mine()) {
		EXPECT_EQ(0, proc_number(path, "Pid:", &seen));
		EXPECT_EQ(pid, seen);
	}
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_EQ(0, close(mine.pidfd));
	EXPECT_EQ(1, shared->self);
	EXPECT_EQ(1, shared->child_tid);
	EXPECT_EQ(1, shared->set_address);
}

TEST_F(results, no_pidfd_over_the_parents_number)
{
	int place = -7;
	struct uapi_clone_args args = {
		.flags = CLONE_PIDFD | CLONE_PARENT_SETTID,
		.pidfd = (uintptr_t)&place,
		.parent_tid = (uintptr_t)&place,
		.exit_signal = SIGCHLD,
	};
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	pid = sys_clone3(&args, sizeof(args));
	if (pid == 0)
		_exit(0);
	EXPECT_EQ(-1, pid);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-7, place);
	pid = raw_clone(CLONE_PIDFD | CLONE_PARENT_SETTID | SIGCHLD, &place);
	if (pid == 0)
		_exit(0);
	EXPECT_EQ(-1, pid);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-7, place);
}

static int end_at_once(void *arg __attribute__((unused)))
{
	return 0;
}

TEST_F(results, child_number_is_cleared_in_shared_memory)
{
	char *stack = malloc(STACK_SIZE);
	pid_t tid = -7, pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_NE(NULL, stack);
	pid = clone(end_at_once, stack + STACK_SIZE,
		    CLONE_VM | CLONE_NEWPID | CLONE_CHILD_CLEARTID | SIGCHLD,
		    NULL, NULL, NULL, &tid);
	ASSERT_LE(1, pid);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_EQ(0, tid);
	free(stack);
}

/*
 * Before 7.1 the failure counted as the death of the namespace.
 */
TEST_F(results, first_process_after_one_that_failed)
{
	struct uapi_clone_args args = {
		.flags = CLONE_PIDFD,
		.pidfd = 8, /* nowhere: fails after the number was taken */
		.exit_signal = SIGCHLD,
	};
	int status = -1;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	EXPECT_EQ(-1, sys_clone3(&args, sizeof(args)));
	EXPECT_EQ(EFAULT, errno);
	pid = fork();
	if (pid == 0)
		_exit(getpid());
	if (pid < 0) {
		EXPECT_EQ(ENOMEM, errno);
		return;
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(1 << 8, status);
}

TEST_HARNESS_MAIN
