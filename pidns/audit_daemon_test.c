// SPDX-License-Identifier: GPL-2.0
/*
 * The audit daemon is known by its number in the initial pid namespace, where
 * alone it can be.
 *
 * Promises: kernel/audit.c:audit_receive_msg(), AUDIT_SET of the pid: of the
 *           caller only (EINVAL), while there is no other daemon (EEXIST),
 *           taken back by itself only (EACCES); AUDIT_REPLACE asks the daemon
 *           that is there.
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment), because
 *           there is one daemon and one set of rules for the whole machine;
 *           root in the initial user and pid namespace; CONFIG_AUDIT.
 */
#include "audit_talk.h"
#include "caps.h"
#include "inside.h"

FIXTURE(daemon)
{
	const char *missing;
};

FIXTURE_SETUP(daemon)
{
	self->missing = lack_of_audit_vm();
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(daemon)
{
	int sock = self->missing ? -1 : audit_open();

	/* a failed test leaves a dead daemon, which is found out by this */
	if (sock >= 0)
		audit_set_daemon(sock, 0);
	fd_close(&sock);
}

static void expect_daemon(struct child_report *rep, pid_t pid)
{
	struct audit_status status;

	CHILD_EQ(rep, 0, audit_status(&status));
	CHILD_EQ(rep, pid, status.pid);
}

static void try_inside(struct child_report *rep, void *arg)
{
	struct audit_status status;
	int sock = audit_open();

	(void)arg;
	CHILD_OK(rep, sock);
	CHILD_EQ(rep, -EPERM, audit_set_daemon(sock, getpid()));
	CHILD_EQ(rep, -EPERM, audit_set_daemon(sock, 0));
	CHILD_EQ(rep, -EPERM, audit_status(&status));
}

static void try_to_replace(struct child_report *rep, void *arg)
{
	const pid_t *daemon = arg;
	int sock = audit_open();

	CHILD_OK(rep, sock);
	CHILD_EQ(rep, -EEXIST, audit_set_daemon(sock, getpid()));
	CHILD_EQ(rep, -EACCES, audit_set_daemon(sock, 0));
	expect_daemon(rep, *daemon);
	rep->value[0] = getpid();
}

static void be_daemon(struct child_report *rep, void *arg)
{
	struct child_report inner;
	int sock = audit_open();
	pid_t own = getpid();
	__u32 asker[2];

	(void)arg;
	CHILD_OK(rep, sock);
	CHILD_EQ(rep, -EINVAL, audit_set_daemon(sock, getppid()));
	expect_daemon(rep, 0);
	CHILD_EQ(rep, 0, audit_set_daemon(sock, own));
	expect_daemon(rep, own);
	CHILD_EQ(rep, 0, child_run(&inner, 0, try_to_replace, &own));
	CHILD_HELD(rep, &inner);
	CHILD_LE(rep, sizeof(asker[0]),
		 audit_next(sock, AUDIT_REPLACE, asker, sizeof(asker)));
	CHILD_EQ(rep, inner.value[0], asker[0]);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, try_inside, NULL));
	CHILD_HELD(rep, &inner);
	expect_daemon(rep, own);
	CHILD_EQ(rep, 0, audit_set_daemon(sock, 0));
	expect_daemon(rep, 0);
}

TEST_F(daemon, is_the_caller_and_not_replaced)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, be_daemon, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
