/* SPDX-License-Identifier: GPL-2.0 */
/* Making and looking into a procfs with mount options. */
#ifndef PIDNS_PROC_OPTIONS_H
#define PIDNS_PROC_OPTIONS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "uapi.h"

/**
 * proc_option - set an option of a procfs that is being made
 * @fs: of fsopen(2)
 * @value: NULL: the option is @fd
 *
 * Returns 0 or a negative errno of fsconfig(2).
 */
static inline int proc_option(int fs, const char *key, const char *value,
			      int fd)
{
	int cmd = value ? UAPI_FSCONFIG_SET_STRING : UAPI_FSCONFIG_SET_FD;
	int ret = syscall(__NR_fsconfig, fs, cmd, key, value, value ? 0 : fd);

	return ret < 0 ? -errno : 0;
}

/* proc_begin - start making a procfs; returns an fd or a negative errno */
static inline int proc_begin(void)
{
	int fs = syscall(__NR_fsopen, "proc", FSOPEN_CLOEXEC);

	return fs < 0 ? -errno : fs;
}

/**
 * proc_finish - make the procfs and open its root
 * @fs: of proc_begin(), closed
 *
 * Returns a directory fd, or a negative errno of fsconfig(2), fsmount(2).
 */
static inline int proc_finish(int fs)
{
	int fd = syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL,
			 NULL, 0);

	if (fd == 0)
		fd = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (fd < 0)
		fd = -errno;
	close(fs);
	return fd;
}

/**
 * proc_lists - look for a name in the root directory of a procfs
 * @dir: the directory; its position is moved
 * @name: NULL: any process at all
 *
 * Returns how many entries fit, or a negative errno.
 */
static inline int proc_lists(int dir, const char *name)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int n = 0;

	if (!stream)
		return -errno;
	while ((entry = readdir(stream)))
		n += name ? !strcmp(entry->d_name, name) :
			    atoi(entry->d_name) > 0;
	closedir(stream);
	return n;
}

/* proc_can_open - 0, or the negative errno of opening a file below @dir */
static inline int proc_can_open(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

#endif /* PIDNS_PROC_OPTIONS_H */
