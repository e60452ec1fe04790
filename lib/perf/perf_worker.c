// SPDX-License-Identifier: GPL-2.0
/* What a twin does all day; see perf.h. */
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "perf_impl.h"

/* Fewer operations are slowed down by waiting, more by doing more of them. */
#define INJECT_BY_OPERATIONS 100

long long perf_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int empty_turns(unsigned long n)
{
	while (n--)
		__asm__ volatile("");
	return 0;
}

/* Each step waits for the one before, however the loop was translated. */
static int reference_steps(unsigned long n)
{
	unsigned long x = n;

	while (n--) {
		x = x * 1664525 + 1013904223;
		__asm__ volatile("" : "+r"(x));
	}
	return 0;
}

static int slowed(perf_op op, unsigned long n, struct perf_ctx *ctx,
		  double percent)
{
	long long start, until;
	int error;

	if (n >= INJECT_BY_OPERATIONS)
		return op(n + (unsigned long)(n * percent / 100), ctx);
	start = perf_now();
	error = op(n, ctx);
	until = perf_now();
	until += (until - start) * percent / 100;
	while (perf_now() < until)
		;
	return error;
}

static void obey(struct twins *t, int who, struct perf_ctx *ctx)
{
	struct twin_order *o = &t->order[who];
	double percent = who == INSIDE ? t->inject : 0;
	long long start = perf_now();

	if (o->task == TWIN_EMPTY)
		o->error = empty_turns(o->n);
	else if (o->task == TWIN_REFERENCE)
		o->error = reference_steps(o->n);
	else if (percent > 0)
		o->error = slowed(t->row->op, o->n, ctx, percent);
	else
		o->error = t->row->op(o->n, ctx);
	o->ns = perf_now() - start;
}

void twin_answer(struct twins *t, int who, int error)
{
	char c = 0;

	if (error)
		t->order[who].error = error;
	if (write(t->answer[who][1], &c, 1) != 1)
		_exit(1);
}

void twin_work(struct twins *t, int who)
{
	struct perf_ctx ctx = {
		.arg = t->row->arg,
		.inside = who == INSIDE && t->inside,
	};
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	twin_answer(t, who, t->row->prepare ? t->row->prepare(&ctx) : 0);
	while (read(t->command[who][0], &c, 1) == 1) {
		obey(t, who, &ctx);
		twin_answer(t, who, 0);
	}
	_exit(0);
}
