// SPDX-License-Identifier: GPL-2.0
/* What the environment asks for, and records of what came out. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_impl.h"

/*
 * Far more than a measurement takes when nothing is near a limit, and short
 * enough for the time limits of a harness.
 */
#define BUDGET_MS 3000

static int read_number(const char *variable, double least, double *value)
{
	const char *text = getenv(variable);
	char *end;

	if (!text || !*text)
		return 0;
	*value = strtod(text, &end);
	return *end || !(*value >= least && *value <= INT_MAX) ? -EINVAL : 0;
}

static int is_set(const char *variable)
{
	const char *text = getenv(variable);

	return text && *text && strcmp(text, "0");
}

/* One of RATIO and +PERCENT%, up to @end. */
static int read_limit(const char *text, const char *end, double *limit)
{
	char *stop;

	*limit = strtod(text, &stop);
	if (*text == '+' && *stop == '%') {
		*limit = 1 + *limit / 100;
		stop++;
	}
	return stop == end && *limit > 0 ? 0 : -EINVAL;
}

static int read_limits(const char *list, const char *name, double *limit)
{
	const char *end, *value;
	double x;

	for (; list && *list; list = *end ? end + 1 : end) {
		end = list + strcspn(list, ",");
		value = memchr(list, '=', end - list);
		value = value ? value + 1 : list;
		if (read_limit(value, end, &x))
			return -EINVAL;
		if (value == list ||
		    (strlen(name) == (size_t)(value - list - 1) &&
		     !strncmp(list, name, value - list - 1)))
			*limit = x;
	}
	return 0;
}

int perf_options_read(struct perf_options *o, const char *name)
{
	double cpu = -1, budget = BUDGET_MS;

	*o = (struct perf_options){ .null = is_set("SELFTESTS_PERF_NULL") };
	if (is_set("SELFTESTS_PERF_REPORT_ONLY"))
		o->report_only = "asked";
	else if (is_set("KSFT_MACHINE_SLOW"))
		o->report_only = "slow-machine";
	if (is_set("SELFTESTS_PERF_RAW"))
		o->raw = getenv("SELFTESTS_PERF_RAW");
	if (read_number("SELFTESTS_PERF_INJECT", 0, &o->inject) ||
	    read_number("SELFTESTS_PERF_BUDGET_MS", 1, &budget) ||
	    read_number("SELFTESTS_PERF_CPU", 0, &cpu) ||
	    read_limits(getenv("SELFTESTS_PERF_LIMIT"), name, &o->limit))
		return -EINVAL;
	o->budget_ms = budget;
	o->cpu = cpu;
	return 0;
}

static const char *verdict_word(enum perf_verdict verdict)
{
	static const char *const words[] = {
		[PERF_WITHIN] = "within",
		[PERF_OVER] = "over",
		[PERF_UNSURE] = "unsure",
		[PERF_REPORT] = "report",
	};

	return words[verdict];
}

void perf_line(char *buf, size_t size, const struct perf_row *row,
	       const struct perf_result *res, const struct env *env)
{
	buf[0] = '\0';
	line_add(buf, size, "perf name=%s unit=ns/op outside=%.4g inside=%.4g",
		 row->name, res->outside, res->inside);
	line_add(buf, size, " ratio=%.4f lo=%.4f hi=%.4f limit=%.4g n=%d",
		 res->ratio, res->lo, res->hi, res->limit, res->pairs);
	line_add(buf, size, " verdict=%s", verdict_word(res->verdict));
	if (res->reason)
		line_add(buf, size, " reason=%s", res->reason);
	line_add(buf, size, " launches=%d nulls=%d spread=%.4f batch=%lu",
		 res->launches, res->nulls, res->spread, res->batch);
	line_add(buf, size, " loop=%.2f loop-subtracted=%s", res->loop,
		 res->subtracted ? "yes" : "no");
	line_add(buf, size, " place=%s ms=%d", row->place->name, res->ms);
	if (res->cpu < 0)
		line_add(buf, size, " cpu=all");
	else
		line_add(buf, size, " cpu=%d", res->cpu);
	line_add(buf, size, " sched=%s", res->fifo ? "fifo" : "other");
	env_line(env, buf, size);
}

int perf_raw_open(const char *directory, const char *name, int *fd)
{
	static const char head[] =
		"launch\tnull\tpair\toutside_ns\tinside_ns\n";
	char path[PATH_MAX];

	*fd = -1;
	if (!directory)
		return 0;
	if (snprintf(path, sizeof(path), "%s/%s.tsv", directory, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	*fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (*fd < 0)
		return -errno;
	return write(*fd, head, strlen(head)) < 0 ? -errno : 0;
}

int perf_raw_write(int fd, int launch, int null, const struct perf_launch *l)
{
	int i;

	for (i = 0; fd >= 0 && i < l->pairs; i++) {
		if (dprintf(fd, "%d\t%d\t%d\t%.3f\t%.3f\n", launch, null, i,
			    l->ns[OUTSIDE][i], l->ns[INSIDE][i]) < 0)
			return -EIO;
	}
	return 0;
}
