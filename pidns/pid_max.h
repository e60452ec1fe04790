/* SPDX-License-Identifier: GPL-2.0 */
/* What tests of the numbers in a pid namespace share. */
#ifndef PIDNS_PID_MAX_H
#define PIDNS_PID_MAX_H

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "caps.h"
#include "child.h"
#include "needs.h"
#include "procfs.h"

#define LAST_PID "/proc/sys/kernel/ns_last_pid"
#define PID_MAX "/proc/sys/kernel/pid_max"
#define PID_MAX_LIMIT (4 << 20) /* of a 64-bit kernel */
#define RESERVED_PIDS 300 /* kernel/pid.c: where a wrap goes to */
#define PID_MAX_NOBODY 65534

/**
 * pid_max_next - the number the next process gets
 *
 * Returns the number of a child that is gone then, or a negative errno of
 * fork(2), waitpid(2).
 */
static inline int pid_max_next(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return waitpid(pid, NULL, 0) == pid ? pid : -errno;
}

/**
 * pid_max_set - write a number
 * @path: LAST_PID or PID_MAX
 *
 * Returns 0 or a negative errno of open(2), write(2).
 */
static inline int pid_max_set(const char *path, long long number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", number);
	return proc_write(path, text);
}

/**
 * pid_max_smallest - the smallest pid_max that is allowed
 *
 * It grows with the number of CPUs.  The caller's namespace has it afterwards.
 */
static inline long long pid_max_smallest(void)
{
	long long i;

	for (i = RESERVED_PIDS; i < PID_MAX_LIMIT; i++)
		if (pid_max_set(PID_MAX, i) != -EINVAL)
			break;
	return i;
}

/**
 * pid_max_harmless - become root of a user namespace, but not of the machine
 * @rep: the child's own report; it skips when that is not possible
 *
 * Where there is one pid_max for all, only root of the machine may write it:
 * who cannot write it now can do no harm in a pid namespace of his own.
 */
static inline void pid_max_harmless(struct child_report *rep)
{
	const char *missing;

	if (access(PID_MAX, F_OK) < 0)
		child_skip(rep, NEEDS_PROC);
	if (access(PID_MAX, W_OK) == 0) {
		if (caps_become(PID_MAX_NOBODY) < 0)
			child_skip(rep, NEEDS_USERNS);
		prctl(PR_SET_DUMPABLE, 1);
	}
	if (access(PID_MAX, W_OK) == 0)
		child_skip(rep, NEEDS_USERNS);
	CHILD_EQ(rep, 0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		child_skip(rep, missing);
	child_die_with_parent(rep);
}

/**
 * pid_max_in_namespace - run a function in a pid namespace with its own limit
 * @rep: the child's own report; it skips when there is no such thing
 * @fn, @arg: see child_start()
 */
static inline void pid_max_in_namespace(struct child_report *rep, child_fn fn,
					void *arg)
{
	struct child_report inner;

	pid_max_harmless(rep);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, fn, arg));
	CHILD_HELD(rep, &inner);
}

/**
 * pid_max_need - skip unless numbers can be limited and chosen here
 * @rep: of a child in a namespace of its own
 */
static inline void pid_max_need(struct child_report *rep)
{
	if (access(PID_MAX, W_OK) < 0)
		child_skip(rep, NEEDS_NS_PID_MAX);
	if (access(LAST_PID, W_OK) < 0)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
}

#endif /* PIDNS_PID_MAX_H */
