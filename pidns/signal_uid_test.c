// SPDX-License-Identifier: GPL-2.0
/*
 * Who sent the signal?  The user, as the receiver's user namespace knows it.
 *
 * Promises: user_namespaces(7), "Unmapped user and group IDs": the overflow
 *           user; sigaction(2), si_uid (kernel/signal.c:send_signal_locked).
 * Guards:   7a0cf094944e ("signal: Correct namespace fixups of si_pid and
 *           si_uid"), v5.2.
 * Needs:    root or user namespaces.
 */
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "procfs.h"
#include "scene.h"

#define SIG SIGUSR1
#define OVERFLOW_UID 65534 /* the default of /proc/sys/kernel/overflowuid */

enum by { KILL, TGKILL, QUEUE, PIDFD };

FIXTURE(sender)
{
	struct scene s;
	struct child c;
	const char *missing;
};

FIXTURE_VARIANT(sender)
{
	enum by by;
	__u64 flags;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(sender, kill_known)     { KILL,   0 };
FIXTURE_VARIANT_ADD(sender, kill_unknown)   { KILL,   CLONE_NEWUSER };
FIXTURE_VARIANT_ADD(sender, tgkill_known)   { TGKILL, 0 };
FIXTURE_VARIANT_ADD(sender, tgkill_unknown) { TGKILL, CLONE_NEWUSER };
FIXTURE_VARIANT_ADD(sender, queue_known)    { QUEUE,  0 };
FIXTURE_VARIANT_ADD(sender, queue_unknown)  { QUEUE,  CLONE_NEWUSER };
FIXTURE_VARIANT_ADD(sender, pidfd_known)    { PIDFD,  0 };
FIXTURE_VARIANT_ADD(sender, pidfd_unknown)  { PIDFD,  CLONE_NEWUSER };
/* clang-format on */

FIXTURE_SETUP(sender)
{
	self->c = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, scene_init(&self->s));
}

FIXTURE_TEARDOWN(sender)
{
	child_kill(&self->c);
}

static void receive(struct child_report *rep, void *arg)
{
	struct scene *s = arg;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	CHILD_EQ(rep, 0, gate_open(&s->up));
	CHILD_EQ(rep, 0, gate_wait(&s->go));
	CHILD_EQ(rep, SIG, sigtimedwait(&set, &info, &(struct timespec){ 0 }));
	CHILD_EQ(rep, 0, info.si_pid);
	rep->value[0] = info.si_uid;
}

static long send_by(enum by by, const struct child *c)
{
	siginfo_t info = { .si_signo = SIG, .si_code = SI_QUEUE };

	info.si_uid = getuid();
	switch (by) {
	case TGKILL:
		return syscall(SYS_tgkill, c->pid, c->pid, SIG);
	case QUEUE:
		return syscall(SYS_rt_sigqueueinfo, c->pid, SIG, &info);
	case PIDFD:
		return sys_pidfd_send_signal(c->pidfd, SIG, NULL, 0);
	default:
		return kill(c->pid, SIG);
	}
}

/* Nobody is mapped into a user namespace before somebody writes its map. */
TEST_F(sender, is_the_user_as_known_to_the_receiver)
{
	long long want = OVERFLOW_UID;
	struct child_report rep;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	proc_number("/proc/sys/kernel/overflowuid", "", &want);
	ret = child_start(&self->c, CLONE_NEWPID | variant->flags, receive,
			  &self->s);
	if (variant->flags && (ret == -EPERM || ret == -ENOSPC ||
			       ret == -EINVAL || ret == -EUSERS))
		SKIP(return, NEEDS_USERNS);
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, gate_wait_child(&self->s.up, &self->c));
	EXPECT_EQ(0, send_by(variant->by, &self->c));
	ASSERT_EQ(0, gate_open(&self->s.go));
	ASSERT_EQ(0, child_wait(&self->c, &rep));
	expect_held(_metadata, &rep);
	EXPECT_EQ(variant->flags ? want : (long long)getuid(), rep.value[0]);
}

TEST_HARNESS_MAIN
