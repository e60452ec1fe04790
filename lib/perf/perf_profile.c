// SPDX-License-Identifier: GPL-2.0
/* Twins at work, for perf-record(1) to sample; see perf_options.profile. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "perf_impl.h"

/*
 * A batch is that part of the whole: none comes near a deadline, what disturbs
 * for longer is in the samples of both, and perf, which may have to wait for
 * the CPU until it ends, has room for its samples.
 */
#define BATCHES 60

/* One for each twin. */
struct sampler {
	int control;
	int ack;
};

static int open_pipe(const char *directory, const char *name)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	/* Opened for both, it opens even when perf has not come yet. */
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_sampler(struct sampler *p, const char *directory, int who)
{
	static const char *const names[TWINS][2] = {
		[OUTSIDE] = { "outside.control", "outside.ack" },
		[INSIDE] = { "inside.control", "inside.ack" },
	};

	p->control = open_pipe(directory, names[who][0]);
	p->ack = open_pipe(directory, names[who][1]);
	return p->control < 0 ? p->control : p->ack < 0 ? p->ack : 0;
}

/* Commands and answer: perf-record(1), --control. */
static int tell_perf(const struct sampler *s, const char *command)
{
	struct pollfd p = { .fd = s->ack, .events = POLLIN };
	char answer[16];
	int n;

	if (s->control < 0)
		return 0;
	if (write(s->control, command, strlen(command)) < 0)
		return -errno;
	n = poll(&p, 1, CHILD_DEADLINE_MS);
	if (n <= 0)
		return n ? -errno : -ETIMEDOUT;
	return read(s->ack, answer, sizeof(answer)) < 0 ? -errno : 0;
}

static int work(struct perf_study *s, const struct sampler *p, int who,
		unsigned long n)
{
	long long ns;
	int ret = tell_perf(&p[who], "enable\n");

	if (ret)
		return ret;
	ns = twin_run(&s->twins, who, TWIN_RUN, n);
	return ns < 0 ? ns : tell_perf(&p[who], "disable\n");
}

/* In the order of a measurement. */
static int take_turns(struct perf_study *s, const struct sampler *p)
{
	unsigned long left = s->o->profile;
	unsigned long batch = left / BATCHES + 1;
	int first = OUTSIDE, ret = 0;

	while (left && !ret) {
		if (batch > left)
			batch = left;
		ret = work(s, p, first, batch);
		if (!ret)
			ret = work(s, p, !first, batch);
		first = !first;
		left -= batch;
	}
	return ret;
}

static int sampled(struct perf_study *s)
{
	struct sampler p[TWINS] = { { -1, -1 }, { -1, -1 } };
	int who, ret = 0;

	for (who = 0; who < TWINS && s->o->control && !ret; who++)
		ret = open_sampler(&p[who], s->o->control, who);
	if (!ret)
		ret = take_turns(s, p);
	for (who = 0; who < TWINS; who++) {
		fd_close(&p[who].control);
		fd_close(&p[who].ack);
	}
	return ret;
}

int perf_profile(struct perf_study *s)
{
	int ret;

	s->twins.inside = !s->o->null;
	s->twins.inject = s->o->inject;
	ret = twins_start(&s->twins, OUTSIDE);
	if (!ret)
		ret = sampled(s);
	if (!ret)
		twins_stop(&s->twins);
	return ret;
}
