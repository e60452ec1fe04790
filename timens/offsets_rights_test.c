// SPDX-License-Identifier: GPL-2.0
/*
 * Who may write offsets: the capability of the one who opened the file, over
 * the user namespace that owns the time namespace. And whose they are.
 *
 * Promises: time_namespaces(7), "/proc/PID/timens_offsets", EPERM;
 *           kernel/time/namespace.c:proc_timens_set_offset, clone_time_ns;
 *           fs/proc/base.c: mode of the file, ESRCH.
 * Guards:   none.
 * Needs:    root or user namespaces; root for the rows with a second user.
 */
#include <fcntl.h>
#include <sys/capability.h>
#include <sys/wait.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "witness_expect.h"

#define SELF "/proc/self/timens_offsets"
#define LINE "monotonic 7 0\n"
#define LINE_NS (7 * NSEC_PER_SEC)

/* Write at the fd's position; 0 or a negative errno. */
static int put(int fd)
{
	return write(fd, LINE, strlen(LINE)) < 0 ? -errno : 0;
}

FIXTURE(rights)
{
	const char *missing;
};

FIXTURE_SETUP(rights)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (caps_have(CAP_SYS_TIME) != 1)
		self->missing = NEEDS_NSROOT_CAPS;
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(rights)
{
}

TEST_F(rights, are_of_the_one_who_opened)
{
	int with, without;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(NULL));
	with = open(SELF, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, with);
	ASSERT_EQ(0, caps_drop(CAP_SYS_TIME));
	without = open(SELF, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, without);
	EXPECT_EQ(-EPERM, put(without));
	EXPECT_EQ(0, put(with));
	/* and getting it back makes no difference */
	ASSERT_EQ(0, caps_restore());
	EXPECT_EQ(-EPERM, put(without));
	EXPECT_EQ(0, put(with));
	close(with);
	close(without);
}

TEST_F(rights, need_nothing_but_the_one_capability)
{
	cap_value_t only[] = { CAP_SYS_TIME };
	cap_t caps = cap_init();

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_unshare(NULL));
	ASSERT_NE(NULL, caps);
	ASSERT_EQ(0, cap_set_flag(caps, CAP_PERMITTED, 1, only, CAP_SET));
	ASSERT_EQ(0, cap_set_flag(caps, CAP_EFFECTIVE, 1, only, CAP_SET));
	ASSERT_EQ(0, cap_set_proc(caps));
	EXPECT_EQ(0, offsets_write(PROC_SELF, LINE));
	cap_free(caps);
}

static void write_from_inner_userns(struct child_report *rep, void *arg)
{
	(void)arg;
	CHILD_OK(rep, timens_unshare(NULL));
	CHILD_OK(rep, unshare(CLONE_NEWUSER));
	CHILD_EQ(rep, 1, caps_have(CAP_SYS_TIME));
	CHILD_EQ(rep, -EPERM, offsets_write(PROC_SELF, LINE));
}

/* Over the owner, not over the user namespace one happens to be in. */
TEST_F(rights, do_not_reach_outwards)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, write_from_inner_userns, NULL));
	expect_held(_metadata, &rep);
}

/* One unshare of both: the new user namespace owns the new time namespace. */
static void own_both(struct child_report *rep, void *arg)
{
	struct offsets off;

	(void)arg;
	CHILD_OK(rep, unshare(CLONE_NEWUSER | CLONE_NEWTIME));
	CHILD_OK(rep, offsets_write(PROC_SELF, LINE));
	CHILD_OK(rep, offsets_get(PROC_SELF, &off));
	CHILD_EQ(rep, LINE_NS, off.monotonic);
}

TEST_F(rights, come_with_a_new_user_namespace)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, own_both, NULL));
	expect_held(_metadata, &rep);
}

/* struct pair - a process with a pending namespace that others write to */
struct pair {
	__u64 flags;
	struct gate pending, written;
	struct child c;
};

static void have_pending(struct child_report *rep, void *arg)
{
	struct pair *p = arg;
	struct child_report inner;

	CHILD_OK(rep, unshare(p->flags));
	CHILD_OK(rep, gate_open(&p->pending));
	CHILD_OK(rep, gate_wait(&p->written));
	CHILD_OK(rep, child_run(&inner, 0, witness_child, NULL));
	CHILD_HELD(rep, &inner);
	memcpy(rep->value, inner.value, sizeof(rep->value));
}

static int pair_start(struct pair *p)
{
	int ret;

	ret = gate_init(&p->pending);
	if (!ret)
		ret = gate_init(&p->written);
	if (!ret)
		ret = child_start(&p->c, 0, have_pending, p);
	if (!ret)
		ret = gate_wait_child(&p->pending, &p->c);
	return ret;
}

static void expect_write_for_another(struct __test_metadata *_metadata,
				     __u64 flags)
{
	struct pair p = { .flags = flags, .c = CHILD_NONE };
	struct offsets own, by = { 0, 0 };
	struct child_report rep;
	struct instant before;

	ASSERT_EQ(0, offsets_get(PROC_SELF, &own));
	before = now();
	ASSERT_EQ(0, pair_start(&p));
	EXPECT_EQ(0, offsets_write(p.c.pid, LINE));
	EXPECT_EQ(0, gate_open(&p.written));
	EXPECT_EQ(0, child_wait(&p.c, &rep));
	expect_held(_metadata, &rep);
	by.monotonic = LINE_NS - own.monotonic;
	expect_child_moved(_metadata, &rep, 0, &before, &by);
	gate_close(&p.pending);
	gate_close(&p.written);
}

TEST_F(rights, let_a_parent_write_for_its_child)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	expect_write_for_another(_metadata, CLONE_NEWTIME);
}

TEST_F(rights, reach_into_inner_user_namespaces)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, ns_prepare(CLONE_NEWUSER, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_write_for_another(_metadata, CLONE_NEWUSER | CLONE_NEWTIME);
}

static void look_as_another_user(struct child_report *rep, void *arg)
{
	pid_t pid = *(pid_t *)arg;
	struct offsets off;
	int ret;

	ret = caps_become(65534);
	if (ret == -EPERM || ret == -EINVAL)
		child_skip(rep, NEEDS_ROOT);
	CHILD_OK(rep, ret);
	child_die_with_parent(rep);
	child_need(rep, lack_of_others(pid));
	CHILD_OK(rep, offsets_get(pid, &off));
	CHILD_EQ(rep, LINE_NS, off.monotonic);
	CHILD_EQ(rep, -EACCES, offsets_write(pid, LINE));
}

TEST_F(rights, of_another_user_are_to_read)
{
	struct pair p = { .flags = CLONE_NEWTIME, .c = CHILD_NONE };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, pair_start(&p));
	EXPECT_EQ(0, offsets_write(p.c.pid, LINE));
	EXPECT_EQ(0, child_run(&rep, 0, look_as_another_user, &p.c.pid));
	expect_held(_metadata, &rep);
	EXPECT_EQ(0, child_kill(&p.c));
}

static void end_at_once(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, gate_wait(arg));
}

TEST_F(rights, end_with_the_process)
{
	struct gate gate;
	siginfo_t end;
	struct child c;
	char path[64], byte;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, gate_init(&gate));
	ASSERT_EQ(0, child_start(&c, 0, end_at_once, &gate));
	snprintf(path, sizeof(path), "/proc/%d/timens_offsets", c.pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	EXPECT_LE(0, fd);
	EXPECT_EQ(0, gate_open(&gate));
	EXPECT_EQ(0, waitid(P_PID, c.pid, &end, WEXITED | WNOWAIT));
	/* a zombie has no namespaces any more */
	EXPECT_EQ(-ESRCH, put(fd));
	EXPECT_EQ(0, read(fd, &byte, 1));
	EXPECT_EQ(0, child_wait(&c, NULL));
	EXPECT_EQ(0, lseek(fd, 0, SEEK_SET));
	EXPECT_EQ(-ESRCH, put(fd));
	EXPECT_EQ(-1, read(fd, &byte, 1));
	EXPECT_EQ(ESRCH, errno);
	fd_close(&fd);
	gate_close(&gate);
}

TEST_HARNESS_MAIN
