/* SPDX-License-Identifier: GPL-2.0 */
/* A cgroup for one test, which goes when the test does, whatever happens. */
#ifndef FORK_SCRATCH_CGROUP_H
#define FORK_SCRATCH_CGROUP_H

#include <sys/types.h>

/*
 * struct scratch_cgroup
 * @path: the directory, "" when there is none
 * @line: kept open while it is needed, by whoever could be in it
 * @guard: who waits for the end of the line
 */
struct scratch_cgroup {
	char path[256];
	int line;
	pid_t guard;
};

#define SCRATCH_CGROUP_NONE ((struct scratch_cgroup){ .line = -1 })

/**
 * scratch_cgroup_make - make a cgroup
 * @cg: filled
 * @controller: "pids", or NULL for any cgroup of version 2
 *
 * Version 1 or 2, whichever has the controller.  Version 2 is only used where
 * the controller is on already: switching it on would change the machine.
 * A guard process removes the cgroup once @cg is ended or its owner dead.
 * Returns 0; -ENOENT when no such hierarchy is mounted; -EACCES, -EPERM,
 * -EROFS when it may not be written; another negative errno.
 */
int scratch_cgroup_make(struct scratch_cgroup *cg, const char *controller);

/**
 * scratch_cgroup_end - remove the cgroup; nobody may be in it any more
 * @cg: SCRATCH_CGROUP_NONE afterwards, and allowed
 */
void scratch_cgroup_end(struct scratch_cgroup *cg);

/**
 * scratch_cgroup_write - write a file of the cgroup
 * @file: its name, e.g. "cgroup.procs"
 * @text: what to write
 *
 * Returns 0 or a negative errno.
 */
int scratch_cgroup_write(const struct scratch_cgroup *cg, const char *file,
			 const char *text);

/**
 * scratch_cgroup_number - a number from a file of the cgroup
 * @file: its name
 * @word: see proc_number()
 *
 * Returns it or a negative errno.
 */
long long scratch_cgroup_number(const struct scratch_cgroup *cg,
				const char *file, const char *word);

#endif /* FORK_SCRATCH_CGROUP_H */
