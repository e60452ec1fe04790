// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by a 32-bit program, through the calls that the kernel has
 * twice.
 *
 * Promises: ptrace(2), ESRCH (kernel/ptrace.c:compat_sys_ptrace).
 * Needs:    a 32-bit C library, CONFIG_IA32_EMULATION or the like.  Root, or
 *           user namespaces, to make the pid namespaces.
 */
#include <stdio.h>

#include "lack.h"
#include "views.h"

#define PROBE_NAME (sizeof(long) == 4 ? "trace_probe" : "trace_probe32")

/* Become the program beside this one.  @arg: a number */
static void become_probe(struct child_report *rep, void *arg)
{
	char path[4096], number[16], *end;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 32);
	pid_t *pid = arg;

	child_need(rep, lack_of_proc());
	CHILD_LE(rep, 1, len);
	path[len] = 0;
	end = strrchr(path, '/');
	CHILD_EQ(rep, 1, !!end);
	snprintf(end + 1, 32, "%s", PROBE_NAME);
	snprintf(number, sizeof(number), "%d", *pid);
	execl(path, path, number, NULL);
	/* not built, or a kernel without 32-bit programs */
	if (errno == ENOENT || errno == ENOEXEC)
		child_skip(rep, NEEDS_32BIT);
	CHILD_EQ(rep, 0, errno);
}

static void look_traced(struct child_report *rep, void *arg)
{
	struct child_report probe;
	struct view *v = arg;

	CHILD_EQ(rep, 0, child_run(&probe, 0, become_probe, &v->number));
	if (probe.skip || probe.file)
		CHILD_HELD(rep, &probe);
	CHILD_EQ(rep, 0, probe.signal);
	rep->value[0] = -probe.code;
	if (rep->value[0] == -EPERM && v->peer)
		child_skip(rep, NEEDS_PTRACE);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, ptrace)
{ { NULL, NULL, NULL, look_traced, NULL, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
