/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run a function in a child process, usually in new namespaces, and learn what
 * it saw.
 *
 * A child never judges.  The harness loses what a forked child asserts, and
 * the init of a pid namespace cannot abort(): it ignores SIGABRT.  So the
 * child fills a report page that it shares with its parent and stops at the
 * first value that is wrong; the parent fetches the report and judges it with
 * expect_held() of expect.h.
 *
 * Children die with their parent, whatever the reason: nothing outlives a test
 * that fails, times out or is killed.
 */
#ifndef LIB_CHILD_H
#define LIB_CHILD_H

#include <sys/types.h>

#include "uapi.h"

#define CHILD_VALUES 40

#ifndef __noreturn
#define __noreturn __attribute__((__noreturn__))
#endif

/*
 * How long to wait for a child or a gate before calling it a hang, in
 * milliseconds.  Not a tolerance: every wait ends on an event.  Shorter than
 * the 30 s of the harness, so that a hang is reported with its place.
 */
#define CHILD_DEADLINE_MS 20000

/*
 * struct child_report - what a child did, as the parent sees it
 * @done:      the child's function returned, or stopped at a wrong value
 * @skip:      constant of needs.h when the child found something missing
 * @file, @line, @what, @relation, @want, @got: the first wrong value
 * @text:      more about it, for people; may be empty
 * @value:     numbers the child hands to its parent
 * @code:      exit code, or -1 when the child died of a signal
 * @signal:    the signal that ended the child, or 0
 * @parent_fd: pidfd of the parent, open in the child
 * @home:      jmp_buf to go back to instead of ending, for a process that
 *             carries out several orders
 */
struct child_report {
	int done;
	const char *skip;
	const char *file;
	int line;
	const char *what;
	const char *relation;
	long long want;
	long long got;
	char text[128];
	long long value[CHILD_VALUES];
	int code;
	int signal;
	int parent_fd;
	void *home;
};

typedef void (*child_fn)(struct child_report *rep, void *arg);

/*
 * struct child - a child process
 * @pid:   its number in the parent's pid namespace; 0: no child, or reaped
 * @pidfd: refers to exactly that process; -1 when there is none
 * @page:  the shared report
 */
struct child {
	pid_t pid;
	int pidfd;
	struct child_report *page;
};

/* A struct child that was never started; child_kill() on it does nothing. */
#define CHILD_NONE ((struct child){ .pidfd = -1 })

/* Exit code of a child that stopped at a wrong value. */
#define CHILD_STOPPED 1

/**
 * child_start - run a function in a new child
 * @c: filled; end it with child_wait() or child_kill()
 * @flags: CLONE_NEW* and other flags of clone3(2) except CLONE_VM;
 *         CLONE_PIDFD is added
 * @fn: what to do; when it returns the child exits with code 0
 * @arg: handed to @fn; the child has a copy of the parent's memory
 *
 * Uses clone(2) where a seccomp filter refuses clone3(2).
 * Returns 0, or a negative errno of clone3(2); -ENOSYS when only clone3(2)
 * could do it (CLONE_NEWTIME, 64-bit flags) and it is not there.
 */
int child_start(struct child *c, __u64 flags, child_fn fn, void *arg);

/**
 * child_start_tid - as child_start(), with the child's numbers chosen
 * @tid: the wanted pids, innermost pid namespace first
 * @tids: how many of them
 *
 * Returns as child_start(); -EEXIST, -EPERM, -EINVAL as clone3(2) says of
 * set_tid; -ENOSYS without clone3(2).
 */
int child_start_tid(struct child *c, __u64 flags, const pid_t *tid, size_t tids,
		    child_fn fn, void *arg);

/**
 * child_wait - wait for the end of a child and fetch its report
 * @c: the child; afterwards it is CHILD_NONE
 * @rep: filled with the report and how the child ended; may be NULL
 *
 * Returns 0; -ETIMEDOUT when it did not end within CHILD_DEADLINE_MS (it is
 * killed then); -ECHILD when @c was never started; another negative errno of
 * waitid(2).  A child that died is not an error here: see @rep.
 */
int child_wait(struct child *c, struct child_report *rep);

/**
 * child_kill - kill a child and reap it
 * @c: the child, or CHILD_NONE; afterwards it is CHILD_NONE
 *
 * Returns 0 (also when there is no child), or a negative errno.
 */
int child_kill(struct child *c);

/**
 * child_run - child_start() and child_wait() in one
 * @rep: filled
 * @flags, @fn, @arg: see child_start()
 *
 * Returns 0 or a negative errno of either.
 */
int child_run(struct child_report *rep, __u64 flags, child_fn fn, void *arg);

/**
 * child_die_with_parent - arm the parent death signal (again)
 * @rep: the child's own report
 *
 * child_start() does this; call it again after a change of credentials, which
 * clears the signal (PR_SET_PDEATHSIG of prctl(2)).  Does not return when the
 * parent is already gone.
 */
void child_die_with_parent(struct child_report *rep);

/**
 * child_stop - end the calling child's function now
 * @rep: the child's own report
 *
 * For the report macros below; the report tells why.
 */
__noreturn void child_stop(struct child_report *rep);

/**
 * child_fail - hand back a wrong value and stop
 * @rep: the child's own report
 * @file, @line: where
 * @what: the expression that was wrong
 * @relation: "==" or ">=": @got @relation @want was expected
 *
 * Use the macros below.
 */
__noreturn void child_fail(struct child_report *rep, const char *file, int line,
			   const char *what, const char *relation,
			   long long want, long long got);

/**
 * child_compare - go on if the values are equal, else child_fail()
 */
static inline void child_compare(struct child_report *rep, const char *file,
				 int line, const char *what, long long want,
				 long long got)
{
	if (want != got)
		child_fail(rep, file, line, what, "==", want, got);
}

/**
 * child_at_least - go on if @low <= @got, else child_fail()
 */
static inline void child_at_least(struct child_report *rep, const char *file,
				  int line, const char *what, long long low,
				  long long got)
{
	if (low > got)
		child_fail(rep, file, line, what, ">=", low, got);
}

/* CHILD_EQ - the child stops unless @got is @want. */
#define CHILD_EQ(rep, want, got)                                        \
	child_compare(rep, __FILE__, __LINE__, #got, (long long)(want), \
		      (long long)(got))

/* CHILD_LE - the child stops unless @low <= @got. */
#define CHILD_LE(rep, low, got)                                         \
	child_at_least(rep, __FILE__, __LINE__, #got, (long long)(low), \
		       (long long)(got))

/* CHILD_OK - the child stops unless the call returned 0 or more. */
#define CHILD_OK(rep, call) \
	child_at_least(rep, __FILE__, __LINE__, #call, 0, (long long)(call))

/* CHILD_HELD - the child stops unless its own child @inner held. */
#define CHILD_HELD(rep, inner) child_pass_on(rep, __FILE__, __LINE__, inner)

/**
 * child_pass_on - go on if a report held, else hand it to the own parent
 * @rep: the child's own report
 * @file, @line: where, for a report that says nothing of its own
 * @inner: the report of the caller's child
 *
 * Use CHILD_HELD().
 */
void child_pass_on(struct child_report *rep, const char *file, int line,
		   const struct child_report *inner);

/**
 * child_skip - the child found something missing; it stops
 * @rep: the child's own report
 * @reason: a constant of needs.h
 */
__noreturn void child_skip(struct child_report *rep, const char *reason);

/**
 * child_held - did the function run to its end, with nothing wrong?
 * @rep: a report fetched by child_wait()
 *
 * Returns 1 when it did (or found something missing: @rep->skip), else 0.
 */
int child_held(const struct child_report *rep);

/*
 * struct gate - lets one process wait for another: a pipe, so it works across
 * namespaces and counts
 */
struct gate {
	int fd[2];
};

#define GATE_NONE ((struct gate){ { -1, -1 } })

/**
 * gate_init - make a closed gate, before the processes that use it part
 * @g: filled
 *
 * Returns 0 or a negative errno of pipe2(2).
 */
int gate_init(struct gate *g);

/**
 * gate_open - let one waiter through, now or later
 * @g: the gate
 *
 * Returns 0 or a negative errno of write(2).
 */
int gate_open(struct gate *g);

/**
 * gate_wait - wait until the gate is opened
 * @g: the gate
 *
 * Returns 0; -ETIMEDOUT after CHILD_DEADLINE_MS; another negative errno.
 */
int gate_wait(struct gate *g);

/**
 * gate_wait_child - wait until a child opens the gate
 * @g: the gate
 * @c: the child that is to open it
 *
 * Returns 0; -ECHILD when @c ended without opening it; -ETIMEDOUT after
 * CHILD_DEADLINE_MS; another negative errno.
 */
int gate_wait_child(struct gate *g, const struct child *c);

/**
 * gate_close - give a gate back; does nothing for GATE_NONE
 * @g: the gate
 */
void gate_close(struct gate *g);

/**
 * fd_close - close a file descriptor once
 * @fd: -1 afterwards; -1 before: nothing happens
 */
void fd_close(int *fd);

#endif /* LIB_CHILD_H */
