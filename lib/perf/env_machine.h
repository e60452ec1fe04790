/* SPDX-License-Identifier: GPL-2.0 */
/* Facts of env.h about the CPU and who shares it; for env.c only. */
#ifndef LIB_ENV_MACHINE_H
#define LIB_ENV_MACHINE_H

#include <stddef.h>

/**
 * env_model - of the CPU, from /proc/cpuinfo, "_" for blanks
 * @buf, @size: the name, "unknown" where the kernel gives none
 */
void env_model(char *buf, size_t size);

/**
 * env_turbo - may the CPU be faster than its nominal frequency?
 * @buf, @size: "on", "off" or "unknown"
 */
void env_turbo(char *buf, size_t size);

/**
 * env_quota - CPU time allowed to this process
 * @buf, @size: the tightest of cpu.max (cgroup v2) or cpu.cfs_quota_us (v1) of
 *              the own cgroup and those above, as "QUOTA/PERIOD" in us; "max"
 *              without one
 */
void env_quota(char *buf, size_t size);

/**
 * env_preempt - the preemption model
 * @buf, @size: from uname(2); "PREEMPT_DYNAMIC:" has the model behind it that
 *              debugfs, the command line or the configuration tells
 */
void env_preempt(char *buf, size_t size);

/**
 * env_count - how many files a pattern matches
 * @pattern: of glob(7)
 */
int env_count(const char *pattern);

#endif /* LIB_ENV_MACHINE_H */
