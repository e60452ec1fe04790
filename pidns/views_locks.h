/* SPDX-License-Identifier: GPL-2.0 */
/* The list of file locks in a procfs, for the views matrix. */
#ifndef PIDNS_VIEWS_LOCKS_H
#define PIDNS_VIEWS_LOCKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "views_tools.h"

/**
 * view_locker - the pid in the line about a file in /proc/locks
 * @rep: of the caller
 * @dir: of view_proc()
 * @fd:  the file
 *
 * A line reads "1: POSIX  ADVISORY  WRITE 1234 00:01:5678 0 EOF"
 * (proc_locks(5)).  Returns the number, or -ENOENT without such a line.
 */
static inline long long view_locker(struct child_report *rep, int dir, int fd)
{
	char file[64], buf[1 << 16], *at;
	struct stat st;

	CHILD_OK(rep, fstat(fd, &st));
	snprintf(file, sizeof(file), " %02x:%02x:%lu ", major(st.st_dev),
		 minor(st.st_dev), (unsigned long)st.st_ino);
	CHILD_OK(rep, view_read(dir, "locks", buf, sizeof(buf)));
	at = strstr(buf, file);
	if (!at)
		return -ENOENT;
	*at = 0;
	return atoll(strrchr(buf, ' ') + 1);
}

#endif /* PIDNS_VIEWS_LOCKS_H */
