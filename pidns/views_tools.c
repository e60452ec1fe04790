// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
