// SPDX-License-Identifier: GPL-2.0
/* One twin at work, for perf-record(1) to sample; see perf_options.profile. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "perf_impl.h"

/* A batch is that part of the whole, so that none comes near a deadline. */
#define BATCHES 200

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

/* Commands and answer: perf-record(1), --control. */
static int tell_perf(int control, int ack, const char *command)
{
	struct pollfd p = { .fd = ack, .events = POLLIN };
	char answer[16];
	int n;

	if (write(control, command, strlen(command)) < 0)
		return -errno;
	n = poll(&p, 1, CHILD_DEADLINE_MS);
	if (n <= 0)
		return n ? -errno : -ETIMEDOUT;
	return read(ack, answer, sizeof(answer)) < 0 ? -errno : 0;
}

static int work(struct perf_study *s)
{
	unsigned long left = s->o->profile;
	unsigned long batch = left / BATCHES + 1;
	long long ns = 0;

	while (left && ns >= 0) {
		if (batch > left)
			batch = left;
		ns = twin_run(&s->twins, s->o->inside ? INSIDE : OUTSIDE,
			      TWIN_RUN, batch);
		left -= batch;
	}
	return ns < 0 ? ns : 0;
}

static int sampled(struct perf_study *s)
{
	int control = -1, ack = -1;
	int ret;

	if (!s->o->control)
		return work(s);
	control = open_pipe(s->o->control, "control");
	if (control < 0)
		return control;
	ack = open_pipe(s->o->control, "ack");
	if (ack < 0)
		ret = ack;
	else
		ret = tell_perf(control, ack, "enable\n");
	if (!ret)
		ret = work(s);
	if (!ret)
		ret = tell_perf(control, ack, "disable\n");
	fd_close(&ack);
	fd_close(&control);
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
