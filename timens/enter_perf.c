// SPDX-License-Identifier: GPL-2.0
/*
 * What making and entering a time namespace costs inside one already.
 *
 * Promises: time_namespaces(7); containers come and go often
 *           (kernel/time/namespace.c:clone_time_ns, timens_install,
 *           timens_on_fork).
 * Guards:   none.
 * Needs:    root or user namespaces; setns(2) wants the right over the initial
 *           time namespace.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

/* Made, and given up for the next one. */
static int make(unsigned long n, struct perf_ctx *ctx)
{
	int failed = 0;

	(void)ctx;
	while (n--)
		failed |= unshare(CLONE_NEWTIME);
	return failed ? -errno : 0;
}

/* With a first member, which freezes the offsets and maps their page. */
static int make_and_fork(unsigned long n, struct perf_ctx *ctx)
{
	int status;
	pid_t pid;

	(void)ctx;
	while (n--) {
		if (unshare(CLONE_NEWTIME))
			return -errno;
		pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return -ECHILD;
	}
	return 0;
}

static int open_another(void)
{
	if (unshare(CLONE_NEWTIME))
		return -1;
	return open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
}

/* Not in the worker, whose forks would copy all the open files. */
static void hold_others(int ready, long others)
{
	struct rlimit files;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	while (others--) {
		if (open_another() < 0)
			_exit(1);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static int make_others(struct perf_ctx *ctx)
{
	int ready[2], got;
	pid_t pid;
	char c;

	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0)
		hold_others(ready[1], ctx->inside ? ctx->arg : 1);
	close(ready[1]);
	got = read(ready[0], &c, 1);
	close(ready[0]);
	return pid > 0 && got == 1 ? 0 : -EOPNOTSUPP;
}

static int open_timens(struct perf_ctx *ctx)
{
	return perf_open_ns(ctx, "/proc/self/ns/time");
}

FIXTURE(timens)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(timens)
{
	struct perf_row row;
};

FIXTURE_SETUP(timens)
{
}

FIXTURE_TEARDOWN(timens)
{
}

/* clang-format off */
#define OTHERS(many) .row = { \
	"timens.unshare.with_" #many, make, many, &perf_timens, 1.10, 0, \
	"nothing looks at other namespaces", make_others, NEEDS_FILES }

FIXTURE_VARIANT_ADD(timens, unshare)      { .row = {
	"timens.unshare", make, 0, &perf_timens, 1.10, 0,
	"copies two offsets, set or not" } };
FIXTURE_VARIANT_ADD(timens, unshare_fork) { .row = {
	"timens.unshare_fork", make_and_fork, 0, &perf_timens, 1.08, 0,
	"lost in the cost of a fork" } };
FIXTURE_VARIANT_ADD(timens, with_100)     { OTHERS(100) };
FIXTURE_VARIANT_ADD(timens, with_5000)    { OTHERS(5000) };
FIXTURE_VARIANT_ADD(timens, setns)        { .row = {
	"timens.setns", perf_enter, 0, &perf_timens, 1.10, 0,
	"drops the pages of the vDSO, mapped or not", open_timens, NEEDS_REAL_ROOT } };
/* clang-format on */

TEST_F(timens, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
