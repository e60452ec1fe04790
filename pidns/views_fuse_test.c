// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that uses a file system which the observer serves.
 *
 * Promises: fuse(4), pid of struct fuse_in_header: a number of the pid
 *           namespace that the file system was mounted in
 *           (fs/fuse/dev.c, fs/fuse/inode.c:fuse_conn_init).
 * Guards:   0b6e9ea041e6 ("fuse: Add support for pid namespaces"), v4.12.
 * Needs:    root, or user namespaces; /dev/fuse.
 */
#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "views.h"

static int set_option(int fs, const char *key, const char *value)
{
	return syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_SET_STRING, key, value,
		       0);
}

/* A file system served by @dev and mounted nowhere: its root directory. */
static int mount_it(struct child_report *rep, int dev)
{
	int fs = syscall(__NR_fsopen, "fuse", FSOPEN_CLOEXEC), dir = -1;
	char number[16];

	if (fs < 0 && errno == ENODEV)
		child_skip(rep, NEEDS_FUSE);
	CHILD_OK(rep, fs);
	snprintf(number, sizeof(number), "%d", dev);
	CHILD_OK(rep, set_option(fs, "fd", number));
	CHILD_OK(rep, set_option(fs, "rootmode", "40000"));
	snprintf(number, sizeof(number), "%u", getuid());
	CHILD_OK(rep, set_option(fs, "user_id", number));
	snprintf(number, sizeof(number), "%u", getgid());
	CHILD_OK(rep, set_option(fs, "group_id", number));
	if (!syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL, NULL,
		     0))
		dir = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (dir < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, dir);
	close(fs);
	return dir;
}

/* The next request, which is answered at once: nobody must wait for it. */
static void serve(struct child_report *rep, int dev, struct fuse_in_header *in)
{
	struct {
		struct fuse_out_header head;
		struct fuse_init_out init;
	} out = { .head.len = sizeof(out.head), .head.error = -ENOENT };
	char buf[FUSE_MIN_READ_BUFFER];
	ssize_t got;

	CHILD_EQ(rep, 0, view_wait_byte(dev));
	got = read(dev, buf, sizeof(buf));
	CHILD_LE(rep, sizeof(*in), got);
	memcpy(in, buf, sizeof(*in));
	out.head.unique = in->unique;
	if (in->opcode == FUSE_INIT) {
		out.head.len = sizeof(out);
		out.head.error = 0;
		out.init.major = FUSE_KERNEL_VERSION;
		out.init.minor = 31; /* of v5.2 */
		out.init.max_write = getpagesize();
	}
	CHILD_EQ(rep, out.head.len, write(dev, &out, out.head.len));
}

/* Note 1 is the observer's end of the file system. */
static void serve_init(struct child_report *rep, void *arg)
{
	int dir, dev = open("/dev/fuse", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct fuse_in_header in;
	struct view *v = arg;

	if (dev < 0 && (errno == EACCES || errno == EPERM))
		child_skip(rep, NEEDS_REAL_ROOT);
	if (dev < 0)
		child_skip(rep, NEEDS_FUSE);
	rep->value[2] = dev;
	dir = mount_it(rep, dev);
	serve(rep, dev, &in);
	CHILD_EQ(rep, FUSE_INIT, in.opcode);
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
	view_creds(rep, arg);
}

static void use_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct stat st;

	fstatat(v->note[2], "file", &st, 0);
}

/* Note 2 is the target's: the root directory. */
static void have_user(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_keep(rep, v);
	v->note[2] = view_take_over(v->fd[FOR_TARGET]);
	CHILD_OK(rep, v->note[2]);
	rep->value[3] = v->note[2];
	view_child(rep, v, NULL, use_it);
}

/* 1: the number of the child; 0: none */
static void look_request(struct child_report *rep, void *arg)
{
	pid_t pid = view_child_number(rep, arg);
	struct fuse_in_header in;
	struct view *v = arg;

	serve(rep, v->note[1], &in);
	rep->value[0] = in.pid;
	if (pid)
		rep->value[0] = in.pid == (unsigned int)pid;
}

static void end_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target && v->note[0])
		close(v->note[2]);
	else if (!v->is_target && v->note[1] > 0)
		close(v->note[1]);
	view_end_child(rep, arg);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, fuse_request)
{ { view_pair, serve_init, have_user, look_request, end_it, 1, 0, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
