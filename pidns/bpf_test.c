// SPDX-License-Identifier: GPL-2.0
/*
 * A BPF program asks for the number of the process it runs in.
 *
 * Promises: bpf-helpers(7), bpf_get_ns_current_pid_tgid(): the numbers in the
 *           pid namespace that is named, if the process is in that one
 *           (kernel/bpf/helpers.c).
 * Needs:    real root; CONFIG_BPF_SYSCALL; /proc.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"

#define PID 0 /* where they are in struct bpf_pidns_info */
#define TGID 4

static int sys_bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/* The kernel has device numbers in one piece. */
static __u64 kernel_dev(dev_t dev)
{
	return (__u64)major(dev) << 20 | minor(dev);
}

#define INSN(c, d, s, o, i)                 \
	((struct bpf_insn){ .code = (c),    \
			    .dst_reg = (d), \
			    .src_reg = (s), \
			    .off = (o),     \
			    .imm = (i) })

/* A program that returns one of the two numbers, or 0. */
static int load(const struct stat *ns, int field, int type)
{
	__u64 dev = kernel_dev(ns->st_dev), ino = ns->st_ino;
	const struct bpf_insn program[] = {
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, 0, 0, dev),
		INSN(0, 0, 0, 0, dev >> 32),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 2, 0, 0, ino),
		INSN(0, 0, 0, 0, ino >> 32),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -8),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 8),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0,
		     BPF_FUNC_get_ns_current_pid_tgid),
		INSN(BPF_LDX | BPF_MEM | BPF_W, 0, 10, field - 8, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = { .prog_type = type };
	static const char license[] = "GPL";

	attr.insn_cnt = ARRAY_SIZE(program);
	attr.insns = (uintptr_t)program;
	attr.license = (uintptr_t)license;
	return sys_bpf(BPF_PROG_LOAD, &attr);
}

/* Tracing has the helper since v5.7, network programs since v6.10. */
static int load_any(struct child_report *rep, const struct stat *ns, int field)
{
	int fd = load(ns, field, BPF_PROG_TYPE_RAW_TRACEPOINT);

	if (fd < 0 && errno == EINVAL)
		fd = load(ns, field, BPF_PROG_TYPE_SCHED_CLS);
	if (fd < 0 && (errno == ENOSYS || errno == EINVAL))
		child_skip(rep, NEEDS_BPF);
	if (fd < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_OK(rep, fd);
	return fd;
}

/* Run it in this process. */
static long long run(struct child_report *rep, const struct stat *ns, int field)
{
	int fd = load_any(rep, ns, field), ret;
	union bpf_attr attr = { 0 };
	char packet[64] = { 0 };

	attr.test.prog_fd = fd;
	ret = sys_bpf(BPF_PROG_TEST_RUN, &attr);
	if (ret < 0 && errno == EINVAL) {
		attr.test.data_in = (uintptr_t)packet;
		attr.test.data_size_in = sizeof(packet);
		ret = sys_bpf(BPF_PROG_TEST_RUN, &attr);
	}
	if (ret < 0 && (errno == EINVAL || errno == EOPNOTSUPP))
		child_skip(rep, NEEDS_BPF);
	CHILD_OK(rep, ret);
	close(fd);
	return attr.test.retval;
}

FIXTURE(bpf)
{
	struct stat outside;
	const char *missing;
};

FIXTURE_SETUP(bpf)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, stat("/proc/self/ns/pid", &self->outside));
}

FIXTURE_TEARDOWN(bpf)
{
}

struct asker {
	const struct stat *outside;
	struct stat own;
	struct child_report *rep;
};

static void *ask_in_thread(void *arg)
{
	struct asker *a = arg;

	CHILD_EQ(a->rep, syscall(__NR_gettid), run(a->rep, &a->own, PID));
	CHILD_EQ(a->rep, getpid(), run(a->rep, &a->own, TGID));
	return NULL;
}

static void ask(struct child_report *rep, void *arg)
{
	struct asker a = { .outside = arg, .rep = rep };
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_OK(rep, stat("/proc/self/ns/pid", &a.own));
	CHILD_EQ(rep, 1, run(rep, &a.own, PID));
	CHILD_EQ(rep, 1, run(rep, &a.own, TGID));
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, ask_in_thread, &a));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	/* the process has numbers there too, but is in another one */
	CHILD_EQ(rep, 0, run(rep, a.outside, PID));
	CHILD_EQ(rep, 0, run(rep, a.outside, TGID));
}

TEST_F(bpf, program_gets_numbers_of_the_namespace_it_runs_in)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, ask, &self->outside);
}

TEST_HARNESS_MAIN
