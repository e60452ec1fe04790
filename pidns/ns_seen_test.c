// SPDX-License-Identifier: GPL-2.0
/*
 * Who may find namespaces that are not the own?  Only the initial pid namespace
 * shows all of them, and only to its root.
 *
 * Promises: fs/nsfs.c:nsfs_fh_to_dentry(), may_use_nsfs_ioctl();
 *           kernel/nstree.c:may_list_ns(), do_listns_userns();
 *           kernel/nscommon.c:may_see_all_namespaces().
 * Needs:    listns, which came with the rule.  Root, or user namespaces, to
 *           make the pid namespaces; real root to open by a handle and to be
 *           shown everything.
 */
#include <fcntl.h>
#include <linux/capability.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

#define ROOM 64 /* numbers that one call may list */

/* FD_NSFS_ROOT of linux/fcntl.h, v6.18 */
#define NSFS_ROOT (-10003)

/* struct mnt_ns_info of linux/nsfs.h, 16 bytes; NS_MNT_GET_NEXT */
struct mount_info {
	__u32 size;
	__u32 nr_mounts;
	__u64 mnt_ns_id;
};

#define NEXT_MOUNT_NS _IOR(NSIO, 11, struct mount_info)

/* struct handle - a file handle of nsfs */
struct handle {
	struct file_handle head;
	char more[64];
};

/* struct sight - what is looked for: the UTS namespace of the test */
struct sight {
	__u64 id;
	struct handle handle;
};

static __u64 own_id(struct child_report *rep)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	__u64 id;

	child_need(rep, lack_of_proc());
	if (fd < 0 && errno == ENOENT)
		child_skip(rep, NEEDS_UTS_NS);
	CHILD_OK(rep, fd);
	if (ioctl(fd, NS_GET_ID, &id) < 0) {
		CHILD_EQ(rep, ENOTTY, errno);
		child_skip(rep, NEEDS_NS_ID);
	}
	close(fd);
	return id;
}

/* Is a UTS namespace in the list?  @user: whose; 0: all */
static bool listed(struct child_report *rep, __u64 user, __u64 id)
{
	struct uapi_ns_id_req req = { .size = sizeof(req),
				      .ns_type = CLONE_NEWUTS,
				      .user_ns_id = user };
	__u64 ids[ROOM];
	long i, n;

	do {
		n = view_result(syscall(__NR_listns, &req, ids, ROOM, 0));
		if (n == -ENOSYS)
			child_skip(rep, NEEDS_LISTNS);
		/* there is nothing behind the last one */
		if (n == -ENOENT && req.ns_id)
			return false;
		CHILD_OK(rep, n);
		for (i = 0; i < n; i++)
			if (ids[i] == id)
				return true;
		if (n)
			req.ns_id = ids[n - 1];
	} while (n);
	return false;
}

/* By listns; the first answer of all: is the kernel new enough? */
static void see_list(struct child_report *rep, void *arg)
{
	struct sight *s = arg;

	CHILD_EQ(rep, 1, listed(rep, 0, own_id(rep)));
	rep->value[0] = listed(rep, 0, s->id);
}

/* Both belong to the same user namespace. */
static void see_list_of_user(struct child_report *rep, void *arg)
{
	struct sight *s = arg;

	CHILD_EQ(rep, 1, listed(rep, UAPI_LISTNS_CURRENT_USER, own_id(rep)));
	rep->value[0] = listed(rep, UAPI_LISTNS_CURRENT_USER, s->id);
}

static void see_handle(struct child_report *rep, void *arg)
{
	struct sight *s = arg;
	int fd;

	listed(rep, 0, 0);
	fd = open_by_handle_at(NSFS_ROOT, &s->handle.head,
			       O_RDONLY | O_CLOEXEC);
	rep->value[0] = fd >= 0;
	if (fd < 0)
		CHILD_EQ(rep, EPERM, errno == ESTALE ? EPERM : errno);
	else
		close(fd);
}

static void see_mounts(struct child_report *rep, void *arg)
{
	int fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC), next;
	struct mount_info info = { 0 };

	listed(rep, 0, 0);
	child_need(rep, lack_of_proc());
	CHILD_OK(rep, fd);
	next = ioctl(fd, NEXT_MOUNT_NS, &info);
	/* there may be no next one */
	rep->value[0] = next >= 0 || errno == ENOENT;
	if (next < 0)
		CHILD_EQ(rep, rep->value[0] ? ENOENT : EPERM, errno);
	else
		close(next);
}

FIXTURE(ns)
{
	struct sight sight;
	const char *missing;
};

FIXTURE_VARIANT(ns)
{
	child_fn see;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(ns, in_the_list)             { see_list };
FIXTURE_VARIANT_ADD(ns, in_the_list_of_the_user) { see_list_of_user };
FIXTURE_VARIANT_ADD(ns, by_its_file_handle)      { see_handle };
FIXTURE_VARIANT_ADD(ns, behind_a_mount_namespace) { see_mounts };
/* clang-format on */

static void look_at_own(struct child_report *rep, void *arg)
{
	struct sight *s = arg;
	int mount, fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);

	rep->value[0] = own_id(rep);
	s->handle.head.handle_bytes = sizeof(s->handle.more);
	/* before v6.18 there are no handles, and no list either */
	if (name_to_handle_at(fd, "", &s->handle.head, &mount, AT_EMPTY_PATH))
		child_skip(rep, NEEDS_LISTNS);
	memcpy(&rep->value[1], &s->handle, sizeof(s->handle));
}

FIXTURE_SETUP(ns)
{
	struct child_report rep;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWUTS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0, look_at_own, &self->sight));
	self->missing = rep.skip;
	expect_held(_metadata, &rep);
	self->sight.id = rep.value[0];
	memcpy(&self->sight.handle, &rep.value[1], sizeof(self->sight.handle));
}

FIXTURE_TEARDOWN(ns)
{
}

TEST_F(ns, is_not_seen_from_a_new_pid_namespace)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID | CLONE_NEWUTS, variant->see,
			       &self->sight));
	expect_held(_metadata, &rep);
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	EXPECT_EQ(0, rep.value[0]);
}

TEST_F(ns, is_seen_by_root_of_the_initial_pid_namespace)
{
	struct child_report rep;

	if (!self->missing)
		self->missing = lack_of_real_root();
	if (!self->missing)
		self->missing = lack_of_first_pid_ns();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWUTS, variant->see, &self->sight));
	expect_held(_metadata, &rep);
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	EXPECT_EQ(1, rep.value[0]);
}

/* struct blind - a look without CAP_SYS_ADMIN */
struct blind {
	child_fn see;
	struct sight *sight;
};

static void see_without_right(struct child_report *rep, void *arg)
{
	struct blind *b = arg;

	CHILD_EQ(rep, 0, caps_drop(CAP_SYS_ADMIN));
	b->see(rep, b->sight);
}

TEST_F(ns, is_not_seen_without_the_right)
{
	struct blind b = { variant->see, &self->sight };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWUTS, see_without_right, &b));
	expect_held(_metadata, &rep);
	if (rep.skip)
		SKIP(return, "%s", rep.skip);
	EXPECT_EQ(0, rep.value[0]);
}

TEST_HARNESS_MAIN
