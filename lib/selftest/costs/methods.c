// SPDX-License-Identifier: GPL-2.0
/*
 * Our verdict beside those of two usual methods, on the same operation, CPU and
 * injected slowdown:
 *
 *	methods clock|fork PERCENT LIMIT MS
 *
 *   means   MS of the operation outside, then as many of it inside, once; the
 *           means are compared
 *   counts  how many fit into MS outside, then inside, once; the numbers are
 *           compared, as people do with those of the kernel's gettime_perf
 *
 * These two also as "ahead", on the CPU before all others, as ours runs.  All
 * work with the twins of lib/perf, so that nothing but the method differs.
 *
 * Prints one line of key=value words; a method that only gives a number has its
 * ratio there.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "perf_impl.h"
#include "perf_ops.h"

enum { MEANS, COUNTS, METHODS };

/* Injected operations follow so many counted ones. */
#define STRIDE 100

/*
 * struct contest - shared by all processes
 * @op:      the operation
 * @percent: injected
 * @ms:      time for each side, of the usual methods
 * @count:   what each twin counted
 * @ratio:   of each method, in turn with others and ahead of them; 0: failed
 */
struct contest {
	perf_op op;
	double percent;
	double ms;
	double count[TWINS];
	double ratio[METHODS][2];
};

static int read_clock(unsigned long n, struct perf_ctx *ctx)
{
	struct timespec t;
	int failed = 0;

	(void)ctx;
	while (n--)
		failed |= clock_gettime(CLOCK_MONOTONIC, &t);
	return failed ? -1 : 0;
}

/* The reads that look for the end are the operation, as in gettime_perf. */
static int count_reads(unsigned long ns, struct perf_ctx *ctx)
{
	struct contest *c = (struct contest *)ctx->arg;
	unsigned long more = ctx->inside ? c->percent * STRIDE / 100 : 0;
	long long until = perf_now() + ns;
	long count = 0;

	while (perf_now() < until) {
		count++;
		if (count % STRIDE == 0)
			read_clock(more, ctx);
	}
	c->count[ctx->inside] = count;
	return 0;
}

static int count_forks(unsigned long ns, struct perf_ctx *ctx)
{
	struct contest *c = (struct contest *)ctx->arg;
	unsigned long more = ctx->inside ? c->percent * STRIDE / 100 : 0;
	long long until = perf_now() + ns;
	long count = 0;
	int ret = 0;

	while (!ret && perf_now() < until) {
		ret = perf_fork_wait(1, ctx);
		count++;
		if (!ret && count % STRIDE == 0)
			ret = perf_fork_wait(more, ctx);
	}
	c->count[ctx->inside] = count;
	return ret;
}

/* Two alike; ours has ancestors as well. */
static const struct perf_place nowhere = { "nowhere", 0, 1, NULL, NULL };

static int use_means(struct contest *c, struct twins *t, double *ratio)
{
	struct perf_gauge g;
	long long ns[TWINS];
	int who, ret = perf_gauge(t, &g);

	for (who = 0; who < TWINS && !ret; who++) {
		ns[who] = twin_run(t, who, TWIN_RUN, c->ms * 1e6 / g.outside);
		if (ns[who] < 0)
			ret = ns[who];
	}
	if (!ret)
		*ratio = (double)ns[INSIDE] / ns[OUTSIDE];
	return ret;
}

static int use_counts(struct contest *c, struct twins *t, double *ratio)
{
	long long ns;
	int who;

	for (who = 0; who < TWINS; who++) {
		ns = twin_run(t, who, TWIN_RUN, c->ms * 1e6);
		if (ns < 0)
			return ns;
	}
	if (c->count[INSIDE] > 0)
		*ratio = c->count[OUTSIDE] / c->count[INSIDE];
	return 0;
}

/* In a process of its own: what it leaves, it takes with it. */
static void usual(struct contest *c, int method, int ahead, int cpu)
{
	struct perf_row row = { .op = c->op,
				.arg = (long)c,
				.place = &nowhere };
	struct sched_param lowest = { .sched_priority = 1 };
	struct twins t;
	cpu_set_t set;
	int ret;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(1);
	if (ahead && sched_setscheduler(0, SCHED_FIFO, &lowest))
		_exit(1);
	if (method == COUNTS)
		row.op = c->op == read_clock ? count_reads : count_forks;
	ret = twins_init(&t, &row);
	t.inside = 1;
	t.inject = method == COUNTS ? 0 : c->percent;
	if (!ret)
		ret = twins_start(&t, OUTSIDE);
	if (!ret)
		ret = method == COUNTS ?
			      use_counts(c, &t, &c->ratio[method][ahead]) :
			      use_means(c, &t, &c->ratio[method][ahead]);
	if (!ret)
		twins_stop(&t);
	_exit(ret ? 1 : 0);
}

static int run_usual(struct contest *c, int cpu)
{
	int method, ahead, failed = 0;
	pid_t pid;

	for (method = 0; method < METHODS; method++) {
		for (ahead = 0; ahead < 2; ahead++) {
			pid = fork();
			if (pid == 0)
				usual(c, method, ahead, cpu);
			failed |= perf_reap(pid);
		}
	}
	return failed;
}

static int run_ours(const struct contest *c, double limit,
		    struct perf_result *res)
{
	static const char *const word[] = { "within", "over", "unsure" };
	struct perf_options o = { .inject = c->percent,
				  .limit = limit,
				  .budget_ms = 3000,
				  .cpu = -1 };
	struct perf_row row = { .name = "x", .op = c->op, .place = &nowhere };

	if (perf_compare(&row, &o, res) || res->missing)
		return -1;
	printf(" ours=%s ratio=%.4f ms=%d", word[res->verdict], res->ratio,
	       res->ms);
	return 0;
}

int main(int argc, char **argv)
{
	struct contest *c;
	struct perf_result res;
	struct env env;

	if (argc != 5)
		return 2;
	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c == MAP_FAILED)
		return 1;
	c->op = strcmp(argv[1], "clock") ? perf_fork_wait : read_clock;
	c->percent = atof(argv[2]);
	c->ms = atof(argv[4]);
	env_read(&env);
	printf("op=%s inject=%s limit=%s", argv[1], argv[2], argv[3]);
	if (run_ours(c, atof(argv[3]), &res))
		return 1;
	fflush(stdout);
	if (run_usual(c, res.cpu))
		return 1;
	env_after(&env);
	printf(" means=%.4f means_ahead=%.4f counts=%.4f counts_ahead=%.4f",
	       c->ratio[MEANS][0], c->ratio[MEANS][1], c->ratio[COUNTS][0],
	       c->ratio[COUNTS][1]);
	printf(" each=%s load=%.2f\n", argv[4], env.load);
	return 0;
}
