// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a child by its parent: who ended, stopped or went on?
 *
 * Promises: wait(2), waitid(2), wait4(2): numbers of the caller's pid namespace
 *           (kernel/exit.c:kernel_wait4, wait_task_zombie, wait_task_stopped,
 *           wait_task_continued); sigaction(2), SIGCHLD
 *           (kernel/signal.c:do_notify_parent, do_notify_parent_cldstop).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "inside.h"
#include "signals.h"
#include "views_tools.h"

/*
 * struct relative - a child
 * @flags: CLONE_NEWPID or 0
 * @v:     a pair of sockets: the child's number here is known by the
 *         credentials of a byte, which are not what is tested
 * @go:    lets it end
 */
struct relative {
	__u64 flags;
	struct view v;
	struct gate up;
	struct gate go;
};

FIXTURE(relative)
{
	struct relative r;
	const char *missing;
};

FIXTURE_VARIANT(relative)
{
	child_fn fn;
	__u64 flags;
};

FIXTURE_SETUP(relative)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->r.flags = variant->flags;
}

FIXTURE_TEARDOWN(relative)
{
}

/* It ends with its parent, the init of the namespace around. */
static void be_child(struct relative *r)
{
	view_hand_over(r->v.fd[FOR_TARGET], -1);
	gate_open(&r->up);
	gate_wait(&r->go);
	_exit(0);
}

/* Make a child that leads a process group; its number. */
static pid_t make_child(struct child_report *rep, struct relative *r)
{
	struct uapi_clone_args args = { .flags = r->flags,
					.exit_signal = SIGCHLD };
	pid_t pid;

	CHILD_EQ(rep, 0, view_pair(&r->v));
	view_creds(rep, &r->v);
	CHILD_EQ(rep, 0, gate_init(&r->up));
	CHILD_EQ(rep, 0, gate_init(&r->go));
	pid = sys_clone3(&args, sizeof(args));
	if (pid < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_OK(rep, pid);
	if (!pid)
		be_child(r);
	CHILD_EQ(rep, 0, gate_wait(&r->up));
	pid = view_sender(r->v.fd[FOR_OBSERVER]);
	CHILD_LE(rep, 1, pid);
	CHILD_OK(rep, setpgid(pid, pid));
	return pid;
}

static void end_child(struct child_report *rep, struct relative *r)
{
	CHILD_EQ(rep, 0, gate_open(&r->go));
}

/* What waitid(2) tells of a change of the child. */
static void check_waitid(struct child_report *rep, int type, id_t id,
			 int options, pid_t want)
{
	siginfo_t info = { 0 };

	CHILD_OK(rep, waitid((idtype_t)type, id, &info, options));
	CHILD_EQ(rep, want, info.si_pid);
}

static void waitid_any(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	check_waitid(rep, P_ALL, 0, WEXITED, pid);
}

static void waitid_pid(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	check_waitid(rep, P_PID, pid, WEXITED, pid);
}

static void waitid_group(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	check_waitid(rep, P_PGID, pid, WEXITED, pid);
}

static void waitid_pidfd(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);
	int pidfd = sys_pidfd_open(pid, 0);

	CHILD_OK(rep, pidfd);
	end_child(rep, arg);
	check_waitid(rep, UAPI_P_PIDFD, pidfd, WEXITED, pid);
}

/* A child in the group of the caller, which no number has to be known for. */
static pid_t make_child_of_group(struct child_report *rep, struct relative *r)
{
	pid_t pid;

	CHILD_OK(rep, setpgid(0, 0));
	pid = make_child(rep, r);
	CHILD_OK(rep, setpgid(pid, getpid()));
	return pid;
}

static void waitid_own_group(struct child_report *rep, void *arg)
{
	pid_t pid = make_child_of_group(rep, arg);

	end_child(rep, arg);
	check_waitid(rep, P_PGID, 0, WEXITED, pid);
	CHILD_EQ(rep, -1, waitid(P_PGID, 0, NULL, WEXITED));
	CHILD_EQ(rep, ECHILD, errno);
}

static void wait4_own_group(struct child_report *rep, void *arg)
{
	pid_t pid = make_child_of_group(rep, arg);

	end_child(rep, arg);
	CHILD_EQ(rep, pid, wait4(0, NULL, 0, NULL));
	CHILD_EQ(rep, -1, wait4(0, NULL, 0, NULL));
	CHILD_EQ(rep, ECHILD, errno);
}

static void wait4_any(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	CHILD_EQ(rep, pid, wait4(-1, NULL, 0, NULL));
}

static void wait4_pid(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	CHILD_EQ(rep, pid, wait4(pid, NULL, 0, NULL));
}

static void wait4_group(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	end_child(rep, arg);
	CHILD_EQ(rep, pid, wait4(-pid, NULL, 0, NULL));
}

static void waitid_stop_and_go(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	CHILD_OK(rep, kill(pid, SIGSTOP));
	check_waitid(rep, P_ALL, 0, WSTOPPED, pid);
	CHILD_OK(rep, kill(pid, SIGCONT));
	check_waitid(rep, P_ALL, 0, WCONTINUED, pid);
	end_child(rep, arg);
	check_waitid(rep, P_ALL, 0, WEXITED, pid);
}

static void wait4_stop_and_go(struct child_report *rep, void *arg)
{
	pid_t pid = make_child(rep, arg);

	CHILD_OK(rep, kill(pid, SIGSTOP));
	CHILD_EQ(rep, pid, wait4(-1, NULL, WUNTRACED, NULL));
	CHILD_OK(rep, kill(pid, SIGCONT));
	CHILD_EQ(rep, pid, wait4(-1, NULL, WCONTINUED, NULL));
	end_child(rep, arg);
	CHILD_EQ(rep, pid, wait4(-1, NULL, 0, NULL));
}

/* Wait for a SIGCHLD about a change, and look who changed. */
static void check_sigchld(struct child_report *rep, int code, pid_t want)
{
	siginfo_t info = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	CHILD_EQ(rep, SIGCHLD, signal_wait(&set, &info));
	CHILD_EQ(rep, code, info.si_code);
	CHILD_EQ(rep, want, info.si_pid);
}

static void sigchld(struct child_report *rep, void *arg)
{
	pid_t pid;

	CHILD_EQ(rep, 0, view_block(SIGCHLD));
	pid = make_child(rep, arg);
	CHILD_OK(rep, kill(pid, SIGSTOP));
	check_sigchld(rep, CLD_STOPPED, pid);
	CHILD_OK(rep, kill(pid, SIGCONT));
	check_sigchld(rep, CLD_CONTINUED, pid);
	end_child(rep, arg);
	check_sigchld(rep, CLD_EXITED, pid);
	CHILD_EQ(rep, pid, wait(NULL));
}

/* clang-format off */
FIXTURE_VARIANT_ADD(relative, waitid_any) { waitid_any, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_pid) { waitid_pid, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_group) { waitid_group, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_own_group) { waitid_own_group, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_pidfd) { waitid_pidfd, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_stop_and_go) { waitid_stop_and_go, 0 };
FIXTURE_VARIANT_ADD(relative, wait4_any) { wait4_any, 0 };
FIXTURE_VARIANT_ADD(relative, wait4_pid) { wait4_pid, 0 };
FIXTURE_VARIANT_ADD(relative, wait4_group) { wait4_group, 0 };
FIXTURE_VARIANT_ADD(relative, wait4_own_group) { wait4_own_group, 0 };
FIXTURE_VARIANT_ADD(relative, wait4_stop_and_go) { wait4_stop_and_go, 0 };
FIXTURE_VARIANT_ADD(relative, sigchld) { sigchld, 0 };
FIXTURE_VARIANT_ADD(relative, waitid_any_init_below) { waitid_any, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, waitid_pid_init_below) { waitid_pid, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, waitid_group_init_below) { waitid_group, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, waitid_own_group_init_below) { waitid_own_group, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, waitid_pidfd_init_below) { waitid_pidfd, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, waitid_stop_and_go_init_below) { waitid_stop_and_go, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, wait4_any_init_below) { wait4_any, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, wait4_pid_init_below) { wait4_pid, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, wait4_group_init_below) { wait4_group, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, wait4_own_group_init_below) { wait4_own_group, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, wait4_stop_and_go_init_below) { wait4_stop_and_go, CLONE_NEWPID };
FIXTURE_VARIANT_ADD(relative, sigchld_init_below) { sigchld, CLONE_NEWPID };
/* clang-format on */

TEST_F(relative, is_known_by_its_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, variant->fn, &self->r);
}

TEST_HARNESS_MAIN
