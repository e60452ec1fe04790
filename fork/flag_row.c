// SPDX-License-Identifier: GPL-2.0
/* Call clone3(2), clone(2) or unshare(2) and see who moved; see flag_row.h. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "caps.h"
#include "clone3_stack.h"
#include "flag_row.h"
#include "lack.h"
#include "needs.h"
#include "nslink.h"

#define STACK_SIZE 65536

static const int link_flag[NSLINKS] = {
	[NSLINK_PID] = CLONE_NEWPID,   [NSLINK_TIME] = CLONE_NEWTIME,
	[NSLINK_USER] = CLONE_NEWUSER, [NSLINK_MNT] = CLONE_NEWNS,
	[NSLINK_UTS] = CLONE_NEWUTS,   [NSLINK_IPC] = CLONE_NEWIPC,
	[NSLINK_NET] = CLONE_NEWNET,   [NSLINK_CGROUP] = CLONE_NEWCGROUP,
};

/* What the new child found, in the values of the report. */
enum {
	SEEN_LINK = FLAG_ROW_CHILD + 1,
	SEEN_TID = SEEN_LINK + NSLINKS,
	SEEN_PENDING_TIME
};

enum call { CLONE3, CLONE, UNSHARE };

struct job {
	struct child_report *rep;
	struct gate done;
	int thread;
};

static int look_around(void *arg)
{
	struct job *job = arg;
	int i;

	for (i = 0; i < NSLINKS; i++)
		job->rep->value[SEEN_LINK + i] = nslink(i);
	job->rep->value[SEEN_TID] = syscall(SYS_gettid);
	job->rep->value[SEEN_PENDING_TIME] = nslink_named("time_for_children");
	gate_open(&job->done);
	/* _exit() would end the whole thread group */
	syscall(job->thread ? SYS_exit : SYS_exit_group, 0);
	return 0;
}

/* On a stack that is given back with the process: a thread may stay on it. */
static long make_child_on_stack(struct job *job, enum call call, __u64 flags,
				int sig)
{
	struct uapi_clone_args args = { .flags = flags, .exit_signal = sig };
	char *stack = aligned_alloc(16, 2 * STACK_SIZE);
	long ret;

	if (!stack)
		return -ENOMEM;
	args.stack = (uintptr_t)stack;
	args.stack_size = STACK_SIZE;
	if (call == CLONE3)
		return clone3_on_stack(&args, look_around, job);
	ret = clone(look_around, stack + STACK_SIZE, (int)flags | sig, job,
		    NULL, NULL, NULL);
	return ret < 0 ? -errno : ret;
}

static long make_child(struct job *job, enum call call, __u64 flags, int sig)
{
	struct uapi_clone_args args = { .flags = flags, .exit_signal = sig };
	long ret;

	if (call != CLONE3 || flags & CLONE_VM)
		return make_child_on_stack(job, call, flags, sig);
	ret = sys_clone3(&args, sizeof(args));
	if (ret == 0)
		look_around(job);
	return ret < 0 ? -errno : ret;
}

static void *park(void *arg __attribute__((unused)))
{
	while (1)
		pause();
	return NULL;
}

/* Returns the namespaces that the next child enters unasked. */
static __u64 become(struct child_report *rep, enum caller caller)
{
	pthread_t thread;

	if (caller == AFTER_NEWPID) {
		CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
		return CLONE_NEWPID;
	}
	if (caller == AFTER_NEWTIME) {
		CHILD_EQ(rep, 0, unshare(CLONE_NEWTIME));
		return CLONE_NEWTIME;
	}
	if (caller == THREADED) {
		child_need(rep, lack_of_threads());
		CHILD_EQ(rep, 0, pthread_create(&thread, NULL, park, NULL));
	}
	if (caller == NO_CAPS)
		CHILD_EQ(rep, 0, caps_drop_all());
	return 0;
}

static void vfork_with_pending_time(struct child_report *rep, void *arg)
{
	pid_t pid;

	(void)arg;
	CHILD_EQ(rep, 0, unshare(CLONE_NEWTIME));
	pid = vfork();
	if (pid == 0)
		_exit(0);
	if (pid < 0 && errno == EINVAL)
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
}

/*
 * Who shares memory shares the clocks.  Kernels before v6.2 refuse that with a
 * pending time namespace, and move the memory to a new one, parent and all.
 */
static __u64 entered_by(struct child_report *rep, const struct flag_row *row,
			__u64 pending)
{
	struct child_report inner;
	__u64 entered = row->flags | pending;

	if (row->want || !(row->flags & CLONE_VM) || !(entered & CLONE_NEWTIME))
		return entered;
	CHILD_EQ(rep, 0, child_run(&inner, 0, vfork_with_pending_time, NULL));
	CHILD_HELD(rep, &inner);
	return entered & ~(__u64)CLONE_NEWTIME;
}

static void read_links(int64_t *link)
{
	int i;

	for (i = 0; i < NSLINKS; i++)
		link[i] = nslink(i);
	link[NSLINKS] = nslink_named("time_for_children");
	link[NSLINKS + 1] = nslink_named("pid_for_children");
}

/* Differs exactly what is in @flags? */
static void check_links(struct child_report *rep, const int64_t *before,
			const int64_t *after, __u64 flags)
{
	int i;

	for (i = 0; i < NSLINKS; i++) {
		snprintf(rep->text, sizeof(rep->text), "(namespace flag %#x)",
			 link_flag[i]);
		CHILD_LE(rep, 0, after[i]);
		CHILD_EQ(rep, (flags & link_flag[i]) != 0,
			 before[i] != after[i]);
	}
	rep->text[0] = '\0';
}

static void check_child(struct child_report *rep, struct job *job,
			const int64_t *before, long pid, __u64 flags,
			__u64 entered)
{
	int64_t seen[NSLINKS];
	int status = -1;
	int i;

	CHILD_LE(rep, 1, pid);
	if (job->thread || flags & CLONE_PARENT) {
		CHILD_EQ(rep, 0, gate_wait(&job->done));
	} else {
		CHILD_EQ(rep, pid, waitpid(pid, &status, __WALL));
		CHILD_EQ(rep, 0, status);
	}
	rep->value[FLAG_ROW_CHILD] = pid;
	for (i = 0; i < NSLINKS; i++)
		seen[i] = rep->value[SEEN_LINK + i];
	check_links(rep, before, seen, entered);
	CHILD_EQ(rep, entered & CLONE_NEWPID ? 1 : pid, rep->value[SEEN_TID]);
	/* a new one that was not entered is pending, and the other way round */
	CHILD_EQ(rep, !!(flags & CLONE_NEWTIME),
		 before[NSLINKS] != rep->value[SEEN_PENDING_TIME]);
}

/* Who called clone stays, who called unshare() moves but for pid and time. */
static void check_caller(struct child_report *rep, const struct flag_row *row,
			 int moves, const int64_t *before)
{
	int64_t after[NSLINKS + 2];

	read_links(after);
	if (moves) {
		check_links(rep, before, after,
			    row->flags & ~(CLONE_NEWPID | CLONE_NEWTIME));
		return;
	}
	check_links(rep, before, after, 0);
	CHILD_EQ(rep, before[NSLINKS], after[NSLINKS]);
	/* before 7.1 there is no link before the first process */
	if (before[NSLINKS + 1] != -ENOENT || row->want < 0)
		CHILD_EQ(rep, before[NSLINKS + 1], after[NSLINKS + 1]);
}

static void run_row(struct child_report *rep, const struct flag_row *row,
		    enum call call)
{
	struct job job = { .rep = rep,
			   .thread = !!(row->flags & CLONE_THREAD) };
	int64_t before[NSLINKS + 2];
	__u64 pending, entered;
	long ret;

	CHILD_EQ(rep, 0, gate_init(&job.done));
	pending = become(rep, row->caller);
	entered = entered_by(rep, row, pending);
	read_links(before);
	if (call != UNSHARE)
		ret = make_child(&job, call, row->flags, row->signal);
	else
		ret = unshare(row->flags) < 0 ? -errno : 0;
	if (ret == -EOPNOTSUPP)
		child_skip(rep, NEEDS_CLONE3_STACK);
	CHILD_EQ(rep, row->want, ret < 0 ? ret : 0);
	check_caller(rep, row, call == UNSHARE && !row->want, before);
	if (row->want < 0)
		return;
	if (call == UNSHARE) {
		/* a new user namespace clears the parent death signal */
		child_die_with_parent(rep);
		job.thread = 0;
		ret = make_child(&job, CLONE, 0, SIGCHLD);
	}
	check_child(rep, &job, before, ret, row->flags, entered);
}

void run_clone3(struct child_report *rep, void *arg)
{
	run_row(rep, arg, CLONE3);
}

void run_clone(struct child_report *rep, void *arg)
{
	run_row(rep, arg, CLONE);
}

void run_unshare(struct child_report *rep, void *arg)
{
	run_row(rep, arg, UNSHARE);
}
