// SPDX-License-Identifier: GPL-2.0
/*
 * setns to a time namespace: it moves the clocks at once, there and back, as
 * long as anything keeps the namespace, and for one process alone.
 *
 * Promises: setns(2), CLONE_NEWTIME; time_namespaces(7); namespaces(7),
 *           "Namespace lifetime"; kernel/time/namespace.c:timens_install.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define OWN "/proc/self/ns/time"
#define PENDING "/proc/self/ns/time_for_children"

/*
 * The test itself goes first into a namespace that its own user namespace
 * owns, with the clocks it had: an ordinary user may come back to that one.
 */
FIXTURE(enter)
{
	const char *missing;
	int home;
	int there; /* pending: its clocks are moved */
	struct witness origin;
	struct instant before;
};

static int open_ns(const char *link)
{
	int fd = open(link, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int enter_ns(int fd)
{
	return setns(fd, CLONE_NEWTIME) < 0 ? -errno : 0;
}

FIXTURE_SETUP(enter)
{
	self->home = -1;
	self->there = -1;
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME | CLONE_NEWPID | CLONE_NEWNS,
				&self->missing));
	if (!self->missing)
		self->missing = lack_of_setns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(NULL));
	self->home = open_ns(PENDING);
	ASSERT_LE(0, self->home);
	ASSERT_EQ(0, enter_ns(self->home));
	ASSERT_EQ(0, timens_shift(&far));
	self->there = open_ns(PENDING);
	ASSERT_LE(0, self->there);
	witness_take(&self->origin);
	self->before = now();
}

FIXTURE_TEARDOWN(enter)
{
	fd_close(&self->home);
	fd_close(&self->there);
}

/* Move by each fd in turn, with these flags, and look after each. */
struct trip {
	int fd[3];
	int flags;
};

static void travel(struct child_report *rep, void *arg)
{
	struct trip *t = arg;
	int i;

	for (i = 0; i < 3; i++) {
		CHILD_OK(rep, setns(t->fd[i], t->flags));
		witness_report(rep, i);
	}
}

static void expect_trip(struct __test_metadata *_metadata, struct trip *t,
			const struct instant *before)
{
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, 0, travel, t));
	expect_held(_metadata, &rep);
	expect_child_moved(_metadata, &rep, 0, before, &far);
	expect_child_moved(_metadata, &rep, 1, before, &unmoved);
	expect_child_moved(_metadata, &rep, 2, before, &far);
}

TEST_F(enter, and_return_by_file)
{
	struct trip t = { { self->there, self->home, self->there },
			  CLONE_NEWTIME };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_trip(_metadata, &t, &self->before);
}

TEST_F(enter, and_return_by_file_of_any_type)
{
	struct trip t = { { self->there, self->home, self->there }, 0 };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_trip(_metadata, &t, &self->before);
}

/* Both links of the one who entered show where it is, also for children. */
TEST_F(enter, for_the_children_too)
{
	struct trip t = { { self->there, self->home, self->there }, 0 };
	struct child_report rep;
	struct witness w;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, travel, &t));
	expect_held(_metadata, &rep);
	for (i = 0; i < 3; i++) {
		w = witness_of(&rep, i);
		EXPECT_EQ(i == 1 ? self->origin.ns : self->origin.children,
			  w.ns);
		EXPECT_EQ(w.ns, w.children);
	}
}

static void stay(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, gate_wait(arg));
}

TEST_F(enter, and_return_by_pidfd)
{
	struct child member = CHILD_NONE, host = CHILD_NONE;
	struct gate gate = GATE_NONE;
	struct trip t = { .flags = CLONE_NEWTIME };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&gate));
	ASSERT_EQ(0, child_start(&member, 0, stay, &gate));
	ASSERT_EQ(0, enter_ns(self->home));
	ASSERT_EQ(0, child_start(&host, 0, stay, &gate));
	t.fd[0] = member.pidfd;
	t.fd[1] = host.pidfd;
	t.fd[2] = member.pidfd;
	expect_trip(_metadata, &t, &self->before);
	EXPECT_EQ(0, child_kill(&member));
	EXPECT_EQ(0, child_kill(&host));
	gate_close(&gate);
}

/* Own clocks move, own pid cannot: that is for the next child. */
static void join_both(struct child_report *rep, void *arg)
{
	struct child_report inner;
	pid_t pid = getpid();

	CHILD_OK(rep, setns(*(int *)arg, CLONE_NEWTIME | CLONE_NEWPID));
	CHILD_EQ(rep, pid, getpid());
	witness_report(rep, 0);
	CHILD_OK(rep, child_run(&inner, 0, witness_child, NULL));
	CHILD_HELD(rep, &inner);
	memcpy((char *)rep->value + sizeof(struct witness), inner.value,
	       sizeof(struct witness));
}

TEST_F(enter, with_a_pid_namespace_by_pidfd)
{
	struct child_report rep;
	struct child init;
	struct gate gate;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, gate_init(&gate));
	ASSERT_EQ(0, child_start(&init, CLONE_NEWPID, stay, &gate));
	ASSERT_EQ(0, enter_ns(self->home));
	EXPECT_EQ(0, child_run(&rep, 0, join_both, &init.pidfd));
	expect_held(_metadata, &rep);
	expect_child_moved(_metadata, &rep, 0, &self->before, &far);
	expect_child_moved(_metadata, &rep, 1, &self->before, &far);
	EXPECT_EQ(2, witness_of(&rep, 1).pid);
	EXPECT_EQ(0, child_kill(&init));
	gate_close(&gate);
}

static void have_pending(struct child_report *rep, void *arg)
{
	struct gate *gate = arg;

	CHILD_OK(rep, timens_shift(&far));
	CHILD_OK(rep, gate_open(&gate[0]));
	CHILD_OK(rep, gate_wait(&gate[1]));
}

/* The namespace a process is in counts, not the one for its children. */
TEST_F(enter, where_the_process_is_by_pidfd)
{
	struct gate gate[2];
	struct instant after;
	struct witness w;
	struct child c;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, enter_ns(self->home));
	ASSERT_EQ(0, gate_init(&gate[0]));
	ASSERT_EQ(0, gate_init(&gate[1]));
	ASSERT_EQ(0, child_start(&c, 0, have_pending, gate));
	EXPECT_EQ(0, gate_wait_child(&gate[0], &c));
	EXPECT_EQ(0, enter_ns(self->there));
	EXPECT_EQ(0, enter_ns(c.pidfd));
	witness_take(&w);
	after = now();
	expect_moved(_metadata, &w, &self->before, &after, &unmoved);
	EXPECT_EQ(self->origin.ns, w.ns);
	EXPECT_EQ(self->origin.ns, w.children);
	EXPECT_EQ(0, child_kill(&c));
}

TEST_HARNESS_MAIN
