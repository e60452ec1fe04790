// SPDX-License-Identifier: GPL-2.0
/*
 * Inside, a process is not known by the number it has outside: not even to
 * itself, where many calls take a short cut.
 *
 * Promises: pid_namespaces(7): system calls take and give the numbers of the
 *           caller's namespace; ESRCH of each call, EPERM of capset(2) and
 *           rt_sigqueueinfo(2), EINVAL of clock_gettime(2) for a process that
 *           does not exist.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "caps.h"
#include "expect.h"

typedef long call_fn(pid_t outside);

static long call_capability(int nr, pid_t pid)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3, .pid = pid
	};

	return syscall(nr, &head, data);
}

static long call_capget(pid_t pid)
{
	return call_capability(__NR_capget, pid);
}

static long call_capset(pid_t pid)
{
	return call_capability(__NR_capset, pid);
}

static long call_kill(pid_t pid)
{
	return kill(pid, 0);
}

static long call_tgkill_group(pid_t pid)
{
	return syscall(__NR_tgkill, pid, gettid(), 0);
}

static long call_tgkill_thread(pid_t pid)
{
	return syscall(__NR_tgkill, getpid(), pid, 0);
}

/* Only to itself may a process send what looks as if the kernel sent it. */
static long call_sigqueue(pid_t pid)
{
	siginfo_t info = { .si_signo = SIGWINCH, .si_code = SI_USER };

	return syscall(__NR_rt_sigqueueinfo, pid, SIGWINCH, &info);
}

static long call_tgsigqueue(pid_t pid)
{
	siginfo_t info = { .si_signo = SIGWINCH, .si_code = SI_TKILL };

	return syscall(__NR_rt_tgsigqueueinfo, pid, pid, SIGWINCH, &info);
}

static long call_getpgid(pid_t pid)
{
	return getpgid(pid);
}

static long call_getsid(pid_t pid)
{
	return getsid(pid);
}

static long call_setpgid(pid_t pid)
{
	return setpgid(pid, 0);
}

static long call_sched(pid_t pid)
{
	return sched_getscheduler(pid);
}

static long call_affinity(pid_t pid)
{
	cpu_set_t set;

	return sched_getaffinity(pid, sizeof(set), &set);
}

static long call_getpriority(pid_t pid)
{
	errno = 0;
	getpriority(PRIO_PROCESS, pid);
	return errno ? -1 : 0;
}

static long call_prlimit(pid_t pid)
{
	struct rlimit limit;

	return prlimit(pid, RLIMIT_NOFILE, NULL, &limit);
}

static long call_robust_list(pid_t pid)
{
	size_t size;
	void *head;

	return syscall(__NR_get_robust_list, pid, &head, &size);
}

static long call_pidfd_open(pid_t pid)
{
	return sys_pidfd_open(pid, 0);
}

static long call_clock(pid_t pid)
{
	struct timespec now;

	/* CPUCLOCK_PROF of a process: make_process_cpuclock() */
	return clock_gettime(~(clockid_t)pid << 3, &now);
}

static long call_thread_clock(pid_t pid)
{
	struct timespec now;

	return clock_gettime(~(clockid_t)pid << 3 | 4, &now);
}

FIXTURE(own)
{
	const char *missing;
};

FIXTURE_VARIANT(own)
{
	call_fn *call;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(own, capget)          { call_capget,        ESRCH };
FIXTURE_VARIANT_ADD(own, capset)          { call_capset,        EPERM };
FIXTURE_VARIANT_ADD(own, kill)            { call_kill,          ESRCH };
FIXTURE_VARIANT_ADD(own, tgkill_group)    { call_tgkill_group,  ESRCH };
FIXTURE_VARIANT_ADD(own, tgkill_thread)   { call_tgkill_thread, ESRCH };
FIXTURE_VARIANT_ADD(own, rt_sigqueueinfo) { call_sigqueue,      EPERM };
FIXTURE_VARIANT_ADD(own, rt_tgsigqueueinfo) { call_tgsigqueue,  EPERM };
FIXTURE_VARIANT_ADD(own, getpgid)         { call_getpgid,       ESRCH };
FIXTURE_VARIANT_ADD(own, getsid)          { call_getsid,        ESRCH };
FIXTURE_VARIANT_ADD(own, setpgid)         { call_setpgid,       ESRCH };
FIXTURE_VARIANT_ADD(own, sched_getscheduler) { call_sched,      ESRCH };
FIXTURE_VARIANT_ADD(own, sched_getaffinity) { call_affinity,    ESRCH };
FIXTURE_VARIANT_ADD(own, getpriority)     { call_getpriority,   ESRCH };
FIXTURE_VARIANT_ADD(own, prlimit)         { call_prlimit,       ESRCH };
FIXTURE_VARIANT_ADD(own, get_robust_list) { call_robust_list,   ESRCH };
FIXTURE_VARIANT_ADD(own, pidfd_open)      { call_pidfd_open,    ESRCH };
FIXTURE_VARIANT_ADD(own, clock)           { call_clock,         EINVAL };
FIXTURE_VARIANT_ADD(own, thread_clock)    { call_thread_clock,  EINVAL };
/* clang-format on */

struct question {
	call_fn *call;
	int want;
	int pipe[2]; /* tells the number outside */
};

static void ask(struct child_report *rep, void *arg)
{
	struct question *q = arg;
	pid_t outside;

	CHILD_EQ(rep, sizeof(outside),
		 read(q->pipe[0], &outside, sizeof(outside)));
	CHILD_EQ(rep, 1, getpid());
	CHILD_EQ(rep, -1, q->call(outside));
	CHILD_EQ(rep, q->want, errno);
}

FIXTURE_SETUP(own)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(own)
{
}

TEST_F(own, number_outside_is_unknown_inside)
{
	struct question q = { .call = variant->call, .want = variant->want };
	struct child_report rep;
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, pipe2(q.pipe, O_CLOEXEC));
	ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, ask, &q));
	/* nobody is inside but the child: it alone has a number there, 1 */
	ASSERT_NE(1, c.pid);
	ASSERT_EQ((ssize_t)sizeof(c.pid),
		  write(q.pipe[1], &c.pid, sizeof(c.pid)));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
