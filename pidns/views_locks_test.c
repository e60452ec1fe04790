// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that holds a file lock: whose is it?
 *
 * Promises: fcntl_locking(2), l_pid; pid_namespaces(7); proc_locks(5), which
 *           lists locks of the namespace of the mount
 *           (fs/locks.c:locks_translate_pid, lock_get_status, locks_show).
 * Guards:   9d5b86ac13c5 ("fs/locks: Remove fl_nspid and use fs-specific l_pid
 *           for remote locks"), v4.14; 826d7bc9f013 ("fs/lock: skip lock owner
 *           pid translation in case we are in init_pid_ns"), v4.19.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "lack.h"
#include "procfs.h"
#include "views.h"
#include "views_locks.h"

#define FILE_TARGET 2
#define FILE_OBSERVER 3

/* A file nobody else has, open once for each, and a pair of sockets. */
static int prepare_file(struct view *v)
{
	char path[64];
	int ret = view_pair(v);

	if (ret)
		return ret;
	v->fd[FILE_TARGET] = memfd_create("views_locks", MFD_CLOEXEC);
	if (v->fd[FILE_TARGET] < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", v->fd[FILE_TARGET]);
	v->fd[FILE_OBSERVER] = open(path, O_RDWR | O_CLOEXEC);
	/* the target says what is missing */
	return v->fd[FILE_OBSERVER] < 0 && !lack_of_proc() ? -errno : 0;
}

static struct flock whole_file(int type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET };
}

static void lock(struct child_report *rep, void *arg)
{
	struct flock lock = whole_file(F_WRLCK);
	struct view *v = arg;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fcntl(v->fd[FILE_TARGET], F_SETLK, &lock));
}

static void lock_open_file(struct child_report *rep, void *arg)
{
	struct flock lock = whole_file(F_WRLCK);
	struct view *v = arg;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fcntl(v->fd[FILE_TARGET], F_OFD_SETLK, &lock));
}

static void lock_flock(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	child_need(rep, lack_of_proc());
	CHILD_OK(rep, flock(v->fd[FILE_TARGET], LOCK_EX | LOCK_NB));
}

static void ask_for_lock(struct child_report *rep, const struct view *v,
			 int cmd)
{
	struct flock lock = whole_file(F_WRLCK);

	CHILD_OK(rep, fcntl(v->fd[FILE_OBSERVER], cmd, &lock));
	CHILD_EQ(rep, F_WRLCK, lock.l_type);
	rep->value[0] = lock.l_pid;
}

static void look_getlk(struct child_report *rep, void *arg)
{
	ask_for_lock(rep, arg, F_GETLK);
}

static void look_ofd_getlk(struct child_report *rep, void *arg)
{
	ask_for_lock(rep, arg, F_OFD_GETLK);
}

static void look_list(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	rep->value[0] = view_locker(rep, dir, v->fd[FILE_OBSERVER]);
	close(dir);
}

static void hand_over_proc(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
}

/* The holder itself reads the list of the observer's namespace. */
static void lock_and_read(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_take_over(v->fd[FOR_TARGET]);

	CHILD_OK(rep, dir);
	lock(rep, arg);
	rep->value[1] = view_locker(rep, dir, v->fd[FILE_TARGET]);
	close(dir);
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, f_getlk)
{ { prepare_file, NULL, lock, look_getlk, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_ofd_getlk)
{ { prepare_file, NULL, lock, look_ofd_getlk, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, f_getlk_of_open_file_lock)
{ { prepare_file, NULL, lock_open_file, look_getlk, NULL, -1, -1, 0 } };
FIXTURE_VARIANT_ADD(view, proc_locks)
{ { prepare_file, NULL, lock, look_list, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, proc_locks_flock)
{ { prepare_file, NULL, lock_flock, look_list, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, proc_locks_of_open_file)
{ { prepare_file, NULL, lock_open_file, look_list, NULL, -1, -1, 0 } };
FIXTURE_VARIANT_ADD(view, proc_locks_read_by_holder)
{ { prepare_file, hand_over_proc, lock_and_read, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
/* clang-format on */

static void lock_and_end(struct child_report *rep, void *arg)
{
	lock_flock(rep, arg);
}

static bool in_first_pid_namespace(void)
{
	struct stat st;

	/* PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h */
	return !stat("/proc/self/ns/pid", &st) && st.st_ino == 0xEFFFFFFC;
}

/* The file stays locked by everybody who has it open. */
static void look_at_lock_of_the_dead(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	CHILD_OK(rep, dir);
	rep->value[0] = view_locker(rep, dir, v->fd[FILE_TARGET]);
}

TEST(lock_of_a_dead_process_is_listed)
{
	struct view v = { .fd = { -1, -1, -1, -1 } };
	struct child_report locked, seen;

	if (lack_of_proc())
		SKIP(return, "%s", lack_of_proc());
	if (!in_first_pid_namespace() || !proc_is_mine())
		SKIP(return, NEEDS_FIRST_PID_NS);
	ASSERT_EQ(0, prepare_file(&v));
	ASSERT_EQ(0, child_run(&locked, 0, lock_and_end, &v));
	expect_held(_metadata, &locked);
	ASSERT_EQ(0, child_run(&seen, 0, look_at_lock_of_the_dead, &v));
	expect_held(_metadata, &seen);
	EXPECT_LT(0, seen.value[0]);
}

TEST_HARNESS_MAIN
