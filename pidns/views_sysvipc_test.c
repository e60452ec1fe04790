// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through System V IPC objects: who used them last?
 *
 * Promises: shmctl(2), shm_cpid, shm_lpid; msgctl(2), msg_lspid, msg_lrpid;
 *           semctl(2), GETPID; proc_sysvipc(5), in the namespace of the opener
 *           (ipc/shm.c, ipc/msg.c, ipc/sem.c, ipc/util.c:sysvipc_proc_open).
 * Guards:   98f929b1bd4d ("ipc/shm: Fix shmctl(..., IPC_STAT, ...) between pid
 *           namespaces."), v4.17;
 *           39a4940eaa18 ("ipc/msg: Fix msgctl(..., IPC_STAT, ...) between pid
 *           namespaces"), v4.17;
 *           51d6f2635b39 ("ipc/sem: Fix semctl(..., GETPID, ...) between pid
 *           namespaces"), v4.17.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "lack.h"
#include "views.h"

/* Note 0 is the object, note 1 the attached segment. */

static void note_object(struct child_report *rep, int id)
{
	if (id < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_SYSVIPC);
	CHILD_OK(rep, id);
	rep->value[1] = id;
}

static void make_shm(struct child_report *rep, void *arg)
{
	note_object(rep, shmget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
}

static void attach_shm(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	void *at = shmat(v->note[0], NULL, 0);

	view_keep(rep, v);
	CHILD_EQ(rep, 0, at == (void *)-1);
	rep->value[2] = (intptr_t)at;
}

static void look_cpid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct shmid_ds ds;

	CHILD_OK(rep, shmctl(v->note[0], IPC_STAT, &ds));
	rep->value[0] = ds.shm_cpid;
}

static void look_lpid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct shmid_ds ds;

	CHILD_OK(rep, shmctl(v->note[0], IPC_STAT, &ds));
	rep->value[0] = ds.shm_lpid;
}

static void end_shm(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (v->is_target && v->note[1])
		CHILD_OK(rep, shmdt((void *)(intptr_t)v->note[1]));
	if (!v->is_target)
		CHILD_OK(rep, shmctl(v->note[0], IPC_RMID, NULL));
}

static void make_queue(struct child_report *rep, void *arg)
{
	note_object(rep, msgget(IPC_PRIVATE, IPC_CREAT | 0600));
}

static void send_message(struct child_report *rep, void *arg)
{
	struct msgbuf msg = { .mtype = 1 };
	struct view *v = arg;

	view_keep(rep, v);
	CHILD_OK(rep, msgsnd(v->note[0], &msg, 0, IPC_NOWAIT));
}

static void make_full_queue(struct child_report *rep, void *arg)
{
	struct msgbuf msg = { .mtype = 1 };

	make_queue(rep, arg);
	CHILD_OK(rep, msgsnd(rep->value[1], &msg, 0, IPC_NOWAIT));
}

static void receive_message(struct child_report *rep, void *arg)
{
	struct msgbuf msg;
	struct view *v = arg;

	view_keep(rep, v);
	CHILD_OK(rep, msgrcv(v->note[0], &msg, 1, 0, IPC_NOWAIT));
}

static void look_lspid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct msqid_ds ds;

	CHILD_OK(rep, msgctl(v->note[0], IPC_STAT, &ds));
	rep->value[0] = ds.msg_lspid;
}

static void look_lrpid(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct msqid_ds ds;

	CHILD_OK(rep, msgctl(v->note[0], IPC_STAT, &ds));
	rep->value[0] = ds.msg_lrpid;
}

static void end_queue(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (!v->is_target)
		CHILD_OK(rep, msgctl(v->note[0], IPC_RMID, NULL));
}

static void make_sem(struct child_report *rep, void *arg)
{
	note_object(rep, semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
}

static void raise_sem(struct child_report *rep, void *arg)
{
	struct sembuf up = { .sem_op = 1 };
	struct view *v = arg;

	view_keep(rep, v);
	CHILD_OK(rep, semop(v->note[0], &up, 1));
}

static void set_sem(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_keep(rep, v);
	CHILD_OK(rep, semctl(v->note[0], 0, SETVAL, 1));
}

static void look_sempid(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, semctl(v->note[0], 0, GETPID));
}

static void end_sem(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	if (!v->is_target)
		CHILD_OK(rep, semctl(v->note[0], 0, IPC_RMID));
}

/*
 * Of the line about an object in /proc/sysvipc: the number in @column, counted
 * from 1; the object is the second number of each line.
 */
static long long in_list(struct child_report *rep, int fd, int id, int column)
{
	char buf[1 << 16], *line = buf, *at;
	long long number[9];
	int i;
	ssize_t len = pread(fd, buf, sizeof(buf) - 1, 0);

	CHILD_OK(rep, len);
	buf[len] = 0;
	while ((line = strchr(line, '\n')) && *++line) {
		for (i = 0, at = line; i < 9; i++)
			number[i] = strtoll(at, &at, 10);
		if (number[1] == id)
			return number[column - 1];
	}
	return -ENOENT;
}

static void look_list(struct child_report *rep, const struct view *v,
		      const char *path, int column)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		child_need(rep, lack_of_proc());
	CHILD_OK(rep, fd);
	rep->value[0] = in_list(rep, fd, v->note[0], column);
	close(fd);
}

static void look_listed_cpid(struct child_report *rep, void *arg)
{
	look_list(rep, arg, "/proc/sysvipc/shm", 5);
}

static void look_listed_lpid(struct child_report *rep, void *arg)
{
	look_list(rep, arg, "/proc/sysvipc/shm", 6);
}

static void look_listed_lspid(struct child_report *rep, void *arg)
{
	look_list(rep, arg, "/proc/sysvipc/msg", 6);
}

static void look_listed_lrpid(struct child_report *rep, void *arg)
{
	look_list(rep, arg, "/proc/sysvipc/msg", 7);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, shm_cpid)
{ { NULL, NULL, make_shm, look_cpid, end_shm, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, shm_lpid)
{ { NULL, make_shm, attach_shm, look_lpid, end_shm, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, msg_lspid)
{ { NULL, make_queue, send_message, look_lspid, end_queue, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, msg_lrpid)
{ { NULL, make_full_queue, receive_message, look_lrpid, end_queue, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, sem_getpid)
{ { NULL, make_sem, raise_sem, look_sempid, end_sem, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, sem_getpid_after_setval)
{ { NULL, make_sem, set_sem, look_sempid, end_sem, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_sysvipc_shm_cpid)
{ { NULL, NULL, make_shm, look_listed_cpid, end_shm, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_sysvipc_shm_lpid)
{ { NULL, make_shm, attach_shm, look_listed_lpid, end_shm, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_sysvipc_msg_lspid)
{ { NULL, make_queue, send_message, look_listed_lspid, end_queue, VIEW_PID, 0, 0 } };
FIXTURE_VARIANT_ADD(view, proc_sysvipc_msg_lrpid)
{ { NULL, make_full_queue, receive_message, look_listed_lrpid, end_queue, VIEW_PID, 0, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
