/* SPDX-License-Identifier: GPL-2.0 */
/* Readers for the files of procfs, and a /proc of one's own. */
#ifndef LIB_PROCFS_H
#define LIB_PROCFS_H

#include <stddef.h>
#include <sys/types.h>

#define PROC_SELF 0 /* "pid" argument: the caller, by the link "self" */

/**
 * proc_read - read a file whole
 * @path: absolute path
 * @buf, @size: the text, ended by a NUL byte; cut when it does not fit
 *
 * Returns its length in bytes or a negative errno of open(2), read(2).
 */
ssize_t proc_read(const char *path, char *buf, size_t size);

/**
 * proc_write - write a text to an existing file, in one write(2)
 * @path: absolute path
 * @text: what to write
 *
 * Returns 0 or a negative errno of open(2), write(2).
 */
int proc_write(const char *path, const char *text);

/**
 * proc_status - numbers of a line of /proc/PID/status (proc_pid_status(5))
 * @pid: number in the pid namespace of /proc, or PROC_SELF
 * @field: its name without colon: "NSpid", "PPid", "TracerPid", ...
 * @out, @n: room for so many numbers
 *
 * Returns how many numbers the line has (filled up to @n), -ENOENT when the
 * process or the line does not exist, or another negative errno.
 */
int proc_status(pid_t pid, const char *field, long long *out, int n);

/**
 * proc_stat - a field of /proc/PID/stat
 * @pid: number in the pid namespace of /proc, or PROC_SELF
 * @field: its number in proc_pid_stat(5): 4 ppid, 5 pgrp, 22 starttime ...;
 *         not 2 or 3, which are no numbers
 * @out: its value, in the unit of the man page
 *
 * Returns 0, or a negative errno; -EBADMSG when the file has no such field.
 */
int proc_stat(pid_t pid, int field, long long *out);

/**
 * proc_number - the number that follows a word in a file
 * @path: absolute path
 * @word: e.g. "btime" in /proc/stat; "" for the first number of the file
 * @out: the number
 *
 * Returns 0, -ENOENT when the file or the word is missing, -EBADMSG when no
 * number follows, or another negative errno.
 */
int proc_number(const char *path, const char *word, long long *out);

/**
 * proc_is_mine - does /proc show the pid namespace of the caller?
 *
 * Returns 1 or 0; 0 also when there is no /proc.
 */
int proc_is_mine(void);

/**
 * fs_open_new - make a file system that has no options, mounted nowhere
 * @type: as in /proc/filesystems
 *
 * The caller's mount namespace must belong to its user namespace.
 * Returns a directory fd for openat(2) and fchdir(2), or a negative errno of
 * fsopen(2), fsmount(2): -ENODEV where the kernel has no such type.
 */
int fs_open_new(const char *type);

/**
 * proc_open_new - make a procfs of the caller's pid namespace, mounted nowhere
 *
 * The caller's mount namespace must belong to its user namespace.
 * Returns a directory fd for openat(2) and fchdir(2), or a negative errno of
 * fsopen(2), fsmount(2); -EPERM where proc_mount_own() says so.
 */
int proc_open_new(void);

/**
 * proc_mount_own - give the caller a /proc of its own pid namespace
 *
 * Moves the caller into a new mount namespace, cut off from the old one, and
 * mounts a new procfs over /proc.  Everything goes when the last process of
 * that mount namespace ends.
 * Returns 0, or a negative errno of unshare(2), mount(2); -EPERM where a user
 * namespace does not see all of the old /proc (containers mask parts of it).
 */
int proc_mount_own(void);

#endif /* LIB_PROCFS_H */
