/* SPDX-License-Identifier: GPL-2.0 */
/* Listen to the process connector of the kernel. */
#ifndef FORK_PROC_EVENTS_H
#define FORK_PROC_EVENTS_H

#include <linux/cn_proc.h>

/**
 * proc_events_open - start to listen
 * @sock: a socket, also when nobody listens to us; -1 after an error
 * @room: bytes for events that wait to be read
 *
 * The kernel answers those who may listen, and nobody else.
 * Returns 1 when it answered, 0 when not; a negative errno of socket(2),
 * bind(2), send(2): -EPROTONOSUPPORT, -ECONNREFUSED without
 * CONFIG_PROC_EVENTS, -EPERM without rights.
 */
int proc_events_open(int *sock, int room);

/**
 * proc_events_next - read an event
 * @sock: of proc_events_open()
 * @event: filled
 * @wait_ms: how long to wait for one
 *
 * Returns 1, or 0 when none comes, or a negative errno; -ENOBUFS when events
 * were lost for lack of room.
 */
int proc_events_next(int sock, struct proc_event *event, int wait_ms);

/**
 * proc_events_close - stop to listen
 * @sock: -1 afterwards, and allowed
 */
void proc_events_close(int *sock);

#endif /* FORK_PROC_EVENTS_H */
