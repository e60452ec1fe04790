// SPDX-License-Identifier: GPL-2.0
/*
 * The two loops that process accounting and pid namespaces were argued about
 * with: fork N processes that exit at once and reap them later, and fork, wait
 * for the exit, N times; both also with the numbers starting over.
 *
 *	fork/fork_exit_perf -- -n 2000
 *
 * or SELFTESTS_FORK_EXIT="-n ..." with run_all.sh.  A fork that fails is
 * counted, not mended: that is how too small a pid_max shows.
 *
 * Promises: fork(2), wait(2), pid_namespaces(7); numbers are handed out in a
 *           circle (kernel/pid.c:alloc_pid), and starting over is cheap.
 * Guards:   none.
 * Needs:    root or user namespaces; CONFIG_CHECKPOINT_RESTORE to start over.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include "perf_ops.h"
#include "perf_place.h"
#include "perf_workload.h"

/*
 * What the test shares with the workers, who have a copy of all but @errors.
 * @wrap:   whether numbers start over in each operation
 * @errors: forks that failed, outside and inside
 */
struct loop {
	struct perf_param params[2];
	int wrap;
	long *errors;
};

static const struct loop *loop_of(const struct perf_ctx *ctx)
{
	return (const struct loop *)ctx->arg;
}

static int start_over(const struct perf_ctx *ctx)
{
	return loop_of(ctx)->wrap ? perf_near_end(ctx) : 0;
}

static pid_t fork_child(const struct perf_ctx *ctx)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		loop_of(ctx)->errors[ctx->inside]++;
	return pid;
}

static int fork_exit(unsigned long n, struct perf_ctx *ctx)
{
	long i, children;
	int ret = 0;

	while (n-- && !ret) {
		ret = start_over(ctx);
		children = 0;
		for (i = perf_param(loop_of(ctx)->params, 'n'); i > 0; i--)
			children += fork_child(ctx) > 0;
		/* All of them: it makes no others. */
		while (children-- && !ret)
			ret = waitpid(-1, NULL, 0) > 0 ? 0 : -ECHILD;
	}
	return ret;
}

static int fork_wait_exit(unsigned long n, struct perf_ctx *ctx)
{
	pid_t pid;
	int ret = 0;
	long i;

	while (n-- && !ret) {
		ret = start_over(ctx);
		for (i = perf_param(loop_of(ctx)->params, 'n'); i > 0; i--) {
			pid = fork_child(ctx);
			if (pid > 0)
				ret |= perf_reap(pid);
		}
	}
	return ret;
}

/* Half of the processes get numbers from before the end of the circle. */
static int find_end(struct perf_ctx *ctx)
{
	return perf_open_end(ctx, perf_param(loop_of(ctx)->params, 'n') / 2);
}

static void print_table(const struct workload *w, const struct perf_result *res)
{
	const struct loop *loop = (const struct loop *)w->row.arg;
	long n = perf_param(w->params, 'n');

	printf("# %-8s %12s %12s  %ld at a time\n", "forks", "us/process",
	       "processes/s", n);
	printf("# %-8s %12.2f %12.0f  Fork returned an error: %ld times\n",
	       "outside", res->outside / n / 1e3, n * 1e9 / res->outside,
	       loop->errors[0]);
	printf("# %-8s %12.2f %12.0f  Fork returned an error: %ld times\n",
	       "inside", res->inside / n / 1e3, n * 1e9 / res->inside,
	       loop->errors[1]);
}

FIXTURE(fork_exit)
{
	struct loop loop;
};

FIXTURE_VARIANT(fork_exit)
{
	struct perf_row row;
	int wrap;
};

FIXTURE_SETUP(fork_exit)
{
	self->loop = (struct loop){
		.params = { { 'n', 20, 10000000, 0 }, { 0, 0, 0, 0 } },
		.wrap = variant->wrap,
	};
	self->loop.errors = mmap(NULL, 2 * sizeof(long), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->loop.errors);
}

FIXTURE_TEARDOWN(fork_exit)
{
	munmap(self->loop.errors, 2 * sizeof(long));
}

/* clang-format off */
#define ROW(name, op) .row = { "fork." name, op, 0, &perf_both, 1.06, 0, \
	"1 % for one level and 5 %, as for a single fork" }
#define WRAP(name, op) .row = { "fork." name ".wrap", op, 0, &perf_apart, 1.10, \
	0, "a second search in the tree of numbers, once in 20 processes", \
	find_end, NEEDS_CHECKPOINT_RESTORE }, .wrap = 1

FIXTURE_VARIANT_ADD(fork_exit, forkexit)       { ROW("forkexit", fork_exit) };
FIXTURE_VARIANT_ADD(fork_exit, fork_wait_exit) { ROW("fork_wait_exit", fork_wait_exit) };
FIXTURE_VARIANT_ADD(fork_exit, forkexit_wrap)  { WRAP("forkexit", fork_exit) };
FIXTURE_VARIANT_ADD(fork_exit, fork_wait_exit_wrap)
	{ WRAP("fork_wait_exit", fork_wait_exit) };
/* clang-format on */

TEST_F_TIMEOUT(fork_exit, costs_inside_what_it_costs_outside, WORKLOAD_TIMEOUT)
{
	struct workload w = {
		.row = variant->row,
		.params = self->loop.params,
		.variable = "SELFTESTS_FORK_EXIT",
		.table = print_table,
	};

	w.row.arg = (long)&self->loop;
	expect_cheap_workload(_metadata, &w);
}

TEST_HARNESS_MAIN
