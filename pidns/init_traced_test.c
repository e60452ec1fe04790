// SPDX-License-Identifier: GPL-2.0
/*
 * The first process of a pid namespace under a tracer keeps its protection,
 * and loses it where it must.
 *
 * Promises: kernel/signal.c:force_sig_info_to_task(), sig_ignored();
 *           PTRACE_O_EXITKILL of ptrace(2).
 * Guards:   5c72263ef2fb ("signal: HANDLER_EXIT should clear
 *           SIGNAL_UNKILLABLE"), v5.17; eb61b5911bdc ("signal: don't remove
 *           SIGNAL_UNKILLABLE for traced tasks."), v4.15.
 * Needs:    root or user namespaces; CONFIG_SECCOMP_FILTER for one test.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

FIXTURE(traced_init)
{
	struct scene s;
	struct child init;
	const char *missing;
};

FIXTURE_SETUP(traced_init)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(traced_init)
{
	child_kill(&self->init);
}

/*
 * Let a traced process run to its end, with all signals it gets.  Returns how
 * often it was stopped by @sig, or a negative errno; the end is not reaped.
 */
static int run_traced(pid_t pid, int sig)
{
	const int events = WEXITED | WSTOPPED | __WALL;
	siginfo_t info;
	int pass, seen = 0;

	while (1) {
		if (waitid(P_PID, pid, &info, events | WNOWAIT) < 0)
			return -errno;
		if (info.si_code != CLD_TRAPPED)
			return seen;
		if (waitid(P_PID, pid, &info, events) < 0)
			return -errno;
		pass = info.si_status < 256 ? info.si_status : 0;
		seen += pass == sig;
		if (ptrace(PTRACE_CONT, pid, 0, (long)pass) < 0)
			return -errno;
	}
}

static void send_to_init(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, kill(1, *(int *)arg));
}

/* Waits, then has a member send it a signal. */
static void be_sent(struct child_report *rep, struct scene *s, int sig)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	CHILD_EQ(rep, 0, child_run(&inner, 0, send_to_init, &sig));
	CHILD_HELD(rep, &inner);
}

static void be_sent_term(struct child_report *rep, void *arg)
{
	be_sent(rep, arg, SIGTERM);
}

static void be_sent_kill(struct child_report *rep, void *arg)
{
	be_sent(rep, arg, SIGKILL);
}

/* As be_sent_term(), but in user mode until told: a step must not block. */
static void spin_first(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	CHILD_EQ(rep, 0, gate_open(&s->up));
	while (!__atomic_load_n(&rep->value[0], __ATOMIC_ACQUIRE))
		sched_yield();
	be_sent(rep, s, SIGTERM);
}

static void start_traced(struct __test_metadata *_metadata,
			 FIXTURE_DATA(traced_init) * self, child_fn fn)
{
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, fn, &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0, ptrace(PTRACE_SEIZE, self->init.pid, 0, 0));
}

TEST_F(traced_init, survives_a_signal_its_tracer_passes_on)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	start_traced(_metadata, self, be_sent_term);
	ASSERT_EQ(0, gate_open(&self->s.go));
	EXPECT_EQ(1, run_traced(self->init.pid, SIGTERM));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	expect_held(_metadata, &rep);
}

TEST_F(traced_init, survives_sigkill_from_a_member)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	start_traced(_metadata, self, be_sent_kill);
	ASSERT_EQ(0, gate_open(&self->s.go));
	EXPECT_EQ(0, run_traced(self->init.pid, SIGKILL));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	expect_held(_metadata, &rep);
}

/* A single step ends in a SIGTRAP that the kernel forces on the process. */
TEST_F(traced_init, stays_protected_after_a_trap)
{
	struct child_report rep;
	int status;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	start_traced(_metadata, self, spin_first);
	ASSERT_EQ(0, ptrace(PTRACE_INTERRUPT, self->init.pid, 0, 0));
	ASSERT_EQ(self->init.pid, waitpid(self->init.pid, &status, __WALL));
	ASSERT_EQ(0, ptrace(PTRACE_SINGLESTEP, self->init.pid, 0, 0));
	ASSERT_EQ(self->init.pid, waitpid(self->init.pid, &status, __WALL));
	ASSERT_EQ(SIGTRAP, status >> 8);
	ASSERT_EQ(0, ptrace(PTRACE_CONT, self->init.pid, 0, 0));
	__atomic_store_n(&self->init.page->value[0], 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, gate_open(&self->s.go));
	EXPECT_EQ(1, run_traced(self->init.pid, SIGTERM));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	expect_held(_metadata, &rep);
}

static void break_filter(struct child_report *rep, void *arg)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(code), code };
	struct scene *s = arg;

	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	prctl(PR_SET_DUMPABLE, 0);
	CHILD_EQ(rep, 0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0 &&
	    errno == EINVAL)
		child_skip(rep, NEEDS_SECCOMP);
	syscall(__NR_getppid);
}

TEST_F(traced_init, dies_of_a_forbidden_system_call)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	start_traced(_metadata, self, break_filter);
	ASSERT_EQ(0, gate_open(&self->s.go));
	EXPECT_LE(0, run_traced(self->init.pid, SIGSYS));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	EXPECT_EQ(SIGSYS, rep.signal);
}

static void trace_and_leave(struct child_report *rep, void *arg)
{
	pid_t pid = *(pid_t *)arg;

	if (ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL) < 0)
		rep->value[0] = -errno;
}

TEST_F(traced_init, is_killed_when_a_tracer_that_asks_for_it_exits)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&self->init, CLONE_NEWPID, scene_member,
				 &self->s));
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->init));
	ASSERT_EQ(0, child_run(&rep, 0, trace_and_leave, &self->init.pid));
	expect_held(_metadata, &rep);
	if (rep.value[0] == -EPERM)
		SKIP(return, NEEDS_PTRACE);
	ASSERT_EQ(0, rep.value[0]);
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(SIGKILL, rep.signal);
}

TEST_HARNESS_MAIN
