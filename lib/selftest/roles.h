/* SPDX-License-Identifier: GPL-2.0 */
/* Roles that are more than a text; see roles.c. Each returns an exit code. */
#ifndef LIB_SELFTEST_ROLES_H
#define LIB_SELFTEST_ROLES_H

/* roles_alone.c */

/** play_die() - die of SIGSEGV during the second of two tests */
int play_die(void);

/** play_fail() - fail the second test, with its reason on stderr */
int play_fail(void);

/** play_flood() - pass, but with 8 MB of output between two results */
int play_flood(void);

/** play_warn() - pass, but with a WARNING in the kernel log (needs root) */
int play_warn(void);

/** play_oom() - pass, with lines in the kernel log that are no bug */
int play_oom(void);

/** play_slow() - pass two tests of 0.7 seconds each */
int play_slow(void);

/** play_surroundings() - test what a program finds when the runner starts it */
int play_surroundings(void);

/* roles_crowd.c */

/**
 * play_hang() - never end, with company that is hard to get rid of
 *
 * Ignores every signal that can be ignored, and leaves behind: an orphan in a
 * session of its own, one that is stopped, one that keeps forking, and a pid
 * namespace with a member, where that is allowed. All of them go by themselves
 * after a minute, if the runner fails to kill them.
 */
int play_hang(void);

/** play_orphan() - pass, but leave a process that holds stdout */
int play_orphan(void);

/**
 * become_interruptible() - run a command as a terminal would
 * @argv: command and arguments
 *
 * It leads a process group of its own and has default signal handling; a shell
 * can send SIGINT to the whole group.
 *
 * Return: only if that failed, 127.
 */
int become_interruptible(char **argv);

#endif /* LIB_SELFTEST_ROLES_H */
