// SPDX-License-Identifier: GPL-2.0
/* Capabilities, user namespaces, rights to make namespaces; see caps.h. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caps.h"
#include "child.h"
#include "needs.h"

int caps_have(int cap)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t value = CAP_CLEAR;
	int ret = 0;

	if (!caps)
		return -errno;
	if (cap_get_flag(caps, cap, CAP_EFFECTIVE, &value) < 0)
		ret = -errno;
	cap_free(caps);
	return ret ? ret : value == CAP_SET;
}

static int caps_apply(cap_t caps)
{
	int ret = cap_set_proc(caps) < 0 ? -errno : 0;

	cap_free(caps);
	return ret;
}

int caps_drop(int cap)
{
	cap_t caps = cap_get_proc();
	cap_value_t list[] = { cap };

	if (!caps)
		return -errno;
	cap_set_flag(caps, CAP_EFFECTIVE, 1, list, CAP_CLEAR);
	return caps_apply(caps);
}

int caps_drop_all(void)
{
	cap_t caps = cap_get_proc();

	if (!caps)
		return -errno;
	cap_clear_flag(caps, CAP_EFFECTIVE);
	return caps_apply(caps);
}

int caps_restore(void)
{
	cap_t caps = cap_get_proc();

	if (!caps)
		return -errno;
	cap_fill_flag(caps, CAP_EFFECTIVE, caps, CAP_PERMITTED);
	return caps_apply(caps);
}

int caps_become(uid_t uid)
{
	if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 ||
	    setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int userns_enter(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[64];
	int ret;

	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	/* gid_map of an ordinary user wants setgroups(2) denied first */
	ret = write_file("/proc/self/setgroups", "deny");
	if (ret < 0)
		return ret;
	snprintf(map, sizeof(map), "0 %u 1", uid);
	ret = write_file("/proc/self/uid_map", map);
	if (ret < 0)
		return ret;
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return write_file("/proc/self/gid_map", map);
}

/*
 * A namespace, its link in /proc/PID/ns, the option it needs, and the file that
 * sets it up.
 */
static const struct ns_kind {
	int flag;
	const char *link;
	const char *option;
	const char *setup;
} namespaces[] = {
	{ CLONE_NEWPID, "/proc/self/ns/pid", NEEDS_PID_NS, NULL },
	{ CLONE_NEWTIME, "/proc/self/ns/time", NEEDS_TIME_NS,
	  "/proc/self/timens_offsets" },
	{ CLONE_NEWUSER, "/proc/self/ns/user", NEEDS_USER_NS,
	  "/proc/self/uid_map" },
	{ CLONE_NEWNS, "/proc/self/ns/mnt", NULL, NULL },
	{ CLONE_NEWIPC, "/proc/self/ns/ipc", NEEDS_SYSVIPC, NULL },
	{ CLONE_NEWNET, "/proc/self/ns/net", NEEDS_NET_NS, NULL },
	{ CLONE_NEWUTS, "/proc/self/ns/uts", NEEDS_UTS_NS, NULL },
	{ CLONE_NEWCGROUP, "/proc/self/ns/cgroup", NEEDS_CGROUPS, NULL },
};

static void try_unshare(struct child_report *rep, void *arg)
{
	rep->value[0] = unshare(*(int *)arg) < 0 ? -errno : 0;
}

/*
 * A kernel that has the namespace but refuses to make one is broken, it does
 * not lack an option.
 */
static int option_is_off(const struct ns_kind *ns)
{
	return ns->option && access(ns->link, F_OK) < 0;
}

/* By the sysctl that is there for it, or a security module: only those say so. */
static int userns_forbidden(int ret)
{
	char text[2] = "";
	int fd;

	if (ret != -ENOSPC)
		return ret == -EACCES;
	fd = open("/proc/sys/user/max_user_namespaces", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text)) < 0)
		text[0] = '\0';
	close(fd);
	return text[0] == '0';
}

/* 0: can be made; 1: a known lack, in @missing; else a negative errno. */
static int try_namespace(const struct ns_kind *ns, const char **missing)
{
	int flag = ns->flag;
	struct child_report rep;
	int ret;

	ret = child_run(&rep, 0, try_unshare, &flag);
	if (ret < 0)
		return ret;
	if (!child_held(&rep))
		return -ECHILD;
	ret = rep.value[0];
	if (ret == -EINVAL && option_is_off(ns)) {
		*missing = ns->option;
		return 1;
	}
	if (ret == -EPERM && prctl(PR_GET_SECCOMP) == 2) {
		*missing = NEEDS_NS_UNFILTERED;
		return 1;
	}
	if (flag == CLONE_NEWUSER && userns_forbidden(ret)) {
		*missing = NEEDS_USERNS_ALLOWED;
		return 1;
	}
	return ret;
}

/*
 * What keeps the caller from writing its own file in /proc, if /proc is to
 * blame: where the file alone is missing or refuses, the kernel is.
 */
static const char *proc_lack(const char *file)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0) {
		close(fd);
		return NULL;
	}
	if (errno == EROFS)
		return NEEDS_WRITABLE_PROC;
	if (errno != ENOENT || !access("/proc/self", F_OK))
		return NULL;
	/* a link to nowhere: that /proc does not know the caller */
	return lstat("/proc/self", &st) < 0 ? NEEDS_PROC : NEEDS_SELF_PROC;
}

/* A user namespace that may be made but grants nothing (AppArmor) is no help */
static int become_root_of_userns(const char **missing)
{
	int ret;

	*missing = proc_lack("/proc/self/uid_map");
	if (*missing)
		return 0;
	ret = userns_enter();
	if (ret == -EINVAL)
		*missing = NEEDS_USER_NS;
	else if (ret == -EPERM || ret == -EACCES || ret == -ENOSPC ||
		 ret == -EUSERS || (!ret && !caps_have(CAP_SYS_ADMIN)))
		*missing = NEEDS_USERNS;
	else
		return ret;
	return 0;
}

int ns_prepare(__u64 flags, const char **missing)
{
	size_t i;
	int ret;

	*missing = NULL;
	ret = caps_have(CAP_SYS_ADMIN);
	if (ret < 0)
		return ret;
	if (!ret) {
		ret = become_root_of_userns(missing);
		if (ret < 0 || *missing)
			return ret;
	}
	for (i = 0; i < sizeof(namespaces) / sizeof(namespaces[0]); i++) {
		if (!(flags & namespaces[i].flag))
			continue;
		ret = try_namespace(&namespaces[i], missing);
		if (ret)
			return ret < 0 ? ret : 0;
		if (namespaces[i].setup)
			*missing = proc_lack(namespaces[i].setup);
		if (*missing)
			return 0;
	}
	return 0;
}
