// SPDX-License-Identifier: GPL-2.0
/* Readers for the files of procfs; see procfs.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "procfs.h"
#include "uapi.h"

ssize_t proc_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t ret = 0;

	if (fd < 0)
		return -errno;
	while (len < size - 1) {
		ret = read(fd, buf + len, size - 1 - len);
		if (ret <= 0)
			break;
		len += ret;
	}
	ret = ret < 0 ? -errno : (ssize_t)len;
	buf[len] = '\0';
	close(fd);
	return ret;
}

int proc_write(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		ret = -errno;
	close(fd);
	return ret;
}

static void pid_path(char *path, size_t size, pid_t pid, const char *file)
{
	if (pid == PROC_SELF)
		snprintf(path, size, "/proc/self/%s", file);
	else
		snprintf(path, size, "/proc/%d/%s", pid, file);
}

/* A process that ends while its files are read makes read(2) give ESRCH. */
static int read_pid_file(pid_t pid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t len;

	pid_path(path, sizeof(path), pid, file);
	len = proc_read(path, buf, size);
	if (len < 0)
		return len == -ESRCH ? -ENOENT : (int)len;
	return 0;
}

int proc_status(pid_t pid, const char *field, long long *out, int n)
{
	size_t len = strlen(field);
	char buf[8192], *line, *end;
	int ret, count = 0;

	ret = read_pid_file(pid, "status", buf, sizeof(buf));
	if (ret < 0)
		return ret;
	for (line = buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, field, len) && line[len] == ':')
			break;
	}
	if (!line)
		return -ENOENT;
	for (line += len + 1; *line == '\t' || *line == ' '; count++) {
		long long value = strtoll(line, &end, 10);

		if (end == line)
			break;
		if (count < n)
			out[count] = value;
		line = end;
	}
	return count;
}

int proc_stat(pid_t pid, int field, long long *out)
{
	char buf[4096], *at;
	int ret, i;

	ret = read_pid_file(pid, "stat", buf, sizeof(buf));
	if (ret < 0)
		return ret;
	if (field == 1)
		return sscanf(buf, "%lld", out) == 1 ? 0 : -EBADMSG;
	/* the name of the program may hold blanks and brackets */
	at = strrchr(buf, ')');
	for (i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at || sscanf(at, "%lld", out) != 1)
		return -EBADMSG;
	return 0;
}

int proc_number(const char *path, const char *word, long long *out)
{
	static const size_t most = 1 << 20; /* /proc/stat of a large machine */
	char *buf = malloc(most);
	const char *at;
	ssize_t len;
	int ret = 0;

	if (!buf)
		return -ENOMEM;
	len = proc_read(path, buf, most);
	if (len < 0) {
		ret = len;
		goto out;
	}
	at = strstr(buf, word);
	if (!at)
		ret = -ENOENT;
	else if (sscanf(at + strlen(word), "%lld", out) != 1)
		ret = -EBADMSG;
out:
	free(buf);
	return ret;
}

int proc_is_mine(void)
{
	long long pid[2];

	/* one number per pid namespace from that of /proc to that of "self" */
	return proc_status(PROC_SELF, "NSpid", pid, 2) == 1;
}

int fs_open_new(const char *type)
{
	int fs, fd;

	fs = syscall(__NR_fsopen, type, FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	fd = syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL, NULL,
		     0);
	if (fd == 0)
		fd = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (fd < 0)
		fd = -errno;
	close(fs);
	return fd;
}

int proc_open_new(void)
{
	return fs_open_new("proc");
}

int proc_mount_own(void)
{
	if (unshare(CLONE_NEWNS) < 0)
		return -errno;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  NULL) < 0)
		return -errno;
	return 0;
}
