/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rounds of a test that finds more the longer it runs: one round, or as many
 * as fit into SELFTESTS_SOAK_SECONDS of the environment.
 */
#ifndef FORK_SOAK_H
#define FORK_SOAK_H

#include <stdlib.h>
#include <time.h>

/* Longest that a soaking test may be told to run, for TEST_F_TIMEOUT(). */
#define SOAK_TIMEOUT 90000

struct soak {
	time_t end;
	int rounds;
};

/* soak_now - seconds of a clock that no time namespace moves for us midway */
static inline time_t soak_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * soak_begin - before the first round
 * @s: filled
 */
static inline void soak_begin(struct soak *s)
{
	const char *text = getenv("SELFTESTS_SOAK_SECONDS");

	s->end = soak_now() + (text ? atoi(text) : 0);
	s->rounds = 0;
}

/*
 * soak_again - shall there be another round?
 * @s: of soak_begin()
 *
 * Returns 1 the first time, and while the time is not over; else 0.
 */
static inline int soak_again(struct soak *s)
{
	return s->rounds++ == 0 || soak_now() < s->end;
}

#endif /* FORK_SOAK_H */
