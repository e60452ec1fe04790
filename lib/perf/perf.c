// SPDX-License-Identifier: GPL-2.0
/* A measurement and the process that controls it; see perf.h. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "caps.h"
#include "child.h"
#include "perf_impl.h"

/* Room for 8192 CPUs, the most a kernel can be built for. */
#define CPU_SETS 8

/* What is shared between the caller and the controller. */
struct study_page {
	struct perf_result res;
	int error;
};

/* The last one: the first ones tend to serve the interrupts. */
static int choose_cpu(int wanted, int *cpu)
{
	cpu_set_t set[CPU_SETS];
	int i;

	if (sched_getaffinity(0, sizeof(set), set))
		return -errno;
	*cpu = wanted;
	for (i = CPU_SETS * CPU_SETSIZE - 1; i >= 0 && *cpu < 0; i--) {
		if (CPU_ISSET_S(i, sizeof(set), set))
			*cpu = i;
	}
	CPU_ZERO_S(sizeof(set), set);
	CPU_SET_S(*cpu, sizeof(set), set);
	return sched_setaffinity(0, sizeof(set), set) ? -errno : 0;
}

/*
 * Fewer batches are interrupted; where this is refused, more are.  A priority
 * of SCHED_OTHER would not do: it counts within an autogroup only (sched(7)).
 */
static int get_ahead(void)
{
	struct sched_param lowest = { .sched_priority = 1 };

	return !sched_setscheduler(0, SCHED_FIFO, &lowest);
}

static int study(struct perf_study *s, struct child_report *rep)
{
	int ret;

	s->start = perf_now();
	ret = perf_raw_open(&s->raw, s->o->raw, s->row->name);
	s->res->cpu = -1;
	if (!ret && !s->row->wide) {
		ret = choose_cpu(s->o->cpu, &s->res->cpu);
		s->res->fifo = get_ahead();
	}
	if (!ret)
		ret = ns_prepare(s->row->place->flags, &s->res->missing);
	if (ret || s->res->missing)
		return ret;
	/* ns_prepare() may have changed credentials, which disarms this. */
	child_die_with_parent(rep);
	ret = twins_init(&s->twins, s->row);
	if (!ret && s->o->profile)
		return perf_profile(s);
	if (!ret)
		ret = perf_study(s);
	s->res->ms = (perf_now() - s->start) / 1000000;
	if (!ret && s->o->report_only) {
		s->res->verdict = PERF_REPORT;
		s->res->reason = s->o->report_only;
	}
	return ret;
}

struct study_args {
	const struct perf_row *row;
	const struct perf_options *o;
	struct study_page *page;
};

static void controller(struct child_report *rep, void *arg)
{
	struct study_args *args = arg;
	struct perf_study s = {
		.row = args->row,
		.o = args->o,
		.res = &args->page->res,
	};

	args->page->error = study(&s, rep);
}

int perf_compare(const struct perf_row *row, const struct perf_options *o,
		 struct perf_result *res)
{
	struct study_args args = { .row = row, .o = o };
	struct child c = CHILD_NONE;
	struct child_report rep;
	struct pollfd end;
	int ret;

	args.page = mmap(NULL, sizeof(*args.page), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (args.page == MAP_FAILED)
		return -errno;
	ret = child_start(&c, 0, controller, &args);
	if (!ret) {
		/* child_wait() has a deadline; a long budget may exceed it. */
		end = (struct pollfd){ .fd = c.pidfd, .events = POLLIN };
		while (poll(&end, 1, -1) < 0 && errno == EINTR)
			;
		ret = child_wait(&c, &rep);
	}
	if (!ret)
		ret = child_held(&rep) ? args.page->error : -ECHILD;
	*res = args.page->res;
	if (ret == -EOPNOTSUPP)
		res->missing = row->needs;
	else if (ret == -EUSERS)
		res->missing = row->place->needs;
	if (res->missing)
		ret = 0;
	munmap(args.page, sizeof(*args.page));
	return ret;
}
