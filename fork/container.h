/* SPDX-License-Identifier: GPL-2.0 */
/* What makers of containers do besides making namespaces. */
#ifndef FORK_CONTAINER_H
#define FORK_CONTAINER_H

#include "child.h"

/**
 * container_map - become root of the user namespace one was born in
 * @uid, @gid: of the maker, outside
 *
 * Returns 0, or a negative errno of the files of user_namespaces(7).
 */
int container_map(uid_t uid, gid_t gid);

/**
 * container_allowed - may the caller make these namespaces?
 * @flags: CLONE_NEW*
 *
 * Returns 0 or a negative errno of clone3(2).
 */
int container_allowed(__u64 flags);

/**
 * container_cover - hide a directory under an empty one
 * @path: which; in a mount namespace of the caller's own
 *
 * Returns 0 or a negative errno of mount(2).
 */
int container_cover(const char *path);

/**
 * container_no_clone3 - let a filter answer ENOSYS to clone3(2), for good
 *
 * So that the C library falls back to clone(2), whose flags filters can see.
 * Returns 0 or a negative errno of prctl(2), seccomp(2); -EINVAL without
 * CONFIG_SECCOMP_FILTER.
 */
int container_no_clone3(void);

#endif /* FORK_CONTAINER_H */
