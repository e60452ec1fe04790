// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by calls that ask about it by its number: they find it in
 * the pid namespace of the caller, or nothing.
 *
 * Promises: getpgid(2), getsid(2), prlimit(2), capget(2), pidfd_open(2),
 *           get_robust_list(2): ESRCH; clock_gettime(2), timer_create(2):
 *           EINVAL for a CPU clock or thread of another namespace
 *           (kernel/sys.c, kernel/capability.c, kernel/pid.c,
 *           kernel/futex/syscalls.c, kernel/time/posix-cpu-timers.c).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

#include "views.h"

static void lead_session(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	/* EPERM: the target leads one since an earlier pair */
	if (setsid() < 0)
		CHILD_EQ(rep, EPERM, errno);
	CHILD_EQ(rep, v->own, getsid(0));
}

static void get_pgid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, getpgid(v->number));
}

static void get_sid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, getsid(v->number));
}

static void prlimit_it(struct child_report *rep, void *arg)
{
	struct rlimit limit;
	struct view *v = arg;

	view_see(rep, prlimit(v->number, RLIMIT_NOFILE, NULL, &limit));
	/* the other half of the call, which changes nothing */
	if (!rep->value[0])
		view_see(rep, prlimit(v->number, RLIMIT_NOFILE, &limit, NULL));
}

static long caps(int nr, pid_t pid, struct __user_cap_data_struct *data)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3, .pid = pid
	};

	return syscall(nr, &head, data);
}

static void get_caps(struct child_report *rep, void *arg)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	struct view *v = arg;

	view_see(rep, caps(__NR_capget, v->number, data));
}

/* A process may set its own capabilities, by any name it has for itself. */
static void set_caps(struct child_report *rep, void *arg)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	struct view *v = arg;

	CHILD_OK(rep, caps(__NR_capget, v->own, data));
	CHILD_OK(rep, caps(__NR_capset, v->own, data));
	view_see(rep, caps(__NR_capset, v->number, data));
}

/* From v6.9 on each process has an inode there. */
static bool on_pidfs(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == 0x50494446;
}

static void open_pidfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct stat want, got;
	int fd = sys_pidfd_open(v->number, 0);

	view_see(rep, fd);
	if (fd < 0)
		return;
	CHILD_OK(rep, fstat(v->pidfd, &want));
	CHILD_OK(rep, fstat(fd, &got));
	if (on_pidfs(fd))
		CHILD_EQ(rep, want.st_ino, got.st_ino);
	rep->value[0] = 0;
	close(fd);
}

/* The target uses another list head for a while, so that it is told apart. */
static void set_robust_list(struct child_report *rep, void *arg)
{
	struct robust_list_head *head;
	struct view *v = arg;
	size_t size;

	CHILD_OK(rep, syscall(__NR_get_robust_list, 0, &head, &size));
	rep->value[1] = (intptr_t)head;
	rep->value[2] = (intptr_t)(&v->note[v->level % 3]);
	CHILD_OK(rep, syscall(__NR_set_robust_list, rep->value[2], size));
}

static void get_robust_list(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	void *head;
	size_t size;

	view_see(rep, syscall(__NR_get_robust_list, v->number, &head, &size));
	if (rep->value[0] == -EPERM)
		child_skip(rep, NEEDS_PTRACE);
	if (!rep->value[0])
		rep->value[0] = (intptr_t)head == v->note[1];
}

static void reset_robust_list(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_OK(rep, syscall(__NR_set_robust_list, v->note[0],
				      sizeof(struct robust_list_head)));
}

/* include/linux/posix-timers_types.h: the time a process or thread has run */
static clockid_t cpu_clock(pid_t pid, bool thread)
{
	return (clockid_t)(~(unsigned int)pid << 3 | (thread ? 4 : 0) | 2);
}

static void read_cpu_clock(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct timespec ts;

	view_see(rep, clock_gettime(cpu_clock(v->number, false), &ts));
	CHILD_EQ(rep, rep->value[0],
		 view_result(clock_getres(cpu_clock(v->number, false), &ts)));
}

static void make_cpu_timer(struct child_report *rep, void *arg)
{
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	struct view *v = arg;
	timer_t timer;

	view_see(rep, timer_create(cpu_clock(v->number, false), &none, &timer));
	if (!rep->value[0])
		CHILD_OK(rep, timer_delete(timer));
}

/* The clock of a thread is for its own process alone. */
static void read_thread_clock(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct timespec ts;

	CHILD_OK(rep, clock_gettime(cpu_clock(v->own, true), &ts));
	view_see(rep, clock_gettime(cpu_clock(v->number, true), &ts));
}

static void make_thread_timer(struct child_report *rep, void *arg)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL | SIGEV_THREAD_ID,
			       .sigev_signo = SIGUSR1 };
	struct view *v = arg;
	timer_t timer;

	ev._sigev_un._tid = v->own;
	CHILD_OK(rep, timer_create(CLOCK_MONOTONIC, &ev, &timer));
	CHILD_OK(rep, timer_delete(timer));
	ev._sigev_un._tid = v->number;
	view_see(rep, timer_create(CLOCK_MONOTONIC, &ev, &timer));
}

static void query_bpf(struct child_report *rep, void *arg)
{
	union bpf_attr attr = { 0 };
	struct view *v = arg;

	attr.task_fd_query.pid = v->number;
	attr.task_fd_query.fd = -1;
	view_see(rep,
		 syscall(__NR_bpf, BPF_TASK_FD_QUERY, &attr, sizeof(attr)));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_BPF);
	if (rep->value[0] == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
}

/* 0 ends what was asked for */
static void allow_tracer(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (prctl(PR_SET_PTRACER, 0, 0, 0, 0) < 0)
		child_skip(rep, NEEDS_YAMA);
	view_see(rep, prctl(PR_SET_PTRACER, v->number, 0, 0, 0));
	CHILD_OK(rep, prctl(PR_SET_PTRACER, 0, 0, 0, 0));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, getpgid)
{ { NULL, NULL, lead_session, get_pgid, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, getsid)
{ { NULL, NULL, lead_session, get_sid, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, prlimit)
{ { NULL, NULL, NULL, prlimit_it, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, capget)
{ { NULL, NULL, NULL, get_caps, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, capset_of_oneself_only)
{ { NULL, NULL, NULL, set_caps, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, pidfd_open)
{ { NULL, NULL, NULL, open_pidfd, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, get_robust_list)
{ { NULL, NULL, set_robust_list, get_robust_list, reset_robust_list, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, cpu_clock)
{ { NULL, NULL, NULL, read_cpu_clock, NULL, 0, -EINVAL, 0 } };
FIXTURE_VARIANT_ADD(view, cpu_clock_timer)
{ { NULL, NULL, NULL, make_cpu_timer, NULL, 0, -EINVAL, 0 } };
FIXTURE_VARIANT_ADD(view, thread_clock_of_oneself_only)
{ { NULL, NULL, NULL, read_thread_clock, NULL, -EINVAL, -EINVAL, 0 } };
FIXTURE_VARIANT_ADD(view, thread_timer_of_oneself_only)
{ { NULL, NULL, NULL, make_thread_timer, NULL, -EINVAL, -EINVAL, 0 } };
FIXTURE_VARIANT_ADD(view, bpf_task_fd_query)
{ { NULL, NULL, NULL, query_bpf, NULL, -EBADF, -ENOENT, 0 } };
FIXTURE_VARIANT_ADD(view, yama_tracer)
{ { NULL, NULL, NULL, allow_tracer, NULL, 0, -EINVAL, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
