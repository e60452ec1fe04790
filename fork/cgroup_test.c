// SPDX-License-Identifier: GPL-2.0
/*
 * Children and cgroups: a limit of processes is hit exactly and recovers
 * exactly; a child is born straight into the cgroup it was made for.
 *
 * Promises: Documentation/admin-guide/cgroup-v2.rst, "PID" and cgroup.kill;
 *           clone(2), CLONE_INTO_CGROUP; fork(2) ERRORS, EAGAIN.
 * Guards:   8e3599202166 ("cgroup: fix spurious SIGKILL of CLONE_INTO_CGROUP
 *           children"), v7.3, v6.12.115.
 * Needs:    root in the initial user namespace; a cgroup2 mount; a pids
 *           controller that is on.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "raw_clone.h"
#include "scratch_cgroup.h"
#include "throng.h"

#define LIMIT 12
#define BORN 100

FIXTURE(limit)
{
	const char *missing;
	struct scratch_cgroup cg;
};

FIXTURE(place)
{
	const char *missing;
	struct scratch_cgroup cg;
};

/* Returns the reason to skip, or NULL; then @ret tells whether it worked. */
static const char *make(struct scratch_cgroup *cg, const char *controller,
			int *ret)
{
	*ret = scratch_cgroup_make(cg, controller);
	if (*ret == -ENOENT && lack_of_proc())
		return lack_of_proc();
	if (*ret == -ENOENT)
		return controller ? NEEDS_CGROUP_PIDS : NEEDS_CGROUP2;
	if (*ret == -EACCES || *ret == -EPERM || *ret == -EROFS)
		return NEEDS_REAL_ROOT;
	return NULL;
}

FIXTURE_SETUP(limit)
{
	int ret;

	self->missing = make(&self->cg, "pids", &ret);
	if (!self->missing && !ret)
		ret = ns_prepare(CLONE_NEWPID, &self->missing);
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(limit)
{
	scratch_cgroup_end(&self->cg);
}

/*
 * The caller is in the cgroup already.  Each round: so many, then none; and
 * one more for each that ends.
 */
static void fill(struct child_report *rep, void *arg)
{
	struct scratch_cgroup *cg = arg;
	struct throng t = { 0 };
	int round;

	for (round = 1; round <= 3; round++) {
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, LIMIT - 2, t.n);
		CHILD_EQ(rep, LIMIT,
			 scratch_cgroup_number(cg, "pids.current", ""));
		CHILD_EQ(rep, 0, throng_end(&t, 1));
		CHILD_EQ(rep, -EAGAIN, throng_fill(&t));
		CHILD_EQ(rep, LIMIT - 2, t.n);
		CHILD_EQ(rep, 0, throng_end(&t, t.n));
		CHILD_EQ(rep, 2, scratch_cgroup_number(cg, "pids.current", ""));
		/* every refusal was counted */
		CHILD_EQ(rep, 2 * round,
			 scratch_cgroup_number(cg, "pids.events", "max"));
	}
}

static void fill_from_inside(struct child_report *rep, void *arg)
{
	struct scratch_cgroup *cg = arg;
	struct child_report inner;
	char text[16];

	snprintf(text, sizeof(text), "%d", LIMIT);
	CHILD_EQ(rep, 0, scratch_cgroup_write(cg, "pids.max", text));
	CHILD_EQ(rep, 0, scratch_cgroup_write(cg, "cgroup.procs", "0"));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, fill, cg));
	CHILD_HELD(rep, &inner);
}

TEST_F(limit, is_hit_exactly_and_recovers)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fill_from_inside, &self->cg));
	expect_held(_metadata, &rep);
	EXPECT_EQ(0, scratch_cgroup_number(&self->cg, "pids.current", ""));
}

FIXTURE_SETUP(place)
{
	int ret;

	self->missing = make(&self->cg, NULL, &ret);
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(place)
{
	scratch_cgroup_end(&self->cg);
}

/* The last part of the path in /proc/self/cgroup, for version 2. */
static int is_in(const struct scratch_cgroup *cg)
{
	const char *name = strrchr(cg->path, '/');
	char text[4096];

	if (proc_read("/proc/self/cgroup", text, sizeof(text)) < 0)
		return -EIO;
	return !!strstr(text, name);
}

static pid_t born_in(const struct scratch_cgroup *cg, __u64 flags)
{
	struct uapi_clone_args args = {
		.flags = flags | CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = open(cg->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	pid_t pid = sys_clone3(&args, sizeof(args));

	if (pid == 0)
		_exit(is_in(cg) == 1 ? 7 : 8);
	close(args.cgroup);
	return pid;
}

TEST_F(place, of_birth_is_the_cgroup_asked_for)
{
	int status = -1;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	pid = born_in(&self->cg, CLONE_NEWPID);
	ASSERT_LE(1, pid);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(7 << 8, status);
	EXPECT_EQ(0, is_in(&self->cg));
}

TEST_F(place, must_be_a_cgroup)
{
	struct uapi_clone_args args = {
		.flags = CLONE_NEWPID | CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
	};

	if (self->missing)
		SKIP(return, "%s", self->missing);
	args.cgroup = open("/proc/self", O_RDONLY | O_DIRECTORY);
	EXPECT_EQ(-1, sys_clone3(&args, sizeof(args)));
	EXPECT_EQ(EBADF, errno);
	close(args.cgroup);
}

/* What was killed there before is no matter of those who come later. */
TEST_F(place, that_was_once_killed_is_safe_for_the_next)
{
	int status = -1, i, ret;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ret = scratch_cgroup_write(&self->cg, "cgroup.kill", "1");
	if (ret == -ENOENT)
		SKIP(return, NEEDS_CGROUP_KILL);
	ASSERT_EQ(0, ret);
	for (i = 0; i < BORN; i++) {
		pid = born_in(&self->cg, i & 1 ? CLONE_NEWPID : 0);
		ASSERT_LE(1, pid);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(7 << 8, status);
	}
}

TEST_HARNESS_MAIN
