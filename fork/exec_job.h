/* SPDX-License-Identifier: GPL-2.0 */
/* Execute an image from this or that thread of a process. */
#ifndef FORK_EXEC_JOB_H
#define FORK_EXEC_JOB_H

#include <pthread.h>
#include <stdint.h>

#include "child.h"

enum exec_caller {
	LEADER, /* the only thread */
	THREAD, /* another one, while the leader waits */
	HEIR, /* another one, after the leader ended */
	CROWD, /* several at the same time */
};

enum exec_place { INIT = 1, MEMBER };

/* What the process was before; in shared memory, it outlives the process. */
struct exec_before {
	int64_t pid;
	int64_t ns_pid;
	int64_t ns_time;
};

/*
 * struct exec_job - what to execute, and how
 * @path:   the image
 * @out:    where it writes its report
 * @place:  first process of a pid namespace, or a later one
 * @caller: which thread
 * @fd, @fds: see image_exec()
 * @before: filled by the process
 * The rest belongs to exec_here().
 */
struct exec_job {
	const char *path;
	int out;
	enum exec_place place;
	enum exec_caller caller;
	int fd[8];
	int fds;
	struct exec_before *before;
	struct child_report *rep;
	pthread_barrier_t ready;
	pid_t leader; /* cleared by the kernel when the leader ends */
};

/**
 * exec_job_init - a job for another image
 * @job: filled: executes @path as the only thread, writes to @out
 * @path, @out: see struct exec_job
 *
 * The page of @job->before lives as long as the caller.
 * Returns 0 or a negative errno of mmap(2).
 */
int exec_job_init(struct exec_job *job, const char *path, int out);

/**
 * exec_here - a child_fn that becomes the image
 * @rep: the report, filled only when that fails
 * @arg: the job
 */
void exec_here(struct child_report *rep, void *arg);

/**
 * exec_run - run a function that becomes an image, in a child
 * @rep: the caller's own report; the caller stops unless the image ended well
 * @flags, @fn: see child_run()
 * @job: handed to @fn
 *
 * The image has no report page: what is left of it is how it ended.
 */
void exec_run(struct child_report *rep, __u64 flags, child_fn fn,
	      struct exec_job *job);

#endif /* FORK_EXEC_JOB_H */
