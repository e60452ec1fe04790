/* SPDX-License-Identifier: GPL-2.0 */
/* What may be missing besides what ns_prepare() of caps.h looks for. */
#ifndef LIB_LACK_H
#define LIB_LACK_H

#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "needs.h"

/**
 * lack_of_proc - is there a /proc, and does it know the caller?
 *
 * Where /proc/self is missing or leads nowhere, no file of the caller can be
 * opened; where it is there, a missing file is the kernel's fault.
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_proc(void)
{
	struct stat st;

	if (!access("/proc/self", F_OK))
		return NULL;
	return lstat("/proc/self", &st) < 0 ? NEEDS_PROC : NEEDS_SELF_PROC;
}

/**
 * lack_of_others - does /proc show the caller a process of another user?
 * @pid: that process, which exists
 *
 * Mounted with hidepid=, it keeps to itself that it is there (proc(5)).
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_others(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return NEEDS_PROC_OTHERS;
	return NULL;
}

/**
 * lack_of_first_pid_ns - is the caller in the initial pid namespace?
 *
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_first_pid_ns(void)
{
	struct stat st;

	/* PID_NS_INIT_INO of linux/nsfs.h, of old include/linux/proc_ns.h */
	if (stat("/proc/self/ns/pid", &st) < 0 && lack_of_proc())
		return lack_of_proc();
	if (!stat("/proc/self/ns/pid", &st) && st.st_ino == 0xEFFFFFFC)
		return NULL;
	return NEEDS_FIRST_PID_NS;
}

/**
 * lack_of_real_root - is the caller root in the initial user namespace?
 *
 * For calls that do not say by an error that they want to have it.
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_real_root(void)
{
	struct stat st;

	if (!geteuid() && stat("/proc/self/ns/user", &st) < 0 && lack_of_proc())
		return lack_of_proc();
	/* USER_NS_INIT_INO */
	if (!geteuid() && !stat("/proc/self/ns/user", &st) &&
	    st.st_ino == 0xEFFFFFFD)
		return NULL;
	return NEEDS_REAL_ROOT;
}

/**
 * lack_of_setns - may the caller use setns(2) at all?
 *
 * A seccomp filter answers before the kernel looks at the descriptor.
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_setns(void)
{
	if (setns(-1, CLONE_NEWPID) < 0 && errno == EBADF)
		return NULL;
	return errno == EPERM || errno == ENOSYS ? NEEDS_NS_UNFILTERED : NULL;
}

static inline void *lack_nothing(void *arg)
{
	return arg;
}

/**
 * lack_of_threads - can the C library make threads?
 *
 * Some fall back on clone(2) where clone3(2) is not there (ENOSYS), but not
 * where a seccomp filter refuses it (EPERM).  The kernel itself refuses a
 * structure of size 0 with EINVAL.
 * Returns NULL, or a constant of needs.h.
 */
static inline const char *lack_of_threads(void)
{
	pthread_t thread;

	if (syscall(__NR_clone3, NULL, 0) == 0 || errno != EPERM)
		return NULL;
	if (pthread_create(&thread, NULL, lack_nothing, NULL))
		return NEEDS_CLONE3;
	pthread_join(thread, NULL);
	return NULL;
}

/**
 * child_need - the child skips if something is missing
 * @rep: the child's own report
 * @lack: of the functions above
 */
static inline void child_need(struct child_report *rep, const char *lack)
{
	if (lack)
		child_skip(rep, lack);
}

#endif /* LIB_LACK_H */
