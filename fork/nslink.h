/* SPDX-License-Identifier: GPL-2.0 */
/* The identity of namespaces: inode numbers of the links in /proc/PID/ns. */
#ifndef FORK_NSLINK_H
#define FORK_NSLINK_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* The links that say where a process is, without those for its children. */
enum {
	NSLINK_PID,
	NSLINK_TIME,
	NSLINK_USER,
	NSLINK_MNT,
	NSLINK_UTS,
	NSLINK_IPC,
	NSLINK_NET,
	NSLINK_CGROUP,
	NSLINKS
};

/*
 * nslink_named - which namespace is the calling thread in?
 * @name: of a link in /proc/PID/ns (namespaces(7))
 *
 * Works in any pid namespace that the mounted /proc can see.
 * Returns the inode number, or a negative errno of stat(2); -ENOENT without
 * that kind of namespace.
 */
static inline int64_t nslink_named(const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/thread-self/ns/%s", name);
	return stat(path, &st) < 0 ? -errno : (int64_t)st.st_ino;
}

/*
 * nslink - as nslink_named(), by index
 * @link: NSLINK_*
 */
static inline int64_t nslink(int link)
{
	static const char *const name[NSLINKS] = { "pid", "time",  "user",
						   "mnt", "uts",   "ipc",
						   "net", "cgroup" };

	return nslink_named(name[link]);
}

#endif /* FORK_NSLINK_H */
