/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of a workload: single letters with a number, as its classics have
 * them.  They come from a variable of the environment,
 *
 *	SELFTESTS_THREADS="-s 1000 -t 4" ./run_all.sh -v fork/threads_perf
 *
 * or follow "--" on the program's own command line, as the options before it
 * are the harness's:
 *
 *	fork/threads_perf -- -s 1000 -t 4
 */
#ifndef LIB_PERF_PARAMS_H
#define LIB_PERF_PARAMS_H

#include <stddef.h>

/*
 * struct perf_param - a parameter
 * @letter: its option; a table of these ends with a letter 0
 * @value:  the default, then what was asked for
 * @most:   it is from 1 to this
 * @asked:  whether it was given
 */
struct perf_param {
	char letter;
	long value;
	long most;
	int asked;
};

/**
 * perf_params_read - what was asked for
 * @p: the table
 * @variable: of the environment
 *
 * The command line counts more than the environment; without /proc it cannot
 * be read and counts nothing.
 * Returns how many were given, or -EINVAL for what makes no sense.
 */
int perf_params_read(struct perf_param *p, const char *variable);

/**
 * perf_params_name - name of the measurement with these parameters
 * @p: of perf_params_read()
 * @base: its name with the defaults
 * @buf, @size: @base, then what was given: histories are kept by name
 */
void perf_params_name(const struct perf_param *p, const char *base, char *buf,
		      size_t size);

/**
 * perf_param - the value of a parameter
 * @p: the table
 * @letter: one that is there
 */
long perf_param(const struct perf_param *p, char letter);

#endif /* LIB_PERF_PARAMS_H */
