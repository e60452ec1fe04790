/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts about the machine that qualify a measurement: what once misled people
 * who compared two numbers.
 */
#ifndef LIB_ENV_H
#define LIB_ENV_H

#include <stddef.h>
#include <time.h>

#define ENV_WORD 32

/*
 * struct env - the facts; a word is "unknown" when it cannot be read
 * @clocksource: the current one
 * @vdso:     1 when clock_gettime(3) reads CLOCK_MONOTONIC without a system
 *            call, else 0; found out by how long it takes
 * @virt:     hypervisor ("kvm", "tcg" ...) or "none"
 * @debug:    options of the kernel that distort costs, joined by "+", or "none"
 * @governor: of the CPU's frequency, or "none"
 * @turbo:    "on", "off", or "unknown"
 * @cpu:      its model, without blanks
 * @cpus:     that are online
 * @preempt:  model: of the version of the kernel and, where it can be chosen at
 *            boot, the choice
 * @thp:      transparent huge pages
 * @quota:    CPU time allowed to the own cgroup or one above it, as in cpu.max,
 *            "max" without a limit
 * @smt:      1 when hyperthreads are in use
 * @nodes:    NUMA nodes
 * @threads:  alive on this machine
 * @load:     average of the last minute
 * @steal:    part of 1 that the hypervisor took away, see env_after()
 * @unfit:    NULL, or why costs measured here must not be judged
 */
struct env {
	char clocksource[ENV_WORD];
	int vdso;
	char virt[ENV_WORD];
	char debug[4 * ENV_WORD];
	char governor[ENV_WORD];
	char turbo[ENV_WORD];
	char cpu[2 * ENV_WORD];
	char preempt[ENV_WORD];
	char thp[ENV_WORD];
	char quota[ENV_WORD];
	int cpus;
	int smt;
	int nodes;
	long threads;
	double load;
	double steal;
	const char *unfit;
	long long ticks, stolen;
};

/**
 * env_read - collect the facts, before a measurement
 * @e: filled
 *
 * Reads sysfs, procfs, the configuration of the kernel where it can be read
 * (/proc/config.gz, /boot) and the CPU; needs no rights.  Takes about 10 ms.
 */
void env_read(struct env *e);

/**
 * env_after - add what is known only after a measurement: steal and load
 * @e: of env_read()
 */
void env_after(struct env *e);

/**
 * env_vdso - does clock_gettime(3) do without a system call?
 * @id: the clock
 *
 * Found out by how long it takes, in about a millisecond.
 */
int env_vdso(clockid_t id);

/**
 * env_node - NUMA node of a CPU
 * @cpu: its number
 *
 * Returns the node, or -1 where there are none.
 */
int env_node(int cpu);

/**
 * env_line - append the facts to a line, as key=value words
 * @e: the facts
 * @buf, @size: the line
 */
void env_line(const struct env *e, char *buf, size_t size);

/**
 * line_add - append to a line, as printf(3); what does not fit is cut
 * @buf, @size: the line
 */
void line_add(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* LIB_ENV_H */
