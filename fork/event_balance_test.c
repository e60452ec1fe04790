// SPDX-License-Identifier: GPL-2.0
/*
 * The process connector tells of every birth, exec and death inside a pid
 * namespace exactly once, by the numbers of the initial one; and says so when
 * it could not.
 *
 * Promises: drivers/connector/cn_proc.c; netlink(7), ENOBUFS.
 * Guards:   none.
 * Needs:    root in the initial user and pid namespace; CONFIG_PROC_EVENTS.
 */
#include <linux/cn_proc.h>
#include <sys/socket.h>

#include "caps.h"
#include "expect.h"
#include "image.h"
#include "lack.h"
#include "population.h"
#include "proc_events.h"

#define STORM 100 /* forks: more events than find room */
#define KNOWN_MOST 512
#define ROOM (8 << 20) /* bytes: the whole machine's events go in there */
#define TRIES 5

FIXTURE(events)
{
	const char *missing;
	int sock;
	char path[512];
	int line[2];
};

FIXTURE_SETUP(events)
{
	int ret;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	ret = proc_events_open(&self->sock, ROOM);
	if (!self->missing && ret < 0)
		self->missing = NEEDS_CONNECTOR;
	else if (!self->missing && ret == 0)
		self->missing = NEEDS_REAL_ROOT;
	if (!self->missing && access("/proc/self", F_OK) < 0)
		self->missing = NEEDS_PROC;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, image_path("exec_probe", self->path, sizeof(self->path)));
	ASSERT_EQ(0, pipe(self->line));
}

FIXTURE_TEARDOWN(events)
{
	proc_events_close(&self->sock);
}

/* Who lives below the first one, and what was told of them. */
struct tally {
	int n;
	struct {
		pid_t pid;
		pid_t tgid;
		int deaths;
		int foreign; /* its number belongs to somebody else now */
	} known[KNOWN_MOST];
	int forks;
	int execs;
	int exits;
	int strange;
};

/* The youngest with that number: numbers come again. */
static int find(const struct tally *t, pid_t pid)
{
	int i;

	for (i = t->n - 1; i >= 0; i--)
		if (t->known[i].pid == pid && !t->known[i].foreign)
			return i;
	return -1;
}

static bool alive(const struct tally *t, pid_t pid)
{
	int i = find(t, pid);

	return i >= 0 && !t->known[i].deaths;
}

static void add(struct tally *t, pid_t pid, pid_t tgid)
{
	if (alive(t, pid) || t->n == KNOWN_MOST) {
		t->strange++;
		return;
	}
	t->known[t->n].pid = pid;
	t->known[t->n++].tgid = tgid;
}

static void count(struct tally *t, const struct proc_event *e)
{
	pid_t pid = e->event_data.fork.child_pid;
	pid_t tgid = e->event_data.fork.child_tgid;
	int i;

	if (e->what == PROC_EVENT_FORK) {
		/* a new thread's parent is the one of its process */
		if (alive(t, e->event_data.fork.parent_tgid) ||
		    (pid != tgid && alive(t, tgid))) {
			add(t, pid, tgid);
			t->forks++;
			return;
		}
		i = find(t, pid);
		if (i >= 0 && t->known[i].deaths)
			t->known[i].foreign = 1;
	} else if (e->what == PROC_EVENT_EXEC) {
		t->execs += alive(t, e->event_data.exec.process_pid);
	} else if (e->what == PROC_EVENT_EXIT) {
		i = find(t, e->event_data.exit.process_pid);
		if (i < 0)
			return;
		t->exits++;
		t->strange += t->known[i].deaths++ > 0;
		t->strange += t->known[i].tgid !=
			      (pid_t)e->event_data.exit.process_tgid;
	}
}

/* Reads until the first one is dead and no one else is missing. */
static int follow(int sock, struct tally *t, pid_t first)
{
	struct proc_event event;
	int ret;

	add(t, first, first);
	while (!t->known[0].deaths || t->exits < t->n) {
		ret = proc_events_next(sock, &event, CHILD_DEADLINE_MS);
		if (ret == 0)
			return -ETIMEDOUT;
		if (ret < 0)
			return ret;
		/* the birth of the first one is known already */
		if (event.what != PROC_EVENT_FORK ||
		    event.event_data.fork.child_pid != first)
			count(t, &event);
	}
	return 0;
}

static void forget(int sock)
{
	struct proc_event event;

	while (proc_events_next(sock, &event, 0) != 0)
		;
}

TEST_F(events, balance)
{
	struct tally *t = calloc(1, sizeof(*t));
	struct child_report rep;
	struct child c;
	int ret = -ENOBUFS, i;

	if (!self->missing)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_NE(NULL, t);
	/* when the machine is too busy for our room, that is said: try again */
	for (i = 0; i < TRIES && ret == -ENOBUFS; i++) {
		forget(self->sock);
		memset(t, 0, sizeof(*t));
		ASSERT_EQ(0, child_start(&c, CLONE_NEWPID, population_live,
					 self->path));
		ret = follow(self->sock, t, c.pid);
		ASSERT_EQ(0, child_wait(&c, &rep));
		expect_held(_metadata, &rep);
	}
	if (ret == -ENOBUFS)
		SKIP(return, INCONCLUSIVE);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(POPULATION_BIRTHS, t->forks);
	EXPECT_EQ(t->forks + 1, t->exits);
	EXPECT_EQ(t->n, t->exits);
	EXPECT_EQ(POPULATION_EXECS, t->execs);
	EXPECT_EQ(0, t->strange);
	free(t);
}

static void storm(struct child_report *rep, void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < STORM; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		CHILD_LE(rep, 1, pid);
		CHILD_EQ(rep, pid, waitpid(pid, NULL, 0));
	}
}

TEST_F(events, that_found_no_room_are_reported_missing)
{
	struct child_report rep;
	struct proc_event event;
	int room = 1, lost = 0, told = 0, ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* the kernel makes that its least, some events at most */
	ASSERT_EQ(0, setsockopt(self->sock, SOL_SOCKET, SO_RCVBUF, &room,
				sizeof(room)));
	forget(self->sock);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, storm, NULL));
	expect_held(_metadata, &rep);
	while ((ret = proc_events_next(self->sock, &event, 0)) != 0) {
		lost += ret == -ENOBUFS;
		told += ret == 1;
	}
	EXPECT_LE(1, lost);
	EXPECT_LE(1, told);
	EXPECT_GT(2 * STORM, told);
}

static void listen_inside(struct child_report *rep, void *arg)
{
	int sock;

	(void)arg;
	CHILD_EQ(rep, 0, proc_events_open(&sock, ROOM));
}

TEST_F(events, are_not_for_listeners_in_a_pid_ns)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, listen_inside, NULL));
	expect_held(_metadata, &rep);
}

/* Where everybody may join the group, nothing is sent for those who ask. */
static void listen_as_stranger(struct child_report *rep, void *arg)
{
	int sock, ret = proc_events_open(&sock, ROOM);

	(void)arg;
	CHILD_EQ(rep, ret ? -EPERM : 0, ret);
}

TEST_F(events, are_not_for_listeners_in_a_user_ns)
{
	struct child_report rep;

	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWUSER, listen_as_stranger, NULL));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
