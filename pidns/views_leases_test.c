// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that has a lease on a file.
 *
 * Promises: F_SETLEASE(2const): the holder becomes the owner of the signals of
 *           the open file, and gets one when somebody else opens it for
 *           writing (fs/locks.c:lease_setup, lease_break_callback);
 *           proc_locks(5), type LEASE (fs/locks.c:lock_get_status).
 * Needs:    root, or user namespaces, to make the pid namespaces; /proc.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "lack.h"
#include "views.h"
#include "views_locks.h"

#define FILE_BOTH 2

/* A file that nobody else has, open for reading, and a pair of sockets. */
static int prepare_file(struct view *v)
{
	int ret = view_pair(v), fd;
	char path[64];

	if (ret)
		return ret;
	fd = memfd_create("views_leases", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	v->fd[FILE_BOTH] = open(path, O_RDONLY | O_CLOEXEC);
	/* without /proc: this takes no lease, but nobody asks it to either */
	if (v->fd[FILE_BOTH] < 0 && lack_of_proc())
		v->fd[FILE_BOTH] = dup(fd);
	ret = v->fd[FILE_BOTH] < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static void take_lease(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fcntl(v->fd[FILE_BOTH], F_SETLEASE, F_RDLCK));
}

static void give_up_lease(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target && !lack_of_proc())
		CHILD_OK(rep, fcntl(v->fd[FILE_BOTH], F_SETLEASE, F_UNLCK));
}

static void look_getown(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* the C library would ask F_GETOWN_EX instead */
	view_see(rep, syscall(__NR_fcntl, v->fd[FILE_BOTH], F_GETOWN));
}

static void look_list(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	rep->value[0] = view_locker(rep, dir, v->fd[FILE_BOTH]);
	close(dir);
}

static void arm_lease(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, view_block(view_signal()));
	CHILD_OK(rep, fcntl(v->fd[FILE_BOTH], F_SETSIG, view_signal()));
	take_lease(rep, arg);
}

static void break_lease(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", v->fd[FILE_BOTH]);
	CHILD_EQ(rep, -1, open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC));
	CHILD_EQ(rep, EWOULDBLOCK, errno);
}

static void look_break(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info;

	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	rep->value[0] = info.si_fd == v->fd[FILE_BOTH] &&
			info.si_code == POLL_MSG;
	CHILD_OK(rep, fcntl(v->fd[FILE_BOTH], F_SETLEASE, F_UNLCK));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, f_getown_of_lease)
{ { prepare_file, NULL, take_lease, look_getown, give_up_lease, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_locks_of_lease)
{ { prepare_file, NULL, take_lease, look_list, give_up_lease, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, broken_lease_finds_its_owner)
{ { prepare_file, arm_lease, break_lease, look_break, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
