// SPDX-License-Identifier: GPL-2.0
/*
 * In which namespaces a new task is, whichever way it was made: all eight
 * links, the clocks on all ways to read them, and its own number; the one who
 * made it stays where it was.
 *
 * Promises: namespaces(7); pid_namespaces(7); time_namespaces(7);
 *           kernel/nsproxy.c:copy_namespaces(), create_new_namespaces();
 *           kernel/time/namespace.c:timens_on_fork().
 * Guards:   e79f525e99b0 ("pidns: fix vfork() after unshare(CLONE_NEWPID)"),
 *           v3.12;
 *           2b5f9dad32ed ("fs/exec: switch timens when a task gets a new mm"),
 *           v6.2.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "caps.h"
#include "clocks.h"
#include "expect.h"
#include "inherit.h"
#include "lack.h"

/* What the maker did before. */
enum state {
	NOTHING,
	PENDING_PID,
	PENDING_TIME,
	PENDING_BOTH,
	NO_CAPS, /* both, then gave up its rights */
	MEMBER, /* is in new namespaces itself */
};

FIXTURE(task)
{
	const char *missing;
	struct inherit_view *view; /* shared: maker before, task, maker after */
};

struct row {
	enum state state;
	enum inherit_way way;
	int new_pid;
	int new_time;
	int want;
};

FIXTURE_VARIANT(task)
{
	struct row row;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(task, nothing_fork)         { { NOTHING,      BY_FORK,       0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_grandchild)   { { NOTHING,      BY_GRANDCHILD, 0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_vfork)        { { NOTHING,      BY_VFORK,      0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_vm)           { { NOTHING,      BY_VM,         0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_files)        { { NOTHING,      BY_FILES,      0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_sighand)      { { NOTHING,      BY_SIGHAND,    0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_parent)       { { NOTHING,      BY_PARENT,     0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_thread)       { { NOTHING,      BY_THREAD,     0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, nothing_pthread)      { { NOTHING,      BY_PTHREAD,    0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_fork)     { { PENDING_PID,  BY_FORK,       1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_grandchild) { { PENDING_PID,  BY_GRANDCHILD, 1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_vfork)    { { PENDING_PID,  BY_VFORK,      1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_vm)       { { PENDING_PID,  BY_VM,         1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_files)    { { PENDING_PID,  BY_FILES,      1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_sighand)  { { PENDING_PID,  BY_SIGHAND,    1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_parent)   { { PENDING_PID,  BY_PARENT,     1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_pid_thread)   { { PENDING_PID,  BY_THREAD,     0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, pending_pid_pthread)  { { PENDING_PID,  BY_PTHREAD,    0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, pending_time_fork)    { { PENDING_TIME, BY_FORK,       0, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_grandchild) { { PENDING_TIME, BY_GRANDCHILD, 0, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_vfork)   { { PENDING_TIME, BY_VFORK,      0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_vm)      { { PENDING_TIME, BY_VM,         0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_files)   { { PENDING_TIME, BY_FILES,      0, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_sighand) { { PENDING_TIME, BY_SIGHAND,    0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_parent)  { { PENDING_TIME, BY_PARENT,     0, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_thread)  { { PENDING_TIME, BY_THREAD,     0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_time_pthread) { { PENDING_TIME, BY_PTHREAD,    0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_fork)    { { PENDING_BOTH, BY_FORK,       1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_grandchild) { { PENDING_BOTH, BY_GRANDCHILD, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_vfork)   { { PENDING_BOTH, BY_VFORK,      1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_vm)      { { PENDING_BOTH, BY_VM,         1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_files)   { { PENDING_BOTH, BY_FILES,      1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_sighand) { { PENDING_BOTH, BY_SIGHAND,    1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_parent)  { { PENDING_BOTH, BY_PARENT,     1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, pending_both_thread)  { { PENDING_BOTH, BY_THREAD,     0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, pending_both_pthread) { { PENDING_BOTH, BY_PTHREAD,    0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, no_caps_fork)         { { NO_CAPS,      BY_FORK,       1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_grandchild)   { { NO_CAPS,      BY_GRANDCHILD, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_vfork)        { { NO_CAPS,      BY_VFORK,      1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_vm)           { { NO_CAPS,      BY_VM,         1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_files)        { { NO_CAPS,      BY_FILES,      1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_sighand)      { { NO_CAPS,      BY_SIGHAND,    1, 0, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_parent)       { { NO_CAPS,      BY_PARENT,     1, 1, 0 } };
FIXTURE_VARIANT_ADD(task, no_caps_thread)       { { NO_CAPS,      BY_THREAD,     0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, no_caps_pthread)      { { NO_CAPS,      BY_PTHREAD,    0, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(task, member_fork)          { { MEMBER,       BY_FORK,       0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_grandchild)    { { MEMBER,       BY_GRANDCHILD, 0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_vfork)         { { MEMBER,       BY_VFORK,      0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_vm)            { { MEMBER,       BY_VM,         0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_files)         { { MEMBER,       BY_FILES,      0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_sighand)       { { MEMBER,       BY_SIGHAND,    0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_parent)        { { MEMBER,       BY_PARENT,     0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_thread)        { { MEMBER,       BY_THREAD,     0, 0, 0 } };
FIXTURE_VARIANT_ADD(task, member_pthread)       { { MEMBER,       BY_PTHREAD,    0, 0, 0 } };
/* clang-format on */

static const struct offsets shift = {
	.monotonic = 1000 * NSEC_PER_SEC + 1,
	.boottime = 5000 * NSEC_PER_SEC + 2,
};

enum { BEFORE, TASK, AFTER };

FIXTURE_SETUP(task)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWTIME, &self->missing));
	if (!self->missing && variant->row.way == BY_PTHREAD)
		self->missing = lack_of_threads();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->view = mmap(NULL, 3 * sizeof(*self->view), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->view);
}

FIXTURE_TEARDOWN(task)
{
}

struct job {
	const struct row *row;
	struct inherit_view *view;
	int made;
};

static void become(struct child_report *rep, enum state state)
{
	if (state == NOTHING || state == MEMBER)
		return;
	if (state != PENDING_TIME)
		CHILD_EQ(rep, 0, unshare(CLONE_NEWPID));
	if (state != PENDING_PID)
		CHILD_EQ(rep, 0, timens_unshare_from_here(&shift));
	if (state != NO_CAPS)
		return;
	/* where only one user is known, capabilities are all there is */
	if (caps_become(65534) < 0)
		CHILD_EQ(rep, 0, caps_drop_all());
	child_die_with_parent(rep);
	CHILD_EQ(rep, 0, caps_have(CAP_SYS_ADMIN));
}

/* Same place but for the two namespaces, by their own columns. */
static void check_links(struct child_report *rep, const struct job *job)
{
	const struct inherit_view *v = job->view;
	int i;

	for (i = 0; i < NSLINKS; i++) {
		CHILD_LE(rep, 1, v[TASK].link[i]);
		CHILD_EQ(rep, v[BEFORE].link[i], v[AFTER].link[i]);
		if (i != NSLINK_PID && i != NSLINK_TIME)
			CHILD_EQ(rep, v[BEFORE].link[i], v[TASK].link[i]);
	}
	CHILD_EQ(rep, job->row->new_pid,
		 v[TASK].link[NSLINK_PID] != v[BEFORE].link[NSLINK_PID]);
	CHILD_EQ(rep, job->row->new_time,
		 v[TASK].link[NSLINK_TIME] != v[BEFORE].link[NSLINK_TIME]);
	/* and then it is the one that was pending, for its children as well */
	CHILD_EQ(rep, v[AFTER].pid_children, v[TASK].link[NSLINK_PID]);
	CHILD_EQ(rep, v[AFTER].pid_children, v[TASK].pid_children);
	if (job->row->new_time)
		CHILD_EQ(rep, v[BEFORE].time_children,
			 v[TASK].link[NSLINK_TIME]);
	CHILD_EQ(rep, v[BEFORE].time_children, v[TASK].time_children);
	CHILD_EQ(rep, v[BEFORE].time_children, v[AFTER].time_children);
}

static void check_clocks(struct child_report *rep, const struct job *job)
{
	const struct inherit_view *v = job->view;
	int64_t by[2] = { 0 };
	int i, path;

	if (job->row->new_time) {
		by[0] = shift.monotonic;
		by[1] = shift.boottime;
	}
	for (i = 0; i < 2; i++) {
		for (path = CLOCK_BY_LIBC; path <= CLOCK_BY_VDSO; path++) {
			if (v[BEFORE].clock[i][path] == -ENOSYS)
				continue; /* no vDSO */
			CHILD_LE(rep, v[BEFORE].clock[i][path] + by[i],
				 v[TASK].clock[i][path]);
			CHILD_LE(rep, v[TASK].clock[i][path],
				 v[AFTER].clock[i][path] + by[i]);
		}
	}
}

/* Before v6.2 memory could not be shared while a time namespace is pending. */
static bool is_new(const struct row *row)
{
	bool pending = row->state >= PENDING_TIME && row->state < MEMBER;

	return pending && row->way >= BY_VFORK && row->way != BY_FILES &&
	       row->way != BY_PARENT;
}

static void make_task(struct child_report *rep, void *arg)
{
	struct job *job = arg;
	const struct row *row = job->row;
	int number = row->way == BY_GRANDCHILD ? 2 : 1;
	int ret;

	become(rep, row->state);
	inherit_look(&job->view[BEFORE]);
	ret = inherit_make(row->way, &job->view[TASK]);
	inherit_look(&job->view[AFTER]);
	if (ret == -EINVAL && row->want == 0 && is_new(row))
		child_skip(rep, NEEDS_TIMENS_VFORK);
	CHILD_EQ(rep, row->want, ret < 0 ? ret : 0);
	if (ret < 0)
		return;
	rep->value[0] = row->way == BY_PARENT ? ret : 0;
	check_links(rep, job);
	check_clocks(rep, job);
	if (row->new_pid || row->way != BY_GRANDCHILD)
		CHILD_EQ(rep, row->new_pid ? number : ret, job->view[TASK].tid);
}

static void make_member(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, child_run(&inner, 0, make_task, arg));
	CHILD_HELD(rep, &inner);
}

static void make_place(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_EQ(rep, 0, timens_unshare_from_here(&shift));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, make_member, arg));
	CHILD_HELD(rep, &inner);
}

TEST_F(task, is_where_it_should_be)
{
	struct job job = { .row = &variant->row, .view = self->view };
	struct child_report rep;
	pid_t sibling;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, 0,
			       variant->row.state == MEMBER ? make_place :
							      make_task,
			       &job));
	expect_held(_metadata, &rep);
	sibling = rep.value[0];
	if (sibling > 0)
		EXPECT_EQ(sibling, waitpid(sibling, NULL, 0));
}

TEST_HARNESS_MAIN
