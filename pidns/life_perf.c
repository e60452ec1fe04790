// SPDX-License-Identifier: GPL-2.0
/*
 * What the life of a pid namespace costs: making one and letting it end,
 * entering one; deep inside others, and with many others around.
 *
 * Promises: pid_namespaces(7); containers come and go often
 *           (kernel/pid_namespace.c:create_pid_namespace,
 *           zap_pid_ns_processes, pidns_install).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <signal.h>
#include <sys/wait.h>

#include "perf_crowd.h"
#include "perf_expect.h"
#include "perf_ops.h"
#include "perf_place.h"

#define STACK 16384

static int end(void *arg)
{
	(void)arg;
	return 0;
}

/* The caller's memory is copied, so the stack may lie in it. */
static pid_t clone_init(void)
{
	char stack[STACK] __attribute__((aligned(16)));

	return clone(end, stack + STACK, CLONE_NEWPID | SIGCHLD, NULL);
}

static int make_and_end(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;
	int status;

	(void)ctx;
	while (n--) {
		pid = clone_init();
		if (pid < 0)
			return -errno;
		if (waitpid(pid, &status, 0) != pid || status)
			return -ECHILD;
	}
	return 0;
}

static int make_others(struct perf_ctx *ctx)
{
	return perf_crowd(ctx, ctx->inside ? ctx->arg : 1, CLONE_NEWPID);
}

static int open_pidns(struct perf_ctx *ctx)
{
	return perf_open_ns(ctx, "/proc/self/ns/pid");
}

FIXTURE(life)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(life)
{
	struct perf_row row;
};

FIXTURE_SETUP(life)
{
}

FIXTURE_TEARDOWN(life)
{
}

/* clang-format off */
#define OTHERS(name, op, many) .row = { \
	"pidns.life.with_" name, op, many, &perf_apart, 1.15, 0, \
	"nothing looks at other namespaces; a tree gets higher", \
	make_others, NEEDS_PROCESSES, 3 }

FIXTURE_VARIANT_ADD(life, in_pidns)   { .row = {
	"pidns.life.pidns1", make_and_end, 0, &perf_pidns1, 1.10, 0,
	"one more number, and a count for each level" } };
FIXTURE_VARIANT_ADD(life, deeper)     { .row = {
	"pidns.life.deeper", make_and_end, 0, &perf_deeper, 1.15, 0,
	"7 more numbers, 2 % each" } };
FIXTURE_VARIANT_ADD(life, in_pidns_8) { .row = {
	"pidns.life.pidns8", make_and_end, 0, &perf_pidns8, 1.30, 0,
	"8 more numbers, 2 % each, and a count for each level" } };
FIXTURE_VARIANT_ADD(life, with_100)   { OTHERS("100", make_and_end, 100) };
FIXTURE_VARIANT_ADD(life, with_5000)  { OTHERS("5000", make_and_end, 5000) };
FIXTURE_VARIANT_ADD(life, setns)      { .row = {
	"pidns.setns.deeper", perf_enter, 0, &perf_deeper, 1.10, 0,
	"walks up from the new one to the own one, here no step", open_pidns } };
/* clang-format on */

TEST_F(life, costs_inside_what_it_costs_outside)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
