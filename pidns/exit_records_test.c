// SPDX-License-Identifier: GPL-2.0
/*
 * The records that the kernel sends to those who listen for the end of
 * processes, and who may listen.
 *
 * Promises: Documentation/accounting/taskstats.rst,
 *           TASKSTATS_CMD_ATTR_REGISTER_CPUMASK; numbers of the initial pid
 *           namespace, the only one to listen in
 *           (kernel/taskstats.c:add_del_listener, taskstats_exit).
 * Guards:   4bd6e32acec6 ("userns: Convert taskstats to handle the user and pid
 *           namespaces."), v3.7.
 * Needs:    real root, in the initial pid and network namespaces.
 */
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "views_tools.h"

#define MASK 64 /* bytes of a list of CPUs */

/* struct message - a request with one attribute, or any answer */
struct message {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char data[4096];
};

/* The attribute of a type in @data; NULL if there is none. */
static struct nlattr *find(char *data, size_t size, int type)
{
	struct nlattr *at = (struct nlattr *)data;

	while (size >= sizeof(*at) && at->nla_len >= sizeof(*at) &&
	       at->nla_len <= size) {
		if ((at->nla_type & NLA_TYPE_MASK) == type)
			return at;
		if ((size_t)NLA_ALIGN(at->nla_len) >= size)
			break;
		size -= NLA_ALIGN(at->nla_len);
		at = (struct nlattr *)((char *)at + NLA_ALIGN(at->nla_len));
	}
	return NULL;
}

static void send_request(struct child_report *rep, int sock, int family,
			 int cmd, int type, const char *text)
{
	struct message m = { .genl = { .cmd = cmd, .version = 1 } };
	struct nlattr *at = (struct nlattr *)m.data;
	int size = strlen(text) + 1;

	m.head.nlmsg_type = family;
	m.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	m.head.nlmsg_len =
		NLMSG_LENGTH(GENL_HDRLEN) + NLA_HDRLEN + NLA_ALIGN(size);
	at->nla_type = type;
	at->nla_len = NLA_HDRLEN + size;
	memcpy(m.data + NLA_HDRLEN, text, size);
	CHILD_EQ(rep, m.head.nlmsg_len, send(sock, &m, m.head.nlmsg_len, 0));
}

/* Read the answers; 0 or the negative errno that the last one carries. */
static int read_answer(struct child_report *rep, int sock, __u16 *family)
{
	struct nlattr *at;
	struct message m;
	ssize_t len;

	while (1) {
		len = recv(sock, &m, sizeof(m), 0);
		CHILD_LE(rep, sizeof(m.head), len);
		if (m.head.nlmsg_type == NLMSG_ERROR)
			return ((struct nlmsgerr *)&m.genl)->error;
		at = find(m.data, len - offsetof(struct message, data),
			  CTRL_ATTR_FAMILY_ID);
		if (family && at)
			memcpy(family, at + 1, sizeof(*family));
	}
}

/* struct listener - a socket for records, of all CPUs there may be */
struct listener {
	int sock;
	__u16 family;
	char cpus[MASK];
};

static void open_listener(struct child_report *rep, struct listener *l)
{
	int ret, size = 1 << 20;

	l->sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	CHILD_OK(rep, l->sock);
	send_request(rep, l->sock, GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
		     CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME);
	ret = read_answer(rep, l->sock, &l->family);
	if (ret == -ENOENT)
		child_skip(rep, NEEDS_TASKSTATS);
	CHILD_EQ(rep, 0, ret);
	CHILD_OK(rep, setsockopt(l->sock, SOL_SOCKET, SO_RCVBUF, &size,
				 sizeof(size)));
	if (proc_read("/sys/devices/system/cpu/possible", l->cpus, MASK) <= 0)
		snprintf(l->cpus, MASK, "0");
	l->cpus[strcspn(l->cpus, "\n")] = 0;
}

/* Begin or cease to listen; records of before may come first. */
static int ask_to(struct child_report *rep, struct listener *l, int type)
{
	struct message m;

	while (recv(l->sock, &m, sizeof(m), MSG_DONTWAIT) > 0)
		;
	send_request(rep, l->sock, l->family, TASKSTATS_CMD_GET, type, l->cpus);
	return read_answer(rep, l->sock, NULL);
}

/*
 * struct records - what came about a process
 * @alone: records of its leader; @group: of all of it
 * @pid, @ppid: of the statistics of the leader
 * @tgid: too, from version 12 (v5.18); else 0
 */
struct records {
	int alone;
	int group;
	pid_t pid;
	pid_t ppid;
	pid_t tgid;
};

/* Of ac_tgid, which C libraries may not know; aligned alike everywhere. */
#define TGID_AT 368

static bool is_about(struct nlattr *aggregate, int type, pid_t pid)
{
	struct nlattr *at;
	__u32 number;

	if (!aggregate)
		return false;
	at = find((char *)(aggregate + 1),
		  aggregate->nla_len - sizeof(*aggregate), type);
	if (!at)
		return false;
	memcpy(&number, at + 1, sizeof(number));
	return number == (__u32)pid;
}

static void note_numbers(struct nlattr *aggregate, struct records *r)
{
	struct taskstats stats;
	struct nlattr *at;

	at = find((char *)(aggregate + 1),
		  aggregate->nla_len - sizeof(*aggregate),
		  TASKSTATS_TYPE_STATS);
	if (!at)
		return;
	/* it grows from release to release: at its end */
	memcpy(&stats, at + 1, offsetof(struct taskstats, ac_etime));
	r->pid = stats.ac_pid;
	r->ppid = stats.ac_ppid;
	if ((size_t)at->nla_len >= NLA_HDRLEN + TGID_AT + sizeof(r->tgid))
		memcpy(&r->tgid, (char *)(at + 1) + TGID_AT, sizeof(r->tgid));
}

/*
 * Read what was sent until now: a process sends its record before it can be
 * waited for.  Returns 0, or -ENOBUFS when something was lost.
 */
static int read_records(struct child_report *rep, int sock, pid_t pid,
			struct records *r)
{
	struct nlattr *at;
	struct message m;
	ssize_t len;

	memset(r, 0, sizeof(*r));
	while (1) {
		len = view_result(recv(sock, &m, sizeof(m), MSG_DONTWAIT));
		if (len == -EAGAIN)
			return 0;
		if (len == -ENOBUFS)
			return len;
		CHILD_LE(rep, offsetof(struct message, data), len);
		len -= offsetof(struct message, data);
		at = find(m.data, len, TASKSTATS_TYPE_AGGR_PID);
		if (is_about(at, TASKSTATS_TYPE_PID, pid)) {
			r->alone++;
			note_numbers(at, r);
		}
		at = find(m.data, len, TASKSTATS_TYPE_AGGR_TGID);
		r->group += is_about(at, TASKSTATS_TYPE_TGID, pid);
	}
}

static void end_at_once(struct child_report *rep, void *arg)
{
}

/* Only a process that had several threads has a record of all of them. */
static void have_had_thread(struct child_report *rep, void *arg)
{
	pthread_t thread;

	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, lack_nothing, NULL));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

/* The records of a new child; again if the machine was too busy. */
static void records_of_child(struct child_report *rep, struct listener *l,
			     __u64 flags, child_fn fn, struct records *r)
{
	struct child_report end;
	struct child c;
	pid_t pid;

	do {
		CHILD_EQ(rep, 0, child_start(&c, flags, fn, NULL));
		pid = c.pid;
		CHILD_EQ(rep, 0, child_wait(&c, &end));
		CHILD_HELD(rep, &end);
	} while (read_records(rep, l->sock, pid, r));
	if (r->alone)
		CHILD_EQ(rep, pid, r->pid);
	if (r->tgid)
		CHILD_EQ(rep, pid, r->tgid);
}

static void begin(struct child_report *rep, struct listener *l)
{
	struct records r;
	int ret;

	child_need(rep, lack_of_first_pid_ns());
	child_need(rep, lack_of_threads());
	open_listener(rep, l);
	ret = ask_to(rep, l, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
	if (ret == -EPERM || (ret == -EINVAL && lack_of_real_root()))
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, ret);
	records_of_child(rep, l, 0, end_at_once, &r);
	if (!r.alone)
		child_skip(rep, NEEDS_FIRST_NET_NS);
	CHILD_EQ(rep, 1, r.alone);
}

static void listen_for_end_inside(struct child_report *rep, void *arg)
{
	struct listener l;
	struct records r;

	begin(rep, &l);
	records_of_child(rep, &l, CLONE_NEWPID, have_had_thread, &r);
	CHILD_EQ(rep, 1, r.alone);
	CHILD_EQ(rep, 1, r.group);
	CHILD_EQ(rep, getpid(), r.ppid);
}

static void listen_twice_and_cease(struct child_report *rep, void *arg)
{
	struct listener l;
	struct records r;

	begin(rep, &l);
	CHILD_EQ(rep, 0, ask_to(rep, &l, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK));
	records_of_child(rep, &l, 0, end_at_once, &r);
	CHILD_EQ(rep, 1, r.alone);
	CHILD_EQ(rep, 0,
		 ask_to(rep, &l, TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK));
	records_of_child(rep, &l, 0, end_at_once, &r);
	CHILD_EQ(rep, 0, r.alone);
}

static void listen_inside(struct child_report *rep, void *arg)
{
	struct listener l;
	int ret;

	open_listener(rep, &l);
	ret = ask_to(rep, &l, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
	if (ret == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, -EINVAL, ret);
	CHILD_EQ(rep, -EINVAL,
		 ask_to(rep, &l, TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK));
}

FIXTURE(records)
{
	const char *missing;
};

FIXTURE_SETUP(records)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(records)
{
}

TEST_F(records, have_numbers_of_the_initial_pid_namespace)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, listen_for_end_inside, NULL));
	expect_held(_metadata, &rep);
}

TEST_F(records, come_once_and_only_while_asked_for)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, listen_twice_and_cease, NULL));
	expect_held(_metadata, &rep);
}

TEST_F(records, are_not_for_other_pid_namespaces)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, listen_inside, NULL);
}

TEST_HARNESS_MAIN
