// SPDX-License-Identifier: GPL-2.0
/*
 * User, pid, mount and time namespaces made by one clone3(2), as containers
 * are: by root, by nobody, three deep, from a place that has offsets already,
 * and from inside a container with its usual walls.
 *
 * Promises: clone(2); user_namespaces(7); pid_namespaces(7), "/proc and PID
 *           namespaces"; time_namespaces(7); seccomp(2);
 *           fs/namespace.c:mount_too_revealing().
 * Guards:   a402f1e35313 ("fork: allow CLONE_NEWTIME in clone3 flags"), v6.3.
 * Needs:    user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS; for the container
 *           CONFIG_SECCOMP_FILTER.
 */
#include <dirent.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include "caps.h"
#include "clocks.h"
#include "container.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "raw_clone.h"

#define ALL_FOUR (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWTIME)
#define NOBODY 65534
#define DEPTH 3

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC + 1,
	.boottime = 5000 * NSEC_PER_SEC + 2,
};

FIXTURE(combined)
{
	const char *missing;
};

FIXTURE_SETUP(combined)
{
	ASSERT_EQ(0, ns_prepare(ALL_FOUR, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(combined)
{
}

/* What is known of the maker of a container, and what must hold inside. */
struct maker {
	uid_t uid;
	gid_t gid;
	struct offsets off;
	int depth;
	int walls; /* parts of /proc are covered */
};

static void fill_maker(struct child_report *rep, struct maker *m)
{
	m->uid = geteuid();
	m->gid = getegid();
	CHILD_EQ(rep, 0, offsets_get(PROC_SELF, &m->off));
}

/* How many processes does /proc show? */
static int processes_seen(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	if (!proc)
		return -errno;
	while ((entry = readdir(proc)))
		n += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	closedir(proc);
	return n;
}

static void check_proc(struct child_report *rep, int walls)
{
	int ret = proc_mount_own();

	if (walls) {
		/* a new one would show what is covered */
		CHILD_EQ(rep, -EPERM, ret);
		return;
	}
	if (ret == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, 1, processes_seen());
	CHILD_EQ(rep, 1, proc_is_mine());
}

static void later_child(struct child_report *rep, void *arg)
{
	const struct offsets *off = arg;
	struct offsets seen;

	CHILD_EQ(rep, 2, getpid());
	CHILD_EQ(rep, 1, getppid());
	CHILD_EQ(rep, 0, offsets_get(PROC_SELF, &seen));
	CHILD_EQ(rep, off->monotonic, seen.monotonic);
	rep->value[0] = clock_ns(CLOCK_MONOTONIC);
}

static void inside(struct child_report *rep, void *arg)
{
	struct maker *m = arg;
	struct child_report inner;
	struct offsets off;
	int64_t low, high;

	CHILD_EQ(rep, 1, getpid());
	CHILD_EQ(rep, 0, getppid());
	CHILD_EQ(rep, 1, caps_have(CAP_SYS_ADMIN));
	CHILD_EQ(rep, 0, container_map(m->uid, m->gid));
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, getuid());
	/* inherited, and no longer to be changed: we are in it */
	CHILD_EQ(rep, 0, offsets_get(PROC_SELF, &off));
	CHILD_EQ(rep, m->off.monotonic, off.monotonic);
	CHILD_EQ(rep, m->off.boottime, off.boottime);
	CHILD_EQ(rep, -EACCES, offsets_set(&shift));
	low = clock_ns(CLOCK_MONOTONIC) - off.monotonic;
	CHILD_EQ(rep, 0, timens_unshare(&shift));
	CHILD_EQ(rep, 0, child_run(&inner, 0, later_child, (void *)&shift));
	CHILD_HELD(rep, &inner);
	high = clock_ns(CLOCK_MONOTONIC) - off.monotonic;
	CHILD_LE(rep, low + shift.monotonic, inner.value[0]);
	CHILD_LE(rep, inner.value[0], high + shift.monotonic);
	check_proc(rep, m->walls);
}

static void make_one(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct maker m = { .walls = !!arg };

	fill_maker(rep, &m);
	CHILD_EQ(rep, 0, child_run(&inner, ALL_FOUR, inside, &m));
	CHILD_HELD(rep, &inner);
}

TEST_F(combined, in_one_call)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, make_one, NULL));
	expect_held(_metadata, &rep);
}

static void by_nobody(struct child_report *rep, void *arg)
{
	/*
	 * Who is root of a user namespace and knows nobody else there needs
	 * CAP_SETFCAP to make a root of another.
	 */
	if (caps_become(NOBODY) < 0)
		CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	CHILD_EQ(rep, 0, prctl(PR_SET_DUMPABLE, 1));
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, caps_have(CAP_SYS_ADMIN));
	if (container_allowed(ALL_FOUR) == -EPERM)
		child_skip(rep, NEEDS_USERNS);
	make_one(rep, arg);
}

TEST_F(combined, by_one_without_rights)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, by_nobody, NULL));
	expect_held(_metadata, &rep);
}

static void above_offsets(struct child_report *rep, void *arg)
{
	static const struct offsets there = {
		.monotonic = 77 * NSEC_PER_SEC + 7,
		.boottime = 88 * NSEC_PER_SEC + 8,
	};
	struct child_report inner;

	CHILD_EQ(rep, 0, timens_unshare(&there));
	CHILD_EQ(rep, 0, child_run(&inner, 0, make_one, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(combined, where_offsets_are_already)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, above_offsets, NULL));
	expect_held(_metadata, &rep);
}

static void go_deeper(struct child_report *rep, void *arg)
{
	struct maker *m = arg;
	struct child_report inner;

	CHILD_EQ(rep, 1, getpid());
	CHILD_EQ(rep, 0, container_map(m->uid, m->gid));
	child_die_with_parent(rep);
	fill_maker(rep, m);
	if (--m->depth > 0)
		CHILD_EQ(rep, 0, child_run(&inner, ALL_FOUR, go_deeper, m));
	else
		CHILD_EQ(rep, 0, child_run(&inner, ALL_FOUR, inside, m));
	CHILD_HELD(rep, &inner);
}

TEST_F(combined, one_in_the_other)
{
	struct maker m = { .uid = geteuid(), .gid = getegid(), .depth = DEPTH };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, ALL_FOUR, go_deeper, &m));
	expect_held(_metadata, &rep);
}

static void contained_child(struct child_report *rep, void *arg)
{
	CHILD_LE(rep, 2, getpid());
	CHILD_EQ(rep, 1, getppid());
	CHILD_EQ(rep, 2, prctl(PR_GET_SECCOMP));
	(void)arg;
}

/* The container's own view: what it may do, and what its tools make of it. */
static void live_contained(struct child_report *rep, void *arg)
{
	struct maker *m = arg;
	struct child_report inner;
	int ret;

	child_need(rep, lack_of_setns());
	CHILD_EQ(rep, 0, container_map(m->uid, m->gid));
	child_die_with_parent(rep);
	check_proc(rep, 0);
	CHILD_EQ(rep, 0, container_cover("/proc/sys"));
	make_one(rep, m);
	CHILD_EQ(rep, 0, caps_drop_all());
	ret = container_no_clone3();
	if (ret == -EINVAL)
		child_skip(rep, NEEDS_SECCOMP);
	CHILD_EQ(rep, 0, ret);
	CHILD_EQ(rep, -ENOSYS, container_allowed(CLONE_NEWPID));
	CHILD_EQ(rep, -1, unshare(CLONE_NEWPID));
	CHILD_EQ(rep, EPERM, errno);
	CHILD_EQ(rep, -1, unshare(CLONE_NEWTIME));
	CHILD_EQ(rep, EPERM, errno);
	CHILD_EQ(rep, -1, setns(rep->parent_fd, CLONE_NEWPID));
	CHILD_EQ(rep, EPERM, errno);
	/* clone(2) it is then, and all is as before */
	CHILD_EQ(rep, 0, child_run(&inner, 0, contained_child, NULL));
	CHILD_HELD(rep, &inner);
}

TEST_F(combined, in_a_container)
{
	struct maker m = { .uid = geteuid(), .gid = getegid() };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, ALL_FOUR, live_contained, &m));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
