/* SPDX-License-Identifier: GPL-2.0 */
/* clone(2) and clone3(2) without the C library in between. */
#ifndef FORK_RAW_CLONE_H
#define FORK_RAW_CLONE_H

#include <errno.h>

#include "needs.h"
#include "uapi.h"

/*
 * clone3_missing - is clone3(2) there at all?
 *
 * A seccomp filter answers before the kernel looks at the arguments; the
 * kernel itself refuses a structure of size 0 with EINVAL.
 * Returns NULL, or the reason to skip.
 */
static inline const char *clone3_missing(void)
{
	return sys_clone3(NULL, 0) < 0 && errno == EINVAL ? NULL : NEEDS_CLONE3;
}

/*
 * raw_clone - clone(2) on a copy of the caller's stack
 * @flags: CLONE_*, without CLONE_VM, and the exit signal: all 64 bits are
 *         handed over where a register has so many
 * @parent_tid: for CLONE_PARENT_SETTID and CLONE_PIDFD
 *
 * Returns what fork(2) returns, or -1 with errno.
 */
static inline pid_t raw_clone(__u64 flags, int *parent_tid)
{
#if defined(__s390__) || defined(__CRIS__)
	return syscall(__NR_clone, 0, (unsigned long)flags, parent_tid, 0, 0);
#else
	return syscall(__NR_clone, (unsigned long)flags, 0, parent_tid, 0, 0);
#endif
}

#endif /* FORK_RAW_CLONE_H */
