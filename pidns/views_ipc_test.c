// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through POSIX message queues, and through lists of System
 * V IPC objects that another process opened.
 *
 * Promises: mq_notify(3), si_pid; mq_overview(7), NOTIFY_PID;
 *           proc_sysvipc(5), numbers of the opener's namespace
 *           (ipc/mqueue.c:__do_notify, mqueue_read_file,
 *           ipc/util.c:sysvipc_proc_open).
 * Guards:   b5f2006144c6 ("ipc/mqueue.c: change __do_notify() to bypass
 *           check_kill_permission()"), v5.7.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/shm.h>

#include "lack.h"
#include "views.h"

static int prepare_mq(struct view *v)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	char name[32];

	snprintf(name, sizeof(name), "/views_ipc.%d", getpid());
	v->fd[0] = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600,
			   &attr);
	/* absent: the row skips in arm_notify() */
	if (v->fd[0] < 0)
		return errno == ENOSYS ? 0 : -errno;
	return view_result(mq_unlink(name));
}

static void arm_notify(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = view_signal() };

	if (v->fd[0] < 0)
		child_skip(rep, NEEDS_POSIX_MQUEUE);
	CHILD_EQ(rep, 0, view_block(view_signal()));
	CHILD_OK(rep, mq_notify(v->fd[0], &ev));
}

static void send_message(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	CHILD_OK(rep, mq_send(v->fd[0], "", 1, 0));
}

static void look_sender(struct child_report *rep, void *arg)
{
	siginfo_t info;

	CHILD_EQ(rep, 0, view_take(view_signal(), &info));
	CHILD_EQ(rep, SI_MESGQ, info.si_code);
	rep->value[0] = info.si_pid;
}

static void look_notified(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char buf[128], *at;
	ssize_t len = read(v->fd[0], buf, sizeof(buf) - 1);

	CHILD_OK(rep, len);
	buf[len] = 0;
	at = strstr(buf, "NOTIFY_PID:");
	CHILD_OK(rep, at ? 0 : -ENODATA);
	rep->value[0] = atoll(at + strlen("NOTIFY_PID:"));
}

static void end_notify(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target)
		CHILD_OK(rep, mq_notify(v->fd[0], NULL));
}

static void hand_over_list(struct child_report *rep, const struct view *v,
			   const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		child_need(rep, lack_of_proc());
	if (fd < 0 && errno == ENOENT)
		child_skip(rep, NEEDS_SYSVIPC);
	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, view_hand_over(v->fd[FOR_OBSERVER], fd));
	close(fd);
}

static void hand_over_shm(struct child_report *rep, void *arg)
{
	hand_over_list(rep, arg, "/proc/sysvipc/shm");
}

static void hand_over_msg(struct child_report *rep, void *arg)
{
	hand_over_list(rep, arg, "/proc/sysvipc/msg");
}

/*
 * Both pids of an object in a list that the other opened: columns @column and
 * @column + 1, counted from 1, of the line with @id in the second one.
 */
static long long in_list(struct child_report *rep, const struct view *v, int id,
			 int column)
{
	int i, fd = view_take_over(v->fd[FOR_TARGET]);
	char buf[1 << 16], *line = buf, *at;
	long long number[7];
	ssize_t len;

	CHILD_OK(rep, fd);
	len = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	CHILD_OK(rep, len);
	buf[len] = 0;
	while ((line = strchr(line, '\n')) && *++line) {
		for (i = 0, at = line; i < 7; i++)
			number[i] = strtoll(at, &at, 10);
		if (number[1] != id)
			continue;
		CHILD_EQ(rep, number[column - 1], number[column]);
		return number[column];
	}
	return -ENOENT;
}

static void use_shm(struct child_report *rep, void *arg)
{
	int id = shmget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
	void *at = shmat(id, NULL, 0);

	CHILD_EQ(rep, 0, at == (void *)-1);
	rep->value[1] = in_list(rep, arg, id, 5);
	CHILD_OK(rep, shmdt(at));
	CHILD_OK(rep, shmctl(id, IPC_RMID, NULL));
}

static void use_msg(struct child_report *rep, void *arg)
{
	struct msgbuf msg = { .mtype = 1 };
	int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);

	CHILD_OK(rep, msgsnd(id, &msg, 0, IPC_NOWAIT));
	CHILD_OK(rep, msgrcv(id, &msg, 1, 0, IPC_NOWAIT));
	rep->value[1] = in_list(rep, arg, id, 6);
	CHILD_OK(rep, msgctl(id, IPC_RMID, NULL));
}

static void look_note(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[0] = v->note[0];
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, mq_notify_signal)
{ { prepare_mq, arm_notify, send_message, look_sender, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, mq_notify_pid)
{ { prepare_mq, NULL, arm_notify, look_notified, end_notify, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, sysvipc_shm_opened_by_observer)
{ { view_pair, hand_over_shm, use_shm, look_note, NULL, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, sysvipc_msg_opened_by_observer)
{ { view_pair, hand_over_msg, use_msg, look_note, NULL, VIEW_PID, 0, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
