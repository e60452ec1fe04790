// SPDX-License-Identifier: GPL-2.0
/*
 * What a UNIX machine has always been measured with: creating processes,
 * replacing programs, switching through a pipe, system calls, and shell
 * scripts, one and eight at once.
 *
 *	fork/unix_perf -- -n 4
 *
 * or SELFTESTS_UNIX="-n ..." with run_all.sh: -n scripts at once in the second
 * row of those.
 *
 * Promises: pid_namespaces(7), time_namespaces(7) as means for whole systems.
 * Guards:   none.
 * Needs:    root or user namespaces; sh, sort, od, grep and wc for scripts.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "perf_ops.h"
#include "perf_place.h"
#include "perf_workload.h"

#define CHAIN "8replace"
#define LINKS ((long)sizeof(CHAIN) - 1)

static int open_chain(struct perf_ctx *ctx)
{
	int fd = perf_open_probe("chain_probe");

	if (fd < 0)
		return fd;
	/* It has to survive the execs, but not in the twin's pipes' place. */
	ctx->word[0] = fcntl(fd, F_DUPFD, 100);
	close(fd);
	return ctx->word[0] < 0 ? -errno : 0;
}

static int exec_chain(unsigned long n, struct perf_ctx *ctx)
{
	char number[16];
	char *const argv[] = { "chain_probe", number, CHAIN, NULL };
	pid_t pid;

	snprintf(number, sizeof(number), "%ld", ctx->word[0]);
	while (n--) {
		pid = fork();
		if (pid == 0) {
			syscall(SYS_execveat, (int)ctx->word[0], "", argv,
				environ, AT_EMPTY_PATH);
			_exit(127);
		}
		if (perf_reap(pid))
			return -ECHILD;
	}
	return 0;
}

static void echo(int from, int to)
{
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(from, &c, 1) == 1 && write(to, &c, 1) == 1)
		;
	_exit(0);
}

static int make_partner(struct perf_ctx *ctx)
{
	int there[2], back[2];
	pid_t pid;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0)
		echo(there[0], back[1]);
	ctx->word[0] = there[1];
	ctx->word[1] = back[0];
	return pid < 0 ? -errno : 0;
}

static int switch_contexts(unsigned long n, struct perf_ctx *ctx)
{
	char c = 0;

	while (n--) {
		if (write(ctx->word[0], &c, 1) != 1 ||
		    read(ctx->word[1], &c, 1) != 1)
			return -EPIPE;
	}
	return 0;
}

static int call_system(unsigned long n, struct perf_ctx *ctx)
{
	int fd, failed = 0;

	(void)ctx;
	while (n--) {
		fd = dup(0);
		failed |= close(fd);
		failed |= syscall(SYS_getpid) <= 0;
		failed |= syscall(SYS_getuid) < 0;
		umask(022);
	}
	return failed ? -EBADF : 0;
}

/* Some of each: pipes, files, built-in commands, programs, substitution. */
static const char script[] =
	"for i in 3 1 2; do echo $i line $$; done | sort | od -c |\n"
	"grep -c 0 >/dev/null || exit 1\n"
	"n=$(echo 1 2 3 | wc -w)\n"
	"[ $((n)) -eq 3 ]\n";

static pid_t start_script(void)
{
	char *const argv[] = { "sh", "-c", (char *)script, NULL };
	pid_t pid;

	return posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) ? -1 :
									 pid;
}

#define MOST_SCRIPTS 1000

static int run_scripts(unsigned long n, struct perf_ctx *ctx)
{
	const struct perf_param *params = (const struct perf_param *)ctx->arg;
	int i, many = perf_param(params, 'n'), ret = 0;
	pid_t pid[MOST_SCRIPTS];

	while (n-- && !ret) {
		for (i = 0; i < many; i++)
			pid[i] = start_script();
		for (i = 0; i < many; i++)
			ret |= perf_reap(pid[i]);
	}
	return ret;
}

static int try_script(struct perf_ctx *ctx)
{
	(void)ctx;
	return perf_reap(start_script()) ? -EOPNOTSUPP : 0;
}

static void print_table(const struct workload *w, const struct perf_result *res)
{
	long each = w->row.op == exec_chain ? LINKS + 1 : 1;

	if (w->row.op == run_scripts)
		each = perf_param(w->params, 'n');
	printf("# %-20s %12s %12s\n", w->row.name, "outside", "inside");
	printf("# %-20s %12.1f %12.1f\n", "loops per second",
	       each * 1e9 / res->outside, each * 1e9 / res->inside);
}

FIXTURE(unix_bench)
{
	struct perf_param params[2];
};

FIXTURE_VARIANT(unix_bench)
{
	struct perf_row row;
	int scripts;
};

FIXTURE_SETUP(unix_bench)
{
	self->params[0] = (struct perf_param){ 'n', 1, MOST_SCRIPTS, 0 };
	if (variant->scripts)
		self->params[0].value = variant->scripts;
}

FIXTURE_TEARDOWN(unix_bench)
{
}

/* clang-format off */
#define ROW(name, op, limit, ...) \
	.row = { "fork.unix." name, op, 0, &perf_both, limit, 0, __VA_ARGS__ }
#define SCRIPTS(n) ROW("shell" #n, run_scripts, 1.10, \
	"a dozen processes of 1 % for one level each", try_script, \
	NEEDS_TEXT_TOOLS, 4), .scripts = (n)

FIXTURE_VARIANT_ADD(unix_bench, spawn)
	{ ROW("spawn", perf_fork_wait, 1.06, "1 % for one level: one number, of 200 steps") };
FIXTURE_VARIANT_ADD(unix_bench, execl)
	{ ROW("execl", exec_chain, 1.05, "an exec keeps its number", open_chain) };
FIXTURE_VARIANT_ADD(unix_bench, context)
	{ ROW("context", switch_contexts, 1.05, "a switch knows no namespace", make_partner) };
FIXTURE_VARIANT_ADD(unix_bench, syscall)
	{ ROW("syscall", call_system, 1.05, "one number of one level, in one of five") };
FIXTURE_VARIANT_ADD(unix_bench, shell1) { SCRIPTS(1) };
FIXTURE_VARIANT_ADD(unix_bench, shell8) { SCRIPTS(8) };
/* clang-format on */

TEST_F_TIMEOUT(unix_bench, costs_inside_what_it_costs_outside, WORKLOAD_TIMEOUT)
{
	struct workload w = {
		.row = variant->row,
		.params = self->params,
		.variable = "SELFTESTS_UNIX",
		.table = print_table,
	};

	w.row.arg = (long)self->params;
	expect_cheap_workload(_metadata, &w);
}

TEST_HARNESS_MAIN
