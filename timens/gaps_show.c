// SPDX-License-Identifier: GPL-2.0
/* Clocks that time namespaces do not move yet; see gaps_show.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/times.h>

#include "clocks.h"
#include "gaps_show.h"
#include "needs.h"
#include "procfs.h"

#define HUNDREDTH (NSEC_PER_SEC / 100)

int64_t show_times(struct child_report *rep)
{
	struct tms tms;

	(void)rep;
	return times(&tms) * (NSEC_PER_SEC / sysconf(_SC_CLK_TCK));
}

int64_t show_timer_list(struct child_report *rep)
{
	long long now;
	int ret = proc_number("/proc/timer_list", "now at", &now);

	if (ret == -ENOENT || ret == -EACCES || ret == -EPERM)
		child_skip(rep, NEEDS_TIMER_LIST);
	CHILD_EQ(rep, 0, ret);
	return now;
}

/* An order to the kernel: to give the loopback 127.0.0.1, or to list that. */
struct address_order {
	struct nlmsghdr head;
	struct ifaddrmsg body;
	struct rtattr attr;
	struct in_addr local;
};

static void tell(struct child_report *rep, int sock, int type, int flags)
{
	struct address_order order = {
		.head = { sizeof(order), type, NLM_F_REQUEST | flags, 0, 0 },
		.body = { AF_INET, 8, 0, RT_SCOPE_HOST, 1 },
		.attr = { RTA_LENGTH(sizeof(order.local)), IFA_LOCAL },
		.local = { htonl(INADDR_LOOPBACK) },
	};

	CHILD_EQ(rep, sizeof(order), send(sock, &order, sizeof(order), 0));
}

/* Returns its IFA_CACHEINFO, or NULL. */
static const struct ifa_cacheinfo *stamps_of(const struct nlmsghdr *address)
{
	const struct ifaddrmsg *body = NLMSG_DATA(address);
	const struct rtattr *attr = IFA_RTA(body);
	int left = IFA_PAYLOAD(address);

	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == IFA_CACHEINFO)
			return RTA_DATA(attr);
	return NULL;
}

int64_t show_address(struct child_report *rep)
{
	union {
		struct nlmsghdr head;
		char byte[4096];
	} got;
	const struct ifa_cacheinfo *stamps;
	int sock;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWNET) < 0 ? errno : 0);
	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	CHILD_LE(rep, 0, sock);
	tell(rep, sock, RTM_NEWADDR, NLM_F_CREATE | NLM_F_ACK);
	CHILD_LE(rep, NLMSG_LENGTH(sizeof(int)),
		 recv(sock, &got, sizeof(got), 0));
	CHILD_EQ(rep, 0, ((struct nlmsgerr *)NLMSG_DATA(&got.head))->error);
	tell(rep, sock, RTM_GETADDR, NLM_F_DUMP);
	CHILD_LE(rep, NLMSG_LENGTH(sizeof(struct ifaddrmsg)),
		 recv(sock, &got, sizeof(got), 0));
	CHILD_EQ(rep, RTM_NEWADDR, got.head.nlmsg_type);
	stamps = stamps_of(&got.head);
	CHILD_EQ(rep, 0, !stamps);
	close(sock);
	return stamps->cstamp * HUNDREDTH;
}

static int open_perf(struct child_report *rep, clockid_t clock)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.comm = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = clock,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			 PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && (errno == ENOSYS || errno == EACCES || errno == EPERM))
		child_skip(rep, NEEDS_PERF_EVENTS);
	CHILD_EQ(rep, 0, fd < 0 ? errno : 0);
	return fd;
}

/* The record tells of a new name; what was asked for is at its end. */
static int64_t perf_time(struct child_report *rep, clockid_t clock)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const struct perf_event_header *record;
	struct perf_event_mmap_page *ring;
	int fd = open_perf(rep, clock);
	int64_t time;

	ring = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHILD_EQ(rep, 0, ring == MAP_FAILED ? errno : 0);
	CHILD_EQ(rep, 0, prctl(PR_SET_NAME, "renamed", 0, 0, 0));
	CHILD_LE(rep, sizeof(*record),
		 __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE));
	record = (const void *)((const char *)ring + page);
	CHILD_EQ(rep, PERF_RECORD_COMM, record->type);
	memcpy(&time, (const char *)record + record->size - sizeof(time),
	       sizeof(time));
	munmap(ring, 2 * page);
	close(fd);
	return time;
}

int64_t show_perf(struct child_report *rep)
{
	return perf_time(rep, CLOCK_MONOTONIC);
}

int64_t show_perf_boottime(struct child_report *rep)
{
	return perf_time(rep, CLOCK_BOOTTIME);
}

int64_t show_bpf(struct child_report *rep)
{
	static const char license[] = "GPL";
	const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uintptr_t)program,
		.insn_cnt = 2,
		.license = (uintptr_t)license,
	};
	struct bpf_prog_info info = { 0 };
	union bpf_attr ask = { 0 };
	int fd = syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load));

	if (fd < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_BPF);
	if (fd < 0 && errno == EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, fd < 0 ? errno : 0);
	ask.info.bpf_fd = fd;
	ask.info.info_len = sizeof(info);
	ask.info.info = (uintptr_t)&info;
	CHILD_EQ(rep, 0,
		 syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &ask, sizeof(ask)));
	close(fd);
	return info.load_time;
}
