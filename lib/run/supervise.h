/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the program that runs one test program and lets nothing escape.
 *
 * See main.c for what it promises to run_all.sh.
 */
#ifndef LIB_RUN_SUPERVISE_H
#define LIB_RUN_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdnoreturn.h>
#include <sys/types.h>

/**
 * now_ms() - milliseconds on the clock that nobody can set
 *
 * CLOCK_MONOTONIC, see clock_gettime(2).
 *
 * Return: milliseconds since an arbitrary start.
 */
long long now_ms(void);

/* lines.c: output of the program, cut into lines fit for any reader */

#define LINE_MAX_BYTES 2000

/**
 * struct lines - where output goes, and the line being collected
 * @log: the lines as they are
 * @record: the lines with a stamp each: "<ms> TAB <UTC time> TAB <line>"
 * @echo: also copy each line to stdout, behind "# "
 * @start_ms: now_ms() at the start of the program
 * @text: the line so far
 * @len: bytes in @text
 * @written: bytes written to @log so far
 * @dropped: lines not written because @written got too large
 */
struct lines {
	FILE *log;
	FILE *record;
	bool echo;
	long long start_ms;
	char text[LINE_MAX_BYTES + 1];
	size_t len;
	size_t written;
	unsigned long dropped;
};

/**
 * lines_add() - take some bytes of output
 * @out: where they go
 * @bytes: what the program wrote; may hold anything
 * @n: how many bytes
 *
 * Bytes that are not printable ASCII become '?', so that every reader of the
 * results can take them. Lines beyond a few MiB are dropped, except results.
 */
void lines_add(struct lines *out, const char *bytes, size_t n);

/**
 * lines_end() - write a last line that had no newline, and say what was dropped
 * @out: as for lines_add()
 *
 * Return: 0, or -EIO if anything could not be written.
 */
int lines_end(struct lines *out);

/**
 * utc_now() - the time of day as ISO 8601 text in UTC, with milliseconds
 * @text: where to put it
 * @size: bytes there, at least 25
 */
void utc_now(char *text, size_t size);

/* guard.c */

/**
 * stand_guard() - go on in a child, while the caller guards it
 * @parent: whose death ends everything; 0 for whoever the parent is
 *
 * The caller becomes the guard and does not return, except with an error; it
 * exits with the exit code of the child. SIGTERM, SIGHUP and SIGINT to either,
 * and the death of @parent or of either, end all descendants.
 *
 * Return: in the child, a descriptor that tells of SIGCHLD and of the signals
 * above (signalfd(2), does not block); or -errno, also in the caller.
 */
int stand_guard(pid_t parent);

/* program.c: on the other side of fork() */

/**
 * become_program() - run the test program in this process
 * @argv: its path and arguments
 * @dir: the directory to run it in, or NULL
 * @output: descriptor for its stdout and stderr
 *
 * The program gets a session of its own, default signal handling, /dev/null to
 * read, no other descriptors, and dies with the caller's parent. If it cannot
 * be run, that is said on @output and the exit code is 127.
 */
noreturn void become_program(char **argv, const char *dir, int output);

/* reap.c: descendants */

/**
 * reap_ended() - collect children that have ended
 * @main_pid: the one whose status matters; 0 when it was collected already
 * @status: set to the wait status of @main_pid if that is among them
 *
 * Return: 1 if children remain, 0 if there are none, with bit 1 (value 2) set
 * on top if @main_pid was collected.
 */
int reap_ended(int main_pid, int *status);

/**
 * name_children() - tell who is left, and not about to die
 * @names: set to "comm(pid) comm(pid) ...", as much as fits; may stay empty
 * @size: bytes in @names
 *
 * Names come from /proc; without it there are only numbers.
 *
 * Return: number of children that are not dying.
 */
int name_children(char *names, size_t size);

/**
 * kill_everything() - end every descendant
 *
 * The caller is a subreaper (prctl(2)), so whoever loses its parent becomes a
 * child of the caller: killing children until there are none reaches everybody,
 * whatever its session, process group, namespace or signal handlers.
 *
 * Return: 0, or -ETIMEDOUT if something would not die within 30 seconds.
 */
int kill_everything(void);

/**
 * room_for() - how many processes may be created right now
 * @wanted: more than this are not tried
 *
 * Return: number of processes that could be created, at most @wanted.
 */
int room_for(int wanted);

/* klog.c: the kernel log */

/**
 * klog_open() - start to watch the kernel log from here on
 *
 * Return: a descriptor to poll and to give to klog_copy(), or -errno.
 */
int klog_open(void);

/**
 * klog_copy() - append what the kernel said meanwhile
 * @fd: from klog_open()
 * @to: gets one line per message: "[seconds] text"
 */
void klog_copy(int fd, FILE *to);

/**
 * kernel_taint() - what the kernel has against itself
 *
 * Return: the bits of /proc/sys/kernel/tainted; 0 without /proc.
 */
unsigned long kernel_taint(void);

/* supervise.c */

/**
 * struct run - one run of one program
 * @status: the file that gets the outcome
 * @argv: the program and its arguments
 * @dir: directory to run it in, or NULL
 * @limit_ms: how long it may take; 0 for as long as it likes
 * @out: where its output goes
 * @klog_file: where messages of the kernel go
 * @output_fd: read end of what it writes, or -1
 * @signal_fd: SIGCHLD and the signals that mean "stop", see signalfd(2)
 * @klog_fd: from klog_open()
 * @pid: the program
 * @end: how it ended, as in STATUS; NULL until it did
 * @code: exit code, signal or errno that goes with @end
 * @left: number of children left behind
 * @left_names: who they are
 * @immortal: not all could be killed
 * @old_taint: kernel_taint() before the program began
 * @duration_ms: until the program ended
 * @start: when it began, as UTC text
 */
struct run {
	const char *status;
	char **argv;
	const char *dir;
	long limit_ms;
	struct lines out;
	FILE *klog_file;
	int output_fd;
	int signal_fd;
	int klog_fd;
	pid_t pid;
	const char *end;
	int code;
	int left;
	char left_names[400];
	bool immortal;
	unsigned long old_taint;
	long long duration_ms;
	char start[40];
};

/**
 * supervise() - run a program to its end and write @status
 * @run: with everything down to @signal_fd filled in, except @output_fd
 */
void supervise(struct run *run);

#endif /* LIB_RUN_SUPERVISE_H */
