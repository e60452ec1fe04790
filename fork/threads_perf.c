// SPDX-License-Identifier: GPL-2.0
/*
 * The thread benchmark that pid namespaces were argued about with: top-level
 * threads start threads and join them, in several processes at once.
 *
 *	fork/threads_perf -- -s 1000 -t 4 -r 10 -n 2
 *
 * or SELFTESTS_THREADS="-s ..." with run_all.sh: -s threads started by each
 * process, by -t top-level threads together; each does -r rounds of a little
 * work; -n processes at once.
 *
 * Promises: pid_namespaces(7); a thread costs one number more for each level
 *           (kernel/pid.c:alloc_pid).
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <pthread.h>

#include "perf_ops.h"
#include "perf_place.h"
#include "perf_workload.h"

#define MOST_TOP 256
#define MOST_INSTANCES 1000

/* One top-level thread. */
struct top {
	pthread_t thread;
	long starts;
	long rounds;
	int failed;
};

static void *work(void *arg)
{
	const struct top *top = arg;
	long i;

	for (i = 0; i < top->rounds * 100; i++)
		__asm__ volatile("");
	return NULL;
}

static void *start_and_join(void *arg)
{
	struct top *top = arg;
	pthread_t t;
	long i;

	for (i = 0; i < top->starts && !top->failed; i++) {
		top->failed = pthread_create(&t, NULL, work, top) ||
			      pthread_join(t, NULL);
	}
	return NULL;
}

/* The first of the top-level threads is the one that is there anyway. */
static int run_instance(const struct perf_param *params)
{
	long starts = perf_param(params, 's');
	int n = perf_param(params, 't');
	struct top top[MOST_TOP] = { 0 };
	int i, failed = 0;

	for (i = 0; i < n; i++) {
		top[i].starts = starts * (i + 1) / n - starts * i / n;
		top[i].rounds = perf_param(params, 'r');
		if (i && pthread_create(&top[i].thread, NULL, start_and_join,
					&top[i]))
			return -EAGAIN;
	}
	start_and_join(&top[0]);
	for (i = 0; i < n; i++) {
		if (i)
			failed |= pthread_join(top[i].thread, NULL);
		failed |= top[i].failed;
	}
	return failed ? -EAGAIN : 0;
}

static int fork_instances(const struct perf_param *params, int n)
{
	pid_t pid[MOST_INSTANCES];
	int i, ret = 0;

	for (i = 0; i < n; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(run_instance(params) != 0);
	}
	for (i = 0; i < n; i++)
		ret |= perf_reap(pid[i]);
	return ret;
}

static int run_instances(unsigned long n, struct perf_ctx *ctx)
{
	const struct perf_param *params = (const struct perf_param *)ctx->arg;
	int many = perf_param(params, 'n');
	int ret = 0;

	while (n-- && !ret)
		ret = many > 1 ? fork_instances(params, many) :
				 run_instance(params);
	return ret;
}

static void print_side(const char *side, double ns, long starts)
{
	printf("# %-8s %12.2f %12.0f\n", side, ns / starts / 1e3,
	       starts * 1e9 / ns);
}

static void print_table(const struct workload *w, const struct perf_result *res)
{
	long instances = perf_param(w->params, 'n');
	long starts = perf_param(w->params, 's') * instances;

	printf("# %ld threads started by %ld x %ld top-level ones, of %ld rounds\n",
	       starts, instances, perf_param(w->params, 't'),
	       perf_param(w->params, 'r'));
	printf("# %-8s %12s %12s\n", "threads", "us/thread", "threads/s");
	print_side("outside", res->outside, starts);
	print_side("inside", res->inside, starts);
}

FIXTURE(threads)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(threads)
{
	const char *name;
	int top, instances, wide;
};

FIXTURE_SETUP(threads)
{
}

FIXTURE_TEARDOWN(threads)
{
}

/* clang-format off */
FIXTURE_VARIANT_ADD(threads, alone)   { "fork.threads", 1, 1, 0 };
FIXTURE_VARIANT_ADD(threads, at_once) { "fork.threads.at_once", 2, 4, 1 };
/* clang-format on */

TEST_F_TIMEOUT(threads, cost_inside_what_they_cost_outside, WORKLOAD_TIMEOUT)
{
	struct perf_param params[] = {
		{ 's', 64, 10000000, 0 },
		{ 't', variant->top, MOST_TOP, 0 },
		{ 'r', 1, 1000000, 0 },
		{ 'n', variant->instances, MOST_INSTANCES, 0 },
		{ 0, 0, 0, 0 },
	};
	struct workload w = {
		.row = { variant->name, run_instances, (long)params, &perf_both,
			 1.15, 0,
			 "10 % for one level, as for a single thread" },
		.params = params,
		.variable = "SELFTESTS_THREADS",
		.table = print_table,
	};

	w.row.wide = variant->wide;
	w.row.weight = 1 + 2 * variant->wide;
	expect_cheap_workload(_metadata, &w);
}

TEST_HARNESS_MAIN
