// SPDX-License-Identifier: GPL-2.0
/*
 * Which signals reach the first process of a pid namespace, from itself, from
 * another member and from an ancestor namespace.
 *
 * Promises: pid_namespaces(7), "The namespace init process": only signals it
 *           has a handler for, and SIGKILL and SIGSTOP from an ancestor;
 *           kernel/signal.c:sig_task_ignored(), get_signal().
 * Guards:   b3bfa0cba867 ("signals: protect cinit from blocked fatal
 *           signals"), v2.6.30;
 *           921cf9f63089 ("signals: protect cinit from unblocked SIG_DFL
 *           signals"), v2.6.30.
 * Needs:    root or user namespaces.
 */
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"
#include "scene.h"

enum who { SELF, MEMBER, ABOVE };
enum how { KILL, TGKILL, QUEUE, PIDFD };
enum does { NOTHING, HANDLES, IGNORES, BLOCKS, LATER, TAKES };

enum end { LIVES, ANSWERS, DIES, STOPS };

/* What the parent of the init sees of it. */
static const struct {
	int code;
	int status;
} ends[] = {
	[LIVES] = { CLD_EXITED, 0 },
	[ANSWERS] = { CLD_EXITED, 42 },
	[DIES] = { CLD_KILLED, SIGKILL },
	[STOPS] = { CLD_STOPPED, SIGSTOP },
};

struct cast {
	struct scene s;
	enum who who;
	enum how how;
	enum does does;
	int sig;
};

static int send_it(pid_t pid, const struct cast *cast)
{
	siginfo_t info = { .si_signo = cast->sig, .si_code = SI_QUEUE };
	int fd, ret = -1;

	switch (cast->how) {
	case KILL:
		return kill(pid, cast->sig);
	case TGKILL:
		return syscall(SYS_tgkill, pid, pid, cast->sig);
	case QUEUE:
		info.si_pid = getpid();
		return syscall(SYS_rt_sigqueueinfo, pid, cast->sig, &info);
	case PIDFD:
		fd = sys_pidfd_open(pid, 0);
		if (fd >= 0)
			ret = sys_pidfd_send_signal(fd, cast->sig, NULL, 0);
		fd_close(&fd);
	}
	return ret;
}

static void member(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, send_it(1, arg));
}

static void answer(int sig)
{
	_exit(sig ? 42 : 0);
}

static void prepare(struct child_report *rep, const struct cast *cast,
		    sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, cast->sig);
	if (cast->does >= BLOCKS)
		CHILD_EQ(rep, 0, sigprocmask(SIG_BLOCK, set, NULL));
	if (cast->does == HANDLES || cast->does == LATER)
		signal(cast->sig, answer);
	else if (cast->does == IGNORES)
		signal(cast->sig, SIG_IGN);
}

/* A blocked signal waits, whoever sent it, and is judged when it gets in. */
static void unblock(struct child_report *rep, const struct cast *cast,
		    const sigset_t *set)
{
	sigset_t pending;

	sigpending(&pending);
	CHILD_EQ(rep, 1, sigismember(&pending, cast->sig));
	if (cast->does == TAKES) {
		CHILD_EQ(rep, cast->sig, sigwaitinfo(set, NULL));
		answer(cast->sig);
	}
	CHILD_EQ(rep, 0, sigprocmask(SIG_UNBLOCK, set, NULL));
	sigpending(&pending);
	CHILD_EQ(rep, 0, sigismember(&pending, cast->sig));
}

static void be_init(struct child_report *rep, void *arg)
{
	struct cast *cast = arg;
	struct child_report inner;
	sigset_t set;

	prepare(rep, cast, &set);
	CHILD_EQ(rep, 0, gate_open(&cast->s.up));
	CHILD_EQ(rep, 0, gate_wait(&cast->s.go));
	if (cast->who == SELF)
		CHILD_EQ(rep, 0, send_it(1, cast));
	if (cast->who == MEMBER) {
		CHILD_EQ(rep, 0, child_run(&inner, 0, member, cast));
		CHILD_HELD(rep, &inner);
	}
	if (cast->does >= BLOCKS)
		unblock(rep, cast, &set);
}

FIXTURE(init)
{
	struct cast cast;
	struct child init;
	const char *missing;
};

FIXTURE_VARIANT(init)
{
	enum who who;
	enum how how;
	int sig;
	enum does does;
	enum end end;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(init, self_term)               { SELF,   KILL,   SIGTERM, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, self_kill)               { SELF,   KILL,   SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, self_stop)               { SELF,   KILL,   SIGSTOP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, self_abort)              { SELF,   TGKILL, SIGABRT, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, self_kill_by_tgkill)     { SELF,   TGKILL, SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, self_handled)            { SELF,   KILL,   SIGTERM, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, self_blocked)            { SELF,   KILL,   SIGTERM, BLOCKS,  LIVES };
FIXTURE_VARIANT_ADD(init, member_hup)              { MEMBER, KILL,   SIGHUP,  NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_int)              { MEMBER, KILL,   SIGINT,  NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_term)             { MEMBER, KILL,   SIGTERM, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_kill)             { MEMBER, KILL,   SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_kill_by_tgkill)   { MEMBER, TGKILL, SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_kill_by_queue)    { MEMBER, QUEUE,  SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_kill_by_pidfd)    { MEMBER, PIDFD,  SIGKILL, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_stop)             { MEMBER, KILL,   SIGSTOP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_stop_by_tgkill)   { MEMBER, TGKILL, SIGSTOP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_stop_by_queue)    { MEMBER, QUEUE,  SIGSTOP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_stop_by_pidfd)    { MEMBER, PIDFD,  SIGSTOP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_tty_stop)         { MEMBER, KILL,   SIGTSTP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_segv)             { MEMBER, KILL,   SIGSEGV, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_abort)            { MEMBER, KILL,   SIGABRT, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_real_time)        { MEMBER, QUEUE,  40,      NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, member_handled)          { MEMBER, KILL,   SIGTERM, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, member_queue_handled)    { MEMBER, QUEUE,  SIGTERM, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, member_segv_handled)     { MEMBER, KILL,   SIGSEGV, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, member_ignored)          { MEMBER, KILL,   SIGTERM, IGNORES, LIVES };
FIXTURE_VARIANT_ADD(init, member_blocked)          { MEMBER, KILL,   SIGTERM, BLOCKS,  LIVES };
FIXTURE_VARIANT_ADD(init, member_segv_blocked)     { MEMBER, KILL,   SIGSEGV, BLOCKS,  LIVES };
FIXTURE_VARIANT_ADD(init, member_tty_stop_later)   { MEMBER, KILL,   SIGTSTP, BLOCKS,  LIVES };
FIXTURE_VARIANT_ADD(init, member_handled_later)    { MEMBER, KILL,   SIGTERM, LATER,   ANSWERS };
FIXTURE_VARIANT_ADD(init, member_taken)            { MEMBER, KILL,   SIGTERM, TAKES,   ANSWERS };
FIXTURE_VARIANT_ADD(init, ancestor_hup)            { ABOVE,  KILL,   SIGHUP,  NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_int)            { ABOVE,  KILL,   SIGINT,  NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_term)           { ABOVE,  KILL,   SIGTERM, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_term_by_queue)  { ABOVE,  QUEUE,  SIGTERM, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_segv)           { ABOVE,  TGKILL, SIGSEGV, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_tty_stop)       { ABOVE,  KILL,   SIGTSTP, NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_real_time)      { ABOVE,  QUEUE,  40,      NOTHING, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_kill)           { ABOVE,  KILL,   SIGKILL, NOTHING, DIES };
FIXTURE_VARIANT_ADD(init, ancestor_kill_by_tgkill) { ABOVE,  TGKILL, SIGKILL, NOTHING, DIES };
FIXTURE_VARIANT_ADD(init, ancestor_kill_by_queue)  { ABOVE,  QUEUE,  SIGKILL, NOTHING, DIES };
FIXTURE_VARIANT_ADD(init, ancestor_kill_by_pidfd)  { ABOVE,  PIDFD,  SIGKILL, NOTHING, DIES };
FIXTURE_VARIANT_ADD(init, ancestor_stop)           { ABOVE,  KILL,   SIGSTOP, NOTHING, STOPS };
FIXTURE_VARIANT_ADD(init, ancestor_stop_by_tgkill) { ABOVE,  TGKILL, SIGSTOP, NOTHING, STOPS };
FIXTURE_VARIANT_ADD(init, ancestor_stop_by_queue)  { ABOVE,  QUEUE,  SIGSTOP, NOTHING, STOPS };
FIXTURE_VARIANT_ADD(init, ancestor_stop_by_pidfd)  { ABOVE,  PIDFD,  SIGSTOP, NOTHING, STOPS };
FIXTURE_VARIANT_ADD(init, ancestor_handled)        { ABOVE,  KILL,   SIGTERM, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, ancestor_queue_handled)  { ABOVE,  QUEUE,  SIGTERM, HANDLES, ANSWERS };
FIXTURE_VARIANT_ADD(init, ancestor_ignored)        { ABOVE,  KILL,   SIGTERM, IGNORES, LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_blocked)        { ABOVE,  KILL,   SIGTERM, BLOCKS,  LIVES };
FIXTURE_VARIANT_ADD(init, ancestor_handled_later)  { ABOVE,  KILL,   SIGTERM, LATER,   ANSWERS };
FIXTURE_VARIANT_ADD(init, ancestor_taken)          { ABOVE,  KILL,   SIGTERM, TAKES,   ANSWERS };
/* clang-format on */

FIXTURE_SETUP(init)
{
	self->init = CHILD_NONE;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->cast = (struct cast){ .who = variant->who,
				    .how = variant->how,
				    .does = variant->does,
				    .sig = variant->sig };
	ASSERT_EQ(0, scene_init(&self->cast.s));
}

FIXTURE_TEARDOWN(init)
{
	child_kill(&self->init);
}

TEST_F(init, gets_only_what_it_may)
{
	const int events = WEXITED | WSTOPPED | WNOWAIT;
	struct child_report rep;
	siginfo_t end = { 0 };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0,
		  child_start(&self->init, CLONE_NEWPID, be_init, &self->cast));
	ASSERT_EQ(0, gate_wait_child(&self->cast.s.up, &self->init));
	if (variant->who == ABOVE)
		ASSERT_EQ(0, send_it(self->init.pid, &self->cast));
	ASSERT_EQ(0, gate_open(&self->cast.s.go));
	ASSERT_EQ(0, waitid(P_PID, self->init.pid, &end, events));
	EXPECT_EQ(ends[variant->end].code, end.si_code);
	EXPECT_EQ(ends[variant->end].status, end.si_status);
	if (end.si_code == CLD_STOPPED)
		ASSERT_EQ(0, kill(self->init.pid, SIGCONT));
	ASSERT_EQ(0, child_wait(&self->init, &rep));
	EXPECT_EQ(NULL, rep.file)
	{
		expect_held(_metadata, &rep);
	}
}

TEST_HARNESS_MAIN
