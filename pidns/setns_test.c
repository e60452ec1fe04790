// SPDX-License-Identifier: GPL-2.0
/*
 * Which pid namespaces may be joined, and what a join changes.
 *
 * Promises: setns(2), "pid"; pid_namespaces(7), "setns(2) and unshare(2)
 *           semantics"; kernel/pid_namespace.c:pidns_install(),
 *           kernel/nsproxy.c:validate_nsset().
 * Guards:   e571d4ee3347 ("nsproxy: restore EINVAL for non-namespace file
 *           descriptor"), v5.8.
 * Needs:    root or user namespaces; /proc of this pid namespace for the files.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "ns_file.h"
#include "procfs.h"
#include "tower.h"

#define DEPTH 4 /* levels of the tower */
#define CALLER 2 /* level of the member that joins */

enum where { OWN, PARENT, SIBLING, BELOW, FAR_BELOW };
enum by { FILE_OF, PIDFD_OF };

struct join {
	int fd; /* in the member */
	int type;
	int want;
	pid_t there; /* its next child sees a process with this number */
};

FIXTURE(setns)
{
	struct tower t;
	const char *missing;
};

FIXTURE_VARIANT(setns)
{
	enum where where;
	enum by by;
	int type;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(setns, own)                { OWN,       FILE_OF,  CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, own_any_type)       { OWN,       FILE_OF,  0,            0 };
FIXTURE_VARIANT_ADD(setns, own_by_pidfd)       { OWN,       PIDFD_OF, CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, own_wrong_type)     { OWN,       FILE_OF,  CLONE_NEWUTS, -EINVAL };
FIXTURE_VARIANT_ADD(setns, below)              { BELOW,     FILE_OF,  CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, below_any_type)     { BELOW,     FILE_OF,  0,            0 };
FIXTURE_VARIANT_ADD(setns, below_by_pidfd)     { BELOW,     PIDFD_OF, CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, far_below)          { FAR_BELOW, FILE_OF,  CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, far_below_by_pidfd) { FAR_BELOW, PIDFD_OF, CLONE_NEWPID, 0 };
FIXTURE_VARIANT_ADD(setns, parent)             { PARENT,    FILE_OF,  CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(setns, parent_any_type)    { PARENT,    FILE_OF,  0,            -EINVAL };
FIXTURE_VARIANT_ADD(setns, parent_by_pidfd)    { PARENT,    PIDFD_OF, CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(setns, sibling)            { SIBLING,   FILE_OF,  CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(setns, sibling_by_pidfd)   { SIBLING,   PIDFD_OF, CLONE_NEWPID, -EINVAL };
FIXTURE_VARIANT_ADD(setns, pidfd_no_type)      { BELOW,     PIDFD_OF, 0,            -EINVAL };
/* clang-format on */

FIXTURE_SETUP(setns)
{
	ASSERT_EQ(0, tower_prepare(0, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->t, DEPTH));
}

FIXTURE_TEARDOWN(setns)
{
	tower_down(&self->t);
}

static const struct tower_member *target(const struct tower *t, enum where w)
{
	switch (w) {
	case PARENT:
		return &t->member[CALLER - 1];
	case SIBLING:
		return &t->sibling;
	case BELOW:
		return &t->member[CALLER + 1];
	case FAR_BELOW:
		return &t->member[CALLER + 2];
	default:
		return &t->member[CALLER];
	}
}

static void look_around(struct child_report *rep, void *arg)
{
	rep->value[0] = kill(*(pid_t *)arg, 0) < 0 ? -errno : 0;
	rep->value[1] = getppid();
}

static void join(struct child_report *rep, void *arg)
{
	struct join *j = arg;
	pid_t before = getpid();
	struct child_report inner;

	CHILD_EQ(rep, j->want, setns(j->fd, j->type) < 0 ? -errno : 0);
	CHILD_EQ(rep, before, getpid());
	CHILD_EQ(rep, 0, child_run(&inner, 0, look_around, &j->there));
	CHILD_HELD(rep, &inner);
	CHILD_EQ(rep, 0, inner.value[0]);
	rep->value[0] = inner.value[1];
}

/* No number occurs twice in a tower, so one tells where a process is. */
TEST_F(setns, moves_the_children_or_is_refused)
{
	struct tower_member *caller = &self->t.member[CALLER];
	struct join j = { .type = variant->type, .want = variant->want };
	const struct tower_member *to;
	struct child_report rep;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	to = target(&self->t, variant->where);
	fd = variant->by == PIDFD_OF ? dup(to->proc.pidfd) :
				       ns_open(to->proc.pid, "pid");
	ASSERT_LE(0, fd);
	j.fd = tower_send_fd(caller, fd);
	ASSERT_LE(0, j.fd);
	if (variant->want)
		to = caller;
	j.there = to->pid[to->level];
	ASSERT_EQ(0, tower_call(caller, join, &j, sizeof(j), &rep));
	expect_held(_metadata, &rep);
	EXPECT_EQ(to == caller || variant->where == OWN ? caller->pid[CALLER] :
							  0,
		  rep.value[0]);
	close(fd);
}

static void no_namespace(struct child_report *rep,
			 void *arg __attribute__((unused)))
{
	int fd = open("/", O_RDONLY | O_CLOEXEC);

	CHILD_EQ(rep, -1, setns(fd, CLONE_NEWPID));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, -1, setns(fd, 0));
	CHILD_EQ(rep, EINVAL, errno);
	CHILD_EQ(rep, 0, close(fd));
	CHILD_EQ(rep, -1, setns(fd, CLONE_NEWPID));
	CHILD_EQ(rep, EBADF, errno);
}

TEST(what_is_no_namespace_is_refused)
{
	struct child_report rep;

	if (lack_of_setns())
		SKIP(return, "%s", lack_of_setns());
	ASSERT_EQ(0, child_run(&rep, 0, no_namespace, NULL));
	expect_held(_metadata, &rep);
}

static void nothing(struct child_report *rep __attribute__((unused)),
		    void *arg __attribute__((unused)))
{
}

static void join_zombie(struct child_report *rep,
			void *arg __attribute__((unused)))
{
	siginfo_t info;
	struct child c;

	CHILD_EQ(rep, 0, child_start(&c, CLONE_NEWPID, nothing, NULL));
	CHILD_EQ(rep, 0, waitid(P_PID, c.pid, &info, WEXITED | WNOWAIT));
	CHILD_EQ(rep, -1, setns(c.pidfd, CLONE_NEWPID));
	CHILD_EQ(rep, ESRCH, errno);
	CHILD_EQ(rep, 0, child_wait(&c, NULL));
}

/* It is there, and has its number, but is in no namespace any more. */
TEST(a_zombie_leads_nowhere)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (!missing)
		missing = lack_of_setns();
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, join_zombie, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
