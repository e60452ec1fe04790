// SPDX-License-Identifier: GPL-2.0
/* Facts that qualify a measurement; see env.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "env.h"
#include "env_debug.h"
#include "env_machine.h"
#include "procfs.h"

#define CPU_DIR "/sys/devices/system/cpu/"
#define CLOCKSOURCE_DIR "/sys/devices/system/clocksource/clocksource0/"

/* The first word of a file, or @otherwise. */
static void read_word(const char *path, char *word, const char *otherwise)
{
	char text[256];

	if (proc_read(path, text, sizeof(text)) <= 0)
		text[0] = '\0';
	text[strcspn(text, " \t\n")] = '\0';
	snprintf(word, ENV_WORD, "%.*s", ENV_WORD - 1,
		 text[0] ? text : otherwise);
}

/* The word in brackets, as sysfs shows a choice. */
static void read_choice(const char *path, char *word)
{
	char text[256];
	const char *open;

	snprintf(word, ENV_WORD, "unknown");
	if (proc_read(path, text, sizeof(text)) <= 0)
		return;
	open = strchr(text, '[');
	if (open)
		snprintf(word, ENV_WORD, "%.*s", (int)strcspn(open + 1, "]"),
			 open + 1);
}

static long long reads_ns(clockid_t id, int by_syscall)
{
	struct timespec a, b, t;
	int i;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (i = 0; i < 100; i++) {
		if (by_syscall)
			syscall(SYS_clock_gettime, id, &t);
		else
			clock_gettime(id, &t);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	return (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec;
}

/*
 * The C library's function ends in the same system call when the vDSO cannot
 * help, so without it both take the same time; with it, a tenth.
 */
int env_vdso(clockid_t id)
{
	long long libc = 0, raw = 0, ns;
	int i;

	for (i = 0; i < 9; i++) {
		ns = reads_ns(id, 0);
		if (!i || ns < libc)
			libc = ns;
		ns = reads_ns(id, 1);
		if (!i || ns < raw)
			raw = ns;
	}
	return libc * 3 < raw * 2;
}

/* All ticks of all CPUs so far, and those that were stolen (proc_stat(5)). */
static void read_ticks(long long *all, long long *stolen)
{
	char text[512];
	long long v[8] = { 0 };
	int i;

	*all = 0;
	*stolen = 0;
	if (proc_read("/proc/stat", text, sizeof(text)) <= 0)
		return;
	if (sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &v[0],
		   &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) != 8)
		return;
	for (i = 0; i < 8; i++)
		*all += v[i];
	*stolen = v[7];
}

static void read_load(struct env *e)
{
	char text[128];

	if (proc_read("/proc/loadavg", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%lf %*f %*f %*d/%ld", &e->load, &e->threads) != 2)
		e->load = -1;
}

void env_read(struct env *e)
{
	long long smt;

	*e = (struct env){ 0 };
	e->nodes = env_count("/sys/devices/system/node/node*");
	e->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	read_word(CLOCKSOURCE_DIR "current_clocksource", e->clocksource,
		  "unknown");
	read_word(CPU_DIR "cpu0/cpufreq/scaling_governor", e->governor, "none");
	read_choice("/sys/kernel/mm/transparent_hugepage/enabled", e->thp);
	env_preempt(e->preempt, sizeof(e->preempt));
	env_quota(e->quota, sizeof(e->quota));
	env_turbo(e->turbo, sizeof(e->turbo));
	env_model(e->cpu, sizeof(e->cpu));
	env_virt(e->virt, sizeof(e->virt));
	env_debug(e->debug, sizeof(e->debug));
	e->vdso = env_vdso(CLOCK_MONOTONIC);
	if (!proc_number(CPU_DIR "smt/active", "", &smt))
		e->smt = smt;
	read_load(e);
	read_ticks(&e->ticks, &e->stolen);
	if (!strcmp(e->virt, "tcg"))
		e->unfit = "emulated";
	else if (strcmp(e->debug, "none"))
		e->unfit = "debug-kernel";
}

void env_after(struct env *e)
{
	long long ticks, stolen;

	read_load(e);
	read_ticks(&ticks, &stolen);
	if (ticks > e->ticks)
		e->steal = (double)(stolen - e->stolen) / (ticks - e->ticks);
}

void line_add(char *buf, size_t size, const char *format, ...)
{
	size_t n = strlen(buf);
	va_list args;

	va_start(args, format);
	vsnprintf(buf + n, size - n, format, args);
	va_end(args);
}

void env_line(const struct env *e, char *buf, size_t size)
{
	line_add(buf, size, " clocksource=%s vdso=%s virt=%s debug=%s",
		 e->clocksource, e->vdso ? "used" : "unused", e->virt,
		 e->debug);
	line_add(buf, size, " governor=%s turbo=%s preempt=%s thp=%s quota=%s",
		 e->governor, e->turbo, e->preempt, e->thp, e->quota);
	line_add(buf, size, " model=%s cpus=%d", e->cpu, e->cpus);
	line_add(buf, size, " smt=%d nodes=%d threads=%ld load=%.2f steal=%.3f",
		 e->smt, e->nodes, e->threads, e->load, e->steal);
}
