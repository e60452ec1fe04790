// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by the supervisor of its system calls, and of a thread
 * that does not take over a filter.
 *
 * Promises: seccomp_unotify(2), pid; seccomp(2), SECCOMP_FILTER_FLAG_TSYNC
 *           (kernel/seccomp.c:seccomp_notify_recv, seccomp_can_sync_threads).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "inside.h"
#include "lack.h"
#include "views.h"

/* getppid(2), which nothing else calls here, goes to @action. */
static int set_filter(unsigned int flags, __u32 action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return view_result(syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags,
				   &program));
}

static void be_supervised(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int fd = set_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    SECCOMP_RET_USER_NOTIF);

	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_TARGET], fd));
	close(fd);
}

static void make_call(struct child_report *rep, void *arg)
{
	syscall(__NR_getppid);
}

static void have_supervised_child(struct child_report *rep, void *arg)
{
	/* without filters this is EINVAL, with them a bad address */
	if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) < 0 &&
	    errno != EFAULT)
		child_skip(rep, NEEDS_SECCOMP);
	view_child(rep, arg, be_supervised, make_call);
}

static void look_notification(struct child_report *rep, void *arg)
{
	struct seccomp_notif_resp answer = { 0 };
	struct seccomp_notif note = { 0 };
	struct view *v = arg;
	pid_t pid;
	int fd;

	fd = view_take_over(v->fd[FOR_OBSERVER]);
	CHILD_OK(rep, fd);
	pid = view_child_number(rep, v);
	CHILD_EQ(rep, 0, view_wait_byte(fd));
	CHILD_OK(rep, ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &note));
	answer.id = note.id;
	CHILD_OK(rep, ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer));
	close(fd);
	CHILD_EQ(rep, pid, note.pid);
	rep->value[0] = note.pid != 0;
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, notification)
{ { view_pair, view_creds, have_supervised_child, look_notification, view_end_child, 1, 0, 0 } };
/* clang-format on */

FIXTURE(filter)
{
	const char *missing;
};

FIXTURE_SETUP(filter)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing &&
	    syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) < 0 &&
	    errno != EFAULT)
		self->missing = NEEDS_SECCOMP;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(filter)
{
}

/* struct stubborn - a thread with a filter of its own */
struct stubborn {
	struct gate up;
	struct gate go;
	int ret;
	pid_t tid;
};

static void *be_stubborn(void *arg)
{
	struct stubborn *s = arg;

	s->tid = syscall(__NR_gettid);
	s->ret = set_filter(0, SECCOMP_RET_ALLOW);
	gate_open(&s->up);
	gate_wait(&s->go);
	return NULL;
}

static void sync_filters(struct child_report *rep, void *arg)
{
	struct stubborn s;
	pthread_t thread;

	CHILD_EQ(rep, 0, gate_init(&s.up));
	CHILD_EQ(rep, 0, gate_init(&s.go));
	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, be_stubborn, &s));
	CHILD_EQ(rep, 0, gate_wait(&s.up));
	CHILD_EQ(rep, 0, s.ret);
	CHILD_LE(rep, 2, s.tid);
	CHILD_EQ(rep, s.tid,
		 set_filter(SECCOMP_FILTER_FLAG_TSYNC, SECCOMP_RET_ALLOW));
	CHILD_EQ(rep, 0, gate_open(&s.go));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
}

TEST_F(filter, thread_that_keeps_its_own_is_named_by_its_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, sync_filters, NULL);
}

TEST_HARNESS_MAIN
