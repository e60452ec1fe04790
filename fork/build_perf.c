// SPDX-License-Identifier: GPL-2.0
/*
 * A real build, inside and outside: the sources of this collection's lib/, as
 * many compilers at once as asked for, on one CPU ahead of all others and on all
 * CPUs among all others.
 *
 *	fork/build_perf -- -f 4 -j 2
 *
 * or SELFTESTS_BUILD="-f ..." with run_all.sh: -f files, -j at once.  $CC is
 * the compiler, else cc; with SELFTESTS_BUILD_COMMAND a shell runs that
 * instead, such as "make -C ~/linux -s clean && make -C ~/linux -s -j4".
 *
 * Promises: pid_namespaces(7), time_namespaces(7) as means for whole systems.
 * Guards:   none.
 * Needs:    root or user namespaces; a compiler and the sources.
 */
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "perf_place.h"
#include "perf_workload.h"

#define MOST_FILES 64
#define SOURCES "/lib/*.c"

/* No file is written: nothing is left behind when this is killed. */
static const char compile[] =
	"include=-I$1/lib no_file='-S -o /dev/null'\n"
	"exec ${CC:-cc} -O0 -D_GNU_SOURCE= \"$include\" $no_file \"$2\"\n";

/* What the runs on one side came to, in seconds. */
struct tally {
	long runs;
	double user, system;
};

/*
 * struct build - what the test shares with the workers
 * @command: what somebody wants to be run instead, or NULL
 * @top:     of the collection
 * @files:   the sources
 */
struct build {
	struct perf_param params[3];
	const char *command;
	char top[PATH_MAX];
	glob_t files;
	struct tally *side;
};

static pid_t start(const struct build *b, const char *file)
{
	const char *script = b->command ? b->command : compile;
	char *const argv[] = { "sh", "-c",	     (char *)script,
			       "sh", (char *)b->top, (char *)file,
			       NULL };
	pid_t pid;

	return posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) ? -1 :
									 pid;
}

/* Whichever ends first makes room for the next one. */
static int build(const struct build *b)
{
	long files = b->command ? 1 : perf_param(b->params, 'f');
	long running = 0, next = 0;
	int status, ret = 0;

	while (next < files || running) {
		if (next < files && running < perf_param(b->params, 'j')) {
			if (start(b, b->files.gl_pathv[next++]) < 0)
				return -EAGAIN;
			running++;
			continue;
		}
		if (waitpid(-1, &status, 0) < 0)
			return -ECHILD;
		running--;
		ret |= status;
	}
	return ret ? -ECHILD : 0;
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static int run_build(unsigned long n, struct perf_ctx *ctx)
{
	const struct build *b = (const struct build *)ctx->arg;
	struct tally *tally = &b->side[ctx->inside];
	struct rusage before, after;
	int ret = 0;

	while (n-- && !ret) {
		getrusage(RUSAGE_CHILDREN, &before);
		ret = build(b);
		getrusage(RUSAGE_CHILDREN, &after);
		tally->runs++;
		tally->user +=
			seconds(after.ru_utime) - seconds(before.ru_utime);
		tally->system +=
			seconds(after.ru_stime) - seconds(before.ru_stime);
	}
	return ret;
}

static int try_compiler(struct perf_ctx *ctx)
{
	const struct build *b = (const struct build *)ctx->arg;
	int status;
	pid_t pid;

	if (b->command)
		return 0;
	if ((long)b->files.gl_pathc < perf_param(b->params, 'f'))
		return -EOPNOTSUPP;
	pid = start(b, b->files.gl_pathv[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return -EOPNOTSUPP;
	return 0;
}

static void print_side(const char *name, const struct tally *tally, double ns)
{
	double runs = tally->runs ? tally->runs : 1;
	double elapsed = ns / 1e9;

	printf("# %-8s %9.3f %9.3f %9.3f %6.0f\n", name, elapsed,
	       tally->system / runs, tally->user / runs,
	       100 * (tally->user + tally->system) / runs / elapsed);
}

static void print_table(const struct workload *w, const struct perf_result *res)
{
	const struct build *b = (const struct build *)w->row.arg;

	printf("# %-8s %9s %9s %9s %6s\n", "build", "Elapsed", "System", "User",
	       "CPU%");
	print_side("outside", &b->side[0], res->outside);
	print_side("inside", &b->side[1], res->inside);
}

FIXTURE(build)
{
	struct build build;
};

FIXTURE_VARIANT(build)
{
	const char *name;
	int wide;
};

static void find_sources(struct build *b)
{
	char pattern[PATH_MAX + sizeof(SOURCES)];
	ssize_t n = readlink("/proc/self/exe", b->top, sizeof(b->top) - 1);
	int i;

	/* The program is in a directory of the collection. */
	for (i = 0; i < 2 && n > 0; i++) {
		b->top[n] = '\0';
		n = strrchr(b->top, '/') - b->top;
	}
	b->top[n > 0 ? n : 0] = '\0';
	snprintf(pattern, sizeof(pattern), "%s" SOURCES, b->top);
	if (glob(pattern, 0, NULL, &b->files))
		b->files.gl_pathc = 0;
}

FIXTURE_SETUP(build)
{
	self->build = (struct build){
		.params = { { 'f', 2, MOST_FILES, 0 }, { 'j', 2, 4096, 0 } },
		.command = getenv("SELFTESTS_BUILD_COMMAND"),
	};
	find_sources(&self->build);
	self->build.side = mmap(NULL, 2 * sizeof(struct tally),
				PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->build.side);
}

FIXTURE_TEARDOWN(build)
{
	munmap(self->build.side, 2 * sizeof(struct tally));
	globfree(&self->build.files);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(build, on_one_cpu)  { "fork.build", 0 };
FIXTURE_VARIANT_ADD(build, on_all_cpus) { "fork.build.wide", 1 };
/* clang-format on */

TEST_F_TIMEOUT(build, takes_inside_what_it_takes_outside, WORKLOAD_TIMEOUT)
{
	struct workload w = {
		.row = { variant->name, run_build, (long)&self->build,
			 &perf_both, 1.08, 0,
			 "it computes for most of the time", try_compiler,
			 NEEDS_BUILD, 4, variant->wide },
		.params = self->build.params,
		.variable = "SELFTESTS_BUILD",
		.table = print_table,
	};

	if (self->build.command) {
		w.row.name = variant->wide ? "fork.build.command.wide" :
					     "fork.build.command";
		w.row.weight = WORKLOAD_ASKED;
	}
	expect_cheap_workload(_metadata, &w);
}

TEST_HARNESS_MAIN
