// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through what the kernel counts about it.
 *
 * Promises: taskstats(7), ac_pid, ac_ppid, and ESRCH by number
 *           (kernel/taskstats.c, kernel/tsacct.c:bacct_add_tsk), EINVAL
 *           for listeners in another pid namespace (add_del_listener); acct(5),
 *           ac_pid, ac_ppid: numbers of the namespace that the accounting was
 *           turned on in (kernel/acct.c:fill_ac).
 * Needs:    real root.
 */
#include <fcntl.h>
#include <linux/acct.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "inside.h"
#include "views.h"

/* struct message - a request with one attribute, or any answer */
struct message {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char data[2048];
};

static struct nlattr *attribute(struct message *m, char *end, int type)
{
	struct nlattr *at = (struct nlattr *)m->data;

	while ((char *)at + sizeof(*at) <= end) {
		if ((at->nla_type & NLA_TYPE_MASK) == type)
			return at;
		at = (struct nlattr *)((char *)at + NLA_ALIGN(at->nla_len));
	}
	return NULL;
}

/* Ask a question; 0 or the negative errno of the answer. */
static int ask(struct child_report *rep, int sock, struct message *m,
	       int family, int cmd, int type, const void *value, int size)
{
	struct nlattr *at = (struct nlattr *)m->data;
	ssize_t len;

	memset(m, 0, sizeof(*m));
	m->head.nlmsg_type = family;
	m->head.nlmsg_flags = NLM_F_REQUEST;
	/* what succeeds there has no answer of its own */
	if (type == TASKSTATS_CMD_ATTR_REGISTER_CPUMASK)
		m->head.nlmsg_flags |= NLM_F_ACK;
	m->head.nlmsg_len =
		NLMSG_LENGTH(GENL_HDRLEN) + NLA_HDRLEN + NLA_ALIGN(size);
	m->genl.cmd = cmd;
	m->genl.version = 1;
	at->nla_type = type;
	at->nla_len = NLA_HDRLEN + size;
	memcpy(m->data + NLA_HDRLEN, value, size);
	CHILD_EQ(rep, m->head.nlmsg_len, send(sock, m, m->head.nlmsg_len, 0));
	len = recv(sock, m, sizeof(*m), 0);
	CHILD_LE(rep, sizeof(m->head), len);
	if (m->head.nlmsg_type == NLMSG_ERROR)
		return ((struct nlmsgerr *)&m->genl)->error;
	return 0;
}

/* The number by which taskstats are asked for on a socket. */
static int find_family(struct child_report *rep, int sock)
{
	struct nlattr *at;
	struct message m;
	__u16 family;
	int ret;

	CHILD_OK(rep, sock);
	ret = ask(rep, sock, &m, GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
		  CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME,
		  sizeof(TASKSTATS_GENL_NAME));
	if (ret == -ENOENT)
		child_skip(rep, NEEDS_TASKSTATS);
	CHILD_EQ(rep, 0, ret);
	at = attribute(&m, (char *)&m + m.head.nlmsg_len, CTRL_ATTR_FAMILY_ID);
	CHILD_OK(rep, at ? 0 : -ENODATA);
	memcpy(&family, at + 1, sizeof(family));
	return family;
}

/* The statistics of a process; 0 or -errno. */
/*
 * struct counted - an answer
 * @tgid: ac_tgid, which C libraries may not know; 0 before version 12 (v5.18)
 */
struct counted {
	struct taskstats stats;
	__u32 tgid;
};

/* Where it is; every member is aligned to its size on all architectures. */
#define TGID_AT 368

static int statistics(struct child_report *rep, __u32 pid, int type,
		      struct counted *c)
{
	int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int inside = type == TASKSTATS_CMD_ATTR_PID ? TASKSTATS_TYPE_AGGR_PID :
						      TASKSTATS_TYPE_AGGR_TGID;
	int ret, family = find_family(rep, sock);
	struct nlattr *at;
	struct message m;

	ret = ask(rep, sock, &m, family, TASKSTATS_CMD_GET, type, &pid,
		  sizeof(pid));
	close(sock);
	if (ret == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	if (ret)
		return ret;
	at = attribute(&m, (char *)&m + m.head.nlmsg_len, inside);
	CHILD_OK(rep, at ? 0 : -ENODATA);
	/* the number and, behind it, the statistics */
	at = at + 1;
	at = (struct nlattr *)((char *)at + NLA_ALIGN(at->nla_len));
	/* it grows from release to release: at its end */
	CHILD_LE(rep, offsetof(struct taskstats, ac_etime),
		 at->nla_len - NLA_HDRLEN);
	memcpy(&c->stats, at + 1, offsetof(struct taskstats, ac_etime));
	c->tgid = 0;
	if ((size_t)at->nla_len >= NLA_HDRLEN + TGID_AT + sizeof(c->tgid))
		memcpy(&c->tgid, (char *)(at + 1) + TGID_AT, sizeof(c->tgid));
	return 0;
}

static void look_pid(struct child_report *rep, void *arg)
{
	struct counted c;
	struct view *v = arg;

	rep->value[0] = statistics(rep, v->number, TASKSTATS_CMD_ATTR_PID, &c);
	if (!rep->value[0])
		rep->value[0] = c.stats.ac_pid;
}

static void look_group_of_pid(struct child_report *rep, void *arg)
{
	struct counted c;
	struct view *v = arg;

	rep->value[0] = statistics(rep, v->number, TASKSTATS_CMD_ATTR_PID, &c);
	if (rep->value[0])
		return;
	if (!c.tgid)
		child_skip(rep, NEEDS_TASKSTATS_TGID);
	rep->value[0] = c.tgid;
}

/* The whole process: there is nothing in it that names it. */
static void look_tgid(struct child_report *rep, void *arg)
{
	struct counted c;
	struct view *v = arg;

	rep->value[0] = statistics(rep, v->number, TASKSTATS_CMD_ATTR_TGID, &c);
}

static void have_child(struct child_report *rep, void *arg)
{
	view_child(rep, arg, NULL, NULL);
}

static void look_parent(struct child_report *rep, void *arg)
{
	struct counted c;
	struct view *v = arg;
	pid_t pid = view_child_number(rep, v);

	/* of a number that nobody has here, or of the child */
	rep->value[0] = statistics(rep, pid ? pid : v->number,
				   TASKSTATS_CMD_ATTR_PID, &c);
	if (!rep->value[0])
		rep->value[0] = c.stats.ac_ppid;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, taskstats_pid)
{ { NULL, NULL, NULL, look_pid, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, taskstats_group_of_pid)
{ { NULL, NULL, NULL, look_group_of_pid, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, taskstats_tgid)
{ { NULL, NULL, NULL, look_tgid, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, taskstats_ppid)
{ { view_pair, view_creds, have_child, look_parent, view_end_child, VIEW_PID, -ESRCH, 0 } };
/* clang-format on */

FIXTURE(account)
{
	const char *missing;
};

FIXTURE_SETUP(account)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(account)
{
}

static void nothing(struct child_report *rep __attribute__((unused)),
		    void *arg __attribute__((unused)))
{
}

/* Accounting of this namespace; it ends with it.  @arg: flags of a child */
static void write_account(struct child_report *rep, void *arg)
{
	const __u64 *flags = arg;
	char path[] = "/tmp/views_accounting.XXXXXX";
	int ret, fd = mkostemp(path, O_CLOEXEC);
	struct acct_v3 record = { 0 };
	struct child_report inner;
	struct stat before, after;
	struct child c;
	pid_t pid;

	if (fd < 0 && errno == EROFS)
		child_skip(rep, NEEDS_WRITABLE_TMP);
	CHILD_OK(rep, fd);
	ret = view_result(acct(path));
	CHILD_OK(rep, unlink(path));
	if (ret == -ENOSYS)
		child_skip(rep, NEEDS_ACCT);
	if (ret == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, 0, child_start(&c, *flags, nothing, NULL));
	pid = c.pid;
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
	CHILD_OK(rep, acct(NULL));
	/* which turns off what was turned on: nothing more is written */
	CHILD_OK(rep, fstat(fd, &before));
	CHILD_EQ(rep, 0, child_run(&inner, *flags, nothing, NULL));
	CHILD_OK(rep, fstat(fd, &after));
	CHILD_EQ(rep, before.st_size, after.st_size);
	CHILD_EQ(rep, sizeof(record), pread(fd, &record, sizeof(record), 0));
	if ((record.ac_version & 0xf) != 3)
		child_skip(rep, NEEDS_ACCT_V3);
	CHILD_EQ(rep, pid, record.ac_pid);
	CHILD_EQ(rep, getpid(), record.ac_ppid);
}

TEST_F(account, has_numbers_of_its_namespace)
{
	__u64 flags = 0;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, write_account, &flags);
}

TEST_F(account, has_them_also_for_those_in_a_nested_one)
{
	__u64 flags = CLONE_NEWPID;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, write_account, &flags);
}

/* Ask for a record of every task that ends on a CPU, for a moment. */
static void become_listener(struct child_report *rep, void *arg)
{
	int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int family = find_family(rep, sock);
	struct message m;

	rep->value[0] = ask(rep, sock, &m, family, TASKSTATS_CMD_GET,
			    TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, "0", 2);
	close(sock);
	if (rep->value[0] == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
}

static void listen_inside(struct child_report *rep, void *arg)
{
	become_listener(rep, arg);
	CHILD_EQ(rep, -EINVAL, rep->value[0]);
}

/* The records have numbers of the first pid namespace. */
TEST_F(account, of_every_task_is_not_for_namespaces)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, become_listener, NULL));
	expect_held(_metadata, &rep);
	if (rep.value[0] == -EINVAL)
		SKIP(return, NEEDS_FIRST_PID_NS);
	EXPECT_EQ(0, rep.value[0]);
	expect_inside(_metadata, listen_inside, NULL);
}

TEST_HARNESS_MAIN
