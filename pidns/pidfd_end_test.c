// SPDX-License-Identifier: GPL-2.0
/*
 * What a pidfd is good for when its process ends, inside a pid namespace.
 *
 * Promises: pidfd_open(2): poll(2) tells of the end when all threads ended;
 *           pidfd_getfd(2), ESRCH; fdinfo, Pid: -1 when it is reaped
 *           (fs/pidfs.c:pidfd_poll, pidfd_show_fdinfo, pidfd_ioctl,
 *           kernel/pid.c:__pidfd_fget).
 * Guards:   b191d6491be6 ("pidfd: fix a poll race when setting exit_state"),
 *           v5.3;
 *           0fb482728ba1 ("pidfs: improve multi-threaded exec and premature
 *           thread-group leader exit polling"), v6.15;
 *           3d6d8da48d0b ("pidfd: check pid has attached task in fdinfo"),
 *           v5.5;
 *           0c9bd6bc4bb2 ("pidfd: getfd should always report ESRCH if a task is
 *           exiting"), v6.9;
 *           8a46067783bd ("pidfs: check for valid pid namespace"), v6.12;
 *           232590ea7fc1 ("Revert "pidfd: prevent creation of pidfds for
 *           kthreads""), v6.11.
 * Needs:    root or user namespaces; /proc.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "scene.h"

#define LATE_MS 50 /* most children live until somebody polls */
#define EXITING 100

FIXTURE(end)
{
	const char *missing;
};

FIXTURE_SETUP(end)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(end)
{
}

static int polled(int pidfd, int ms)
{
	struct pollfd pfd = { .fd = pidfd, .events = POLLIN };

	return poll(&pfd, 1, ms);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void end_late(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
	poll(NULL, 0, LATE_MS);
}

/* A poll that nobody wakes finds out as well: when its time is up. */
static void wait_for_end(struct child_report *rep, void *arg)
{
	long start = now_ms();
	struct child c;

	(void)arg;
	CHILD_EQ(rep, 0, child_start(&c, 0, end_late, NULL));
	CHILD_EQ(rep, 1, polled(c.pidfd, CHILD_DEADLINE_MS / 2));
	CHILD_LE(rep, 1, start + CHILD_DEADLINE_MS / 2 - now_ms());
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
}

TEST_F(end, wakes_who_polls)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, wait_for_end, NULL);
}

static void *stay_behind(void *arg)
{
	struct scene *s = arg;

	gate_open(&s->up);
	gate_wait(&s->go);
	_exit(0);
}

static void leave_a_thread(struct child_report *rep, void *arg)
{
	pthread_t thread;

	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, stay_behind, arg));
	/* not pthread_exit(3): a static program may lack what it loads */
	syscall(__NR_exit, 0);
}

static void wait_for_last_thread(struct child_report *rep, void *arg)
{
	struct scene s;
	struct child c;

	(void)arg;
	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, scene_init(&s));
	CHILD_EQ(rep, 0, child_start(&c, 0, leave_a_thread, &s));
	CHILD_EQ(rep, 0, gate_wait_child(&s.up, &c));
	CHILD_EQ(rep, 0, polled(c.pidfd, SCENE_NEVER_MS));
	CHILD_EQ(rep, 0, gate_open(&s.go));
	CHILD_EQ(rep, 1, polled(c.pidfd, CHILD_DEADLINE_MS));
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
}

TEST_F(end, of_the_first_thread_is_none)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, wait_for_last_thread, NULL);
}

static void do_nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

static long long fdinfo_pid(struct child_report *rep, int pidfd)
{
	long long pid = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	CHILD_EQ(rep, 0, proc_number(path, "\nPid:", &pid));
	return pid;
}

/* Of the dead ESRCH, where the kernel would tell it of the living. */
static void expect_no_namespace(struct child_report *rep, int pidfd)
{
	int own = sys_pidfd_open(getpid(), 0);
	int ns = ioctl(own, PIDFD_GET_PID_NAMESPACE, 0);

	if (ns >= 0) {
		CHILD_EQ(rep, -1, ioctl(pidfd, PIDFD_GET_PID_NAMESPACE, 0));
		CHILD_EQ(rep, ESRCH, errno);
	}
	fd_close(&ns);
	fd_close(&own);
}

static void ask_the_dead(struct child_report *rep, void *arg)
{
	struct child c;
	int fd;

	(void)arg;
	child_need(rep, lack_of_proc());
	CHILD_EQ(rep, 0, child_start(&c, 0, do_nothing, NULL));
	fd = fcntl(c.pidfd, F_DUPFD_CLOEXEC, 0);
	CHILD_EQ(rep, 1, polled(fd, CHILD_DEADLINE_MS));
	/* not reaped yet */
	CHILD_EQ(rep, -1, sys_pidfd_getfd(fd, 0, 0));
	if (errno != ENOSYS && errno != EPERM)
		CHILD_EQ(rep, ESRCH, errno);
	CHILD_LE(rep, 1, fdinfo_pid(rep, fd));
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
	CHILD_EQ(rep, -1, fdinfo_pid(rep, fd));
	CHILD_EQ(rep, -1, sys_pidfd_send_signal(fd, 0, NULL, 0));
	CHILD_EQ(rep, ESRCH, errno);
	expect_no_namespace(rep, fd);
}

TEST_F(end, leaves_a_pidfd_of_nobody)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, ask_the_dead, NULL);
}

/* Before, while and after it ends: a namespace, or nobody is there. */
static void ask_the_dying(struct child_report *rep, void *arg)
{
	int i, fd, ended;
	struct child c;

	(void)arg;
	fd = sys_pidfd_open(getpid(), 0);
	if (ioctl(fd, PIDFD_GET_PID_NAMESPACE, 0) < 0)
		child_skip(rep, NEEDS_PIDFD_NS);
	for (i = 0; i < EXITING; i++) {
		CHILD_EQ(rep, 0, child_start(&c, 0, do_nothing, NULL));
		do {
			ended = polled(c.pidfd, 0);
			fd = ioctl(c.pidfd, PIDFD_GET_PID_NAMESPACE, 0);
			CHILD_EQ(rep, 1, fd >= 0 || errno == ESRCH);
			fd_close(&fd);
		} while (!ended);
		CHILD_EQ(rep, 0, child_wait(&c, NULL));
	}
}

TEST_F(end, takes_the_namespace_away_and_no_more)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, ask_the_dying, NULL);
}

TEST(a_kernel_thread_has_a_pidfd)
{
	const char *missing = lack_of_first_pid_ns();

	if (missing)
		SKIP(return, "%s", missing);
	/* kthreadd; it never ends */
	EXPECT_LE(0, sys_pidfd_open(2, 0))
	TH_LOG("errno is %d", errno);
}

TEST_HARNESS_MAIN
