// SPDX-License-Identifier: GPL-2.0
/*
 * Which flags of clone3(2) and clone(2) go together: every row gives the exact
 * result.  A call that works puts the child into exactly the new namespaces
 * that were asked for; a call that is refused moves nobody.
 *
 * Promises: clone(2) ERRORS; pid_namespaces(7), "The namespace init process";
 *           kernel/fork.c:copy_process(), clone3_args_valid();
 *           kernel/nsproxy.c:copy_namespaces().
 * Guards:   123be07b0b39 ("fork(): disable CLONE_PARENT for init"), v2.6.32;
 *           e79f525e99b0 ("pidns: fix vfork() after unshare(CLONE_NEWPID)"),
 *           v3.12;
 *           a402f1e35313 ("fork: allow CLONE_NEWTIME in clone3 flags"), v6.3.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <signal.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "flag_row.h"
#include "raw_clone.h"

/* A child made with CLONE_PARENT is nobody's but ours. */
static void reap_sibling(struct __test_metadata *_metadata,
			 const struct flag_row *row,
			 const struct child_report *rep)
{
	pid_t sibling = rep->value[FLAG_ROW_CHILD];

	if (row->flags & CLONE_PARENT && sibling > 0)
		EXPECT_EQ(sibling, waitpid(sibling, NULL, __WALL));
}

FIXTURE(clone3)
{
	const char *missing;
};

FIXTURE_VARIANT(clone3)
{
	struct flag_row row;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(clone3, plain)              { { PLAIN, 0, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, no_exit_signal)     { { PLAIN, 0, 0, 0 } };
FIXTURE_VARIANT_ADD(clone3, pid)                { { PLAIN, CLONE_NEWPID, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, time)               { { PLAIN, CLONE_NEWTIME, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pid_time) { { PLAIN, CLONE_NEWPID | CLONE_NEWTIME, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, all_namespaces)     { { PLAIN, ALL_NEW, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, all_as_init)        { { INIT, ALL_NEW, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pid_parent)         { { PLAIN, CLONE_NEWPID | CLONE_PARENT, 0, 0 } };
FIXTURE_VARIANT_ADD(clone3, parent)             { { PLAIN, CLONE_PARENT, 0, 0 } };
FIXTURE_VARIANT_ADD(clone3, parent_as_init)     { { INIT, CLONE_PARENT, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, pid_parent_as_init) {
	{ INIT, CLONE_PARENT | CLONE_NEWPID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, parent_signal)      { { PLAIN, CLONE_PARENT, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, thread_signal)      { { PLAIN, THREAD_FLAGS, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, thread_pid) { { PLAIN, THREAD_FLAGS | CLONE_NEWPID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, thread_user) { { PLAIN, THREAD_FLAGS | CLONE_NEWUSER, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, thread_pending)     { { AFTER_NEWPID, THREAD_FLAGS, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, thread_alone)       { { PLAIN, CLONE_THREAD, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, sighand_alone)      { { PLAIN, CLONE_SIGHAND, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, sighand_cleared) {
	{ PLAIN, SHARED_SIGHAND | CLONE_CLEAR_SIGHAND, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, mount_fs) { { PLAIN, CLONE_NEWNS | CLONE_FS, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, user_fs) { { PLAIN, CLONE_NEWUSER | CLONE_FS, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, ipc_sysvsem) {
	{ PLAIN, CLONE_NEWIPC | CLONE_SYSVSEM, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, detached)           { { PLAIN, CLONE_DETACHED, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, signal_in_flags)    { { PLAIN, SIGCHLD, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, unknown_flag)       { { PLAIN, 1ULL << 63, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, pending_pid)        { { AFTER_NEWPID, 0, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pending_pid_pid) { { AFTER_NEWPID, CLONE_NEWPID, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone3, pending_time)       { { AFTER_NEWTIME, 0, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pending_time_time)  { { AFTER_NEWTIME, CLONE_NEWTIME, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, time_vm)            { { PLAIN, CLONE_NEWTIME | CLONE_VM, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, time_vfork)         { { PLAIN, CLONE_NEWTIME | VFORK, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, time_thread)        { { PLAIN, CLONE_NEWTIME | THREAD_FLAGS, 0, 0 } };
FIXTURE_VARIANT_ADD(clone3, pid_time_vfork) {
	{ PLAIN, CLONE_NEWPID | CLONE_NEWTIME | VFORK, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pending_time_vm)    { { AFTER_NEWTIME, CLONE_VM, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, pending_time_time_vm) {
	{ AFTER_NEWTIME, CLONE_NEWTIME | CLONE_VM, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, vm)                 { { PLAIN, CLONE_VM, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone3, thread)             { { PLAIN, THREAD_FLAGS, 0, 0 } };
FIXTURE_VARIANT_ADD(clone3, pid_no_caps)        { { NO_CAPS, CLONE_NEWPID, SIGCHLD, -EPERM } };
FIXTURE_VARIANT_ADD(clone3, time_no_caps)       { { NO_CAPS, CLONE_NEWTIME, SIGCHLD, -EPERM } };
/* clang-format on */

FIXTURE_SETUP(clone3)
{
	ASSERT_EQ(0, ns_prepare(FLAG_ROW_NEEDS(&variant->row), &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(clone3)
{
}

TEST_F(clone3, together)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, FLAG_ROW_CALLER(&variant->row), run_clone3,
			       (void *)&variant->row));
	expect_held(_metadata, &rep);
	reap_sibling(_metadata, &variant->row, &rep);
}

FIXTURE(clone)
{
	const char *missing;
};

FIXTURE_VARIANT(clone)
{
	struct flag_row row;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(clone, plain)               { { PLAIN, 0, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, pid)                 { { PLAIN, CLONE_NEWPID, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, all_but_time)        { { PLAIN, ALL_NEW & ~CLONE_NEWTIME, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, pid_vm)              { { PLAIN, CLONE_NEWPID | CLONE_VM, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, pid_vfork) { { PLAIN, CLONE_NEWPID | VFORK, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, vfork_pending_pid) { { AFTER_NEWPID, VFORK, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, vfork_pending_time) { { AFTER_NEWTIME, VFORK, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, vfork_uts_pending_time) {
	{ AFTER_NEWTIME, VFORK | CLONE_NEWUTS, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, thread)              { { PLAIN, THREAD_FLAGS, 0, 0 } };
FIXTURE_VARIANT_ADD(clone, thread_net)          { { PLAIN, THREAD_FLAGS | CLONE_NEWNET, 0, 0 } };
FIXTURE_VARIANT_ADD(clone, pid_parent) { { PLAIN, CLONE_NEWPID | CLONE_PARENT, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, detached)            { { PLAIN, CLONE_DETACHED, SIGCHLD, 0 } };
FIXTURE_VARIANT_ADD(clone, parent_as_init)      { { INIT, CLONE_PARENT, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, thread_pid) { { PLAIN, THREAD_FLAGS | CLONE_NEWPID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, thread_user) { { PLAIN, THREAD_FLAGS | CLONE_NEWUSER, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, thread_pending)      { { AFTER_NEWPID, THREAD_FLAGS, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, thread_alone)        { { PLAIN, CLONE_THREAD, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, sighand_alone)       { { PLAIN, CLONE_SIGHAND, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, mount_fs) { { PLAIN, CLONE_NEWNS | CLONE_FS, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, user_fs) { { PLAIN, CLONE_NEWUSER | CLONE_FS, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, pidfd_detached) {
	{ PLAIN, CLONE_PIDFD | CLONE_DETACHED, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, pidfd_parent_settid) {
	{ PLAIN, CLONE_PIDFD | CLONE_PARENT_SETTID, SIGCHLD, -EINVAL } };
FIXTURE_VARIANT_ADD(clone, pid_no_caps)         { { NO_CAPS, CLONE_NEWPID, SIGCHLD, -EPERM } };
/* clang-format on */

FIXTURE_SETUP(clone)
{
	ASSERT_EQ(0, ns_prepare(FLAG_ROW_NEEDS(&variant->row), &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(clone)
{
}

TEST_F(clone, together)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, FLAG_ROW_CALLER(&variant->row), run_clone,
			       (void *)&variant->row));
	expect_held(_metadata, &rep);
	reap_sibling(_metadata, &variant->row, &rep);
}

TEST_HARNESS_MAIN
