// SPDX-License-Identifier: GPL-2.0
/*
 * A call that makes several namespaces and fails at the last of them undoes
 * the others: nobody moved, nothing leaks.
 *
 * Promises: unshare(2), clone(2) ERRORS, ENOSPC; namespaces(7),
 *           /proc/sys/user; kernel/nsproxy.c:create_new_namespaces(),
 *           kernel/fork.c:ksys_unshare().
 * Guards:   6c4b2243cb6c ("unshare: fix unshare_fs() handling"), v7.0, v6.12.78.
 * Needs:    user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS, CONFIG_UTS_NS,
 *           CONFIG_IPC_NS; a writable /proc/sys/user.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include "caps.h"
#include "churn_stories.h"
#include "expect.h"
#include "nslink.h"
#include "procfs.h"
#include "raw_clone.h"

#define LEAST 4 /* that many of each kind but time may be */
#define KINDS 4
#define FAILURES 12 /* leaks would use them up */

/* In the order in which the kernel makes them; time comes last. */
#define SEVERAL                                                     \
	(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | \
	 CLONE_NEWTIME)

FIXTURE(late)
{
	const char *missing;
};

FIXTURE_VARIANT(late)
{
	int by_clone3;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(late, unshare)  { 0 };
FIXTURE_VARIANT_ADD(late, clone3)   { 1 };
/* clang-format on */

FIXTURE_SETUP(late)
{
	ASSERT_EQ(0, ns_prepare(SEVERAL | CLONE_NEWUSER, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(late)
{
}

static void limit(struct child_report *rep, const char *kind, int most)
{
	char path[64], text[16];
	int ret;

	snprintf(path, sizeof(path), "/proc/sys/user/max_%s_namespaces", kind);
	snprintf(text, sizeof(text), "%d", most);
	ret = proc_write(path, text);
	if (ret == -EACCES || ret == -EPERM || ret == -EROFS)
		child_skip(rep, NEEDS_PROC_SYS);
	CHILD_EQ(rep, 0, ret);
}

/* Where the caller is, as namespaces and as directories. */
struct spot {
	int64_t link[NSLINKS];
	int64_t time_children;
	int64_t pid_children;
	ino_t root;
	ino_t cwd;
};

static void look(struct child_report *rep, struct spot *s)
{
	struct stat st;
	int i;

	for (i = 0; i < NSLINKS; i++)
		s->link[i] = nslink(i);
	s->time_children = nslink_named("time_for_children");
	s->pid_children = nslink_named("pid_for_children");
	CHILD_EQ(rep, 0, stat("/", &st));
	s->root = st.st_ino;
	CHILD_EQ(rep, 0, stat(".", &st));
	s->cwd = st.st_ino;
}

static void check_same(struct child_report *rep, const struct spot *a,
		       const struct spot *b)
{
	int i;

	for (i = 0; i < NSLINKS; i++)
		CHILD_EQ(rep, a->link[i], b->link[i]);
	CHILD_EQ(rep, a->time_children, b->time_children);
	CHILD_EQ(rep, a->pid_children, b->pid_children);
	CHILD_EQ(rep, a->root, b->root);
	CHILD_EQ(rep, a->cwd, b->cwd);
}

static void nothing(struct child_report *rep, void *arg)
{
	(void)rep;
	(void)arg;
}

static int make_several(int by_clone3)
{
	struct child c;

	if (by_clone3)
		return child_start(&c, SEVERAL, nothing, NULL);
	return unshare(SEVERAL) < 0 ? -errno : 0;
}

static void fail_late(struct child_report *rep, void *arg)
{
	static const char *const kind[KINDS] = { "mnt", "uts", "ipc", "pid" };
	struct spot before, after;
	int i;

	CHILD_EQ(rep, 0, userns_enter());
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, chdir("/proc"));
	for (i = 0; i < KINDS; i++)
		limit(rep, kind[i], LEAST);
	limit(rep, "time", 0);
	look(rep, &before);
	for (i = 0; i < FAILURES; i++) {
		CHILD_EQ(rep, -ENOSPC, make_several(*(int *)arg));
		look(rep, &after);
		check_same(rep, &before, &after);
	}
	CHILD_EQ(rep, -1, waitpid(-1, NULL, __WALL));
	limit(rep, "time", LEAST);
	churn_run(rep, SEVERAL, nothing, NULL);
}

TEST_F(late, is_undone_whole)
{
	int by_clone3 = variant->by_clone3;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, fail_late, &by_clone3));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
