// SPDX-License-Identifier: GPL-2.0
/*
 * What processes and threads cost in nested pid namespaces, and how that grows
 * with depth: each level wants a number allocated, hashed and freed. Numbers
 * like these were argued about when pid namespaces were designed, and nobody
 * could repeat them.
 *
 * Promises: pid_namespaces(7); the work per level is small and the same for
 *           each level (kernel/pid.c:alloc_pid, free_pid).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <signal.h>
#include <spawn.h>

#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

/* The program to execute lies beside this one. */
static int open_probe(struct perf_ctx *ctx)
{
	ctx->word[0] = perf_open_probe("nothing_probe");
	return ctx->word[0] < 0 ? ctx->word[0] : 0;
}

/* Apart, so that no counter of a loop lives in what the child shares. */
static __attribute__((__noinline__)) pid_t vfork_and_execute(int fd)
{
	pid_t pid = vfork();

	if (pid == 0)
		perf_execute(fd);
	return pid;
}

static int vfork_exec(unsigned long n, struct perf_ctx *ctx)
{
	while (n--) {
		if (perf_reap(vfork_and_execute(ctx->word[0])))
			return -ECHILD;
	}
	return 0;
}

static int spawn_shell(unsigned long n, struct perf_ctx *ctx)
{
	char *const argv[] = { "sh", "-c", ":", NULL };
	pid_t pid;

	(void)ctx;
	while (n--) {
		if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) ||
		    perf_reap(pid))
			return -ECHILD;
	}
	return 0;
}

/* Nobody else gets it: the numbers of a young namespace are small. */
#define WANTED 3000

static int fork_wanted(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid, wanted = WANTED;
	struct uapi_clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&wanted,
		.set_tid_size = 1,
	};

	(void)ctx;
	while (n--) {
		pid = sys_clone3(&args, sizeof(args));
		if (pid == 0)
			_exit(0);
		if (pid != wanted || perf_reap(pid))
			return pid < 0 ? -errno : -ECHILD;
	}
	return 0;
}

static int try_wanted(struct perf_ctx *ctx)
{
	int ret = fork_wanted(1, ctx);

	/* no such call, or no such member of its structure */
	if (ret && (errno == ENOSYS || errno == E2BIG))
		return -EOPNOTSUPP;
	return ret;
}

FIXTURE(process)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(process)
{
	struct perf_row row;
};

FIXTURE_SETUP(process)
{
}

FIXTURE_TEARDOWN(process)
{
}

/*
 * Limits grow with depth: twice what a level was seen to cost where it costs
 * most, on top of 5 %.  What grows faster than depth fails at 31 first.
 */
/* clang-format off */
#define ROW(name, op, depth, level, ...) \
	.row = { "fork." name ".pidns" #depth, op, 0, &perf_pidns##depth, \
		 1.05 + (depth) * (level), 0, __VA_ARGS__ }
#define FORK_EXEC(depth) ROW("fork_exec", perf_fork_exec, depth, 0.01, \
	"1 % a level: one number, of 200 steps", open_probe)
#define VFORK_EXEC(depth) ROW("vfork_exec", vfork_exec, depth, 0.02, \
	"2 % a level: one number, of 100 steps", open_probe)
#define VFORK(depth) ROW("vfork", perf_vfork_wait, depth, 0.08, \
	"8 % a level: one number, of 40 steps")
#define SPAWN(depth) ROW("spawn_shell", spawn_shell, depth, 0.01, \
	"1 % a level: one number, of 500 steps")
#define THREAD(depth) ROW("thread", perf_thread, depth, 0.10, \
	"10 % a level: one number, of 30 steps")

FIXTURE_VARIANT_ADD(process, fork_exec_1)   { FORK_EXEC(1) };
FIXTURE_VARIANT_ADD(process, fork_exec_8)   { FORK_EXEC(8) };
FIXTURE_VARIANT_ADD(process, fork_exec_31)  { FORK_EXEC(31) };
FIXTURE_VARIANT_ADD(process, vfork_exec_1)  { VFORK_EXEC(1) };
FIXTURE_VARIANT_ADD(process, vfork_exec_8)  { VFORK_EXEC(8) };
FIXTURE_VARIANT_ADD(process, vfork_exec_31) { VFORK_EXEC(31) };
FIXTURE_VARIANT_ADD(process, vfork_1)       { VFORK(1) };
FIXTURE_VARIANT_ADD(process, vfork_8)       { VFORK(8) };
FIXTURE_VARIANT_ADD(process, vfork_31)      { VFORK(31) };
FIXTURE_VARIANT_ADD(process, spawn_1)       { SPAWN(1) };
FIXTURE_VARIANT_ADD(process, spawn_8)       { SPAWN(8) };
FIXTURE_VARIANT_ADD(process, spawn_31)      { SPAWN(31) };
FIXTURE_VARIANT_ADD(process, thread_1)      { THREAD(1) };
FIXTURE_VARIANT_ADD(process, thread_8)      { THREAD(8) };
FIXTURE_VARIANT_ADD(process, thread_31)     { THREAD(31) };
FIXTURE_VARIANT_ADD(process, set_tid)       { .row = {
	"fork.set_tid.deeper", fork_wanted, 0, &perf_deeper, 1.12, 0,
	"1 % for each of 7 more levels", try_wanted, NEEDS_SET_TID } };
/* clang-format on */

TEST_F(process, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
