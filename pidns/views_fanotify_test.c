// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that makes events on a file which another one watches.
 *
 * Promises: fanotify(7), pid and pidfd of an event
 *           (fs/notify/fanotify/fanotify_user.c:copy_event_to_user).
 * Needs:    real root: others are told no pids.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/fanotify.h>

#include "views.h"

static int prepare_file(struct view *v)
{
	char path[] = "/tmp/views_files.XXXXXX";

	/* on a mount of the system: others make no events */
	v->fd[0] = mkostemp(path, O_CLOEXEC);
	if (v->fd[0] < 0 && errno == EROFS)
		return 0;
	return v->fd[0] < 0 ? -errno : view_result(unlink(path));
}

static void arm_fanotify(struct child_report *rep, unsigned int flags,
			 const struct view *v)
{
	int fd;

	if (v->fd[0] < 0)
		child_skip(rep, NEEDS_WRITABLE_TMP);
	fd = fanotify_init(FAN_CLOEXEC | FAN_NONBLOCK | flags, O_RDONLY);
	if (fd < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_FANOTIFY);
	if (fd < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	if (fd < 0 && errno == EINVAL && flags)
		child_skip(rep, NEEDS_FANOTIFY_PIDFD);
	CHILD_OK(rep, fd);
	rep->value[1] = fd;
	CHILD_OK(rep,
		 fanotify_mark(fd, FAN_MARK_ADD, FAN_MODIFY, v->fd[0], NULL));
}

static void arm_events(struct child_report *rep, void *arg)
{
	arm_fanotify(rep, 0, arg);
}

static void arm_thread_events(struct child_report *rep, void *arg)
{
	/* FAN_REPORT_TID of linux/fanotify.h, v4.20 */
	arm_fanotify(rep, 0x100, arg);
}

static void arm_pidfd_events(struct child_report *rep, void *arg)
{
	/* FAN_REPORT_PIDFD of linux/fanotify.h, v5.15 */
	arm_fanotify(rep, 0x80, arg);
}

static void write_and_keep(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_keep(rep, arg);
	CHILD_EQ(rep, 1, write(v->fd[0], "", 1));
}

/* The event and, behind it, struct fanotify_event_info_pidfd */
struct event {
	struct fanotify_event_metadata meta;
	struct {
		__u8 type;
		__u8 pad;
		__u16 len;
		__s32 pidfd;
	} more;
};

static void read_event(struct child_report *rep, const struct view *v,
		       struct event *event)
{
	CHILD_LE(rep, sizeof(event->meta),
		 read(v->note[0], event, sizeof(*event)));
	close(event->meta.fd);
	close(v->note[0]);
}

static void look_event(struct child_report *rep, void *arg)
{
	struct event event;

	read_event(rep, arg, &event);
	rep->value[0] = event.meta.pid;
}

static void look_pidfd_event(struct child_report *rep, void *arg)
{
	struct event event;

	read_event(rep, arg, &event);
	CHILD_EQ(rep, sizeof(event), event.meta.event_len);
	rep->value[0] = event.more.pidfd;
	if (event.more.pidfd < 0)
		return;
	rep->value[0] = 1;
	close(event.more.pidfd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, fanotify_pid)
{ { prepare_file, arm_events, write_and_keep, look_event, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, fanotify_tid)
{ { prepare_file, arm_thread_events, write_and_keep, look_event, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, fanotify_pidfd)
{ { prepare_file, arm_pidfd_events, write_and_keep, look_pidfd_event, NULL, 1, -1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
