// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through signals: who does the receiver read as sender,
 * and whom can a sender reach?
 *
 * Promises: pid_namespaces(7), si_pid is 0 for a sender in an ancestor
 *           namespace; kill(2), tgkill(2), rt_sigqueueinfo(2),
 *           signalfd(2); pidfd_send_signal(2), EINVAL for a process outside
 *           (kernel/signal.c:send_signal_locked, access_pidfd_pidns).
 * Guards:   7a0cf094944e ("signal: Correct namespace fixups of si_pid and
 *           si_uid"), v5.2.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <sys/signalfd.h>

#include "views.h"

static void arm_signal(struct child_report *rep, void *arg)
{
	CHILD_EQ(rep, 0, view_block(view_signal()));
}

/* The sender of the signal; or what the attempt to send it gave. */
static void look_sender(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info;

	rep->value[0] = v->note[0];
	if (v->note[0] < 0)
		return;
	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	rep->value[0] = info.si_pid;
}

static void kill_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_note(rep, 0, kill(v->number, view_signal()));
}

static void tkill_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[1] =
		view_result(syscall(__NR_tkill, v->number, view_signal()));
}

static void tgkill_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_note(rep, 0,
		  syscall(__NR_tgkill, v->number, v->number, view_signal()));
}

/* What sigqueue(3) passes to the kernel. */
static siginfo_t queued(const struct view *v, int code)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = view_signal();
	info.si_code = code;
	info.si_pid = v->own;
	info.si_uid = getuid();
	return info;
}

static void sigqueue_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info = queued(v, SI_QUEUE);

	view_note(rep, 0,
		  syscall(__NR_rt_sigqueueinfo, v->number, view_signal(),
			  &info));
}

static void tgsigqueue_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info = queued(v, SI_QUEUE);

	view_note(rep, 0,
		  syscall(__NR_rt_tgsigqueueinfo, v->number, v->number,
			  view_signal(), &info));
}

/* Nobody may pretend to be kill(2), except to oneself. */
static void pretend_kill(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info = queued(v, SI_USER);

	view_note(rep, 0,
		  syscall(__NR_rt_sigqueueinfo, v->number, view_signal(),
			  &info));
	CHILD_EQ(rep, rep->value[1],
		 view_result(syscall(__NR_rt_tgsigqueueinfo, v->number,
				     v->number, view_signal(), &info)));
}

static void look_pretending_to_self(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info = queued(v, SI_USER);

	CHILD_EQ(rep, 0,
		 view_result(syscall(__NR_rt_sigqueueinfo, v->own,
				     view_signal(), &info)));
	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	info = queued(v, SI_USER);
	CHILD_EQ(rep, 0,
		 view_result(syscall(__NR_rt_tgsigqueueinfo, v->own, v->own,
				     view_signal(), &info)));
	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	rep->value[0] = info.si_pid == v->own;
}

static void pidfd_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_note(rep, 0,
		  sys_pidfd_send_signal(v->pidfd, view_signal(), NULL, 0));
}

static void pidfd_queue_it(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	siginfo_t info = queued(v, SI_QUEUE);

	view_note(rep, 0,
		  sys_pidfd_send_signal(v->pidfd, view_signal(), &info, 0));
}

static void arm_signalfd(struct child_report *rep, void *arg)
{
	sigset_t set;

	arm_signal(rep, arg);
	sigemptyset(&set);
	sigaddset(&set, view_signal());
	view_note(rep, 1, signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
	CHILD_OK(rep, rep->value[2]);
}

static void kill_and_keep(struct child_report *rep, void *arg)
{
	view_keep(rep, arg);
	kill_it(rep, arg);
}

static void look_signalfd(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct signalfd_siginfo info;
	int fd = v->note[1];

	rep->value[0] = v->note[0];
	if (!v->note[0]) {
		CHILD_EQ(rep, sizeof(info), read(fd, &info, sizeof(info)));
		rep->value[0] = info.ssi_pid;
	}
	close(fd);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, kill)
{ { NULL, arm_signal, kill_it, look_sender, NULL, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, tkill)
{ { NULL, arm_signal, tkill_it, look_sender, NULL, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, tgkill)
{ { NULL, arm_signal, tgkill_it, look_sender, NULL, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, rt_sigqueueinfo)
{ { NULL, arm_signal, sigqueue_it, look_sender, NULL, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, rt_tgsigqueueinfo)
{ { NULL, arm_signal, tgsigqueue_it, look_sender, NULL, VIEW_PID, 0, -ESRCH } };
FIXTURE_VARIANT_ADD(view, queued_pretending_kill)
{ { NULL, arm_signal, pretend_kill, look_sender, NULL, -EPERM, -EPERM, 0 } };
FIXTURE_VARIANT_ADD(view, queued_pretending_kill_to_oneself)
{ { NULL, arm_signal, NULL, look_pretending_to_self, NULL, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, pidfd_send_signal)
{ { NULL, arm_signal, pidfd_it, look_sender, NULL, VIEW_PID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(view, pidfd_send_signal_queued)
{ { NULL, arm_signal, pidfd_queue_it, look_sender, NULL, VIEW_PID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(view, signalfd)
{ { NULL, arm_signalfd, kill_and_keep, look_signalfd, NULL, VIEW_PID, 0, -ESRCH } };
/* clang-format on */

TEST_HARNESS_MAIN
