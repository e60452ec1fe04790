/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting for a signal that is blocked.
 */
#ifndef LIB_SIGNALS_H
#define LIB_SIGNALS_H

#include <errno.h>
#include <signal.h>

#include "child.h"

/**
 * signal_wait - wait until a blocked signal is there, and take it
 * @set: the signals to wait for
 * @info: filled; may be NULL
 *
 * Goes on waiting after the caller was stopped or frozen, which interrupts
 * sigtimedwait(2) without any handler (signal(7)).
 *
 * Returns the signal's number, -EAGAIN when none came within half of
 * CHILD_DEADLINE_MS, or another negative errno of sigtimedwait(2).
 */
static inline int signal_wait(const sigset_t *set, siginfo_t *info)
{
	const struct timespec most = { .tv_sec = CHILD_DEADLINE_MS / 1000 / 2 };
	int ret;

	do
		ret = sigtimedwait(set, info, &most);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

#endif /* LIB_SIGNALS_H */
