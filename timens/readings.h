/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every clock read on every path, in one go: what a process in a time
 * namespace hands to the one that knows the offsets.
 */
#ifndef TIMENS_READINGS_H
#define TIMENS_READINGS_H

#include "clocks.h"

/* Ways to read a clock; a 32-bit program has two of each but one. */
enum read_path {
	READ_LIBC,
	READ_SYSCALL,
	READ_VDSO,
	READ_SYSCALL_TIME64, /* clock_gettime64 of 32-bit programs */
	READ_VDSO_TIME64,
	READ_PATHS,
};

extern const char *const read_path_names[READ_PATHS];

/* There is no such path here. */
#define READ_ABSENT INT64_MIN

#define READ_CLOCKS 16

/*
 * struct readings - the same layout for 32-bit and 64-bit programs
 * @value: nanoseconds, a negative errno, or READ_ABSENT; by row of
 *         clock_rows[] and path
 */
struct readings {
	int64_t value[READ_CLOCKS][READ_PATHS];
};

/**
 * readings_take - read every clock of clock_rows[] on every path
 * @r: filled
 */
void readings_take(struct readings *r);

/**
 * reading_take - read one clock on one path
 * @id: the clock
 * @path: how
 *
 * Returns as struct readings says; -EBADMSG for nanoseconds that are not
 * below a second.
 */
int64_t reading_take(clockid_t id, enum read_path path);

/* struct brackets - clocks of clock_rows[] before and after something */
struct brackets {
	int64_t before[READ_CLOCKS];
	int64_t after[READ_CLOCKS];
};

/**
 * brackets_take - read the caller's clocks, do something, read them again
 * @host: filled
 * @act: what to do; returns 0 or a negative errno
 * @arg: its argument
 *
 * Does it again when somebody set the time meanwhile, which makes brackets of
 * the realtime clocks wrong.
 * Returns 0; what @act returned; or -EAGAIN when that never ends.
 */
int brackets_take(struct brackets *host, int (*act)(void *arg), void *arg);

#endif /* TIMENS_READINGS_H */
