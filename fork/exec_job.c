// SPDX-License-Identifier: GPL-2.0
/* Execute an image from this or that thread; see exec_job.h. */
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "exec_job.h"
#include "image.h"
#include "nslink.h"

#define THREADS 4

int exec_job_init(struct exec_job *job, const char *path, int out)
{
	*job = (struct exec_job){ .path = path, .out = out };
	job->before = mmap(NULL, sizeof(*job->before), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return job->before == MAP_FAILED ? -errno : 0;
}

static void *exec_in_thread(void *arg)
{
	struct exec_job *job = arg;
	int ret;

	/* belongs to a thread, and the new image is this thread's */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_barrier_wait(&job->ready);
	if (job->caller == HEIR)
		syscall(SYS_futex, &job->leader, FUTEX_WAIT, job->before->pid,
			NULL, NULL, 0);
	ret = image_exec(job->path, job->out, job->fd, job->fds);
	/* of a crowd only one gets through */
	if (job->caller != CROWD)
		CHILD_EQ(job->rep, 0, ret);
	return NULL;
}

static void exec_by_threads(struct child_report *rep, struct exec_job *job)
{
	int n = job->caller == CROWD ? THREADS : 1;
	pthread_t thread;
	int i;

	CHILD_EQ(rep, 0, pthread_barrier_init(&job->ready, NULL, n + 1));
	if (job->caller == HEIR) {
		job->leader = getpid();
		CHILD_EQ(rep, job->leader,
			 syscall(SYS_set_tid_address, &job->leader));
	}
	for (i = 0; i < n; i++)
		CHILD_EQ(rep, 0,
			 pthread_create(&thread, NULL, exec_in_thread, job));
	pthread_barrier_wait(&job->ready);
	if (job->caller == HEIR)
		syscall(SYS_exit, 0);
	while (1)
		pause();
}

void exec_here(struct child_report *rep, void *arg)
{
	struct exec_job *job = arg;

	job->rep = rep;
	job->before->pid = getpid();
	job->before->ns_pid = nslink(NSLINK_PID);
	job->before->ns_time = nslink(NSLINK_TIME);
	if (job->caller != LEADER)
		exec_by_threads(rep, job);
	CHILD_EQ(rep, 0, image_exec(job->path, job->out, job->fd, job->fds));
}

void exec_run(struct child_report *rep, __u64 flags, child_fn fn,
	      struct exec_job *job)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, flags, fn, job));
	if (inner.file)
		CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, inner.signal);
	CHILD_EQ(rep, 0, inner.code);
}
