// SPDX-License-Identifier: GPL-2.0
/*
 * Many users at once, who fork, execute, talk through pipes, write files, send
 * signals and compute: does the whole scale inside as it does outside?
 *
 *	fork/users_perf -- -u 50 -j 100
 *
 * or SELFTESTS_USERS="-u ..." with run_all.sh: -u users at once instead of 1, 4
 * and 16, -j jobs of each.
 *
 * JTI, the job timing index, is 100 when all users take equally long.
 *
 * Promises: pid_namespaces(7), time_namespaces(7) as means for whole systems.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "perf_ops.h"
#include "perf_place.h"
#include "perf_workload.h"
#include "users_jobs.h"

#define MOST_USERS 4096

/*
 * struct tally - what the runs on one side came to
 * @runs: how many
 * @cpu:  seconds of CPU time in all of them
 * @jti:  sum of the job timing indexes of all of them
 * @took: seconds that each user took in the present one
 */
struct tally {
	long runs;
	double cpu;
	double jti;
	double took[MOST_USERS];
};

struct crowd {
	struct perf_param params[3];
	struct tally *side;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double cpu_time(int whose)
{
	struct rusage u;

	getrusage(whose, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Newton's way: there is no need for another library. */
static double root(double x)
{
	double y = x > 1 ? x : 1;
	int i;

	for (i = 0; i < 100 && x > 0; i++)
		y = (y + x / y) / 2;
	return x > 0 ? y : 0;
}

static double timing_index(const double *took, int n)
{
	double mean = 0, square = 0;
	int i;

	for (i = 0; i < n; i++)
		mean += took[i] / n;
	for (i = 0; i < n; i++)
		square += (took[i] - mean) * (took[i] - mean) / n;
	return mean > 0 ? 100 * (1 - root(square) / mean) : 0;
}

static void be_user(const struct crowd *crowd, struct tally *tally, int user,
		    int probe)
{
	double start = now();
	int ret;

	ret = user_work(user, perf_param(crowd->params, 'j'), probe);
	tally->took[user] = now() - start;
	_exit(ret ? 1 : 0);
}

static int run_users(unsigned long n, struct perf_ctx *ctx)
{
	const struct crowd *crowd = (const struct crowd *)ctx->arg;
	struct tally *tally = &crowd->side[ctx->inside];
	int i, users = perf_param(crowd->params, 'u'), ret = 0;
	pid_t pid[MOST_USERS];
	double before;

	while (n-- && !ret) {
		before = cpu_time(RUSAGE_CHILDREN);
		for (i = 0; i < users; i++) {
			pid[i] = fork();
			if (pid[i] == 0)
				be_user(crowd, tally, i, ctx->word[0]);
		}
		for (i = 0; i < users; i++)
			ret |= perf_reap(pid[i]);
		tally->runs++;
		tally->cpu += cpu_time(RUSAGE_CHILDREN) - before;
		tally->jti += timing_index(tally->took, users);
	}
	return ret;
}

static int open_probe(struct perf_ctx *ctx)
{
	ctx->word[0] = perf_open_probe("nothing_probe");
	return ctx->word[0] < 0 ? ctx->word[0] : 0;
}

static void print_side(const struct crowd *crowd, const char *name,
		       const struct tally *tally, double ns)
{
	long users = perf_param(crowd->params, 'u');
	double jobs = users * perf_param(crowd->params, 'j');
	double runs = tally->runs ? tally->runs : 1;

	printf("# %-8s %6ld %10.0f %5.0f %9.4f %9.4f %14.2f\n", name, users,
	       jobs * 60e9 / ns, tally->jti / runs, ns / 1e9, tally->cpu / runs,
	       jobs * 1e9 / ns / users);
}

static void print_table(const struct workload *w, const struct perf_result *res)
{
	const struct crowd *crowd = (const struct crowd *)w->row.arg;

	printf("# %-8s %6s %10s %5s %9s %9s %14s\n", "users", "Tasks",
	       "Jobs/Min", "JTI", "Real", "CPU", "Jobs/sec/task");
	print_side(crowd, "outside", &crowd->side[0], res->outside);
	print_side(crowd, "inside", &crowd->side[1], res->inside);
}

FIXTURE(users)
{
	struct crowd crowd;
};

FIXTURE_VARIANT(users)
{
	const char *name;
	int users;
	int wide;
};

FIXTURE_SETUP(users)
{
	self->crowd =
		(struct crowd){ .params = {
					{ 'u', variant->users, MOST_USERS, 0 },
					{ 'j', USER_KINDS, 1000000, 0 },
				} };
	self->crowd.side = mmap(NULL, 2 * sizeof(struct tally),
				PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->crowd.side);
}

FIXTURE_TEARDOWN(users)
{
	munmap(self->crowd.side, 2 * sizeof(struct tally));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(users, one)  { "fork.users.1", 1, 0 };
FIXTURE_VARIANT_ADD(users, some) { "fork.users.4", 4, 0 };
FIXTURE_VARIANT_ADD(users, many) { "fork.users.16", 16, 1 };
/* clang-format on */

TEST_F_TIMEOUT(users, get_inside_what_they_get_outside, WORKLOAD_TIMEOUT)
{
	struct workload w = {
		.row = { variant->name, run_users, (long)&self->crowd,
			 &perf_both, 1.10, 0,
			 "a process costs 1 % more, and jobs do other things",
			 open_probe },
		.params = self->crowd.params,
		.variable = "SELFTESTS_USERS",
		.table = print_table,
	};

	w.row.wide = variant->wide;
	w.row.weight = 1 + 2 * variant->wide;
	expect_cheap_workload(_metadata, &w);
}

TEST_HARNESS_MAIN
