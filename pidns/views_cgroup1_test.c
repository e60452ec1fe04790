// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through the files of a hierarchy of cgroup v1.
 *
 * Promises: cgroups(7), tasks, cgroup.procs: numbers of the reader's pid
 *           namespace; ESRCH on writing one that is not there
 *           (kernel/cgroup/cgroup-v1.c:pidlist_array_load,
 *           cgroup1_procs_write); a reader gets its own list, whoever else
 *           reads at the time (cgroup_pidlist_find, cgroup_pidlist_find_create).
 * Needs:    real root, for a mount of a hierarchy that is nowhere.
 */
#include <fcntl.h>

#include "lack.h"
#include "views.h"

/* v->fd[]: the root of the hierarchy. */
#define HIERARCHY 0

/*
 * A hierarchy without controllers: everybody is in its root.  It ends with the
 * last descriptor, because there is no other cgroup in it.  Returns that of its
 * root or -errno: -EPERM, -ENODEV, or -ENOENT where a boot parameter forbids it.
 */
static int open_hierarchy(void)
{
	int fs, ret, dir = -1;
	char name[64];

	/* ending takes a while in which a mount by the same name fails */
	snprintf(name, sizeof(name), "views%d", getpid());
	fs = syscall(__NR_fsopen, "cgroup", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	ret = syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_SET_FLAG, "none", NULL,
		      0);
	if (!ret)
		ret = syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_SET_STRING,
			      "name", name, 0);
	if (!ret)
		ret = syscall(__NR_fsconfig, fs, UAPI_FSCONFIG_CMD_CREATE, NULL,
			      NULL, 0);
	if (!ret)
		dir = syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	ret = dir < 0 ? -errno : dir;
	close(fs);
	return ret;
}

/* For all pairs of a test the same one: it is kept until the test ends. */
static int prepare(struct view *v)
{
	int dir = open_hierarchy();

	/* the observer says what is missing */
	if (dir == -EPERM || dir == -ENODEV || dir == -ENOENT)
		return 0;
	if (dir < 0)
		return dir;
	v->fd[HIERARCHY] = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	return v->fd[HIERARCHY] < 0 ? -errno : 0;
}

static int open_file(struct child_report *rep, const struct view *v,
		     const char *file, int flags)
{
	int fd;

	if (v->fd[HIERARCHY] < 0)
		child_skip(rep, open_hierarchy() == -EPERM ? NEEDS_REAL_ROOT :
							     NEEDS_CGROUP_V1);
	fd = openat(v->fd[HIERARCHY], file, flags | O_CLOEXEC);
	CHILD_OK(rep, fd);
	return fd;
}

/*
 * Is the number of the target in the rest of a list?  The list may have a
 * number more than once.
 */
static bool listed(struct child_report *rep, const struct view *v, int fd)
{
	FILE *list = fdopen(fd, "r");
	bool found = false;
	pid_t pid;

	CHILD_OK(rep, list ? 0 : -errno);
	while (fscanf(list, "%d", &pid) == 1)
		found |= pid == v->number;
	CHILD_EQ(rep, 0, ferror(list));
	fclose(list);
	return found;
}

static void look_tasks(struct child_report *rep, void *arg)
{
	rep->value[0] =
		listed(rep, arg, open_file(rep, arg, "tasks", O_RDONLY));
}

static void look_procs(struct child_report *rep, void *arg)
{
	rep->value[0] =
		listed(rep, arg, open_file(rep, arg, "cgroup.procs", O_RDONLY));
}

/* Read so little that the kernel has to come back for the rest. */
static void begin(struct child_report *rep, const struct view *v,
		  const char *file)
{
	int fd = open_file(rep, v, file, O_RDONLY);
	char byte;

	rep->value[1] = fd;
	CHILD_EQ(rep, 1, read(fd, &byte, 1));
}

static void begin_tasks(struct child_report *rep, void *arg)
{
	begin(rep, arg, "tasks");
}

static void begin_procs(struct child_report *rep, void *arg)
{
	begin(rep, arg, "cgroup.procs");
}

static void read_between(struct child_report *rep, const struct view *v,
			 const char *file)
{
	listed(rep, v, open_file(rep, v, file, O_RDONLY));
	view_keep(rep, v);
}

static void read_tasks_between(struct child_report *rep, void *arg)
{
	read_between(rep, arg, "tasks");
}

static void read_procs_between(struct child_report *rep, void *arg)
{
	read_between(rep, arg, "cgroup.procs");
}

static void look_rest(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = listed(rep, v, v->note[0]);
}

/* Where it is already: nothing changes. */
static void move_it(struct child_report *rep, const struct view *v,
		    const char *file)
{
	int fd = open_file(rep, v, file, O_WRONLY);
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", v->number);

	view_see(rep, write(fd, text, len));
	if (rep->value[0] == len)
		rep->value[0] = 0;
	close(fd);
}

static void move_task(struct child_report *rep, void *arg)
{
	move_it(rep, arg, "tasks");
}

static void move_process(struct child_report *rep, void *arg)
{
	move_it(rep, arg, "cgroup.procs");
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, tasks)
{ { prepare, NULL, NULL, look_tasks, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, procs)
{ { prepare, NULL, NULL, look_procs, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, tasks_that_the_target_reads_too)
{ { prepare, begin_tasks, read_tasks_between, look_rest, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, procs_that_the_target_reads_too)
{ { prepare, begin_procs, read_procs_between, look_rest, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, tasks_written)
{ { prepare, NULL, NULL, move_task, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, procs_written)
{ { prepare, NULL, NULL, move_process, NULL, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
