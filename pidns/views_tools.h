/* SPDX-License-Identifier: GPL-2.0 */
/* What several files of the views matrix use; see views.h. */
#ifndef PIDNS_VIEWS_TOOLS_H
#define PIDNS_VIEWS_TOOLS_H

#include <errno.h>
#include <signal.h>

#include "views_types.h"

/**
 * view_keep - hand on what the step before noted
 * @rep: of the step that runs
 * @v:   its argument
 */
static inline void view_keep(struct child_report *rep, const struct view *v)
{
	int i;

	for (i = 0; i < 3; i++)
		rep->value[i + 1] = v->note[i];
}

/**
 * view_result - what a system call gave
 * @ret: what the C library returned
 *
 * Returns @ret, or the negative errno.
 */
static inline long long view_result(long ret)
{
	return ret < 0 ? -errno : ret;
}

/**
 * view_see - answer with what a system call gave
 * @rep: of the caller
 * @ret: what the C library returned
 */
static inline void view_see(struct child_report *rep, long ret)
{
	rep->value[0] = view_result(ret);
}

/**
 * view_note - note for the next step what a system call gave
 * @rep: of the caller
 * @i:   which note
 * @ret: what the C library returned
 */
static inline void view_note(struct child_report *rep, int i, long ret)
{
	rep->value[i + 1] = view_result(ret);
}

/**
 * view_signal - the signal that the rows send: a realtime one, so it queues
 */
static inline int view_signal(void)
{
	return SIGRTMIN + 3;
}

/**
 * view_block - block a signal in the caller and forget what is pending
 * @sig: its number
 *
 * Returns 0 or a negative errno.
 */
int view_block(int sig);

/**
 * view_take - take a pending signal
 * @sig:  its number
 * @info: filled
 *
 * Never waits: a signal is pending when the system call that sent it returns.
 * Returns 0; -EAGAIN when none is pending.
 */
int view_take(int sig, siginfo_t *info);

/* The ends of a pair of sockets that view_pair() makes. */
#define FOR_TARGET 0
#define FOR_OBSERVER 1

/**
 * view_pair - a pair of sockets for messages of one byte; a prepare()
 * @v: @v->fd[FOR_TARGET] and @v->fd[FOR_OBSERVER] are the ends
 *
 * Returns 0 or a negative errno of socketpair(2).
 */
int view_pair(struct view *v);

/**
 * view_send_control - send a byte with a control message; never waits
 * @sock: one end of view_pair()
 * @type: of the message, a SCM_* of unix(7)
 * @data, @size: what it carries; NULL: only the byte
 *
 * Returns 0 or a negative errno of sendmsg(2).
 */
int view_send_control(int sock, int type, const void *data, size_t size);

/**
 * view_take_control - receive a byte with a control message; never waits
 * @sock: the other end
 * @type: of the message
 * @data, @size: filled
 *
 * Returns 0; -ENOMSG without such a message; -EBADMSG when it carries more or
 * less than @size; another negative errno of recvmsg(2).
 */
int view_take_control(int sock, int type, void *data, size_t size);

/**
 * view_hand_over - send a byte with a file descriptor; never waits
 * @sock: one end of view_pair()
 * @fd:   -1: only the byte
 *
 * Returns 0 or a negative errno of sendmsg(2).
 */
int view_hand_over(int sock, int fd);

/**
 * view_take_over - receive what view_hand_over() sent; never waits
 * @sock: the other end
 *
 * Returns the file descriptor, or a negative errno of recvmsg(2).
 */
int view_take_over(int sock);

/**
 * view_creds - let the kernel add who sent a byte; an arm()
 * @rep: of the caller
 * @arg: struct view
 */
void view_creds(struct child_report *rep, void *arg);

/**
 * view_wait_byte - wait until there is a byte to receive
 * @sock: an end of view_pair(), or another file to wait for
 *
 * Returns 0; -ETIMEDOUT after CHILD_DEADLINE_MS; -errno of poll(2).
 */
int view_wait_byte(int sock);

/**
 * view_sender - who sent the byte; never waits
 * @sock: an end that view_creds() was called for
 *
 * Returns the sender's number here, 0 when it is invisible, or a negative
 * errno of recvmsg(2).
 */
long long view_sender(int sock);

/**
 * view_child - the target starts a child, who sends a byte and then waits
 * @rep: of the caller; a step whose note 0 view_end_child() wants back
 * @v:   argument of the caller
 * @setup: first thing in the child, with @v; may be NULL
 * @life: last thing in the child, with @v, after the byte; may be NULL
 */
void view_child(struct child_report *rep, struct view *v, child_fn setup,
		child_fn life);

/**
 * view_child_pidfd - a pidfd of that child
 * @rep: of the step that called view_child()
 *
 * Returns it; view_end_child() closes it.
 */
int view_child_pidfd(const struct child_report *rep);

/**
 * view_end_child - end that child; a clear()
 * @rep: of the caller
 * @arg: struct view with the note of view_child()
 */
void view_end_child(struct child_report *rep, void *arg);

/**
 * view_proc - a procfs of the caller's pid namespace
 * @rep: of the caller, who skips where no procfs can be had
 * @v:   argument of the caller
 *
 * Returns a directory fd.
 */
int view_proc(struct child_report *rep, const struct view *v);

/**
 * view_read - read a file of a procfs whole
 * @dir:  of view_proc()
 * @path: below it
 * @buf, @size: the text, ended by a NUL byte; cut when it does not fit
 *
 * Returns its length or a negative errno of openat(2), read(2).
 */
long view_read(int dir, const char *path, char *buf, size_t size);

/**
 * view_number - a number of a file of a procfs
 * @dir, @path: see view_read()
 * @word: what stands before it; "" for the first number
 *
 * Returns it; -ENOENT without the file or the word; -EBADMSG when no number
 * follows; another negative errno.
 */
long long view_number(int dir, const char *path, const char *word);

/**
 * view_proc_number - a number of a file of a process
 * @rep:  of the caller, who skips where no procfs can be had
 * @v:    argument of the caller
 * @pid:  a number in the caller's pid namespace
 * @file: below /proc/PID/ in a procfs of that namespace
 * @word: see view_number()
 *
 * Returns as view_number().
 */
long long view_proc_number(struct child_report *rep, const struct view *v,
			   pid_t pid, const char *file, const char *word);

/**
 * view_count_name - how many of the names in a directory are a number?
 * @rep: of the caller
 * @at, @path: the directory, see openat(2)
 * @pid: the number
 *
 * Returns that, or a negative errno of openat(2).
 */
int view_count_name(struct child_report *rep, int at, const char *path,
		    pid_t pid);

/**
 * view_child_number - the number of the child of view_child() in the observer
 * @rep: of the caller
 * @v:   argument of the caller
 *
 * Returns it; 0 when it is as invisible here as the target is.
 */
pid_t view_child_number(struct child_report *rep, const struct view *v);

#endif /* PIDNS_VIEWS_TOOLS_H */
