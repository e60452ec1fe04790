// SPDX-License-Identifier: GPL-2.0
/*
 * What reading /proc costs in a deeply nested pid namespace, compared with one
 * that is not nested, each with a /proc of its own and as many processes.
 *
 * Promises: proc(5); a process has one number in each /proc, however deep it
 *           lives (fs/proc/base.c:proc_pid_readdir, fs/proc/array.c).
 * Guards:   none.
 * Needs:    root or user namespaces, and the right to mount a new /proc.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#include "perf_crowd.h"
#include "perf_expect.h"
#include "perf_place.h"

static int read_file(const char *path, unsigned long n)
{
	char text[4096];
	ssize_t got;
	int fd;

	while (n--) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		got = read(fd, text, sizeof(text));
		close(fd);
		if (got <= 0)
			return -EIO;
	}
	return 0;
}

static int read_stat(unsigned long n, struct perf_ctx *ctx)
{
	(void)ctx;
	return read_file("/proc/self/stat", n);
}

/* Shows numbers of each level, from that of /proc down: here of one. */
static int read_status(unsigned long n, struct perf_ctx *ctx)
{
	(void)ctx;
	return read_file("/proc/self/status", n);
}

static int list_processes(unsigned long n, struct perf_ctx *ctx)
{
	struct dirent *entry;
	long found = 0;
	DIR *dir;

	while (n--) {
		dir = opendir("/proc");
		if (!dir)
			return -errno;
		for (found = 0; (entry = readdir(dir));)
			found += atoi(entry->d_name) > 0;
		closedir(dir);
		if (found < ctx->arg)
			return -ESRCH;
	}
	return 0;
}

static int make_processes(struct perf_ctx *ctx)
{
	return perf_crowd(ctx, ctx->arg, 0);
}

FIXTURE(procfs)
{
	int none; /* a structure must not be empty */
};

FIXTURE_VARIANT(procfs)
{
	struct perf_row row;
};

FIXTURE_SETUP(procfs)
{
}

FIXTURE_TEARDOWN(procfs)
{
}

/* clang-format off */
#define ROW(name, op, arg, prepare) \
	.row = { "pidns.proc." name, op, arg, &perf_proc, 1.05, 0, \
		 "one number of one level: depth does not count", prepare, \
		 NEEDS_PROCESSES }

FIXTURE_VARIANT_ADD(procfs, stat)        { ROW("stat", read_stat, 0, NULL) };
FIXTURE_VARIANT_ADD(procfs, status)      { ROW("status", read_status, 0, NULL) };
FIXTURE_VARIANT_ADD(procfs, readdir_10)  { ROW("readdir.10", list_processes, 10, make_processes) };
FIXTURE_VARIANT_ADD(procfs, readdir_100)
	{ ROW("readdir.100", list_processes, 100, make_processes) };
FIXTURE_VARIANT_ADD(procfs, readdir_1000)
	{ ROW("readdir.1000", list_processes, 1000, make_processes) };
FIXTURE_VARIANT_ADD(procfs, status_in_userns) { .row = {
	"pidns.proc.status.userns", read_status, 0, &perf_userns, 1.05, 0,
	"a dozen users and groups are mapped once more" } };
/* clang-format on */

TEST_F(procfs, costs_deep_inside_what_it_costs_at_the_first_level)
{
	expect_cheap(_metadata, &variant->row);
}

TEST_HARNESS_MAIN
