/* SPDX-License-Identifier: GPL-2.0 */
/* Run timens_probe, as a 32-bit program, and judge what it found. */
#ifndef TIMENS_PROBE_EXPECT_H
#define TIMENS_PROBE_EXPECT_H

#include <stdio.h>
#include <sys/mman.h>

#include "expect.h"
#include "probe_job.h"
#include "routes.h"

#define PROBE_NAME (sizeof(long) == 4 ? "timens_probe" : "timens_probe32")

/* struct probe_run - what the child that becomes the probe needs to know */
struct probe_run {
	char path[256];
	char arg[PROBE_ARGS][16];
	int text; /* file for its standard output */
};

/* A kernel that was built without 32-bit programs does not know them. */
static inline void probe_become(struct child_report *rep, void *arg)
{
	struct probe_run *run = arg;

	CHILD_OK(rep, dup2(run->text, STDOUT_FILENO));
	execl(run->path, run->path, run->arg[0], run->arg[1], run->arg[2],
	      run->arg[3], run->arg[4], NULL);
	if (errno == ENOEXEC || errno == ENOENT)
		child_skip(rep, NEEDS_32BIT);
	CHILD_EQ(rep, 0, errno);
}

/**
 * expect_probe - the test fails unless a 32-bit program sees what it should
 * @_metadata: of the test
 * @job: what it is to look at
 */
static inline void expect_probe(struct __test_metadata *_metadata,
				const struct probe_job *job)
{
	const int arg[PROBE_ARGS] = { job->check, job->width, job->clock,
				      job->side, job->moment };
	char text[256] = "";
	struct probe_run run;
	struct child_report rep;
	int i;

	ASSERT_EQ(0, program_beside(PROBE_NAME, run.path, sizeof(run.path)));
	for (i = 0; i < PROBE_ARGS; i++)
		snprintf(run.arg[i], sizeof(run.arg[i]), "%d", arg[i]);
	run.text = memfd_create("text", MFD_CLOEXEC);
	ASSERT_LE(0, run.text);
	ASSERT_EQ(0, child_run(&rep, 0, probe_become, &run));
	ASSERT_LE(0, pread(run.text, text, sizeof(text) - 1, 0));
	close(run.text);
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	if (rep.code == PROBE_NO_CALL)
		SKIP(return, NEEDS_TIME32);
	if (rep.code == PROBE_WRONG)
		TH_LOG("in child, %s", text);
	EXPECT_EQ(0, rep.signal);
	EXPECT_EQ(PROBE_HELD, rep.code);
}

#endif /* TIMENS_PROBE_EXPECT_H */
