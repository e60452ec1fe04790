// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs in a pid namespace to learn one's numbers and to find a
 * process by its number.
 *
 * Promises: pid_namespaces(7) as a means for every process of a container: a
 *           number is looked up in the own namespace, however deep that is
 *           (kernel/pid.c:find_pid_ns, pid_nr_ns).  In a young namespace it
 *           may even be cheaper: smaller numbers make a lower tree.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "perf_expect.h"
#include "perf_place.h"

static int get_pid(unsigned long n, struct perf_ctx *ctx)
{
	long last = 0;

	(void)ctx;
	while (n--)
		last = syscall(SYS_getpid);
	return last <= 0 ? -EINVAL : 0;
}

static int get_tid(unsigned long n, struct perf_ctx *ctx)
{
	long last = 0;

	(void)ctx;
	while (n--)
		last = syscall(SYS_gettid);
	return last <= 0 ? -EINVAL : 0;
}

static int get_ppid(unsigned long n, struct perf_ctx *ctx)
{
	long last = 0;

	(void)ctx;
	while (n--)
		last = syscall(SYS_getppid);
	return last < 0 ? -EINVAL : 0;
}

static int find_self(struct perf_ctx *ctx)
{
	ctx->word[0] = getpid();
	return 0;
}

static int get_pgid(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid = ctx->word[0];
	long failed = 0;

	while (n--)
		failed |= syscall(SYS_getpgid, pid) < 0;
	return failed ? -EINVAL : 0;
}

static int kill_nothing(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid = ctx->word[0];
	int failed = 0;

	while (n--)
		failed |= kill(pid, 0);
	return failed ? -EINVAL : 0;
}

/* A child that lives as long as the worker. */
static int make_child(struct perf_ctx *ctx)
{
	ctx->word[0] = fork();
	if (ctx->word[0] == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return ctx->word[0] < 0 ? -errno : 0;
}

static int wait_in_vain(unsigned long n, struct perf_ctx *ctx)
{
	siginfo_t info;
	int failed = 0;

	while (n--)
		failed |= waitid(P_PID, ctx->word[0], &info, WEXITED | WNOHANG);
	return failed ? -EINVAL : 0;
}

static int open_pidfd(unsigned long n, struct perf_ctx *ctx)
{
	int fd;

	while (n--) {
		fd = sys_pidfd_open(ctx->word[0], 0);
		if (fd < 0)
			return -errno;
		close(fd);
	}
	return 0;
}

static int make_pidfd(struct perf_ctx *ctx)
{
	ctx->word[0] = sys_pidfd_open(getpid(), 0);
	return ctx->word[0] < 0 ? -errno : 0;
}

static int signal_nothing(unsigned long n, struct perf_ctx *ctx)
{
	int failed = 0;

	while (n--)
		failed |= sys_pidfd_send_signal(ctx->word[0], 0, NULL, 0);
	return failed ? -EINVAL : 0;
}

FIXTURE(lookup)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(lookup)
{
	struct perf_row row;
};

FIXTURE_SETUP(lookup)
{
}

FIXTURE_TEARDOWN(lookup)
{
}

/* clang-format off */
#define ROW(name, op, place, prepare) \
	.row = { "pidns." name, op, 0, &perf_##place, 1.05, 0, \
		 "one number of one level: depth does not count", prepare }

FIXTURE_VARIANT_ADD(lookup, getpid)     { ROW("getpid", get_pid, pidns1, NULL) };
FIXTURE_VARIANT_ADD(lookup, gettid)     { ROW("gettid", get_tid, pidns1, NULL) };
FIXTURE_VARIANT_ADD(lookup, getppid)    { ROW("getppid", get_ppid, pidns1, NULL) };
FIXTURE_VARIANT_ADD(lookup, getpgid)    { ROW("getpgid", get_pgid, pidns1, find_self) };
FIXTURE_VARIANT_ADD(lookup, kill)       { ROW("kill", kill_nothing, pidns1, find_self) };
FIXTURE_VARIANT_ADD(lookup, waitid)     { ROW("waitid", wait_in_vain, pidns1, make_child) };
FIXTURE_VARIANT_ADD(lookup, pidfd_open) { ROW("pidfd_open", open_pidfd, pidns1, find_self) };
FIXTURE_VARIANT_ADD(lookup, pidfd_send_signal)
	{ ROW("pidfd_send_signal", signal_nothing, pidns1, make_pidfd) };

FIXTURE_VARIANT_ADD(lookup, userns_kill) { .row = {
	"pidns.kill.userns", kill_nothing, 0, &perf_userns, 1.05, 0,
	"users are compared as the kernel knows them", find_self } };

FIXTURE_VARIANT_ADD(lookup, deeper_getpid)  { ROW("getpid.deeper", get_pid, deeper, NULL) };
FIXTURE_VARIANT_ADD(lookup, deeper_getpgid) { ROW("getpgid.deeper", get_pgid, deeper, find_self) };
FIXTURE_VARIANT_ADD(lookup, deeper_kill)    { ROW("kill.deeper", kill_nothing, deeper, find_self) };
FIXTURE_VARIANT_ADD(lookup, deeper_waitid)
	{ ROW("waitid.deeper", wait_in_vain, deeper, make_child) };
FIXTURE_VARIANT_ADD(lookup, deeper_pidfd_open)
	{ ROW("pidfd_open.deeper", open_pidfd, deeper, find_self) };
/* clang-format on */

TEST_F(lookup, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
