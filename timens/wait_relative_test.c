// SPDX-License-Identifier: GPL-2.0
/*
 * A wait for some time takes that time, whatever the offsets of the namespace:
 * only moments are moved, not durations.
 *
 * Promises: time_namespaces(7); nanosleep(2), poll(2), select(2),
 *           epoll_pwait2(2), sigtimedwait(2), setitimer(2), futex(2),
 *           timer_settime(2), timerfd_settime(2), semtimedop(2), socket(7),
 *           io_uring_enter(2); kernel/time/posix-timers.c:common_timer_set(),
 *           fs/timerfd.c:timerfd_setup(): relative values stay.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "caps.h"
#include "deadline.h"
#include "expect.h"
#include "hop.h"
#include "uring.h"

/* long enough for interfaces that count milliseconds */
#define TIME (3 * MSEC)

/*
 * Returns 0 when the time was up, -EINTR when a signal came first, or another
 * negative errno.
 */
typedef int (*wait_for_fn)(struct child_report *rep, int64_t ns);

/* A wait that ends with 0 when its time is up. */
static int zero(long ret)
{
	if (ret > 0)
		return -EBADE;
	return ret < 0 ? -errno : 0;
}

/* A wait that ends with an error when its time is up. */
static int failed(long ret, int error)
{
	if (ret >= 0)
		return -EBADE;
	return errno == error ? 0 : -errno;
}

static int by_nanosleep(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return zero(nanosleep(&ts, NULL));
}

static int by_clock_nanosleep(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return -clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static int by_boottime_nanosleep(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return -clock_nanosleep(CLOCK_BOOTTIME, 0, &ts, NULL);
}

static int by_poll(struct child_report *rep, int64_t ns)
{
	return zero(poll(NULL, 0, ns / MSEC));
}

static int by_ppoll(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return zero(ppoll(NULL, 0, &ts, NULL));
}

static int by_select(struct child_report *rep, int64_t ns)
{
	struct timeval tv = { .tv_usec = ns / 1000 };

	return zero(select(0, NULL, NULL, NULL, &tv));
}

static int by_pselect(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);

	return zero(pselect(0, NULL, NULL, NULL, &ts, NULL));
}

static int by_epoll(struct child_report *rep, int64_t ns)
{
	struct epoll_event event;

	return zero(epoll_wait(epoll_create1(0), &event, 1, ns / MSEC));
}

static int by_epoll_pwait2(struct child_report *rep, int64_t ns)
{
	struct timespec time = ns_timespec(ns);
	int64_t ts[] = { time.tv_sec, time.tv_nsec };
	struct epoll_event event;
	int ret = zero(syscall(__NR_epoll_pwait2, epoll_create1(0), &event, 1,
			       ts, NULL, 0));

	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_EPOLL_PWAIT2);
	return ret;
}

static int by_sigtimedwait(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	return failed(sigtimedwait(&mask, NULL, &ts), EAGAIN);
}

static int by_futex(struct child_report *rep, int64_t ns)
{
	struct timespec ts = ns_timespec(ns);
	uint32_t word = 1;

	return failed(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &ts, NULL, 0),
		      ETIMEDOUT);
}

static int by_semtimedop(struct child_report *rep, int64_t ns)
{
	int id = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf down = { .sem_op = -1 };
	struct timespec ts = ns_timespec(ns);
	int ret;

	if (id < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_SYSVIPC);
	CHILD_EQ(rep, 0, id < 0 ? errno : 0);
	ret = failed(semtimedop(id, &down, 1, &ts), EAGAIN);
	CHILD_EQ(rep, 0, semctl(id, 0, IPC_RMID));
	return ret;
}

/* Counted in ticks, rounded up. */
static int by_receive_timeout(struct child_report *rep, int64_t ns)
{
	struct timeval tv = { .tv_usec = ns / 1000 };
	int sock[2];
	char c;

	CHILD_EQ(rep, 0, socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	CHILD_EQ(rep, 0,
		 setsockopt(sock[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	return failed(recv(sock[0], &c, 1, 0), EAGAIN);
}

static int expiry(struct child_report *rep, int64_t ns, clockid_t clock)
{
	struct itimerspec set = { .it_value = ns_timespec(ns) };
	struct sigevent event = { .sigev_signo = SIGUSR1 };
	sigset_t mask;
	timer_t timer;
	int ret;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	CHILD_EQ(rep, 0, timer_create(clock, &event, &timer));
	CHILD_EQ(rep, 0, timer_settime(timer, 0, &set, NULL));
	do
		ret = sigwaitinfo(&mask, NULL) < 0 ? -errno : 0;
	while (!guard_is_over(ret, 1));
	return ret;
}

static int by_timer(struct child_report *rep, int64_t ns)
{
	return expiry(rep, ns, CLOCK_MONOTONIC);
}

static int by_boottime_timer(struct child_report *rep, int64_t ns)
{
	return expiry(rep, ns, CLOCK_BOOTTIME);
}

static int fd_expiry(struct child_report *rep, int64_t ns, clockid_t clock)
{
	struct itimerspec set = { .it_value = ns_timespec(ns) };
	int fd = timerfd_create(clock, 0);
	uint64_t count;

	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, timerfd_settime(fd, 0, &set, NULL));
	return read(fd, &count, sizeof(count)) < 0 ? -errno : 0;
}

static int by_timerfd(struct child_report *rep, int64_t ns)
{
	return fd_expiry(rep, ns, CLOCK_MONOTONIC);
}

static int by_boottime_timerfd(struct child_report *rep, int64_t ns)
{
	return fd_expiry(rep, ns, CLOCK_BOOTTIME);
}

static int by_io_uring(struct child_report *rep, int64_t ns)
{
	struct timespec time = ns_timespec(ns);
	int64_t ts[] = { time.tv_sec, time.tv_nsec };
	struct io_uring_sqe sqe = {
		.opcode = IORING_OP_TIMEOUT,
		.fd = -1,
		.addr = (uintptr_t)ts,
		.len = 1,
	};
	struct uring r;
	int ret, res;

	uring_open(rep, &r);
	uring_queue(&r, &sqe);
	uring_submit(rep, &r);
	ret = uring_result(&r, 0, &res);
	return ret < 0 ? ret : res == -ETIME ? 0 : res;
}

/* The guard itself is a relative timer: here its signal is the end. */
static int by_itimer(struct child_report *rep, int64_t ns)
{
	guard_arm(ns);
	pause();
	return 0;
}

struct duration {
	wait_for_fn wait;
	enum side side;
};

static void take_time(struct child_report *rep, void *arg)
{
	const struct duration *d = arg;
	struct offsets off = offsets_on(d->side);
	int64_t entered, after;
	int old, ret;

	stay_on_cpu(rep);
	old = timens_enter(rep, &off);
	do {
		entered = clock_ns(CLOCK_MONOTONIC);
		guard_arm(TIME + GUARD_AFTER_LONG);
		ret = d->wait(rep, TIME);
		guard_disarm();
	} while (!guard_is_over(ret, 1));
	timens_leave(rep, old);
	after = clock_ns(CLOCK_MONOTONIC);
	CHILD_EQ(rep, 0, ret);
	CHILD_LE(rep, entered - off.monotonic + TIME, after);
}

FIXTURE(wait_for)
{
	const char *missing;
};

FIXTURE_VARIANT(wait_for)
{
	wait_for_fn wait;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(wait_for, nanosleep)          { by_nanosleep };
FIXTURE_VARIANT_ADD(wait_for, clock_nanosleep)    { by_clock_nanosleep };
FIXTURE_VARIANT_ADD(wait_for, boottime_nanosleep) { by_boottime_nanosleep };
FIXTURE_VARIANT_ADD(wait_for, poll)               { by_poll };
FIXTURE_VARIANT_ADD(wait_for, ppoll)              { by_ppoll };
FIXTURE_VARIANT_ADD(wait_for, select)             { by_select };
FIXTURE_VARIANT_ADD(wait_for, pselect)            { by_pselect };
FIXTURE_VARIANT_ADD(wait_for, epoll)              { by_epoll };
FIXTURE_VARIANT_ADD(wait_for, epoll_pwait2)       { by_epoll_pwait2 };
FIXTURE_VARIANT_ADD(wait_for, sigtimedwait)       { by_sigtimedwait };
FIXTURE_VARIANT_ADD(wait_for, futex)              { by_futex };
FIXTURE_VARIANT_ADD(wait_for, semtimedop)         { by_semtimedop };
FIXTURE_VARIANT_ADD(wait_for, receive_timeout)    { by_receive_timeout };
FIXTURE_VARIANT_ADD(wait_for, timer)              { by_timer };
FIXTURE_VARIANT_ADD(wait_for, boottime_timer)     { by_boottime_timer };
FIXTURE_VARIANT_ADD(wait_for, timerfd)            { by_timerfd };
FIXTURE_VARIANT_ADD(wait_for, boottime_timerfd)   { by_boottime_timerfd };
FIXTURE_VARIANT_ADD(wait_for, io_uring)           { by_io_uring };
FIXTURE_VARIANT_ADD(wait_for, itimer)             { by_itimer };
/* clang-format on */

FIXTURE_SETUP(wait_for)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(wait_for)
{
}

TEST_F(wait_for, as_long_when_the_clock_is_ahead)
{
	struct duration d = { variant->wait, AHEAD };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, take_time, &d));
	expect_held(_metadata, &rep);
}

TEST_F(wait_for, as_long_when_the_clock_is_behind)
{
	struct duration d = { variant->wait, BEHIND };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, take_time, &d));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
