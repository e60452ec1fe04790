// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through status and stat in a procfs of the observer's own
 * pid namespace.
 *
 * Promises: proc_pid_status(5), Tgid, Pid, PPid, TracerPid, NStgid, NSpid,
 *           NSpgid, NSsid; proc_pid_stat(5); pid_namespaces(7), "/proc and
 *           PID namespaces" (fs/proc/array.c).
 * Guards:   e4bc33245124 ("/proc/PID/status: show all sets of pid according to
 *           ns"), v4.1.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "views.h"

static void look_pid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] =
		view_proc_number(rep, v, v->number, "status", "\nPid:\t");
}

static void look_tgid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] =
		view_proc_number(rep, v, v->number, "status", "\nTgid:\t");
}

/* Members live in the test's group and session; give the target its own. */
static void lead_session(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* EPERM: the target leads one since an earlier pair */
	if (setsid() < 0)
		CHILD_EQ(rep, EPERM, errno);
	CHILD_EQ(rep, v->own, getsid(0));
}

/*
 * A line of /proc/PID/status with one number per level, from the observer's
 * to the target's: are there all, and no other?
 */
static void check_levels(struct child_report *rep, const struct view *v,
			 const char *word)
{
	int dir = view_proc(rep, v), level;
	char path[64], buf[4096], *at;
	long long ret;

	snprintf(path, sizeof(path), "%d/status", v->number);
	ret = view_read(dir, path, buf, sizeof(buf));
	close(dir);
	rep->value[0] = ret;
	if (ret < 0)
		return;
	at = strstr(buf, word);
	CHILD_OK(rep, at ? 0 : -ENODATA);
	at += strlen(word);
	for (level = v->level; level <= v->peer_level; level++) {
		CHILD_EQ(rep, '\t', *at);
		CHILD_EQ(rep, v->names[level], strtol(at, &at, 10));
	}
	CHILD_EQ(rep, '\n', *at);
	rep->value[0] = 1;
}

static void look_nspid(struct child_report *rep, void *arg)
{
	check_levels(rep, arg, "\nNSpid:");
}

static void look_nstgid(struct child_report *rep, void *arg)
{
	check_levels(rep, arg, "\nNStgid:");
}

static void look_nspgid(struct child_report *rep, void *arg)
{
	check_levels(rep, arg, "\nNSpgid:");
}

static void look_nssid(struct child_report *rep, void *arg)
{
	check_levels(rep, arg, "\nNSsid:");
}

/* A field of /proc/PID/stat: 1, or 4 and more, which stand behind ") S ". */
static long long stat_field(struct child_report *rep, const struct view *v,
			    pid_t pid, int field)
{
	int dir = view_proc(rep, v);
	char path[64], buf[1024], *at;
	long long ret;

	snprintf(path, sizeof(path), "%d/stat", pid);
	ret = view_read(dir, path, buf, sizeof(buf));
	close(dir);
	if (ret < 0)
		return ret;
	at = field == 1 ? buf : strrchr(buf, ')') + 2;
	for (; field > 3; field--)
		at = strchr(at, ' ') + 1;
	return sscanf(at, "%lld", &ret) == 1 ? ret : -EBADMSG;
}

static void look_stat_pid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = stat_field(rep, v, v->number, 1);
}

static void look_stat_pgrp(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = stat_field(rep, v, v->number, 5);
}

static void look_stat_session(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = stat_field(rep, v, v->number, 6);
}

static void have_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, NULL);
}

static void look_status_ppid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	pid_t pid = view_child_number(rep, v);

	rep->value[0] = view_proc_number(rep, v, pid, "status", "\nPPid:\t");
}

static void look_stat_ppid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = stat_field(rep, v, view_child_number(rep, v), 4);
}

/* The target traces the observer: does it know by whom? */
static void trace_observer(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_note(rep, 0, ptrace(PTRACE_SEIZE, v->number, 0, 0));
	if (rep->value[1] == -EPERM)
		child_skip(rep, NEEDS_PTRACE);
}

static void look_tracer(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
	if (!v->note[0])
		rep->value[0] = view_proc_number(rep, v, v->own, "status",
						 "\nTracerPid:\t");
}

static void end_trace(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int status;

	if (!v->is_target || v->note[0] < 0)
		return;
	CHILD_OK(rep, ptrace(PTRACE_INTERRUPT, v->number, 0, 0));
	CHILD_EQ(rep, v->number, waitpid(v->number, &status, __WALL));
	CHILD_OK(rep, ptrace(PTRACE_DETACH, v->number, 0, 0));
}

static void look_own_parent(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* of members; it is at level 0 */
	rep->value[0] =
		!!view_proc_number(rep, v, v->own, "status", "\nPPid:\t");
	CHILD_EQ(rep, rep->value[0], stat_field(rep, v, v->own, 4) != 0);
	CHILD_EQ(rep, !v->level, rep->value[0]);
	rep->value[0] = 1;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, status_pid)
{ { NULL, NULL, NULL, look_pid, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_tgid)
{ { NULL, NULL, NULL, look_tgid, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_nspid_of_all_levels)
{ { NULL, NULL, NULL, look_nspid, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_nstgid_of_all_levels)
{ { NULL, NULL, NULL, look_nstgid, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_nspgid_of_all_levels)
{ { NULL, NULL, lead_session, look_nspgid, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_nssid_of_all_levels)
{ { NULL, NULL, lead_session, look_nssid, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_ppid)
{ { view_pair, view_creds, have_child, look_status_ppid, view_end_child, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_tracer)
{ { NULL, NULL, trace_observer, look_tracer, end_trace, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, stat_pid)
{ { NULL, NULL, NULL, look_stat_pid, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, stat_ppid)
{ { view_pair, view_creds, have_child, look_stat_ppid, view_end_child, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, stat_pgrp)
{ { NULL, NULL, lead_session, look_stat_pgrp, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, stat_session)
{ { NULL, NULL, lead_session, look_stat_session, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, parent_outside_is_0)
{ { NULL, NULL, NULL, look_own_parent, NULL, 1, 1, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
