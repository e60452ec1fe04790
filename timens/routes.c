// SPDX-License-Identifier: GPL-2.0
/* Every way into a time namespace; see routes.h. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hop.h"
#include "lack.h"
#include "needs.h"
#include "routes.h"

extern char **environ;

/* What a child needs to know to go. */
struct plan {
	enum route route;
	struct offsets off; /* absolute */
	const struct route_job *job;
};

static int result_of(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* A kernel that was built without 32-bit programs does not know them. */
static void run_program(struct child_report *rep, void *arg)
{
	const struct plan *plan = arg;

	execv(plan->job->argv[0], plan->job->argv);
	if (errno == ENOEXEC)
		child_skip(rep, NEEDS_32BIT);
	CHILD_EQ(rep, 0, errno);
}

/* A program cannot fill the report: its exit code is all there is. */
static void program_ended_well(struct child_report *rep,
			       const struct child_report *inner)
{
	if (inner->file || inner->skip)
		CHILD_HELD(rep, inner);
	CHILD_EQ(rep, 0, inner->signal);
	CHILD_EQ(rep, 0, inner->code);
}

static void reap_program(struct child_report *rep, pid_t pid)
{
	siginfo_t end = { 0 };

	CHILD_EQ(rep, 0, result_of(waitid(P_PID, pid, &end, WEXITED)));
	CHILD_EQ(rep, CLD_EXITED, end.si_code);
	CHILD_EQ(rep, 0, end.si_status);
}

static void by_fork(struct child_report *rep, struct plan *plan)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	CHILD_EQ(rep, 0, child_run(&inner, 0, plan->job->fn, plan->job->arg));
	CHILD_HELD(rep, &inner);
}

/* A new time namespace starts with the offsets of the pending one. */
static void by_clone3(struct child_report *rep, struct plan *plan)
{
	struct child_report inner;
	int ret;

	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	ret = child_run(&inner, CLONE_NEWTIME, plan->job->fn, plan->job->arg);
	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_EQ(rep, 0, ret);
	CHILD_HELD(rep, &inner);
}

static void by_fork_exec(struct child_report *rep, struct plan *plan)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	CHILD_EQ(rep, 0, child_run(&inner, 0, run_program, plan));
	program_ended_well(rep, &inner);
}

static void by_vfork_exec(struct child_report *rep, struct plan *plan)
{
	char *const *argv = plan->job->argv;
	pid_t pid;

	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	pid = vfork();
	if (!pid) {
		execv(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 && errno == EINVAL)
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_OK(rep, result_of(pid));
	reap_program(rep, pid);
}

/*
 * The kernels that refuse vfork() with a pending time namespace are those in
 * which exec() leaves the caller where it is: one commit changed both,
 * 2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"), v6.2.
 */
static int exec_moves(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	if (pid < 0)
		return errno != EINVAL;
	waitpid(pid, NULL, 0);
	return 1;
}

static void unshare_and_exec(struct child_report *rep, void *arg)
{
	struct plan *plan = arg;

	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	if (!exec_moves())
		child_skip(rep, NEEDS_TIMENS_EXEC);
	run_program(rep, plan);
}

static void by_exec(struct child_report *rep, struct plan *plan)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, unshare_and_exec, plan));
	program_ended_well(rep, &inner);
}

static void by_spawn(struct child_report *rep, struct plan *plan)
{
	char *const *argv = plan->job->argv;
	pid_t pid = -1;
	int ret;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	ret = posix_spawn(&pid, argv[0], NULL, NULL, argv, environ);
	if (ret == EINVAL)
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_EQ(rep, 0, ret);
	reap_program(rep, pid);
}

static void by_setns(struct child_report *rep, struct plan *plan)
{
	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	timens_enter_pending(rep);
	plan->job->fn(rep, plan->job->arg);
}

static void park(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
	while (1)
		pause();
}

static void by_setns_pidfd(struct child_report *rep, struct plan *plan)
{
	struct child member;

	child_need(rep, lack_of_setns());
	CHILD_EQ(rep, 0, timens_unshare(&plan->off));
	CHILD_EQ(rep, 0, child_start(&member, 0, park, NULL));
	CHILD_EQ(rep, 0, result_of(setns(member.pidfd, CLONE_NEWTIME)));
	plan->job->fn(rep, plan->job->arg);
	CHILD_EQ(rep, 0, child_kill(&member));
}

/* Offsets are absolute to the initial namespace, whoever sets them. */
static void by_nesting(struct child_report *rep, struct plan *plan)
{
	const struct offsets other = { 77 * NSEC_PER_SEC, 55 * NSEC_PER_SEC };

	close(timens_enter(rep, &other));
	by_fork(rep, plan);
}

static void there_and_back(struct child_report *rep, struct plan *plan)
{
	const struct offsets none = { 0, 0 };
	int old = timens_enter(rep, &none);

	by_setns(rep, plan);
	timens_leave(rep, old);
	close(old);
	plan->job->fn(rep, plan->job->arg);
}

typedef void (*route_fn)(struct child_report *rep, struct plan *plan);

static const route_fn routes[] = {
	[ROUTE_FORK] = by_fork,		  [ROUTE_CLONE3] = by_clone3,
	[ROUTE_FORK_EXEC] = by_fork_exec, [ROUTE_VFORK_EXEC] = by_vfork_exec,
	[ROUTE_EXEC] = by_exec,		  [ROUTE_SPAWN] = by_spawn,
	[ROUTE_SETNS] = by_setns,	  [ROUTE_SETNS_PIDFD] = by_setns_pidfd,
	[ROUTE_NESTED] = by_nesting,	  [ROUTE_BACK] = there_and_back,
};

static void go(struct child_report *rep, void *arg)
{
	struct plan *plan = arg;

	routes[plan->route](rep, plan);
}

int route_run(struct child_report *rep, enum route route,
	      const struct offsets *off, const struct route_job *job)
{
	struct plan plan = { .route = route, .job = job };
	int ret = offsets_from_here(off, &plan.off);

	return ret < 0 ? ret : child_run(rep, 0, go, &plan);
}

int program_beside(const char *name, char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t used;

	if (len < 0)
		return -errno;
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	used = snprintf(path, size, "%s/%s", self, name);
	return used < size ? 0 : -ENAMETOOLONG;
}
