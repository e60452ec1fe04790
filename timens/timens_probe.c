// SPDX-License-Identifier: GPL-2.0
/*
 * Makes one check of time namespaces as a program of its own kind: a 32-bit one
 * has system calls and a vDSO of its own.
 *
 * usage: timens_probe CHECK WIDTH CLOCK SIDE MOMENT, numbers of probe_job.h
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#include "probe_job.h"
#include "unmoved.h"

/* A 64-bit program has one of each, and a long is wide enough. */
#ifdef __NR_clock_nanosleep_time64
#define CALLS(name)                               \
	{                                         \
		__NR_##name, __NR_##name##_time64 \
	}
#define SET_CALLS(name)                      \
	{                                    \
		__NR_##name, __NR_##name##64 \
	}
#else
#define CALLS(name)                      \
	{                                \
		__NR_##name, __NR_##name \
	}
#define SET_CALLS(name)                  \
	{                                \
		__NR_##name, __NR_##name \
	}
#endif

static const int sleep_calls[] = CALLS(clock_nanosleep);
static const int futex_calls[] = CALLS(futex);
static const int timer_calls[] = SET_CALLS(timer_settime);
static const int timerfd_calls[] = SET_CALLS(timerfd_settime);

/* struct itimerspec, or after its interval a struct timespec, of either width */
union moment_of {
	struct {
		long interval[2];
		long value[2];
	} time32;
	struct {
		int64_t interval[2];
		int64_t value[2];
	} time64;
};

static void *moment_at(union moment_of *m, enum probe_width width, int64_t ns)
{
	*m = (union moment_of){ .time64 = { { 0, 0 }, { 0, 0 } } };
	if (width == TIME32) {
		m->time32.value[0] = ns / NSEC_PER_SEC;
		m->time32.value[1] = ns % NSEC_PER_SEC;
		return m->time32.value;
	}
	m->time64.value[0] = ns / NSEC_PER_SEC;
	m->time64.value[1] = ns % NSEC_PER_SEC;
	return m->time64.value;
}

/* A wait_fn is not told the width: each has its own. */
static int sleep_until(enum probe_width width, clockid_t clock, int64_t until)
{
	union moment_of m;
	void *at = moment_at(&m, width, until);

	return syscall(sleep_calls[width], clock, TIMER_ABSTIME, at, NULL) < 0 ?
		       -errno :
		       0;
}

static int futex_until(enum probe_width width, int64_t until)
{
	union moment_of m;
	void *at = moment_at(&m, width, until);
	uint32_t word = 1;

	if (syscall(futex_calls[width], &word, FUTEX_WAIT_BITSET, 1, at, NULL,
		    FUTEX_BITSET_MATCH_ANY) >= 0)
		return -EBADE;
	return errno == ETIMEDOUT ? 0 : -errno;
}

static int timer_until(struct child_report *rep, enum probe_width width,
		       clockid_t clock, int64_t until)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGUSR1,
	};
	union moment_of m;
	sigset_t mask;
	int timer;

	moment_at(&m, width, until);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	/* the C library's timer_t is not the kernel's */
	CHILD_EQ(rep, 0, syscall(SYS_timer_create, clock, &event, &timer));
	if (syscall(timer_calls[width], timer, TIMER_ABSTIME, &m, NULL) < 0)
		return -errno;
	return sigwaitinfo(&mask, NULL) < 0 ? -errno : 0;
}

static int timerfd_until(struct child_report *rep, enum probe_width width,
			 clockid_t clock, int64_t until)
{
	union moment_of m;
	uint64_t expirations;
	int fd = timerfd_create(clock, TFD_CLOEXEC);

	CHILD_LE(rep, 0, fd);
	moment_at(&m, width, until);
	if (syscall(timerfd_calls[width], fd, TFD_TIMER_ABSTIME, &m, NULL) < 0)
		return -errno;
	if (read(fd, &expirations, sizeof(expirations)) < 0)
		return -errno;
	CHILD_EQ(rep, 1, expirations);
	return 0;
}

static int sleep32(struct child_report *rep, clockid_t clock, int64_t until)
{
	(void)rep;
	return sleep_until(TIME32, clock, until);
}

static int sleep64(struct child_report *rep, clockid_t clock, int64_t until)
{
	(void)rep;
	return sleep_until(TIME64, clock, until);
}

static int futex32(struct child_report *rep, clockid_t clock, int64_t until)
{
	(void)rep;
	(void)clock;
	return futex_until(TIME32, until);
}

static int futex64(struct child_report *rep, clockid_t clock, int64_t until)
{
	(void)rep;
	(void)clock;
	return futex_until(TIME64, until);
}

static int timer32(struct child_report *rep, clockid_t clock, int64_t until)
{
	return timer_until(rep, TIME32, clock, until);
}

static int timer64(struct child_report *rep, clockid_t clock, int64_t until)
{
	return timer_until(rep, TIME64, clock, until);
}

static int timerfd32(struct child_report *rep, clockid_t clock, int64_t until)
{
	return timerfd_until(rep, TIME32, clock, until);
}

static int timerfd64(struct child_report *rep, clockid_t clock, int64_t until)
{
	return timerfd_until(rep, TIME64, clock, until);
}

static const wait_fn waits[][2] = {
	[BY_SLEEP] = { sleep32, sleep64 },
	[BY_TIMER] = { timer32, timer64 },
	[BY_TIMERFD] = { timerfd32, timerfd64 },
	[BY_FUTEX] = { futex32, futex64 },
};

static int check(struct child_report *rep, const int *arg)
{
	struct deadline d = {
		.clock = arg[2],
		.side = arg[3],
		.moment = arg[4],
	};

	switch (arg[0]) {
	case PROBE_TIME_OF_DAY:
		return child_run(rep, 0, unmoved_time_of_day, NULL);
	case PROBE_RESOLUTIONS:
		return child_run(rep, 0, unmoved_resolutions, NULL);
	default:
		d.wait = waits[arg[0]][arg[1]];
		return child_run(rep, 0, deadline_check, &d);
	}
}

int main(int argc, char **argv)
{
	struct child_report rep;
	int arg[PROBE_ARGS], i;

	if (argc != 1 + PROBE_ARGS)
		return PROBE_USAGE;
	for (i = 0; i < PROBE_ARGS; i++)
		arg[i] = atoi(argv[1 + i]);
	if (arg[0] < 0 || arg[0] > BY_FUTEX || arg[1] < 0 || arg[1] > TIME64)
		return PROBE_USAGE;
	if (check(&rep, arg) < 0)
		return PROBE_USAGE;
	if (child_held(&rep))
		return PROBE_HELD;
	if (rep.file && rep.got == -ENOSYS)
		return PROBE_NO_CALL;
	if (!rep.file)
		printf("a process ended with code %d or signal %d\n", rep.code,
		       rep.signal);
	else
		printf("%s:%d: %s is %lld, expected %s %lld %s\n", rep.file,
		       rep.line, rep.what, rep.got, rep.relation, rep.want,
		       rep.text);
	return PROBE_WRONG;
}
