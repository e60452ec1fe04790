// SPDX-License-Identifier: GPL-2.0
/*
 * Views of the kernel thread that polls an io_uring, through the fdinfo of the
 * ring.
 *
 * Promises: numbers in procfs are those of the mount's pid namespace
 *           (pid_namespaces(7); io_uring/fdinfo.c:__io_uring_show_fdinfo).
 * Guards:   3799c2570982 ("io_uring/fdinfo: translate SqThread PID through
 *           caller's pid_ns"), v7.1.
 * Needs:    root, or user namespaces, to make the pid namespaces; io_uring.
 */
#include <linux/io_uring.h>

#include "views.h"

static int make_ring(struct child_report *rep)
{
	struct io_uring_params params = { .flags = IORING_SETUP_SQPOLL };
	int fd = syscall(__NR_io_uring_setup, 1, &params);

	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		child_skip(rep, NEEDS_IO_URING);
	CHILD_OK(rep, fd);
	return fd;
}

static void have_ring(struct child_report *rep, void *arg)
{
	rep->value[1] = make_ring(rep);
}

static void close_ring(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		close(v->note[0]);
}

/* Is the number that of a thread of the process, and not of its first one? */
static long long check_thread(struct child_report *rep, int proc, pid_t pid,
			      long long got)
{
	char path[64];

	/* earlier rings may still have theirs for a moment */
	if (got <= 0)
		return got;
	snprintf(path, sizeof(path), "%d/task", pid);
	return got != pid && view_count_name(rep, proc, path, got) == 1;
}

static void look_thread(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int proc = view_proc(rep, v);
	char path[64];

	snprintf(path, sizeof(path), "%d/fdinfo/%lld", v->number, v->note[0]);
	rep->value[0] = view_number(proc, path, "SqThread:\t");
	rep->value[0] = check_thread(rep, proc, v->number, rep->value[0]);
	close(proc);
}

static void hand_over_proc(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
}

/* The owner of the ring reads it in the procfs of the other. */
static void read_own(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int proc = view_take_over(v->fd[FOR_TARGET]), ring = make_ring(rep);
	char path[64];

	CHILD_OK(rep, proc);
	snprintf(path, sizeof(path), "self/fdinfo/%d", ring);
	rep->value[1] = view_number(proc, path, "SqThread:\t");
	rep->value[1] = check_thread(rep, proc, v->seen_as, rep->value[1]);
	close(ring);
	close(proc);
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, sq_thread)
{ { NULL, NULL, have_ring, look_thread, close_ring, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, sq_thread_read_by_its_owner)
{ { view_pair, hand_over_proc, read_own, look_note, NULL, 1, -ENOENT, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
