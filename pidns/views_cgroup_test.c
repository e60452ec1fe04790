// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through the files of its cgroup.
 *
 * Promises: cgroups(7), cgroup.procs, cgroup.threads: numbers of the reader's
 *           pid namespace, 0 for what is not visible; ESRCH on writing one that
 *           is not there (kernel/cgroup/cgroup.c:cgroup_procs_show,
 *           cgroup_procs_write_start).
 * Needs:    real root, for a mount of cgroup2 that is nowhere.
 */
#include <fcntl.h>

#include "lack.h"
#include "procfs.h"
#include "views.h"

/* Open a file of the caller's own cgroup; the target is in the same one. */
static int open_own(struct child_report *rep, const char *file, int flags)
{
	char own[4096], path[4200], *at, *end;
	int fs, dir = -1, fd;

	fs = syscall(__NR_fsopen, "cgroup2", FSOPEN_CLOEXEC);
	if (fs < 0 && errno == ENODEV)
		child_skip(rep, NEEDS_CGROUP2);
	if (fs < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, fs);
	if (!syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL, NULL,
		     0))
		dir = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (dir < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, dir);
	child_need(rep, lack_of_proc());
	CHILD_OK(rep, proc_read("/proc/self/cgroup", own, sizeof(own)));
	at = strstr(own, "0::/");
	if (!at)
		child_skip(rep, NEEDS_CGROUP2);
	at += strlen("0::/");
	end = strchr(at, '\n');
	snprintf(path, sizeof(path), "./%.*s/%s", (int)(end - at), at, file);
	fd = openat(dir, path, flags | O_CLOEXEC);
	CHILD_OK(rep, fd);
	close(dir);
	close(fs);
	return fd;
}

/* How often is the number of the target in a list? */
static void look_list(struct child_report *rep, const struct view *v, int fd)
{
	FILE *list = fdopen(fd, "r");
	pid_t pid;

	CHILD_OK(rep, list ? 0 : -errno);
	while (fscanf(list, "%d", &pid) == 1)
		rep->value[0] += pid == v->number;
	fclose(list);
}

static void look_procs(struct child_report *rep, void *arg)
{
	look_list(rep, arg, open_own(rep, "cgroup.procs", O_RDONLY));
}

static void look_threads(struct child_report *rep, void *arg)
{
	look_list(rep, arg, open_own(rep, "cgroup.threads", O_RDONLY));
}

/* Where it is already: nothing changes. */
static void move_it(struct child_report *rep, void *arg)
{
	int fd = open_own(rep, "cgroup.procs", O_WRONLY);
	struct view *v = arg;
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", v->number);

	view_see(rep, write(fd, text, len));
	if (rep->value[0] == len)
		rep->value[0] = 0;
	close(fd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, cgroup_procs)
{ { NULL, NULL, NULL, look_procs, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, cgroup_threads)
{ { NULL, NULL, NULL, look_threads, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, cgroup_procs_written)
{ { NULL, NULL, NULL, move_it, NULL, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
