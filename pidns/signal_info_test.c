// SPDX-License-Identifier: GPL-2.0
/*
 * What a process may claim about a signal it sends, and that what one receiver
 * reads does not depend on the others.
 *
 * Promises: rt_sigqueueinfo(2), pidfd_send_signal(2) EPERM; pid_namespaces(7),
 *           si_pid is 0 for a sender in an ancestor namespace;
 *           kernel/signal.c:send_signal_locked(), do_pidfd_send_signal().
 * Guards:   d19cdc167e69 ("signal: avoid shared siginfo namespace rewrites"),
 *           v7.3, v6.12.109;
 *           556a888a14af ("signal: don't silently convert SI_USER signals to
 *           non-current pidfd"), v5.1; da48524eb206 ("Prevent rt_sigqueueinfo
 *           and rt_tgsigqueueinfo from spoofing the signal code"), v2.6.39.
 * Needs:    root or user namespaces.
 */
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"
#include "signals.h"

#define SIG SIGUSR1

enum by { QUEUE, THREAD_QUEUE, PIDFD };

struct claim {
	enum by by;
	int code;
	int to_self;
	int want;
};

static long send_claim(const struct claim *c, pid_t pid)
{
	siginfo_t info = { .si_signo = SIG, .si_code = c->code };
	int fd, ret;

	if (c->by == QUEUE)
		return syscall(SYS_rt_sigqueueinfo, pid, SIG, &info);
	if (c->by == THREAD_QUEUE)
		return syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIG, &info);
	fd = sys_pidfd_open(pid, 0);
	if (fd < 0)
		return fd;
	ret = sys_pidfd_send_signal(fd, SIG, &info, 0);
	fd_close(&fd);
	return ret;
}

/* The init sends to itself or to a member; both block the signal. */
static void claim(struct child_report *rep, void *arg)
{
	const struct claim *c = arg;
	struct scene s;
	struct child other;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	CHILD_EQ(rep, 0, scene_init(&s));
	CHILD_EQ(rep, 0, child_start(&other, 0, scene_member, &s));
	CHILD_EQ(rep, 0, gate_wait_child(&s.up, &other));
	CHILD_EQ(rep, c->want,
		 send_claim(c, c->to_self ? 1 : other.pid) < 0 ? -errno : 0);
	CHILD_EQ(rep, 0, child_kill(&other));
}

FIXTURE(claim)
{
	struct claim claim;
	const char *missing;
};

FIXTURE_VARIANT(claim)
{
	enum by by;
	int code;
	int to_self;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(claim, queued)                { QUEUE,        SI_QUEUE, 0, 0 };
FIXTURE_VARIANT_ADD(claim, killed)                { QUEUE,        SI_USER,  0, -EPERM };
FIXTURE_VARIANT_ADD(claim, thread_killed)         { QUEUE,        SI_TKILL, 0, -EPERM };
FIXTURE_VARIANT_ADD(claim, killed_to_self)        { QUEUE,        SI_USER,  1, 0 };
FIXTURE_VARIANT_ADD(claim, thread_queued)         { THREAD_QUEUE, SI_QUEUE, 0, 0 };
FIXTURE_VARIANT_ADD(claim, thread_queue_killed)   { THREAD_QUEUE, SI_USER,  0, -EPERM };
FIXTURE_VARIANT_ADD(claim, thread_queue_tkilled)  { THREAD_QUEUE, SI_TKILL, 0, -EPERM };
FIXTURE_VARIANT_ADD(claim, pidfd_queued)          { PIDFD,        SI_QUEUE, 0, 0 };
FIXTURE_VARIANT_ADD(claim, pidfd_killed)          { PIDFD,        SI_USER,  0, -EPERM };
FIXTURE_VARIANT_ADD(claim, pidfd_tkilled)         { PIDFD,        SI_TKILL, 0, -EPERM };
FIXTURE_VARIANT_ADD(claim, pidfd_killed_to_self)  { PIDFD,        SI_USER,  1, 0 };
/* clang-format on */

FIXTURE_SETUP(claim)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->claim = (struct claim){ variant->by, variant->code,
				      variant->to_self, variant->want };
}

FIXTURE_TEARDOWN(claim)
{
}

TEST_F(claim, is_believed_or_refused)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, claim, &self->claim));
	expect_held(_metadata, &rep);
}

/* Reports the sender of a signal that is blocked. */
static void receive(struct child_report *rep, void *arg)
{
	struct scene *s = arg;
	siginfo_t info = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, SIG, signal_wait(&set, &info));
	rep->value[0] = info.si_pid;
}

#define RECEIVERS 3

struct group {
	struct scene s;
	int by_pidfd;
};

/* The leader of a group; the one in a namespace is between the others. */
static void signal_group(struct child_report *rep, void *arg)
{
	const int flags[RECEIVERS] = { 0, CLONE_NEWPID, 0 };
	struct child c[RECEIVERS];
	struct group *g = arg;
	struct child_report inner;
	sigset_t set;
	int i, self, ret;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	CHILD_EQ(rep, 0, setpgid(0, 0));
	for (i = 0; i < RECEIVERS; i++) {
		CHILD_EQ(rep, 0, child_start(&c[i], flags[i], receive, &g->s));
		CHILD_EQ(rep, 0, gate_wait_child(&g->s.up, &c[i]));
	}
	self = sys_pidfd_open(getpid(), 0);
	if (g->by_pidfd)
		ret = sys_pidfd_send_signal(self, SIG, NULL,
					    PIDFD_SIGNAL_PROCESS_GROUP);
	else
		ret = kill(0, SIG);
	if (ret < 0 && errno == EINVAL && g->by_pidfd)
		child_skip(rep, NEEDS_PIDFD_PGRP);
	CHILD_EQ(rep, 0, ret);
	for (i = 0; i < RECEIVERS; i++) {
		CHILD_EQ(rep, 0, child_wait(&c[i], &inner));
		CHILD_HELD(rep, &inner);
		CHILD_EQ(rep, flags[i] ? 0 : getpid(), inner.value[0]);
	}
}

static void expect_senders(struct __test_metadata *_metadata, int by_pidfd)
{
	struct group g = { .by_pidfd = by_pidfd };
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, scene_init(&g.s));
	ASSERT_EQ(0, child_run(&rep, 0, signal_group, &g));
	expect_held(_metadata, &rep);
}

TEST(every_member_of_a_group_reads_its_own_view_of_the_sender)
{
	expect_senders(_metadata, 0);
}

TEST(every_member_of_a_group_reads_its_own_view_of_a_pidfd_sender)
{
	expect_senders(_metadata, 1);
}

TEST_HARNESS_MAIN
