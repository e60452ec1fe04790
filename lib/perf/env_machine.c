// SPDX-License-Identifier: GPL-2.0
/* The CPU, and who shares it. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "env.h"
#include "env_debug.h"
#include "env_machine.h"
#include "procfs.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define CPU_DIR "/sys/devices/system/cpu/"
#define CGROUP_DIR "/sys/fs/cgroup"

int env_count(const char *pattern)
{
	glob_t g;
	int n = 0;

	if (!glob(pattern, 0, NULL, &g))
		n = g.gl_pathc;
	globfree(&g);
	return n;
}

int env_node(int cpu)
{
	char pattern[96];
	int node = -1;
	glob_t g;

	snprintf(pattern, sizeof(pattern), CPU_DIR "cpu%d/node[0-9]*", cpu);
	if (!glob(pattern, 0, NULL, &g))
		node = atoi(strrchr(g.gl_pathv[0], '/') + strlen("/node"));
	globfree(&g);
	return node;
}

void env_model(char *buf, size_t size)
{
	/* x86, s390 and loongarch; powerpc; riscv; arm64 has numbers only */
	static const char *const keys[] = { "\nmodel name", "\nModel Name",
					    "\ncpu\t", "\nuarch",
					    "\nCPU part" };
	char text[4096];
	const char *line = NULL;
	size_t i;

	snprintf(buf, size, "unknown");
	if (proc_read("/proc/cpuinfo", text, sizeof(text)) <= 0)
		return;
	for (i = 0; i < ARRAY_SIZE(keys) && !line; i++)
		line = strstr(text, keys[i]);
	if (line)
		line = strchr(line, ':');
	if (!line || !line[1])
		return;
	snprintf(buf, size, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
	for (; *buf; buf++) {
		if (*buf == ' ' || *buf == '\t')
			*buf = '_';
	}
}

void env_turbo(char *buf, size_t size)
{
	long long on;

	if (!proc_number(CPU_DIR "cpufreq/boost", "", &on))
		snprintf(buf, size, on ? "on" : "off");
	else if (!proc_number(CPU_DIR "intel_pstate/no_turbo", "", &on))
		snprintf(buf, size, on ? "off" : "on");
	else
		snprintf(buf, size, "unknown");
}

static int quota_v2(const char *dir, double *quota, double *period)
{
	char path[512], text[64];

	snprintf(path, sizeof(path), "%s/cpu.max", dir);
	return proc_read(path, text, sizeof(text)) > 0 &&
	       sscanf(text, "%lf %lf", quota, period) == 2;
}

static int quota_v1(const char *dir, double *quota, double *period)
{
	char path[512];
	long long us[2];

	snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", dir);
	if (proc_number(path, "", &us[0]) || us[0] <= 0)
		return 0;
	snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", dir);
	if (proc_number(path, "", &us[1]))
		return 0;
	*quota = us[0];
	*period = us[1];
	return 1;
}

/* Where the cgroup of the line "ID:CONTROLLERS:PATH" with that middle is. */
static int own_cgroup(const char *middle, const char *root, char *dir,
		      size_t size)
{
	char text[2048];
	const char *own;

	if (proc_read("/proc/self/cgroup", text, sizeof(text)) <= 0)
		return 0;
	own = strstr(text, middle);
	if (!own)
		return 0;
	own += strlen(middle);
	return snprintf(dir, size, "%s%.*s", root, (int)strcspn(own, "\n"),
			own) < (int)size;
}

/* From the own one up to the root. */
static void tightest(char *dir, const char *root,
		     int (*read)(const char *, double *, double *),
		     double *part, char *buf, size_t size)
{
	double quota, period;
	char *end;

	while (strlen(dir) >= strlen(root)) {
		if (read(dir, &quota, &period) && quota / period < *part) {
			*part = quota / period;
			snprintf(buf, size, "%.0f/%.0f", quota, period);
		}
		end = strrchr(dir, '/');
		if (!end)
			return;
		*end = '\0';
	}
}

void env_quota(char *buf, size_t size)
{
	double part = 1e9;
	char dir[384];

	snprintf(buf, size, "max");
	if (own_cgroup("0::", CGROUP_DIR, dir, sizeof(dir)))
		tightest(dir, CGROUP_DIR, quota_v2, &part, buf, size);
	if (own_cgroup(":cpu:", CGROUP_DIR "/cpu", dir, sizeof(dir)) ||
	    own_cgroup(":cpu,cpuacct:", CGROUP_DIR "/cpu", dir, sizeof(dir)))
		tightest(dir, CGROUP_DIR "/cpu", quota_v1, &part, buf, size);
}

/* Shown as "none voluntary (full)". */
static int from_debugfs(char *word, size_t size)
{
	char text[128];
	const char *open;

	if (proc_read("/sys/kernel/debug/sched/preempt", text, sizeof(text)) <=
	    0)
		return 0;
	open = strchr(text, '(');
	if (!open)
		return 0;
	open++;
	snprintf(word, size, "%.*s", (int)strcspn(open, ")"), open);
	return 1;
}

static void chosen_preempt(char *word, size_t size)
{
	static const char *const models[][2] = {
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
		{ "PREEMPT_LAZY", "lazy" },
		{ "PREEMPT", "full" },
	};
	size_t i;

	if (from_debugfs(word, size) || env_boot_option("preempt=", word, size))
		return;
	snprintf(word, size, "unknown");
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (!env_config_has(models[i][0]))
			continue;
		snprintf(word, size, "%s", models[i][1]);
		return;
	}
}

void env_preempt(char *buf, size_t size)
{
	static const char *const models[] = { "PREEMPT_RT", "PREEMPT_DYNAMIC",
					      "PREEMPT_LAZY", "PREEMPT" };
	struct utsname u;
	size_t i;

	snprintf(buf, size, "none");
	if (uname(&u))
		return;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (!strstr(u.version, models[i]))
			continue;
		snprintf(buf, size, "%s", models[i]);
		break;
	}
	if (strcmp(buf, "PREEMPT_DYNAMIC") || strlen(buf) + 1 >= size)
		return;
	strcat(buf, ":");
	chosen_preempt(buf + strlen(buf), size - strlen(buf));
}
