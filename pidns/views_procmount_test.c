// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process that reads about itself through a procfs of the observer:
 * numbers are those of the mount's pid namespace, not of the reader's.
 *
 * Promises: pid_namespaces(7), "/proc and PID namespaces"; proc_pid(5), self,
 *           thread-self; proc_pid_timers(5), proc_pid_task(5)
 *           (fs/proc/self.c, fs/proc/thread_self.c, fs/proc/base.c).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>

#include "views.h"

static void hand_over_proc(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = view_proc(rep, v);

	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], dir));
	close(dir);
}

static int take_proc(struct child_report *rep, const struct view *v)
{
	int dir = view_take_over(v->fd[FOR_TARGET]);

	CHILD_OK(rep, dir);
	return dir;
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
}

/* The numbers in a link, one a directory: "self", "task". */
static long long read_link(int dir, const char *path, long long *second)
{
	char text[64], *at;
	long long first;
	ssize_t len = readlinkat(dir, path, text, sizeof(text) - 1);

	if (len < 0)
		return -errno;
	text[len] = 0;
	first = strtol(text, &at, 10);
	if (!strncmp(at, "/task/", 6))
		*second = strtol(at + 6, &at, 10);
	return *at ? -EBADMSG : first;
}

static void read_self(struct child_report *rep, void *arg)
{
	int dir = take_proc(rep, arg);
	long long none;

	rep->value[1] = read_link(dir, "self", &none);
	close(dir);
}

static void read_thread_self(struct child_report *rep, void *arg)
{
	int dir = take_proc(rep, arg);
	long long second = 0;

	rep->value[1] = read_link(dir, "thread-self", &second);
	close(dir);
	if (rep->value[1] >= 0)
		CHILD_EQ(rep, rep->value[1], second);
}

/* What a thread other than the first reads in the link: its own number. */
struct thread_view {
	int dir;
	long long tgid;
	long long tid;
	long long entries;
};

static void *be_thread(void *arg)
{
	struct thread_view *t = arg;
	char path[64];

	t->tgid = read_link(t->dir, "thread-self", &t->tid);
	snprintf(path, sizeof(path), "self/task/%lld/status", t->tid);
	t->entries = view_number(t->dir, path, "\nPid:\t");
	return NULL;
}

static void read_in_thread(struct child_report *rep, void *arg)
{
	struct thread_view t = { .dir = take_proc(rep, arg) };
	pthread_t thread;

	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, be_thread, &t));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	close(t.dir);
	rep->value[1] = t.tgid;
	if (t.tgid < 0)
		return;
	/* another thread of that process, and known by that number */
	CHILD_EQ(rep, 0, t.tid == t.tgid);
	CHILD_EQ(rep, t.tid, t.entries);
}

/* A number of a file below "self" in the observer's mount. */
static long long read_own(struct child_report *rep, const struct view *v,
			  const char *file, const char *word)
{
	int dir = take_proc(rep, v);
	char path[96];
	long long got;

	snprintf(path, sizeof(path), "self/%s", file);
	got = view_number(dir, path, word);
	close(dir);
	return got;
}

static void read_status(struct child_report *rep, void *arg)
{
	rep->value[1] = read_own(rep, arg, "status", "\nPid:\t");
}

static void read_stat(struct child_report *rep, void *arg)
{
	rep->value[1] = read_own(rep, arg, "stat", "");
}

static void read_sched(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[1] = read_own(rep, v, "sched", "(");
	if (rep->value[1] == -ENOENT && v->seen_as)
		child_skip(rep, NEEDS_SCHED_DEBUG);
}

static void read_timers(struct child_report *rep, void *arg)
{
	struct itimerspec day = { .it_value.tv_sec = 86400 };
	struct view *v = arg;
	timer_t timer;

	CHILD_OK(rep, timer_create(CLOCK_MONOTONIC, NULL, &timer));
	CHILD_OK(rep, timer_settime(timer, 0, &day, NULL));
	rep->value[1] = read_own(rep, v, "timers", "signal/pid.");
	CHILD_OK(rep, timer_delete(timer));
	if (rep->value[1] == -ENOENT && v->seen_as)
		child_skip(rep, NEEDS_CHECKPOINT_RESTORE);
}

/*
 * All numbers in status and stat that say who somebody is, as one value; what
 * else these files tell (state, times, sizes) may change between two looks.
 */
static long long read_identity(int dir, const char *process)
{
	static const char *const words[] = {
		"\nTgid:\t",   "\nPid:\t",   "\nPPid:\t",   "\nTracerPid:\t",
		"\nNStgid:\t", "\nNSpid:\t", "\nNSpgid:\t", "\nNSsid:\t",
	};
	long long parent, group, session, group_there, sum = 0;
	char path[64], text[4096], *at;
	int tty;
	size_t i;

	snprintf(path, sizeof(path), "%s/status", process);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sum = sum * 31 + view_number(dir, path, words[i]);
	snprintf(path, sizeof(path), "%s/stat", process);
	if (view_read(dir, path, text, sizeof(text)) < 0)
		return -ENOENT;
	at = strrchr(text, ')');
	if (!at || sscanf(at, ") %*c %lld %lld %lld %d %lld", &parent, &group,
			  &session, &tty, &group_there) != 5)
		return -EBADMSG;
	sum = ((sum * 31 + parent) * 31 + group) * 31 + session;
	return llabs(sum * 31 + group_there);
}

static void read_own_identity(struct child_report *rep, void *arg)
{
	int dir = take_proc(rep, arg);

	rep->value[1] = read_identity(dir, "self");
	close(dir);
}

static void look_identity(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char process[16];
	int dir;

	rep->value[0] = v->note[0];
	if (!v->peer || v->note[0] < 0)
		return;
	dir = view_proc(rep, v);
	snprintf(process, sizeof(process), "%d", v->peer);
	rep->value[0] = read_identity(dir, process) == v->note[0];
	close(dir);
}

/* struct traced - a child that reads who traces it */
struct traced {
	const struct view *v;
	struct gate go;
};

static void read_tracer(struct child_report *rep, void *arg)
{
	struct traced *t = arg;

	CHILD_EQ(rep, 0, gate_wait(&t->go));
	rep->value[1] = read_own(rep, t->v, "status", "\nTracerPid:\t");
}

static void trace_a_reader(struct child_report *rep, void *arg)
{
	struct traced t = { .v = arg };
	struct child_report inner;
	struct child c;
	int ret;

	CHILD_EQ(rep, 0, gate_init(&t.go));
	CHILD_EQ(rep, 0, child_start(&c, 0, read_tracer, &t));
	ret = view_result(ptrace(PTRACE_SEIZE, c.pid, 0, 0));
	CHILD_EQ(rep, 0, gate_open(&t.go));
	CHILD_EQ(rep, 0, child_wait(&c, &inner));
	gate_close(&t.go);
	CHILD_HELD(rep, &inner);
	if (ret == -EPERM)
		child_skip(rep, NEEDS_PTRACE);
	CHILD_EQ(rep, 0, ret);
	rep->value[1] = inner.value[1];
}

static void have_child_and_read(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char file[64];

	view_child(rep, v, NULL, NULL);
	snprintf(file, sizeof(file), "task/%d/children", v->seen_as);
	rep->value[2] = read_own(rep, v, file, "");
	if (rep->value[2] == -ENOENT && v->seen_as)
		child_skip(rep, NEEDS_PROC_CHILDREN);
}

static void look_children(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	pid_t pid = view_child_number(rep, v);

	rep->value[0] = v->note[1] < 0 ? v->note[1] : v->note[1] == pid;
}

static void arm_children(struct child_report *rep, void *arg)
{
	view_creds(rep, arg);
	hand_over_proc(rep, arg);
}

/* Is the caller found in the mount by the mount's number? */
static void find_by_number(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = take_proc(rep, v);
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%d/status",
		 v->seen_as ? v->seen_as : v->own,
		 v->seen_as ? v->seen_as : v->own);
	rep->value[1] = view_number(dir, path, "\nTgid:\t");
	close(dir);
}

static void list_task(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = take_proc(rep, v);

	rep->value[1] = view_count_name(rep, dir, "self/task", v->seen_as);
	close(dir);
}

static void list_root(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int dir = take_proc(rep, v);

	rep->value[1] = view_count_name(rep, dir, ".",
					v->seen_as ? v->seen_as : v->own);
	close(dir);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, self)
{ { view_pair, hand_over_proc, read_self, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, thread_self)
{ { view_pair, hand_over_proc, read_thread_self, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, thread_self_of_another_thread)
{ { view_pair, hand_over_proc, read_in_thread, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_pid)
{ { view_pair, hand_over_proc, read_status, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, stat_pid)
{ { view_pair, hand_over_proc, read_stat, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, sched)
{ { view_pair, hand_over_proc, read_sched, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, timers)
{ { view_pair, hand_over_proc, read_timers, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, same_for_every_reader)
{ { view_pair, hand_over_proc, read_own_identity, look_identity, NULL, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, status_tracer)
{ { view_pair, hand_over_proc, trace_a_reader, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, children)
{ { view_pair, arm_children, have_child_and_read, look_children, view_end_child, 1, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, lookup_by_number)
{ { view_pair, hand_over_proc, find_by_number, look_note, NULL, VIEW_PID, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, readdir)
{ { view_pair, hand_over_proc, list_root, look_note, NULL, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(view, task_readdir)
{ { view_pair, hand_over_proc, list_task, look_note, NULL, 1, -ENOENT, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
