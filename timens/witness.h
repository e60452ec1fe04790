/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process sees of its time namespace: taken by the process itself, also
 * across exec and in programs of their own, judged by the test.
 */
#ifndef TIMENS_WITNESS_H
#define TIMENS_WITNESS_H

#include "child.h"
#include "clocks.h"

#define CLOCK_PATHS 3 /* see enum clock_path */

/*
 * struct witness - what one process saw
 * @monotonic, @boottime: the clocks, by each enum clock_path, in nanoseconds;
 *                        -ENOSYS where there is no vDSO
 * @ns:       inode of /proc/self/ns/time, negative errno when it has none
 * @children: inode of /proc/self/ns/time_for_children, the same way
 * @pid, @uid: its getpid() and getuid()
 *
 * Numbers of 64 bits only: the same layout in 32-bit programs.
 */
struct witness {
	int64_t monotonic[CLOCK_PATHS];
	int64_t boottime[CLOCK_PATHS];
	int64_t ns;
	int64_t children;
	int64_t pid;
	int64_t uid;
};

/* How many of them fit into a report, see witness_report(). */
#define WITNESS_SLOTS \
	(CHILD_VALUES * sizeof(long long) / sizeof(struct witness))

/**
 * witness_take - look at the clocks and at the namespace links, now
 * @w: filled
 */
void witness_take(struct witness *w);

/**
 * witness_report - witness_take() into a report
 * @rep: of the calling child; its values are used
 * @slot: less than WITNESS_SLOTS
 */
void witness_report(struct child_report *rep, unsigned int slot);

/**
 * witness_of - what a child left by witness_report()
 * @rep: of the child
 * @slot: as there
 */
struct witness witness_of(const struct child_report *rep, unsigned int slot);

/**
 * witness_child - a child that does nothing but witness_report() into slot 0
 */
void witness_child(struct child_report *rep, void *arg);

/**
 * witness_clone - witness_take() in a child that shares the caller's memory
 * @flags: more flags for clone(2) than CLONE_VM: CLONE_VFORK ...
 * @w: filled by the child
 *
 * Returns 0, -ECHILD when the child failed, or a negative errno; -EINVAL from
 * kernels where such a child cannot be had with a pending time namespace.
 */
int witness_clone(int flags, struct witness *w);

/*
 * Programs that take a witness: clock_probe; the test's own program, which is
 * dynamic if tests are, and must call witness_main() before its main().
 */
enum witness_program {
	WITNESS_STATIC,
	WITNESS_SELF,
};

/**
 * witness_main - be the program that witness_exec() started
 *
 * Writes a struct witness where it is wanted and ends the program.  Returns in
 * a program that was started otherwise.
 */
void witness_main(void);

/**
 * witness_open - open a program, as long as the caller may
 * @program: which
 *
 * Returns an fd for witness_exec(), or a negative errno of open(2).
 */
int witness_open(enum witness_program program);

/**
 * witness_exec - become a program that writes a struct witness and ends
 * @program: fd of witness_open()
 * @out: fd to write it to, not close-on-exec
 *
 * Returns only when execve(2) failed: a negative errno.
 */
int witness_exec(int program, int out);

/**
 * witness_spawn - as witness_exec(), by posix_spawn(3) in a process of its own
 * @pid: of the process; wait for it
 *
 * Returns 0 or a negative errno.
 */
int witness_spawn(int program, int out, pid_t *pid);

/**
 * witness_read - fetch what the program wrote
 * @in: other end of @out
 * @w: filled
 *
 * Returns 0, a negative errno of read(2), -EBADMSG when it wrote nothing.
 */
int witness_read(int in, struct witness *w);

/**
 * offset_for - the offset of a clock by its id
 * @off: the offsets
 * @id: CLOCK_MONOTONIC or CLOCK_BOOTTIME
 */
static inline int64_t offset_for(const struct offsets *off, clockid_t id)
{
	return id == CLOCK_MONOTONIC ? off->monotonic : off->boottime;
}

/**
 * initial_clock_ns - a clock as it is in the initial time namespace
 * @id: CLOCK_MONOTONIC or CLOCK_BOOTTIME
 *
 * Offsets are written, and their limits count, from there.  The caller must
 * not have a pending time namespace.
 * Returns nanoseconds or a negative errno of offsets_get().
 */
int64_t initial_clock_ns(clockid_t id);

/**
 * timens_shift - timens_unshare() with offsets relative to the caller
 * @shift: by how much the clocks of the next child move against those of the
 *         caller, whose namespace may have offsets of its own
 *
 * The caller must not have a pending time namespace.
 * Returns 0 or a negative errno.
 */
int timens_shift(const struct offsets *shift);

#endif /* TIMENS_WITNESS_H */
