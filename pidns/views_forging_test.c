// SPDX-License-Identifier: GPL-2.0
/*
 * Who may claim to be somebody else in the credentials of a message?
 *
 * Promises: unix(7), SCM_CREDENTIALS: another pid needs CAP_SYS_ADMIN in the
 *           user namespace that owns the pid namespace, another uid CAP_SETUID,
 *           another gid CAP_SETGID (net/core/scm.c:scm_check_creds).
 * Guards:   92f28d973cce ("scm: Require CAP_SYS_ADMIN over the current pidns to
 *           spoof pids."), v3.9.
 * Needs:    root, or user namespaces, to make the pid namespaces; real root for
 *           the rows that name another user.
 */
#include <linux/capability.h>
#include <sys/socket.h>

#include "lack.h"
#include "views.h"

/* Send a byte to oneself in somebody's name; 0 or -errno. */
static int claim(const struct view *v, pid_t pid, uid_t uid, gid_t gid)
{
	struct ucred cred = { .pid = pid, .uid = uid, .gid = gid };

	return view_send_control(v->fd[FOR_TARGET], SCM_CREDENTIALS, &cred,
				 sizeof(cred));
}

static void look_without_rights(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, 0, claim(v, v->own, getuid(), getgid()));
	rep->value[0] = claim(v, v->number, getuid(), getgid());
	CHILD_EQ(rep, 0, caps_restore());
}

static void look_without_other_rights(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SETUID));
	CHILD_EQ(rep, 0, caps_drop(CAP_SETGID));
	rep->value[0] = claim(v, v->number, getuid(), getgid());
	CHILD_EQ(rep, 0, caps_restore());
	if (rep->value[0] == -EPERM && !v->level)
		child_skip(rep, NEEDS_REAL_ROOT);
}

static void enter_user_namespace(struct child_report *rep)
{
	int ret;

	child_need(rep, lack_of_proc());
	ret = userns_enter();
	if (ret == -EPERM || ret == -EACCES || ret == -ENOSPC)
		child_skip(rep, NEEDS_USERNS_ALLOWED);
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_USER_NS);
	CHILD_EQ(rep, 0, ret);
	child_die_with_parent(rep);
}

/* All rights, but in a user namespace that owns nothing here. */
static void claim_elsewhere(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	enter_user_namespace(rep);
	CHILD_EQ(rep, 0, claim(v, getpid(), getuid(), getgid()));
	rep->value[0] = claim(v, v->number, getuid(), getgid());
}

static void look_with_rights_elsewhere(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, claim_elsewhere, arg));
	CHILD_HELD(rep, &inner);
	rep->value[0] = inner.value[0];
}

static void look_other_user(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SETUID));
	rep->value[0] = claim(v, v->own, getuid() + 1, getgid());
	CHILD_EQ(rep, 0, caps_restore());
	/* in a user namespace of one's own there is no other */
	if (rep->value[0] == -EINVAL)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, claim(v, v->own, getuid() + 1, getgid()));
}

static void look_other_group(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SETGID));
	rep->value[0] = claim(v, v->own, getuid(), getgid() + 1);
	CHILD_EQ(rep, 0, caps_restore());
	if (rep->value[0] == -EINVAL)
		child_skip(rep, NEEDS_REAL_ROOT);
	CHILD_EQ(rep, 0, claim(v, v->own, getuid(), getgid() + 1));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, another_pid_without_rights)
{ { view_pair, NULL, NULL, look_without_rights, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, another_pid_needs_no_other_rights)
{ { view_pair, NULL, NULL, look_without_other_rights, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, another_pid_with_rights_elsewhere)
{ { view_pair, NULL, NULL, look_with_rights_elsewhere, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, another_user_without_rights)
{ { view_pair, NULL, NULL, look_other_user, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, another_group_without_rights)
{ { view_pair, NULL, NULL, look_other_group, NULL, -EPERM, -EPERM, 0 } };
/* clang-format on */

static void stay(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

static void claim_with_own_rights(struct child_report *rep, void *arg)
{
	struct child other = CHILD_NONE;
	struct view v = { .fd = { -1, -1, -1, -1 } };

	CHILD_EQ(rep, 0, view_pair(&v));
	CHILD_EQ(rep, 0, child_start(&other, 0, stay, NULL));
	/* the number of a child belongs to it until it is waited for */
	CHILD_EQ(rep, 0, claim(&v, other.pid, getuid(), getgid()));
	CHILD_EQ(rep, 0, child_kill(&other));
}

static void own_a_namespace(struct child_report *rep, void *arg)
{
	struct child_report inner;

	enter_user_namespace(rep);
	CHILD_EQ(rep, 0,
		 child_run(&inner, CLONE_NEWPID, claim_with_own_rights, NULL));
	CHILD_HELD(rep, &inner);
}

TEST(rights_of_the_owner_are_enough)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, own_a_namespace, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
