// SPDX-License-Identifier: GPL-2.0
/*
 * Signals of a new child: the one its end sends, the handlers it starts with,
 * also for children that are the first process of a pid namespace; and what
 * clone(2) makes of the flags that only clone3(2) has.
 *
 * Promises: clone(2), "The child termination signal", CLONE_CLEAR_SIGHAND;
 *           kernel/fork.c:kernel_clone(), copy_sighand().
 * Guards:   3f2c788a1314 ("fork: prevent accidental access to clone3
 *           features"), v5.7.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "nslink.h"
#include "raw_clone.h"

FIXTURE(child)
{
	const char *missing;
};

FIXTURE_VARIANT(child)
{
	__u64 flags;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(child, here)                { 0 };
FIXTURE_VARIANT_ADD(child, in_new_pid_ns)       { CLONE_NEWPID };
FIXTURE_VARIANT_ADD(child, in_new_pid_time_ns)  { CLONE_NEWPID | CLONE_NEWTIME };
/* clang-format on */

FIXTURE_SETUP(child)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(child)
{
}

static pid_t start(__u64 flags, int exit_signal)
{
	struct uapi_clone_args args = {
		.flags = flags,
		.exit_signal = exit_signal,
	};

	return sys_clone3(&args, sizeof(args));
}

TEST_F(child, sends_its_exit_signal)
{
	const struct timespec now = { 0 };
	siginfo_t info;
	sigset_t set;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	sigfillset(&set);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &set, NULL));
	pid = start(variant->flags, SIGUSR2);
	if (pid == 0)
		_exit(7);
	ASSERT_LE(1, pid);
	/* not a SIGCHLD child: invisible to an ordinary wait */
	EXPECT_EQ(-1, waitpid(pid, NULL, 0));
	EXPECT_EQ(ECHILD, errno);
	EXPECT_EQ(pid, waitpid(pid, NULL, __WCLONE));
	EXPECT_EQ(SIGUSR2, sigtimedwait(&set, &info, &now));
	EXPECT_EQ(pid, info.si_pid);
	EXPECT_EQ(CLD_EXITED, info.si_code);
	EXPECT_EQ(7, info.si_status);
	EXPECT_EQ(-1, sigtimedwait(&set, &info, &now));
	EXPECT_EQ(EAGAIN, errno);
}

TEST_F(child, without_exit_signal_ends_silently)
{
	const struct timespec now = { 0 };
	siginfo_t info;
	sigset_t set;
	int status;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	sigfillset(&set);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &set, NULL));
	pid = start(variant->flags, 0);
	if (pid == 0)
		_exit(7);
	ASSERT_LE(1, pid);
	EXPECT_EQ(-1, waitpid(pid, NULL, 0));
	EXPECT_EQ(ECHILD, errno);
	EXPECT_EQ(pid, waitpid(pid, &status, __WALL));
	EXPECT_EQ(7 << 8, status);
	EXPECT_EQ(-1, sigtimedwait(&set, &info, &now));
	EXPECT_EQ(EAGAIN, errno);
}

static void handler(int sig __attribute__((unused)))
{
}

/* What the signals are set to: 1 a handler, 2 the default, 4 ignored. */
static int disposition(int sig)
{
	struct sigaction sa = { 0 };

	sigaction(sig, NULL, &sa);
	if (sa.sa_handler == handler)
		return 1;
	return sa.sa_handler == SIG_DFL ? 2 : 4;
}

static int dispositions(void)
{
	return disposition(SIGUSR1) << 6 | disposition(SIGUSR2) << 3 |
	       disposition(SIGHUP);
}

static int in_child(pid_t pid)
{
	int status = -1;

	if (pid == 0)
		_exit(dispositions() & 0xff);
	if (pid < 0)
		return -errno;
	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

TEST_F(child, keeps_handlers_unless_they_are_cleared)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGHUP, SIG_DFL);
	ASSERT_EQ(0142, dispositions());
	EXPECT_EQ(0142, in_child(start(variant->flags, SIGCHLD)));
	EXPECT_EQ(0242, in_child(start(variant->flags | CLONE_CLEAR_SIGHAND,
				       SIGCHLD)));
	EXPECT_EQ(0142, dispositions());
}

TEST_F(child, of_clone_knows_no_flags_of_clone3)
{
	const __u64 beyond = CLONE_CLEAR_SIGHAND | CLONE_INTO_CGROUP |
			     1ULL << 63;
	const __u64 flags = variant->flags & ~CLONE_NEWTIME;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	EXPECT_EQ(0142, in_child(raw_clone(beyond | flags | SIGCHLD, NULL)));
}

static void compare_time_ns(int64_t outside)
{
	_exit(nslink(NSLINK_TIME) == outside ? 0 : 1);
}

/*
 * To clone(2) the bit is part of the exit signal.  Up to 7.0 that was not
 * looked at: a child in the same time namespace, whose end sends no signal
 * that exists.
 */
TEST_F(child, of_clone_in_no_new_time_ns)
{
	const __u64 flags = variant->flags | CLONE_NEWTIME | SIGCHLD;
	int64_t outside;
	int status = -1;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	outside = nslink(NSLINK_TIME);
	ASSERT_LE(1, outside);
	pid = raw_clone(flags, NULL);
	if (pid == 0)
		compare_time_ns(outside);
	if (pid < 0) {
		EXPECT_EQ(EINVAL, errno);
		EXPECT_EQ(-1, waitpid(-1, NULL, __WALL));
		EXPECT_EQ(ECHILD, errno);
		return;
	}
	EXPECT_EQ(pid, waitpid(pid, &status, __WALL));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
