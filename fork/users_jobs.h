/* SPDX-License-Identifier: GPL-2.0 */
/* What a simulated user does; see users_perf.c. */
#ifndef FORK_USERS_JOBS_H
#define FORK_USERS_JOBS_H

/* How many kinds of jobs there are. */
#define USER_KINDS 6

/**
 * user_work - do jobs of all kinds in turn
 * @user: who; users start with different kinds, so that they do not march
 * @jobs: how many
 * @probe: of perf_open_probe(), a program that ends at once
 *
 * Returns 0, or a negative errno of the first job that did not work.
 */
int user_work(int user, long jobs, int probe);

#endif /* FORK_USERS_JOBS_H */
