// SPDX-License-Identifier: GPL-2.0
/*
 * Signals that the kernel itself makes for the first process of a pid
 * namespace: a fault kills it, what is merely news does not.
 *
 * Promises: kernel/signal.c:force_sig_info_to_task(), sig_task_ignored();
 *           PR_SET_PDEATHSIG of prctl(2); seccomp(2) SECCOMP_RET_KILL_PROCESS.
 * Needs:    root or user namespaces; CONFIG_SECCOMP_FILTER for one row.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

static void answer(int sig)
{
	_exit(sig);
}

static void fault(struct child_report *rep)
{
	const struct rlimit none = { 0, 0 };
	void *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHILD_EQ(rep, 1, page != MAP_FAILED);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	__atomic_store_n((int *)page, 0, __ATOMIC_RELAXED);
}

static void fault_plain(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	fault(rep);
}

static void fault_ignored(struct child_report *rep,
			  void *arg __attribute__((unused)))
{
	signal(SIGSEGV, SIG_IGN);
	fault(rep);
}

static void fault_blocked(struct child_report *rep,
			  void *arg __attribute__((unused)))
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	fault(rep);
}

static void fault_handled(struct child_report *rep,
			  void *arg __attribute__((unused)))
{
	signal(SIGSEGV, answer);
	fault(rep);
}

static void seccomp_kill(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(code), code };

	prctl(PR_SET_DUMPABLE, 0);
	CHILD_EQ(rep, 0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0 &&
	    errno == EINVAL)
		child_skip(rep, NEEDS_SECCOMP);
	syscall(__NR_getppid);
}

static void broken_pipe(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	struct gate g;

	CHILD_EQ(rep, 0, gate_init(&g));
	fd_close(&g.fd[0]);
	CHILD_EQ(rep, -EPIPE, gate_open(&g));
}

static void alarm_clock(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	struct itimerval timer = { .it_value.tv_usec = 1000 };

	CHILD_EQ(rep, 0, setitimer(ITIMER_REAL, &timer, NULL));
	while (timer.it_value.tv_sec || timer.it_value.tv_usec)
		CHILD_EQ(rep, 0, getitimer(ITIMER_REAL, &timer));
}

static void large_file(struct child_report *rep,
		       void *arg __attribute__((unused)))
{
	const struct rlimit small = { 1, 1 };
	int fd = memfd_create("large", MFD_CLOEXEC);

	CHILD_LE(rep, 0, fd);
	CHILD_EQ(rep, 0, setrlimit(RLIMIT_FSIZE, &small));
	CHILD_EQ(rep, -1, ftruncate(fd, 2));
	CHILD_EQ(rep, EFBIG, errno);
}

FIXTURE(forced)
{
	const char *missing;
};

FIXTURE_VARIANT(forced)
{
	child_fn init;
	int code;
	int signal;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(forced, fault)                 { fault_plain,     -1,       SIGSEGV };
FIXTURE_VARIANT_ADD(forced, fault_though_ignored)  { fault_ignored,   -1,       SIGSEGV };
FIXTURE_VARIANT_ADD(forced, fault_though_blocked)  { fault_blocked,   -1,       SIGSEGV };
FIXTURE_VARIANT_ADD(forced, fault_with_a_handler)  { fault_handled,   SIGSEGV,  0 };
FIXTURE_VARIANT_ADD(forced, seccomp_kill)          { seccomp_kill,    -1,       SIGSYS };
FIXTURE_VARIANT_ADD(forced, broken_pipe)           { broken_pipe,     0,        0 };
FIXTURE_VARIANT_ADD(forced, expired_alarm)         { alarm_clock,     0,        0 };
FIXTURE_VARIANT_ADD(forced, too_large_file)        { large_file,      0,        0 };
/* clang-format on */

FIXTURE_SETUP(forced)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(forced)
{
}

TEST_F(forced, ends_init_only_if_it_must)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, variant->init, NULL));
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	EXPECT_EQ(variant->code, rep.code);
	EXPECT_EQ(variant->signal, rep.signal);
	rep.code = 0;
	rep.signal = 0;
	rep.done = 1;
	expect_held(_metadata, &rep);
}

static void heir(struct child_report *rep, void *arg)
{
	struct scene *s = arg;

	CHILD_EQ(rep, 0, prctl(PR_SET_PDEATHSIG, SIGKILL));
	CHILD_EQ(rep, 0, gate_open(&s->up));
	poll(NULL, 0, CHILD_DEADLINE_MS);
}

static void parent_of_init(struct child_report *rep, void *arg)
{
	struct scene *s = arg;
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, CLONE_NEWPID, heir, s));
	CHILD_EQ(rep, 0, gate_wait_child(&s->up, &c));
	/* the reader of "alive" has to see the init go, not this process */
	fd_close(&s->alive.fd[1]);
}

TEST(init_dies_with_the_parent_it_is_bound_to)
{
	struct child_report rep;
	const char *missing;
	struct scene s;
	char byte;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_run(&rep, 0, parent_of_init, &s));
	expect_held(_metadata, &rep);
	fd_close(&s.alive.fd[1]);
	EXPECT_EQ(0, read(s.alive.fd[0], &byte, 1));
}

TEST_HARNESS_MAIN
