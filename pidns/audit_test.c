// SPDX-License-Identifier: GPL-2.0
/*
 * What the audit system of the kernel says to processes in namespaces.
 *
 * Promises: kernel/audit.c:audit_netlink_ok(): orders are taken from the
 *           initial pid namespace only (EPERM); nothing at all is taken from
 *           another user namespace (ECONNREFUSED, as without CONFIG_AUDIT, so
 *           that programs that log in go on); messages of programs are taken
 *           from any pid namespace.
 * Needs:    CONFIG_AUDIT; for most tests root in the initial user and pid
 *           namespace.
 */
#include <stdlib.h>

#include "audit_talk.h"
#include "caps.h"
#include "inside.h"
#include "lack.h"

/* All zero: nothing would change if an order were carried out. */
#define NOTHING 64

FIXTURE(order)
{
	const char *missing;
	const char *far; /* missing for tests that want to be root outside */
};

/* clang-format off */
FIXTURE_VARIANT(order) { int type; };
FIXTURE_VARIANT_ADD(order, get) { AUDIT_GET };
FIXTURE_VARIANT_ADD(order, set) { AUDIT_SET };
FIXTURE_VARIANT_ADD(order, get_feature) { AUDIT_GET_FEATURE };
FIXTURE_VARIANT_ADD(order, set_feature) { AUDIT_SET_FEATURE };
FIXTURE_VARIANT_ADD(order, list_rules) { AUDIT_LIST_RULES };
FIXTURE_VARIANT_ADD(order, add_rule) { AUDIT_ADD_RULE };
FIXTURE_VARIANT_ADD(order, del_rule) { AUDIT_DEL_RULE };
FIXTURE_VARIANT_ADD(order, signal_info) { AUDIT_SIGNAL_INFO };
FIXTURE_VARIANT_ADD(order, tty_get) { AUDIT_TTY_GET };
FIXTURE_VARIANT_ADD(order, tty_set) { AUDIT_TTY_SET };
FIXTURE_VARIANT_ADD(order, trim) { AUDIT_TRIM };
FIXTURE_VARIANT_ADD(order, make_equiv) { AUDIT_MAKE_EQUIV };
/* clang-format on */

static int give(int type)
{
	static const char nothing[NOTHING];
	int sock = audit_open(), ret;

	if (sock < 0)
		return sock;
	ret = audit_order(sock, type, nothing, sizeof(nothing));
	close(sock);
	return ret;
}

static const char *lack_of_audit(void)
{
	int sock = audit_open();

	if (sock == -EPROTONOSUPPORT || sock == -EAFNOSUPPORT)
		return NEEDS_AUDIT;
	fd_close(&sock);
	return NULL;
}

static const char *lack_of_rights(void)
{
	const char *lack = lack_of_first_pid_ns();

	if (!lack && give(AUDIT_GET))
		lack = NEEDS_REAL_ROOT;
	return lack;
}

FIXTURE_SETUP(order)
{
	self->missing = lack_of_audit();
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->far = lack_of_rights();
}

FIXTURE_TEARDOWN(order)
{
}

static void give_refused(struct child_report *rep, void *arg)
{
	const int *type = arg;

	CHILD_EQ(rep, -EPERM, give(*type));
}

TEST_F(order, is_refused_in_a_pid_ns)
{
	int type = variant->type;

	if (!self->missing)
		self->missing = self->far;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, give_refused, &type);
}

static void give_in_vain(struct child_report *rep, void *arg)
{
	const int *type = arg;

	CHILD_EQ(rep, -ECONNREFUSED, give(*type));
}

static void give_in_vain_inside(struct child_report *rep, void *arg)
{
	struct child_report inner;

	give_in_vain(rep, arg);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, give_in_vain, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(order, finds_no_audit_system_in_a_user_ns)
{
	struct child_report rep;
	int type = variant->type;

	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0,
		  child_run(&rep, CLONE_NEWUSER, give_in_vain_inside, &type));
	expect_held(_metadata, &rep);
}

FIXTURE(message)
{
	const char *missing;
};

FIXTURE_SETUP(message)
{
	struct audit_status status;

	self->missing = lack_of_audit();
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_rights();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* where somebody listens, it would be written down */
	ASSERT_EQ(0, audit_status(&status));
	if (status.enabled)
		self->missing = NEEDS_VM;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(message)
{
}

static void say_something(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_EQ(rep, 0, give(AUDIT_USER));
	CHILD_EQ(rep, 0, give(AUDIT_FIRST_USER_MSG));
	CHILD_EQ(rep, 0, give(AUDIT_LAST_USER_MSG2));
	/* no such order, whoever gives it */
	CHILD_EQ(rep, -EINVAL, give(AUDIT_SYSCALL));
	caps_drop_all();
	CHILD_EQ(rep, -EPERM, give(AUDIT_USER));
}

TEST_F(message, of_a_program_is_taken_in_a_pid_ns)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, say_something, NULL);
}

static void say_in_vain(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_EQ(rep, -ECONNREFUSED, give(AUDIT_USER));
}

TEST_F(message, of_a_program_finds_no_audit_system_in_a_user_ns)
{
	struct child_report rep;

	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWUSER, say_in_vain, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
