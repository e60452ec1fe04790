// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by the calls that read or set how it is scheduled: they
 * find the number in the pid namespace of the caller, or nothing.
 *
 * Promises: sched_setscheduler(2), sched_setparam(2), sched_setaffinity(2),
 *           sched_setattr(2), sched_rr_get_interval(2), each: ESRCH
 *           (kernel/sched/syscalls.c:find_process_by_pid).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/resource.h>

#include "views.h"

/* struct sched_attr of linux/sched/types.h, first published size */
struct attr {
	__u32 size;
	__u32 policy;
	__u64 flags;
	__s32 nice;
	__u32 priority;
	__u64 runtime;
	__u64 deadline;
	__u64 period;
};

static const struct sched_param no_priority;

static void be_batch(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, sched_setscheduler(0, SCHED_BATCH, &no_priority));
}

static void be_normal(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_OK(rep, sched_setscheduler(0, SCHED_OTHER, &no_priority));
}

/* Did the call change this process, and only where it is visible? */
static void was_made_batch(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_EQ(rep, v->seen_as ? SCHED_BATCH : SCHED_OTHER,
			 sched_getscheduler(0));
	be_normal(rep, arg);
}

static void get_scheduler(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, sched_getscheduler(v->number));
}

static void get_param(struct child_report *rep, void *arg)
{
	struct sched_param param;
	struct view *v = arg;

	view_see(rep, sched_getparam(v->number, &param));
}

static void get_attr(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct attr attr;

	view_see(rep, syscall(__NR_sched_getattr, v->number, &attr,
			      sizeof(attr), 0));
	if (!rep->value[0])
		rep->value[0] = attr.policy;
}

static void get_interval(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct timespec ts;

	view_see(rep, sched_rr_get_interval(v->number, &ts));
}

static void get_affinity(struct child_report *rep, void *arg)
{
	unsigned long mask[1024 / sizeof(long)];
	struct view *v = arg;

	view_see(rep, syscall(__NR_sched_getaffinity, v->number, sizeof(mask),
			      mask));
	if (rep->value[0] > 0)
		rep->value[0] = 0;
}

static void set_scheduler(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, sched_setscheduler(v->number, SCHED_BATCH, &no_priority));
}

/*
 * The niceness is set as well: to the caller's, which is the target's, because
 * less of it takes a right that an ordinary user lacks.
 */
static void set_attr(struct child_report *rep, void *arg)
{
	struct attr attr = {
		.size = sizeof(attr),
		.policy = SCHED_BATCH,
		.nice = getpriority(PRIO_PROCESS, 0),
	};
	struct view *v = arg;

	view_see(rep, syscall(__NR_sched_setattr, v->number, &attr, 0));
}

static void set_param(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, sched_setparam(v->number, &no_priority));
}

static void set_affinity(struct child_report *rep, void *arg)
{
	unsigned long mask[1024 / sizeof(long)] = { 0 };
	struct view *v = arg;
	int len;

	len = syscall(__NR_sched_getaffinity, 0, sizeof(mask), mask);
	CHILD_LE(rep, 1, len);
	view_see(rep, syscall(__NR_sched_setaffinity, v->number, len, mask));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, sched_getscheduler)
{ { NULL, NULL, be_batch, get_scheduler, be_normal, SCHED_BATCH, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_getattr)
{ { NULL, NULL, be_batch, get_attr, be_normal, SCHED_BATCH, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_getparam)
{ { NULL, NULL, NULL, get_param, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_rr_get_interval)
{ { NULL, NULL, NULL, get_interval, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_getaffinity)
{ { NULL, NULL, NULL, get_affinity, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_setscheduler)
{ { NULL, NULL, NULL, set_scheduler, was_made_batch, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_setattr)
{ { NULL, NULL, NULL, set_attr, was_made_batch, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_setparam)
{ { NULL, NULL, NULL, set_param, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, sched_setaffinity)
{ { NULL, NULL, NULL, set_affinity, NULL, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
