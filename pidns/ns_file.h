/* SPDX-License-Identifier: GPL-2.0 */
/* The files in /proc/PID/ns, each of which stands for a namespace. */
#ifndef PIDNS_NS_FILE_H
#define PIDNS_NS_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * ns_open - open the file of a namespace (namespaces(7))
 * @pid: a process, in the pid namespace of /proc
 * @name: below /proc/PID/ns: "pid", "pid_for_children", "user" ...
 *
 * Returns it, or a negative errno of open(2).
 */
static inline int ns_open(pid_t pid, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * ns_inode - the inode number, which is the identity of a namespace
 * @pid, @name: see ns_open()
 *
 * Returns it, or a negative errno of open(2), fstat(2).
 */
static inline long long ns_inode(pid_t pid, const char *name)
{
	struct stat st;
	int fd = ns_open(pid, name);
	int ret;

	if (fd < 0)
		return fd;
	ret = fstat(fd, &st) < 0 ? -errno : 0;
	close(fd);
	return ret ? ret : (long long)st.st_ino;
}

#endif /* PIDNS_NS_FILE_H */
