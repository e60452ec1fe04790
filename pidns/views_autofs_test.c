// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that wants something mounted by the observer, and of one
 * that serves such mounts.
 *
 * Promises: Documentation/filesystems/autofs.rst of the kernel, pid and tgid
 *           of struct autofs_v5_packet: numbers of the pid namespace of the
 *           process group that serves the mount; who has none there gets
 *           ENOENT at once (fs/autofs/waitq.c:autofs_wait); pgrp= among the
 *           options of the mount: the number of that group for who reads
 *           (fs/autofs/inode.c:autofs_show_options).
 * Needs:    real root; CONFIG_AUTOFS_FS.
 */
#include <fcntl.h>
#include <linux/auto_fs.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "views.h"

/* its end is the note of it: six letters */
#define PLACE "/tmp/views_autofs.XXXXXX"
#define PLACE_END 6

static void set_option(struct child_report *rep, int fs, const char *key,
		       int value)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", value);
	CHILD_OK(rep, syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_SET_STRING, key,
			      number, 0));
}

/* An autofs that asks through @fd, mounted nowhere: its root directory. */
static int mount_it(struct child_report *rep, int fd)
{
	int fs = syscall(__NR_fsopen, "autofs", FSOPEN_CLOEXEC), dir = -1;

	if (fs < 0 && errno == ENODEV)
		child_skip(rep, NEEDS_AUTOFS);
	CHILD_OK(rep, fs);
	set_option(rep, fs, "fd", fd);
	set_option(rep, fs, "pgrp", getpgrp());
	set_option(rep, fs, "minproto", AUTOFS_MIN_PROTO_VERSION);
	set_option(rep, fs, "maxproto", 5);
	if (!syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL, NULL,
		     0))
		dir = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (dir < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, dir);
	close(fs);
	return dir;
}

/* Note 1 is the pipe it asks through and the directory. */
static void serve(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir, root, requests[2];

	/* who is in this group sees no magic */
	CHILD_OK(rep, setpgid(0, 0));
	CHILD_OK(rep, pipe2(requests, O_CLOEXEC));
	dir = mount_it(rep, requests[1]);
	close(requests[1]);
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	view_creds(rep, arg);
	/* what fsmount(2) returns takes no ioctl(2) */
	root = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHILD_OK(rep, root);
	close(dir);
	rep->value[2] = requests[0] | root << 16;
}

static void use_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct stat st;

	CHILD_EQ(rep, -1, fstatat(v->note[2], "file", &st, 0));
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_TARGET], -1));
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

/* 1: the number of the child; 0: nothing is asked for, it was told ENOENT */
static void look_request(struct child_report *rep, void *arg)
{
	pid_t pid = view_child_number(rep, arg);
	struct autofs_v5_packet packet = { 0 };
	struct view *v = arg;
	int pipe = v->note[1] & 0xffff, dir = v->note[1] >> 16;
	struct pollfd fds[] = {
		{ .fd = pipe, .events = POLLIN },
		{ .fd = v->fd[FOR_OBSERVER], .events = POLLIN },
	};

	CHILD_LE(rep, 1, poll(fds, 2, CHILD_DEADLINE_MS / 2));
	if (!(fds[0].revents & POLLIN))
		return;
	CHILD_EQ(rep, sizeof(packet), read(pipe, &packet, sizeof(packet)));
	CHILD_OK(rep, ioctl(dir, AUTOFS_IOC_FAIL, packet.wait_queue_token));
	CHILD_EQ(rep, autofs_ptype_missing_indirect, packet.hdr.type);
	CHILD_EQ(rep, packet.tgid, packet.pid);
	rep->value[0] = pid && packet.pid == (unsigned int)pid ? 1 : packet.pid;
}

static void end_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target && v->note[0])
		close(v->note[2]);
	if (!v->is_target && v->note[1]) {
		close(v->note[1] & 0xffff);
		close(v->note[1] >> 16);
	}
	view_end_child(rep, arg);
}

static void name_place(char *place, const struct view *v)
{
	memcpy(place, PLACE, sizeof(PLACE));
	memcpy(place + sizeof(PLACE) - 1 - PLACE_END, &v->note[2], PLACE_END);
}

/* Note 1 is the pipe; the mount lives in the mount namespace of the test. */
static void serve_place(struct child_report *rep, void *arg)
{
	char place[] = PLACE;
	int dir, requests[2];

	(void)arg;
	CHILD_OK(rep, setpgid(0, 0));
	CHILD_OK(rep, pipe2(requests, O_CLOEXEC));
	dir = mount_it(rep, requests[1]);
	close(requests[1]);
	rep->value[2] = requests[0];
	if (!mkdtemp(place))
		child_skip(rep, NEEDS_WRITABLE_TMP);
	memcpy(&rep->value[3], place + sizeof(PLACE) - 1 - PLACE_END,
	       PLACE_END);
	CHILD_OK(rep, syscall(__NR_move_mount, dir, "", AT_FDCWD, place,
			      UAPI_MOVE_MOUNT_F_EMPTY_PATH));
	close(dir);
}

static void look_group(struct child_report *rep, void *arg)
{
	static const char word[] = ",pgrp=";
	char place[sizeof(PLACE)], *text = malloc(1 << 20), *at;
	int proc = view_proc(rep, arg);

	CHILD_OK(rep, text ? 0 : -ENOMEM);
	name_place(place, arg);
	CHILD_OK(rep, view_read(proc, "self/mountinfo", text, 1 << 20));
	close(proc);
	at = strstr(text, place);
	at = at ? strstr(at, word) : NULL;
	CHILD_OK(rep, at ? 0 : -ENOENT);
	rep->value[0] = atoi(at + strlen(word));
	free(text);
}

static void end_place(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char place[sizeof(PLACE)];

	(void)rep;
	if (!v->is_target || !v->note[2])
		return;
	name_place(place, v);
	umount2(place, MNT_DETACH);
	rmdir(place);
	close(v->note[1]);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, autofs_request)
{ { view_pair, serve, have_user, look_request, end_it, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, autofs_group)
{ { NULL, NULL, serve_place, look_group, end_place, VIEW_PID, 0, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
