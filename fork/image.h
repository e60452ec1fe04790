/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program image and what it finds itself to be once it is executed.
 *
 * Nothing of the old program survives an exec but its process; so the new one
 * writes what it sees to a file descriptor.  The same code runs in exec_probe,
 * which is static, and in every test program that calls image_take_over().
 */
#ifndef FORK_IMAGE_H
#define FORK_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define IMAGE_FDS 8

/* In the environment of an image: where to write the report, a number. */
#define IMAGE_OUT_VARIABLE "IMAGE_REPORT"

/*
 * What is reported; all numbers are 64 bits wide, so that a 32-bit image
 * writes the same.  Clocks in nanoseconds, namespaces as inode numbers of
 * their links, a missing thing as a negative errno.
 */
enum {
	IMAGE_PID,
	IMAGE_TID,
	IMAGE_PPID,
	IMAGE_PGRP,
	IMAGE_THREADS,
	IMAGE_NS_PID,
	IMAGE_NS_PID_CHILDREN,
	IMAGE_NS_TIME,
	IMAGE_NS_TIME_CHILDREN,
	IMAGE_MONOTONIC, /* by libc, system call, vDSO called directly */
	IMAGE_MONOTONIC_SYSCALL,
	IMAGE_MONOTONIC_VDSO,
	IMAGE_BOOTTIME,
	IMAGE_BOOTTIME_SYSCALL,
	IMAGE_BOOTTIME_VDSO,
	IMAGE_VDSO, /* 1: there is one */
	IMAGE_INTERPRETER, /* 1: a dynamic program */
	IMAGE_POINTER, /* bytes of a pointer */
	IMAGE_CHILD, /* number of a child as it sees itself */
	IMAGE_ORPHAN_PPID, /* parent of a child whose parent ended */
	IMAGE_FD, /* inode numbers of what is open, or errnos */
	IMAGE_VALUES = IMAGE_FD + IMAGE_FDS
};

struct image_report {
	int64_t value[IMAGE_VALUES];
};

/*
 * image_take_over - be the image if the environment says so
 *
 * Returns if not.  Call it from a constructor: before main().
 */
void image_take_over(void);

/*
 * image_path - path of an image
 * @name: a file beside the running program; NULL: the running program
 * @path, @size: filled
 *
 * Returns 0, or a negative errno of readlink(2); -ENOENT when there is none.
 */
int image_path(const char *name, char *path, size_t size);

/*
 * image_script - make an executable script
 * @interpreter: path of an image
 *
 * Returns a file descriptor, to be executed as /proc/self/fd/N, or a negative
 * errno of memfd_create(2).
 */
int image_script(const char *interpreter);

/*
 * image_exec - execute an image
 * @path: which
 * @out: file descriptor that it writes its report to; not close-on-exec
 * @fd: file descriptors that it looks for
 * @fds: how many, up to IMAGE_FDS
 *
 * Returns a negative errno of execve(2), or does not.
 */
int image_exec(const char *path, int out, const int *fd, int fds);

/*
 * image_fetch - read the report
 * @in: the other end of a pipe
 * @report: filled
 *
 * Returns 0; -ENODATA when none was written; -EBADMSG for anything else than
 * one whole report.
 */
int image_fetch(int in, struct image_report *report);

#endif /* FORK_IMAGE_H */
