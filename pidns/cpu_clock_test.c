// SPDX-License-Identifier: GPL-2.0
/*
 * The CPU clocks of processes and threads, named by their numbers inside a pid
 * namespace: which may be slept on, which may be read.
 *
 * Promises: clock_nanosleep(2), EINVAL for the CPU clock of the calling thread;
 *           clock_getcpuclockid(3), pthread_getcpuclockid(3); a sleep that a
 *           stop interrupts goes on (kernel/time/posix-cpu-timers.c:
 *           posix_cpu_nsleep, posix_cpu_nsleep_restart, pid_for_clock).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

/* include/linux/posix-timers.h, CPUCLOCK_SCHED */
static clockid_t clock_of_process(pid_t pid)
{
	return (~(clockid_t)pid << 3) | 2;
}

/* ... with CPUCLOCK_PERTHREAD_MASK */
static clockid_t clock_of_thread(pid_t tid)
{
	return clock_of_process(tid) | 4;
}

/* Until a moment that all clocks that ever ran have passed; 0 or -errno. */
static int sleep_on(clockid_t clock)
{
	struct timespec past = { .tv_nsec = 1 };

	return view_result(syscall(__NR_clock_nanosleep, clock, TIMER_ABSTIME,
				   &past, NULL));
}

static int read_clock(clockid_t clock)
{
	struct timespec ts;

	return view_result(syscall(__NR_clock_gettime, clock, &ts));
}

static int make_timer(clockid_t clock)
{
	struct sigevent silent = { .sigev_notify = SIGEV_NONE };
	int timer;

	if (syscall(__NR_timer_create, clock, &silent, &timer) < 0)
		return -errno;
	return view_result(syscall(__NR_timer_delete, timer));
}

/* struct thread - another thread, and what it found out */
struct thread {
	struct gate up;
	struct gate go;
	pid_t tid;
	pid_t leader;
	int sleep;
	int read_own;
	int read_leader;
	int timer_own;
};

static void *use_clocks(void *arg)
{
	struct thread *t = arg;

	t->tid = syscall(__NR_gettid);
	t->sleep = sleep_on(clock_of_thread(t->tid));
	/* its number is not that of a process, but it may ask by it */
	t->read_own = read_clock(clock_of_process(t->tid));
	t->read_leader = read_clock(clock_of_process(t->leader));
	t->timer_own = make_timer(clock_of_process(t->tid));
	gate_open(&t->up);
	gate_wait(&t->go);
	return NULL;
}

static void with_thread(struct child_report *rep, void *arg)
{
	struct thread t = { .leader = getpid() };
	pthread_t thread;

	child_need(rep, lack_of_threads());
	if (make_timer(CLOCK_MONOTONIC) == -ENOSYS)
		child_skip(rep, NEEDS_POSIX_TIMERS);
	CHILD_EQ(rep, 0, gate_init(&t.up));
	CHILD_EQ(rep, 0, gate_init(&t.go));
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, use_clocks, &t));
	CHILD_EQ(rep, 0, gate_wait(&t.up));
	CHILD_EQ(rep, -EINVAL, t.sleep);
	CHILD_EQ(rep, 0, t.read_own);
	CHILD_EQ(rep, 0, t.read_leader);
	CHILD_EQ(rep, -EINVAL, t.timer_own);
	CHILD_EQ(rep, 0, sleep_on(clock_of_thread(t.tid)));
	CHILD_EQ(rep, 0, read_clock(clock_of_thread(t.tid)));
	CHILD_EQ(rep, 0, make_timer(clock_of_thread(t.tid)));
	CHILD_EQ(rep, -EINVAL, sleep_on(clock_of_process(t.tid)));
	CHILD_EQ(rep, -EINVAL, read_clock(clock_of_process(t.tid)));
	CHILD_EQ(rep, -EINVAL, make_timer(clock_of_process(t.tid)));
	CHILD_EQ(rep, 0, gate_open(&t.go));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

static void own_thread(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, -EINVAL, sleep_on(clock_of_thread(0)));
	CHILD_EQ(rep, -EINVAL, sleep_on(clock_of_thread(getpid())));
	CHILD_EQ(rep, 0, sleep_on(clock_of_process(0)));
	CHILD_EQ(rep, 0, sleep_on(clock_of_process(getpid())));
	CHILD_EQ(rep, 0, read_clock(clock_of_thread(getpid())));
}

/* struct runner - a process whose clock has run, and runs again from @go on */
struct runner {
	struct child child;
	struct gate up;
	struct gate go;
};

static void wait_and_spin(struct child_report *rep, void *arg)
{
	struct runner *r = arg;

	CHILD_EQ(rep, 0, gate_open(&r->up));
	CHILD_EQ(rep, 0, gate_wait(&r->go));
	while (1)
		__asm__ volatile("" ::: "memory");
}

static void start_runner(struct child_report *rep, struct runner *r)
{
	CHILD_EQ(rep, 0, gate_init(&r->up));
	CHILD_EQ(rep, 0, gate_init(&r->go));
	CHILD_EQ(rep, 0, child_start(&r->child, 0, wait_and_spin, r));
	CHILD_EQ(rep, 0, gate_wait_child(&r->up, &r->child));
}

static void other_process(struct child_report *rep, void *arg)
{
	struct runner r;
	pid_t nobody;

	start_runner(rep, &r);
	CHILD_EQ(rep, 0, sleep_on(clock_of_process(r.child.pid)));
	CHILD_EQ(rep, -EINVAL, sleep_on(clock_of_thread(r.child.pid)));
	CHILD_EQ(rep, -EINVAL, read_clock(clock_of_thread(r.child.pid)));
	nobody = r.child.pid + 1;
	CHILD_EQ(rep, -EINVAL, sleep_on(clock_of_process(nobody)));
	CHILD_EQ(rep, -EINVAL, read_clock(clock_of_process(nobody)));
	CHILD_EQ(rep, 0, child_kill(&r.child));
}

/* struct nap - a sleep on the clock of another process */
struct nap {
	struct gate up;
	pid_t pid;
};

static void take_nap(struct child_report *rep, void *arg)
{
	struct timespec some = { .tv_nsec = 5000000 };
	struct nap *nap = arg;

	CHILD_EQ(rep, 0, gate_open(&nap->up));
	CHILD_EQ(rep, 0,
		 view_result(syscall(__NR_clock_nanosleep,
				     clock_of_process(nap->pid), 0, &some,
				     NULL)));
}

static void stop_and_go_on(struct child_report *rep, const struct child *c)
{
	siginfo_t info;

	CHILD_OK(rep, kill(c->pid, SIGSTOP));
	CHILD_OK(rep, waitid(P_PID, c->pid, &info, WSTOPPED));
	CHILD_OK(rep, kill(c->pid, SIGCONT));
	CHILD_OK(rep, waitid(P_PID, c->pid, &info, WCONTINUED));
}

/* It sleeps until the other one has run for a while, whatever happens. */
static void interrupted_sleep(struct child_report *rep, void *arg)
{
	struct child_report end;
	struct child sleeper;
	struct runner r;
	struct nap nap;
	int i;

	start_runner(rep, &r);
	CHILD_EQ(rep, 0, gate_init(&nap.up));
	nap.pid = r.child.pid;
	CHILD_EQ(rep, 0, child_start(&sleeper, 0, take_nap, &nap));
	CHILD_EQ(rep, 0, gate_wait_child(&nap.up, &sleeper));
	/* not all of them come before it sleeps */
	for (i = 0; i < 10; i++)
		stop_and_go_on(rep, &sleeper);
	CHILD_EQ(rep, 0, gate_open(&r.go));
	CHILD_EQ(rep, 0, child_wait(&sleeper, &end));
	CHILD_HELD(rep, &end);
	CHILD_EQ(rep, 0, child_kill(&r.child));
}

FIXTURE(clock)
{
	const char *missing;
};

FIXTURE_VARIANT(clock)
{
	child_fn fn;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(clock, of_this_thread)        { own_thread };
FIXTURE_VARIANT_ADD(clock, of_another_thread)     { with_thread };
FIXTURE_VARIANT_ADD(clock, of_another_process)    { other_process };
FIXTURE_VARIANT_ADD(clock, of_an_interrupted_sleep) { interrupted_sleep };
/* clang-format on */

FIXTURE_SETUP(clock)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(clock)
{
}

TEST_F(clock, is_found_by_the_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, variant->fn, NULL);
}

TEST_HARNESS_MAIN
