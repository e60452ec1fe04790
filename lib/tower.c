// SPDX-License-Identifier: GPL-2.0
/* Building towers of pid namespaces; see tower.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "caps.h"
#include "needs.h"
#include "tower.h"
#include "tower_line.h"

/*
 * Chosen numbers start at one of these.  Level 0 hands out its own numbers,
 * which must not be mistaken for chosen ones: the base far from them is taken.
 */
#define LOW_BASE 400
#define HIGH_BASE 10000

/*
 * Where others fork without a pause, level 0 runs through all of its numbers
 * while a tower is built, and may hand out one from either range.
 */
#define ATTEMPTS 20

/*
 * Who gets chosen numbers: 2n member n, 2n + 1 init n; 0 is the sibling, and
 * behind the lowest init comes the twin.
 */
#define SIBLING 0
#define SIBLING_INIT 1

static int twin(const struct tower *t)
{
	return 2 * t->depth + 2;
}

static pid_t chosen(const struct tower *t, int who, int level)
{
	return t->base + who * (t->depth + 1) + level;
}

/* What a new process needs to know; it has a copy of it. */
struct birth {
	struct tower *t;
	struct tower_member *m;
	int init; /* pidfd of the init whose namespace to join, or -1 */
	int level; /* of the new process */
	int who;
	int is_init;
	int parent_fd;
};

/* Numbers for set_tid: innermost namespace first, level 0 is not chosen. */
static int fill_tids(const struct birth *b, pid_t *tid)
{
	int level, n = 0;

	for (level = b->level; level > 0; level--)
		tid[n++] = chosen(b->t, b->who, level);
	if (b->is_init)
		tid[0] = 1;
	return n;
}

static void wait_as_init(void)
{
	signal(SIGCHLD, SIG_IGN);
	while (1)
		pause();
}

/*
 * Clone a child of the caller's parent, so that all processes of a tower are
 * children of the one who builds it.  Returns its pid in the caller's pid
 * namespace and its pidfd, or a negative errno.
 */
static pid_t give_birth(const struct birth *b, int *pidfd)
{
	pid_t tid[TOWER_LEVELS + 1];
	struct uapi_clone_args args = {
		.flags = CLONE_PARENT | CLONE_PIDFD,
		.pidfd = (uintptr_t)pidfd,
		.set_tid_size = fill_tids(b, tid),
	};
	struct child_report rep = { .parent_fd = b->parent_fd };
	pid_t pid;

	if (args.set_tid_size) /* else clone3() wants a null pointer */
		args.set_tid = (uintptr_t)tid;
	if (b->is_init)
		args.flags |= CLONE_NEWPID;
	pid = sys_clone3(&args, sizeof(args));
	if (pid)
		return pid < 0 ? -errno : pid;
	child_die_with_parent(&rep);
	if (b->is_init)
		wait_as_init();
	line_obey(b->m);
	_exit(0);
}

/* A short-lived process at level 0: joins the namespace, makes the member. */
static void midwife(struct child_report *rep, void *arg)
{
	struct birth *b = arg;
	int pidfd = -1;

	b->parent_fd = rep->parent_fd;
	/* here, not in the member: the first order must not overtake it */
	b->m->page->rep.parent_fd = rep->parent_fd;
	if (b->init >= 0 && setns(b->init, CLONE_NEWPID) < 0)
		rep->value[0] = -errno;
	else
		rep->value[0] = give_birth(b, &pidfd);
}

static int start_member(struct tower *t, struct tower_member *m, int who,
			int level, int init)
{
	struct birth b = {
		.t = t, .m = m, .init = init, .level = level, .who = who
	};
	struct child_report rep;
	int ret;

	m->level = level;
	ret = line_init(m);
	if (ret < 0)
		return ret;
	ret = child_run(&rep, 0, midwife, &b);
	if (ret < 0)
		return ret;
	if (!child_held(&rep) || rep.value[0] == 0)
		return -ECHILD;
	if (rep.value[0] < 0)
		return rep.value[0];
	m->proc.pid = rep.value[0];
	/* its parent is the caller: the number cannot be another's yet */
	m->proc.pidfd = sys_pidfd_open(m->proc.pid, 0);
	if (m->proc.pidfd < 0)
		return -errno;
	m->pid[0] = m->proc.pid;
	for (; level > 0; level--)
		m->pid[level] = chosen(t, who, level);
	return 0;
}

/* Runs in the member above: only there can the next namespace be made. */
static void make_init(struct child_report *rep, void *arg)
{
	/* @arg is shared and may be overwritten before the child has read it */
	struct birth b = *(struct birth *)arg;
	int pidfd = -1;

	b.parent_fd = rep->parent_fd;
	rep->value[0] = give_birth(&b, &pidfd);
	rep->value[1] = pidfd;
}

static int start_init(struct tower *t, struct tower_member *above, int who,
		      int *init)
{
	struct birth b = {
		.t = t, .level = above->level + 1, .who = who, .is_init = 1
	};
	struct child_report rep;
	int ret;

	ret = tower_call(above, make_init, &b, sizeof(b), &rep);
	if (ret < 0)
		return ret;
	if (rep.value[0] < 0)
		return rep.value[0];
	*init = tower_fetch_fd(above, rep.value[1]);
	return *init < 0 ? *init : 0;
}

static int meets(const struct tower *t, pid_t pid)
{
	return pid >= t->base && pid <= chosen(t, twin(t), t->depth);
}

/* Did level 0 hand out a number from the range of the chosen ones? */
static int numbers_meet(const struct tower *t)
{
	int i;

	for (i = 0; i <= t->depth; i++)
		if (meets(t, t->member[i].pid[0]))
			return 1;
	return meets(t, t->twin.pid[0]) || meets(t, t->sibling.pid[0]);
}

static int build(struct tower *t)
{
	int i, ret;

	ret = start_member(t, &t->member[0], 0, 0, -1);
	for (i = 1; !ret && i <= t->depth; i++) {
		ret = start_init(t, &t->member[i - 1], 2 * i + 1, &t->init[i]);
		if (!ret)
			ret = start_member(t, &t->member[i], 2 * i, i,
					   t->init[i]);
	}
	if (!ret)
		ret = start_member(t, &t->twin, twin(t), t->depth,
				   t->init[t->depth]);
	if (!ret)
		ret = start_init(t, &t->member[0], SIBLING_INIT, &t->init[0]);
	t->sibling.branch = 1;
	if (!ret)
		ret = start_member(t, &t->sibling, SIBLING, 1, t->init[0]);
	return ret;
}

static void clear(struct tower *t, int depth)
{
	int i;

	memset(t, 0, sizeof(*t));
	t->depth = depth;
	for (i = 0; i <= TOWER_LEVELS; i++) {
		t->init[i] = -1;
		line_clear(&t->member[i]);
	}
	line_clear(&t->twin);
	line_clear(&t->sibling);
}

int tower_prepare(__u64 flags, const char **missing)
{
	struct uapi_clone_args none = { 0 };
	int ret;

	ret = ns_prepare(flags | CLONE_NEWPID, missing);
	if (ret < 0 || *missing)
		return ret;
	/* the kernel itself refuses an empty structure, and a closed fd */
	if (syscall(__NR_clone3, &none, 0) < 0 && errno != EINVAL)
		*missing = NEEDS_CLONE3;
	else if (setns(-1, CLONE_NEWPID) < 0 && errno != EBADF)
		*missing = NEEDS_NS_UNFILTERED;
	return 0;
}

int tower_up(struct tower *t, int depth)
{
	pid_t base = getpid() < HIGH_BASE / 2 ? HIGH_BASE : LOW_BASE;
	int i, ret;

	if (depth < 1 || depth > TOWER_LEVELS) {
		clear(t, 0);
		return -EINVAL;
	}
	for (i = 0; i < ATTEMPTS; i++) {
		clear(t, depth);
		t->base = base;
		ret = build(t);
		if (ret || !numbers_meet(t))
			return ret;
		/* pids have wrapped around meanwhile: try the other range */
		tower_down(t);
		base = LOW_BASE + HIGH_BASE - base;
	}
	clear(t, depth);
	return -EAGAIN;
}

static void end_init(int *init)
{
	siginfo_t end;

	if (*init < 0)
		return;
	sys_pidfd_send_signal(*init, SIGKILL, NULL, 0);
	while (waitid((idtype_t)UAPI_P_PIDFD, *init, &end, WEXITED) < 0 &&
	       errno == EINTR)
		;
	fd_close(init);
}

void tower_down(struct tower *t)
{
	int i;

	/*
	 * Members first: a dying init waits until every process of its
	 * namespace is reaped, and theirs is the caller's business.
	 */
	for (i = t->depth; i >= 0; i--)
		line_end(&t->member[i]);
	line_end(&t->twin);
	line_end(&t->sibling);
	for (i = t->depth; i >= 0; i--)
		end_init(&t->init[i]);
}

pid_t tower_pid(const struct tower_member *target,
		const struct tower_member *observer)
{
	if (observer->level > target->level)
		return 0;
	if (observer->level && observer->branch != target->branch)
		return 0;
	return target->pid[observer->level];
}
