// SPDX-License-Identifier: GPL-2.0
/* What the environment asks for. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "perf.h"

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

static int fits(const char *pattern, size_t length, const char *name)
{
	char *copy = strndup(pattern, length);
	int ret = copy && !fnmatch(copy, name, 0);

	free(copy);
	return ret;
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
		if (value == list || fits(list, value - list - 1, name))
			*limit = x;
	}
	return 0;
}

static int read_profile(struct perf_options *o)
{
	const char *text = getenv("SELFTESTS_PERF_PROFILE");
	char *end;

	if (!text || !*text)
		return 0;
	o->profile = strtoul(text, &end, 10);
	return *end || *text == '-' || !o->profile ? -EINVAL : 0;
}

int perf_options_read(struct perf_options *o, const char *name)
{
	double cpu = -1, budget = BUDGET_MS, pairs = 0;

	*o = (struct perf_options){ .null = is_set("SELFTESTS_PERF_NULL") };
	if (is_set("SELFTESTS_PERF_REPORT_ONLY"))
		o->report_only = "asked";
	else if (is_set("KSFT_MACHINE_SLOW"))
		o->report_only = "slow-machine";
	if (is_set("SELFTESTS_PERF_RAW"))
		o->raw = getenv("SELFTESTS_PERF_RAW");
	if (is_set("SELFTESTS_PERF_CONTROL"))
		o->control = getenv("SELFTESTS_PERF_CONTROL");
	if (read_number("SELFTESTS_PERF_INJECT", 0, &o->inject) ||
	    read_number("SELFTESTS_PERF_BUDGET_MS", 1, &budget) ||
	    read_number("SELFTESTS_PERF_CPU", 0, &cpu) ||
	    read_number("SELFTESTS_PERF_PAIRS", 1, &pairs) ||
	    read_limits(getenv("SELFTESTS_PERF_LIMIT"), name, &o->limit) ||
	    read_profile(o))
		return -EINVAL;
	o->budget_ms = budget;
	o->cpu = cpu;
	o->pairs = pairs;
	return 0;
}
