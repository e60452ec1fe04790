/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the caller may do: capabilities in scopes, user namespaces, and whether
 * the namespaces a test needs can be made at all.
 */
#ifndef LIB_CAPS_H
#define LIB_CAPS_H

#include <sys/types.h>

#include "uapi.h"

/**
 * caps_have - is a capability in the effective set of the caller?
 * @cap: CAP_* of capabilities(7)
 *
 * Returns 1 or 0, or a negative errno of cap_get_proc(3).
 */
int caps_have(int cap);

/**
 * caps_drop - take a capability out of the effective set
 * @cap: CAP_* of capabilities(7)
 *
 * The permitted set keeps it: caps_restore() gives it back.
 * Returns 0 or a negative errno of cap_set_proc(3).
 */
int caps_drop(int cap);

/**
 * caps_drop_all - empty the effective set
 *
 * Returns 0 or a negative errno of cap_set_proc(3).
 */
int caps_drop_all(void);

/**
 * caps_restore - make everything that is permitted effective again
 *
 * Returns 0 or a negative errno of cap_set_proc(3).
 */
int caps_restore(void);

/**
 * caps_become - become an ordinary user for good, without any capability
 * @uid: the user and group to become, known in the caller's user namespace
 *
 * Clears the parent death signal: call child_die_with_parent() afterwards.
 * Returns 0 or a negative errno of setgroups(2), setresgid(2), setresuid(2).
 */
int caps_become(uid_t uid);

/**
 * userns_enter - move the caller into a new user namespace, as its root
 *
 * Maps the caller's user and group to 0 and nothing else.  Needs /proc; the
 * caller must have one thread.  Clears the parent death signal.
 * Returns 0; -EPERM, -ENOSPC, -EUSERS where user namespaces are not allowed,
 * -EINVAL without CONFIG_USER_NS; another negative errno (unshare(2),
 * user_namespaces(7)).
 */
int userns_enter(void);

/**
 * ns_prepare - get the caller ready to make namespaces, or tell what is missing
 * @flags: the CLONE_NEW* flags that will be used
 * @missing: set to a constant of needs.h when something is missing, else NULL
 *
 * A caller without CAP_SYS_ADMIN enters a user namespace of its own, for good.
 * Then each flag is tried in a child that does nothing, CLONE_NEWTIME by
 * unshare(2), so that the answer does not depend on clone3(2).  A time or user
 * namespace also takes a /proc that the caller can write its own files in.
 * Returns 0, with or without something missing; a negative errno when a
 * namespace cannot be made for a reason that is not a known lack: a broken
 * set-up or a broken kernel, so the test must fail.
 */
int ns_prepare(__u64 flags, const char **missing);

#endif /* LIB_CAPS_H */
