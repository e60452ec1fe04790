// SPDX-License-Identifier: GPL-2.0
/*
 * A wait for ntsync objects ends at a moment of the namespace's clock; one on
 * the realtime clock is not moved.
 *
 * Promises: time_namespaces(7); Documentation/userspace-api/ntsync.rst,
 *           NTSYNC_IOC_WAIT_ANY, NTSYNC_IOC_WAIT_ALL;
 *           drivers/misc/ntsync.c:ntsync_schedule().
 * Guards:   180a232ea780 ("ntsync: Honour caller's time namespace for absolute
 *           MONOTONIC timeouts"), v7.2.
 * Needs:    root or user namespaces; CONFIG_NTSYNC (v6.14).
 */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "deadline_expect.h"

/* linux/ntsync.h, which few systems have */
struct event_args {
	__u32 manual;
	__u32 signaled;
};

struct wait_args {
	__u64 timeout;
	__u64 objs;
	__u32 count;
	__u32 index;
	__u32 flags;
	__u32 owner;
	__u32 alert;
	__u32 pad;
};

#define NT_WAIT_REALTIME 1
#define NT_WAIT_ANY _IOWR('N', 0x82, struct wait_args)
#define NT_WAIT_ALL _IOWR('N', 0x83, struct wait_args)
#define NT_CREATE_EVENT _IOW('N', 0x87, struct event_args)

/* A wait for an event that nobody signals. */
static int wait_by(struct child_report *rep, unsigned long how, clockid_t clock,
		   int64_t until)
{
	struct event_args event = { 0 };
	struct wait_args args = { .timeout = until, .count = 1, .owner = 1 };
	int device = open("/dev/ntsync", O_RDONLY | O_CLOEXEC);
	int object;

	if (device < 0 && (errno == ENOENT || errno == EACCES))
		child_skip(rep, NEEDS_NTSYNC);
	CHILD_EQ(rep, 0, device < 0 ? errno : 0);
	object = ioctl(device, NT_CREATE_EVENT, &event);
	CHILD_EQ(rep, 0, object < 0 ? errno : 0);
	args.objs = (uintptr_t)&object;
	args.flags = clock == CLOCK_REALTIME ? NT_WAIT_REALTIME : 0;
	if (ioctl(device, how, &args) >= 0)
		return -EBADE;
	return errno == ETIMEDOUT ? 0 : -errno;
}

static int for_any(struct child_report *rep, clockid_t clock, int64_t until)
{
	return wait_by(rep, NT_WAIT_ANY, clock, until);
}

static int for_all(struct child_report *rep, clockid_t clock, int64_t until)
{
	return wait_by(rep, NT_WAIT_ALL, clock, until);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(until, any_ahead)       { for_any, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, any_behind)      { for_any, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, any_real_ahead)  { for_any, CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, any_real_behind) { for_any, CLOCK_REALTIME,  BEHIND };
FIXTURE_VARIANT_ADD(until, all_ahead)       { for_all, CLOCK_MONOTONIC, AHEAD };
FIXTURE_VARIANT_ADD(until, all_behind)      { for_all, CLOCK_MONOTONIC, BEHIND };
FIXTURE_VARIANT_ADD(until, all_real_ahead)  { for_all, CLOCK_REALTIME,  AHEAD };
FIXTURE_VARIANT_ADD(until, all_real_behind) { for_all, CLOCK_REALTIME,  BEHIND };
/* clang-format on */

TEST_HARNESS_MAIN
