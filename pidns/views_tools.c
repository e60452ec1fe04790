// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "needs.h"
#include "procfs.h"
#include "views_tools.h"

int view_take(int sig, siginfo_t *info)
{
	static const struct timespec no_time;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	memset(info, 0, sizeof(*info));
	return sigtimedwait(&set, info, &no_time) < 0 ? -errno : 0;
}

int view_block(int sig)
{
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	while (!view_take(sig, &info))
		;
	return 0;
}

int view_proc(struct child_report *rep, const struct view *v)
{
	int fd;

	/* level 0 may belong to a user namespace that nobody here may mount in */
	if (!v->level && proc_is_mine())
		fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	else
		fd = proc_open_new();
	if (fd == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_OK(rep, fd);
	return fd;
}

long view_read(int dir, const char *path, char *buf, size_t size)
{
	size_t len = 0;
	long got;
	int fd;

	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	do {
		got = view_result(read(fd, buf + len, size - 1 - len));
		if (got > 0)
			len += got;
	} while (got > 0);
	buf[len] = 0;
	close(fd);
	return got < 0 ? got : (long)len;
}

long long view_number(int dir, const char *path, const char *word)
{
	static const size_t most = 1 << 18; /* lists of a large machine */
	char *buf = malloc(most);
	const char *at;
	long long got;

	if (!buf)
		return -ENOMEM;
	got = view_read(dir, path, buf, most);
	if (got >= 0) {
		at = strstr(buf, word);
		if (!at)
			got = -ENOENT;
		else if (sscanf(at + strlen(word), "%lld", &got) != 1)
			got = -EBADMSG;
	}
	free(buf);
	return got;
}

long long view_proc_number(struct child_report *rep, const struct view *v,
			   pid_t pid, const char *file, const char *word)
{
	int dir = view_proc(rep, v);
	char path[64];
	long long got;

	snprintf(path, sizeof(path), "%d/%s", pid, file);
	got = view_number(dir, path, word);
	close(dir);
	return got;
}

int view_count_name(struct child_report *rep, int at, const char *path,
		    pid_t pid)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *entry;
	int count = 0;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	CHILD_OK(rep, dir ? 0 : -errno);
	while ((entry = readdir(dir)))
		count += atoi(entry->d_name) == pid;
	closedir(dir);
	return count;
}

int view_pair(struct view *v)
{
	int type = SOCK_DGRAM | SOCK_CLOEXEC;

	return view_result(socketpair(AF_UNIX, type, 0, v->fd));
}

/* One control message, of any kind we use here. */
union control {
	char buf[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

int view_send_control(int sock, int type, const void *data, size_t size)
{
	union control ctl = { 0 };
	struct iovec iov = { "", 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (data) {
		msg.msg_control = ctl.buf;
		msg.msg_controllen = CMSG_SPACE(size);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = type;
		cmsg->cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(cmsg), data, size);
	}
	return sendmsg(sock, &msg, MSG_DONTWAIT) == 1 ? 0 : -errno;
}

int view_take_control(int sock, int type, void *data, size_t size)
{
	union control ctl = { 0 };
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = ctl.buf,
			      .msg_controllen = sizeof(ctl.buf) };
	struct cmsghdr *cmsg;

	if (recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
		return -errno;
	for (cmsg = CMSG_FIRSTHDR(&msg); cmsg; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != type)
			continue;
		if (cmsg->cmsg_len != CMSG_LEN(size))
			return -EBADMSG;
		memcpy(data, CMSG_DATA(cmsg), size);
		return 0;
	}
	return -ENOMSG;
}

int view_hand_over(int sock, int fd)
{
	return view_send_control(sock, SCM_RIGHTS, fd < 0 ? NULL : &fd,
				 sizeof(fd));
}

int view_take_over(int sock)
{
	int fd = -1, ret = view_take_control(sock, SCM_RIGHTS, &fd, sizeof(fd));

	return ret < 0 ? ret : fd;
}

void view_creds(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int on = 1;

	CHILD_OK(rep, setsockopt(v->fd[FOR_OBSERVER], SOL_SOCKET, SO_PASSCRED,
				 &on, sizeof(on)));
}

int view_wait_byte(int sock)
{
	struct pollfd fds = { .fd = sock, .events = POLLIN };
	int ret;

	do
		ret = poll(&fds, 1, CHILD_DEADLINE_MS / 2);
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -ETIMEDOUT;
}

long long view_sender(int sock)
{
	struct ucred cred = { .pid = -1 };
	int ret = view_take_control(sock, SCM_CREDENTIALS, &cred, sizeof(cred));

	return ret < 0 ? ret : cred.pid;
}

/*
 * struct family - what parent and child share until the fork
 * @ready: opened by the child when it is in place
 */
struct family {
	struct child child;
	struct gate ready;
	struct view *v;
	child_fn setup;
	child_fn life;
};

static void be_child(struct child_report *rep, void *arg)
{
	struct family *f = arg;

	if (f->setup)
		f->setup(rep, f->v);
	CHILD_EQ(rep, 0, view_hand_over(f->v->fd[FOR_TARGET], -1));
	CHILD_EQ(rep, 0, gate_open(&f->ready));
	if (f->life)
		f->life(rep, f->v);
	while (1)
		pause();
}

void view_child(struct child_report *rep, struct view *v, child_fn setup,
		child_fn life)
{
	struct family *f = calloc(1, sizeof(*f));

	CHILD_OK(rep, f ? 0 : -ENOMEM);
	f->child = CHILD_NONE;
	f->v = v;
	f->setup = setup;
	f->life = life;
	rep->value[1] = (intptr_t)f;
	CHILD_EQ(rep, 0, gate_init(&f->ready));
	CHILD_EQ(rep, 0, child_start(&f->child, 0, be_child, f));
	CHILD_EQ(rep, 0, gate_wait_child(&f->ready, &f->child));
}

int view_child_pidfd(const struct child_report *rep)
{
	struct family *f = (struct family *)(intptr_t)rep->value[1];

	return f->child.pidfd;
}

void view_end_child(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct family *f = (struct family *)(intptr_t)v->note[0];

	view_keep(rep, v);
	if (!v->is_target || !f)
		return;
	gate_close(&f->ready);
	CHILD_EQ(rep, 0, child_kill(&f->child));
	free(f);
}

pid_t view_child_number(struct child_report *rep, const struct view *v)
{
	long long pid = view_sender(v->fd[FOR_OBSERVER]);

	CHILD_LE(rep, 0, pid);
	CHILD_EQ(rep, v->peer != 0, pid != 0);
	return pid;
}
