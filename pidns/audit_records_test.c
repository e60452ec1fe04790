// SPDX-License-Identifier: GPL-2.0
/*
 * Records of the audit system name processes by their numbers in the initial
 * pid namespace.
 *
 * Promises: kernel/audit.c:audit_log_common_recv_msg(), audit_log_task_info():
 *           pid and ppid.
 * Guards:   f1dc4867ff41 ("audit: anchor all pid references in the initial pid
 *           namespace"), v3.15;
 *           ad36d2829393 ("pid: get pid_t ppid of task in init_pid_ns"), v3.15.
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment), because
 *           there is one daemon and one set of rules for the whole machine;
 *           root in the initial user and pid namespace; CONFIG_AUDITSYSCALL.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "audit_talk.h"
#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"

/* An argument that no other caller of getpriority(2) has. */
#define MAGIC 0x5e1f7e57

FIXTURE(record)
{
	const char *missing;
};

FIXTURE_SETUP(record)
{
	self->missing = lack_of_audit_vm();
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(record)
{
}

/* Does something that is recorded; value[0] is who, value[1] the parent. */
static void be_recorded(struct child_report *rep, void *arg)
{
	static const char text[] = "selftest";
	int sock = audit_open();

	(void)arg;
	CHILD_OK(rep, sock);
	CHILD_EQ(rep, 1, proc_status(PROC_SELF, "Pid", &rep->value[0], 1));
	CHILD_EQ(rep, 1, proc_status(PROC_SELF, "PPid", &rep->value[1], 1));
	CHILD_EQ(rep, 0, audit_order(sock, AUDIT_USER, text, sizeof(text)));
	CHILD_EQ(rep, -1, getpriority(MAGIC, 0));
}

static void have_recorded(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, be_recorded, arg));
	CHILD_HELD(rep, &inner);
	rep->value[0] = inner.value[0];
	rep->value[1] = inner.value[1];
}

/* The number behind a word of the next record of a type that has another. */
static long number_of_record(struct child_report *rep, int sock, int type,
			     const char *mark, const char *word)
{
	char *text = malloc(AUDIT_ROOM), *at;
	long number;

	CHILD_OK(rep, text ? 0 : -ENOMEM);
	do
		CHILD_OK(rep, audit_next(sock, type, text, AUDIT_ROOM));
	while (!strstr(text, mark));
	at = strstr(text, word);
	CHILD_OK(rep, at ? 0 : -ENOMSG);
	number = atol(at + strlen(word));
	free(text);
	return number;
}

static void fill_rule(struct audit_rule_data *rule)
{
	int nr = __NR_getpriority;

	memset(rule, 0, sizeof(*rule));
	rule->flags = AUDIT_FILTER_EXIT;
	rule->action = AUDIT_ALWAYS;
	rule->mask[AUDIT_WORD(nr)] = AUDIT_BIT(nr);
	rule->field_count = 1;
	rule->fields[0] = AUDIT_ARG0;
	rule->fieldflags[0] = AUDIT_EQUAL;
	rule->values[0] = MAGIC;
}

static int enable(int sock, int on)
{
	struct audit_status status = { .mask = AUDIT_STATUS_ENABLED,
				       .enabled = on };

	return audit_order(sock, AUDIT_SET, &status, sizeof(status));
}

static void expect_records(struct child_report *rep, int sock)
{
	struct child_report inner;
	long pid;

	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, have_recorded, NULL));
	CHILD_HELD(rep, &inner);
	pid = number_of_record(rep, sock, AUDIT_USER, "selftest", "pid=");
	CHILD_EQ(rep, inner.value[0], pid);
	pid = number_of_record(rep, sock, AUDIT_SYSCALL, " a0=5e1f7e57",
			       " pid=");
	CHILD_EQ(rep, inner.value[0], pid);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, have_recorded, NULL));
	CHILD_HELD(rep, &inner);
	pid = number_of_record(rep, sock, AUDIT_SYSCALL, " a0=5e1f7e57",
			       " ppid=");
	CHILD_EQ(rep, inner.value[1], pid);
}

static void follow_records(struct child_report *rep, void *arg)
{
	struct audit_rule_data rule;
	int sock = audit_open(), ret;

	(void)arg;
	CHILD_OK(rep, sock);
	fill_rule(&rule);
	ret = audit_order(sock, AUDIT_ADD_RULE, &rule, sizeof(rule));
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_AUDITSYSCALL);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, 0, enable(sock, 1));
	CHILD_EQ(rep, 0, audit_set_daemon(sock, getpid()));
	expect_records(rep, sock);
}

static void stop_records(struct child_report *rep, void *arg)
{
	const struct audit_status *before = arg;
	struct audit_rule_data rule;
	int sock = audit_open();

	CHILD_OK(rep, sock);
	fill_rule(&rule);
	audit_order(sock, AUDIT_DEL_RULE, &rule, sizeof(rule));
	CHILD_EQ(rep, 0, enable(sock, before->enabled));
	/* finds out that the daemon is dead */
	CHILD_EQ(rep, 0, audit_set_daemon(sock, 0));
}

TEST_F(record, has_numbers_of_the_first_pid_ns)
{
	struct child_report rep, after;
	struct audit_status before;

	if (!self->missing)
		self->missing = lack_of_proc();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, audit_status(&before));
	ASSERT_EQ(0, child_run(&rep, 0, follow_records, NULL));
	ASSERT_EQ(0, child_run(&after, 0, stop_records, &before));
	expect_held(_metadata, &rep);
	expect_held(_metadata, &after);
}

TEST_HARNESS_MAIN
