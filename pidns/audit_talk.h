/* SPDX-License-Identifier: GPL-2.0 */
/* Talk to the audit system of the kernel. */
#ifndef PIDNS_AUDIT_TALK_H
#define PIDNS_AUDIT_TALK_H

#include <linux/audit.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/types.h>

/* Bytes that hold any record: AUDIT_MESSAGE_TEXT_MAX and what goes before. */
#define AUDIT_ROOM 9000

/**
 * lack_of_audit_vm - may the caller be the audit daemon, and is there none?
 *
 * There is one daemon and one set of rules for the whole machine, so this wants
 * a virtual machine (SELFTESTS_VM=1 in the environment).
 * Returns NULL, or a constant of needs.h.
 */
const char *lack_of_audit_vm(void);

/**
 * audit_open - get ready to talk
 *
 * Returns a socket, or a negative errno of socket(2): -EPROTONOSUPPORT without
 * CONFIG_AUDIT.
 */
int audit_open(void);

/**
 * audit_order - ask the kernel for something
 * @sock: of audit_open()
 * @type: AUDIT_GET, AUDIT_SET, ...
 * @data, @size: what goes with it
 *
 * Returns 0 or the negative errno the kernel answers with; -ETIMEDOUT when it
 * does not answer within CHILD_DEADLINE_MS.
 */
int audit_order(int sock, int type, const void *data, size_t size);

/**
 * audit_status - how the audit system is set
 * @status: filled
 *
 * Returns as audit_order().
 */
int audit_status(struct audit_status *status);

/**
 * audit_set_daemon - make a process the audit daemon
 * @sock: of audit_open(), which gets what the daemon is told
 * @pid:  number of the caller, or 0: no more
 *
 * Returns as audit_order().
 */
int audit_set_daemon(int sock, pid_t pid);

/**
 * audit_next - wait for a message of a type, forget the others
 * @sock: of audit_open(); records only come to the audit daemon's
 * @type: AUDIT_SYSCALL, AUDIT_USER, ...
 * @data, @size: its content, ended by a NUL byte; cut when it does not fit
 *
 * Returns its length; -ETIMEDOUT after CHILD_DEADLINE_MS; another negative
 * errno of recv(2).
 */
int audit_next(int sock, int type, void *data, size_t size);

#endif /* PIDNS_AUDIT_TALK_H */
