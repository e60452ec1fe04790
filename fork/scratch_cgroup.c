// SPDX-License-Identifier: GPL-2.0
/* A cgroup for one test; see scratch_cgroup.h. */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "procfs.h"
#include "scratch_cgroup.h"
#include "uapi.h"

/*
 * Is the controller on for children of this version 2 cgroup?  A machine that
 * may be disturbed gets it switched on.
 */
static int is_on(const char *dir, const char *controller)
{
	char path[300], text[512];

	if (!controller)
		return 1;
	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", dir);
	if (getenv("SELFTESTS_VM")) {
		snprintf(text, sizeof(text), "+%s", controller);
		proc_write(path, text);
	}
	return proc_read(path, text, sizeof(text)) > 0 &&
	       strstr(text, controller);
}

static int find_root(char *dir, size_t size, const char *controller)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct mntent *m;
	int ret = -ENOENT;

	while (ret && mounts && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "cgroup2") &&
		    (strcmp(m->mnt_type, "cgroup") || !controller ||
		     !hasmntopt(m, controller)))
			continue;
		if (!strcmp(m->mnt_type, "cgroup2") &&
		    !is_on(m->mnt_dir, controller))
			continue;
		snprintf(dir, size, "%s", m->mnt_dir);
		ret = 0;
	}
	if (mounts)
		endmntent(mounts);
	return ret;
}

/* The end of the line is the end of everybody who could be in the cgroup. */
static void guard(const char *path, int line)
{
	int tries = CHILD_DEADLINE_MS;
	char byte;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	/* the output of the test is not to stay open because of us */
	dup2(line, 0);
	syscall(__NR_close_range, 1U, ~0U, 0U);
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	/* the last ones may still be on their way out: a bounded poll */
	while (rmdir(path) < 0 && errno == EBUSY && tries--)
		usleep(1000);
	_exit(0);
}

int scratch_cgroup_make(struct scratch_cgroup *cg, const char *controller)
{
	char root[200];
	int line[2], ret;
	pid_t pid;

	*cg = SCRATCH_CGROUP_NONE;
	ret = find_root(root, sizeof(root), controller);
	if (ret < 0)
		return ret;
	snprintf(cg->path, sizeof(cg->path), "%s/selftests-XXXXXX", root);
	if (!mkdtemp(cg->path) || pipe2(line, O_CLOEXEC) < 0) {
		ret = -errno;
		rmdir(cg->path);
		cg->path[0] = '\0';
		return ret;
	}
	pid = fork();
	if (pid == 0) {
		close(line[1]);
		guard(cg->path, line[0]);
	}
	ret = pid < 0 ? -errno : 0;
	close(line[0]);
	cg->line = line[1];
	cg->guard = pid;
	if (ret < 0) {
		rmdir(cg->path);
		scratch_cgroup_end(cg);
	}
	return ret;
}

void scratch_cgroup_end(struct scratch_cgroup *cg)
{
	fd_close(&cg->line);
	if (cg->guard > 0)
		waitpid(cg->guard, NULL, 0);
	*cg = SCRATCH_CGROUP_NONE;
}

int scratch_cgroup_write(const struct scratch_cgroup *cg, const char *file,
			 const char *text)
{
	char path[320];

	snprintf(path, sizeof(path), "%s/%s", cg->path, file);
	return proc_write(path, text);
}

long long scratch_cgroup_number(const struct scratch_cgroup *cg,
				const char *file, const char *word)
{
	char path[320];
	long long n;
	int ret;

	snprintf(path, sizeof(path), "%s/%s", cg->path, file);
	ret = proc_number(path, word, &n);
	return ret < 0 ? ret : n;
}
