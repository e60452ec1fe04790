// SPDX-License-Identifier: GPL-2.0
/*
 * Mounting the procfs of another pid namespace.
 *
 * Promises: Documentation/filesystems/proc.rst, "pidns=";
 *           fs/proc/root.c:proc_parse_pidns_param().
 * Needs:    root or user namespaces; the pidns option (v6.17).
 */
#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "proc_options.h"
#include "scene.h"
#include "tower.h"

enum which { OWN, BELOW, FAR_BELOW, ABOVE, BESIDE, OTHER, NO_NS, NOTHING };

FIXTURE(proc_pidns)
{
	struct tower t;
	const char *missing;
};

FIXTURE_VARIANT(proc_pidns)
{
	enum which which;
	int want;
	const char *type; /* of OTHER: its file in /proc/PID/ns */
};

/* clang-format off */
FIXTURE_VARIANT_ADD(proc_pidns, own)       { OWN,       0 };
FIXTURE_VARIANT_ADD(proc_pidns, below)     { BELOW,     0 };
FIXTURE_VARIANT_ADD(proc_pidns, far_below) { FAR_BELOW, 0 };
FIXTURE_VARIANT_ADD(proc_pidns, above)     { ABOVE,     -EINVAL };
FIXTURE_VARIANT_ADD(proc_pidns, beside)    { BESIDE,    -EINVAL };
FIXTURE_VARIANT_ADD(proc_pidns, cgroup)    { OTHER,     -EINVAL, "cgroup" };
FIXTURE_VARIANT_ADD(proc_pidns, ipc)       { OTHER,     -EINVAL, "ipc" };
FIXTURE_VARIANT_ADD(proc_pidns, mnt)       { OTHER,     -EINVAL, "mnt" };
FIXTURE_VARIANT_ADD(proc_pidns, net)       { OTHER,     -EINVAL, "net" };
FIXTURE_VARIANT_ADD(proc_pidns, time)      { OTHER,     -EINVAL, "time" };
FIXTURE_VARIANT_ADD(proc_pidns, user)      { OTHER,     -EINVAL, "user" };
FIXTURE_VARIANT_ADD(proc_pidns, uts)       { OTHER,     -EINVAL, "uts" };
FIXTURE_VARIANT_ADD(proc_pidns, no_ns)     { NO_NS,     -EINVAL };
FIXTURE_VARIANT_ADD(proc_pidns, nothing)   { NOTHING,   -ENOENT };
/* clang-format on */

#define DEPTH 4
#define CALLER 2

/* Is the option known? An unknown one is EINVAL whatever its value. */
static void try_option(struct child_report *rep,
		       void *arg __attribute__((unused)))
{
	int fs = proc_begin();

	if (fs == -ENOSYS)
		child_skip(rep, NEEDS_PROC_PIDNS);
	CHILD_LE(rep, 0, fs);
	if (proc_option(fs, "pidns", "/proc/no/such/file", 0) == -EINVAL)
		child_skip(rep, NEEDS_PROC_PIDNS);
}

static const char *missing_option(void)
{
	struct child_report rep;

	if (child_run(&rep, CLONE_NEWNS, try_option, NULL) < 0)
		return NULL;
	return rep.skip;
}

FIXTURE_SETUP(proc_pidns)
{
	ASSERT_EQ(0, tower_prepare(CLONE_NEWNS, &self->missing));
	if (!self->missing && !proc_is_mine())
		self->missing = NEEDS_SELF_PROC;
	if (!self->missing)
		self->missing = missing_option();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, tower_up(&self->t, DEPTH));
}

FIXTURE_TEARDOWN(proc_pidns)
{
	tower_down(&self->t);
}

static const struct tower_member *member_of(const struct tower *t,
					    enum which which)
{
	switch (which) {
	case BELOW:
		return &t->member[CALLER + 1];
	case FAR_BELOW:
		return &t->member[CALLER + 2];
	case ABOVE:
		return &t->member[CALLER - 1];
	case BESIDE:
		return &t->sibling;
	default:
		return &t->member[CALLER];
	}
}

struct mount {
	int fd; /* in the member, or -1: a path to nothing */
	int want;
	pid_t there; /* a process in the namespace that is shown */
	int processes; /* how many are there */
};

static void mount_it(struct child_report *rep, void *arg)
{
	struct mount *m = arg;
	char name[16];
	int fs, ret, dir;

	CHILD_EQ(rep, 0, unshare(CLONE_NEWNS));
	fs = proc_begin();
	CHILD_LE(rep, 0, fs);
	ret = proc_option(fs, "pidns", m->fd < 0 ? "/none" : NULL, m->fd);
	CHILD_EQ(rep, m->want, ret);
	if (ret < 0)
		return;
	dir = proc_finish(fs);
	if (dir == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, dir);
	snprintf(name, sizeof(name), "%d", m->there);
	CHILD_EQ(rep, 1, proc_lists(dir, name));
	CHILD_EQ(rep, 1, proc_lists(dir, "1"));
	CHILD_EQ(rep, m->processes, proc_lists(dir, NULL));
}

static int open_file(const struct tower_member *m, enum which which,
		     const char *type)
{
	char path[64] = "/proc/version";

	if (which != NO_NS)
		snprintf(path, sizeof(path), "/proc/%d/ns/%s", m->proc.pid,
			 which == OTHER ? type : "pid");
	return open(path, O_RDONLY | O_CLOEXEC);
}

TEST_F(proc_pidns, shows_the_namespace_or_is_refused)
{
	struct mount m = { .fd = -1, .want = variant->want };
	struct tower_member *caller = &self->t.member[CALLER];
	const struct tower_member *to;
	struct child_report rep;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	to = member_of(&self->t, variant->which);
	m.there = to->pid[to->level];
	/* an init and a member a level, and a twin at the last */
	m.processes = 2 * (DEPTH - to->level + 1) + 1;
	if (variant->which != NOTHING) {
		fd = open_file(to, variant->which, variant->type);
		/* the kernel may be built without namespaces of that type */
		if (fd < 0 && errno == ENOENT && variant->which == OTHER)
			SKIP(return, "%s", NEEDS_NS_TYPE);
		ASSERT_LE(0, fd);
		m.fd = tower_send_fd(caller, fd);
		ASSERT_LE(0, m.fd);
		close(fd);
	}
	ASSERT_EQ(0, tower_call(caller, mount_it, &m, sizeof(m), &rep));
	expect_held(_metadata, &rep);
}

/* Root of an inner user namespace has no say over an outer pid namespace. */
static void inner_root(struct child_report *rep,
		       void *arg __attribute__((unused)))
{
	int fs;

	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, unshare(CLONE_NEWNS));
	fs = proc_begin();
	CHILD_LE(rep, 0, fs);
	CHILD_EQ(rep, -EPERM, proc_option(fs, "pidns", "/proc/self/ns/pid", 0));
}

TEST(pidns_option_takes_the_capability_over_the_namespace)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWUSER, &missing));
	if (!missing)
		missing = missing_option();
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, 0, inner_root, NULL));
	expect_held(_metadata, &rep);
}

static void change_it(struct child_report *rep,
		      void *arg __attribute__((unused)))
{
	int fs = proc_begin(), dir, ret;

	CHILD_LE(rep, 0, fs);
	ret = proc_option(fs, "pidns", "/proc/self/ns/pid", 0);
	if (ret == -EPERM)
		child_need(rep, lack_of_real_root());
	CHILD_EQ(rep, 0, ret);
	dir = proc_finish(fs);
	if (dir == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, dir);
	fs = syscall(__NR_fspick, dir, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
	CHILD_LE(rep, 0, fs);
	CHILD_EQ(rep, -EBUSY, proc_option(fs, "pidns", "/proc/self/ns/pid", 0));
}

/* Not even to what it is. */
TEST(the_namespace_of_a_mount_cannot_be_changed)
{
	struct child_report rep;
	const char *missing;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &missing));
	if (!missing && !proc_is_mine())
		missing = NEEDS_SELF_PROC;
	if (!missing)
		missing = missing_option();
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWNS, change_it, NULL));
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	expect_held(_metadata, &rep);
}

static void mount_dead(struct child_report *rep, void *arg)
{
	int dir, fs = proc_begin();

	CHILD_LE(rep, 0, fs);
	CHILD_EQ(rep, 0, proc_option(fs, "pidns", NULL, *(int *)arg));
	dir = proc_finish(fs);
	if (dir == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_LE(rep, 0, dir);
	CHILD_EQ(rep, 0, proc_lists(dir, NULL));
}

TEST(a_dead_namespace_shows_nobody)
{
	struct tower_member init = { .level = 1 };
	struct child_report rep;
	const char *missing;
	struct scene s;
	int fd;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &missing));
	if (!missing && !proc_is_mine())
		missing = NEEDS_SELF_PROC;
	if (!missing)
		missing = missing_option();
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, scene_init(&s));
	ASSERT_EQ(0, child_start(&init.proc, CLONE_NEWPID, scene_member, &s));
	fd = open_file(&init, BELOW, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_kill(&init.proc));
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWNS, mount_dead, &fd));
	expect_held(_metadata, &rep);
	close(fd);
}

TEST_HARNESS_MAIN
