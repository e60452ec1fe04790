// SPDX-License-Identifier: GPL-2.0
/* pid_max and ns_last_pid of a pid namespace; see pid_limit.h. */
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "caps.h"
#include "needs.h"
#include "pid_limit.h"
#include "procfs.h"

#define PID_MAX "/proc/sys/kernel/pid_max"
#define NS_LAST_PID "/proc/sys/kernel/ns_last_pid"
#define NOBODY 65534

void pid_limit_need(struct child_report *rep)
{
	if (access("/proc/sys/kernel", F_OK) < 0 && errno == ENOENT)
		child_skip(rep, NEEDS_PROC);
}

void pid_limit_harmless(struct child_report *rep)
{
	int ret;

	pid_limit_need(rep);
	/* where another user is not known, we are no user 0 to begin with */
	if (caps_become(NOBODY) < 0)
		return;
	child_die_with_parent(rep);
	/* else our own files in /proc are not ours */
	CHILD_EQ(rep, 0, prctl(PR_SET_DUMPABLE, 1));
	ret = userns_enter();
	if (ret == -EPERM || ret == -EACCES || ret == -ENOSPC || ret == -EUSERS)
		child_skip(rep, NEEDS_USERNS);
	CHILD_EQ(rep, 0, ret);
	child_die_with_parent(rep);
}

void pid_limit_set(struct child_report *rep, int max)
{
	char text[32];
	int ret;

	pid_limit_need(rep);
	snprintf(text, sizeof(text), "%d", max);
	ret = proc_write(PID_MAX, text);
	if (ret == -EROFS)
		child_skip(rep, NEEDS_PROC_SYS);
	/* the one of the machine, which is not ours to write */
	if (ret == -EACCES || ret == -EPERM)
		child_skip(rep, NEEDS_NS_PID_MAX);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, max, pid_limit_get());
}

int pid_limit_get(void)
{
	long long max;
	int ret = proc_number(PID_MAX, "", &max);

	return ret < 0 ? ret : (int)max;
}

void pid_next_set(struct child_report *rep, int next)
{
	char text[32];
	int ret;

	pid_limit_need(rep);
	snprintf(text, sizeof(text), "%d", next - 1);
	ret = proc_write(NS_LAST_PID, text);
	if (ret == -EROFS)
		child_skip(rep, NEEDS_PROC_SYS);
	if (ret == -ENOENT)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
	CHILD_EQ(rep, 0, ret);
}
