// SPDX-License-Identifier: GPL-2.0
/*
 * Every birth, exec and death inside a pid namespace is an event exactly once:
 * counted by tracepoints, on the tasks themselves, so that nothing is lost
 * however busy the machine is.
 *
 * Promises: perf_event_open(2), PERF_TYPE_TRACEPOINT and inherit;
 *           kernel/fork.c:kernel_clone(), kernel/exit.c:do_exit(),
 *           fs/exec.c:exec_binprm().
 * Guards:   none.
 * Needs:    root in the initial user namespace; perf events, tracefs.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "caps.h"
#include "expect.h"
#include "image.h"
#include "lack.h"
#include "population.h"
#include "procfs.h"

enum { BIRTH, EXEC, DEATH, EVENTS };

static const char *const event_names[EVENTS] = {
	[BIRTH] = "sched_process_fork",
	[EXEC] = "sched_process_exec",
	[DEATH] = "sched_process_exit",
};

/* What the first process of the namespace needs to know. */
struct life {
	char path[512]; /* of exec_probe */
	struct gate go;
};

FIXTURE(events)
{
	const char *missing;
	int id[EVENTS];
	int fd[EVENTS];
	struct life life;
};

/* Returns the number of a tracepoint, -1 where there is none. */
static int tracepoint(int tracefs, const char *name)
{
	char path[64], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "events/sched/%s/id", name);
	fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return -1;
	close(fd);
	return atoi(text);
}

FIXTURE_SETUP(events)
{
	int tracefs, i;

	self->life.go = GATE_NONE;
	for (i = 0; i < EVENTS; i++)
		self->fd[i] = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	tracefs = fs_open_new("tracefs");
	if (!self->missing && tracefs < 0)
		self->missing = tracefs == -ENODEV ? NEEDS_TRACEFS :
						     NEEDS_REAL_ROOT;
	for (i = 0; i < EVENTS && !self->missing; i++) {
		self->id[i] = tracepoint(tracefs, event_names[i]);
		if (self->id[i] < 0)
			self->missing = NEEDS_TRACEFS;
	}
	fd_close(&tracefs);
	if (!self->missing)
		self->missing = lack_of_threads();
	if (!self->missing && access("/proc/self", F_OK) < 0)
		self->missing = NEEDS_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->life.path,
				sizeof(self->life.path)));
	ASSERT_EQ(0, gate_init(&self->life.go));
}

FIXTURE_TEARDOWN(events)
{
	int i;

	for (i = 0; i < EVENTS; i++)
		fd_close(&self->fd[i]);
	gate_close(&self->life.go);
}

static void live(struct child_report *rep, void *arg)
{
	struct life *life = arg;

	CHILD_EQ(rep, 0, gate_wait(&life->go));
	population_live(rep, life->path);
}

/* Counts what @pid and its descendants do. Returns an fd or -1 with errno. */
static int count_events(int id, pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.inherit = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static int64_t counted(int fd)
{
	int64_t n;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : -errno;
}

TEST_F(events, balance)
{
	struct child_report rep;
	struct child c;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, live, &self->life));
	for (i = 0; i < EVENTS; i++) {
		self->fd[i] = count_events(self->id[i], c.pid);
		if (self->fd[i] < 0)
			self->missing = NEEDS_PERF_EVENTS;
	}
	ASSERT_EQ(0, gate_open(&self->life.go));
	ASSERT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(POPULATION_BIRTHS, counted(self->fd[BIRTH]));
	EXPECT_EQ(POPULATION_EXECS, counted(self->fd[EXEC]));
	/* and the first process, which was there before */
	EXPECT_EQ(POPULATION_BIRTHS + 1, counted(self->fd[DEATH]));
}

TEST_HARNESS_MAIN
