/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What run_all.sh and a virtual machine say to each other, over a serial line.
 *
 * To the machine, one line each:
 *
 *   ping TOKEN                    are you alive, and what time is it?
 *   run MARK WORD...              run a program; fields are separated by tabs.
 *                                 Leading words NAME=VALUE go to its environment.
 *                                 MARK, unless it is "-", goes to the kernel log.
 *   stop                          send it SIGTERM
 *
 * Back comes one line each, a letter, a blank and text. Nothing that a program
 * prints can look like more than a line of its own.
 *
 *   P TOKEN NANOSECONDS           answer to a ping: CLOCK_MONOTONIC
 *   O, R, K or S TEXT             a line the program wrote: to stdout or stderr,
 *                                 or to descriptor 5, 6 or 7
 *   E STATUS                      it ended; STATUS as of wait(2)
 *
 * The program finds 5, 6 and 7 as /proc/self/fd/<n>: that is where a supervisor
 * is told to put its record, the kernel log and the status.
 */
#ifndef LIB_RUN_VM_WIRE_H
#define LIB_RUN_VM_WIRE_H

/* A message of the kernel has up to 8 KiB, a command names hundreds of tests. */
#define WIRE_LINE_MAX 65536

#endif /* LIB_RUN_VM_WIRE_H */
