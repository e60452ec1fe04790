// SPDX-License-Identifier: GPL-2.0
/*
 * Which flags unshare(2) takes, from whom: every row gives the exact result.
 * What works moves the caller, or for pid and time its next child; what is
 * refused changes nothing.
 *
 * Promises: unshare(2) ERRORS; pid_namespaces(7); time_namespaces(7);
 *           kernel/fork.c:check_unshare_flags(), ksys_unshare().  Against
 *           unshare(2), CLONE_NEWPID does not ask for a single thread.
 * Guards:   none.
 * Needs:    root or user namespaces; CONFIG_PID_NS, CONFIG_TIME_NS.
 */
#include <signal.h>

#include "caps.h"
#include "expect.h"
#include "flag_row.h"

FIXTURE(unshare)
{
	const char *missing;
};

FIXTURE_VARIANT(unshare)
{
	struct flag_row row;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(unshare, nothing)          { { PLAIN, 0, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, pid)              { { PLAIN, CLONE_NEWPID, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, time)             { { PLAIN, CLONE_NEWTIME, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, all_namespaces)   { { PLAIN, ALL_NEW, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, all_as_init)      { { INIT, ALL_NEW, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, thread)           { { PLAIN, CLONE_THREAD, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, vm)               { { PLAIN, CLONE_VM, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, sighand)          { { PLAIN, CLONE_SIGHAND, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, fs_files_sysvsem) {
	{ PLAIN, CLONE_FS | CLONE_FILES | CLONE_SYSVSEM, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, mount_fs)         { { PLAIN, CLONE_NEWNS | CLONE_FS, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, pid_threaded)     { { THREADED, CLONE_NEWPID, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, time_threaded)    { { THREADED, CLONE_NEWTIME, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, thread_threaded)  { { THREADED, CLONE_THREAD, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, sighand_threaded) { { THREADED, CLONE_SIGHAND, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, vm_threaded)      { { THREADED, CLONE_VM, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, user_threaded) {
	{ THREADED, CLONE_NEWUSER | CLONE_NEWPID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, pending_pid)      { { AFTER_NEWPID, CLONE_NEWPID, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, pending_time)     { { AFTER_NEWTIME, CLONE_NEWTIME, 0, 0 } };
FIXTURE_VARIANT_ADD(unshare, parent)           { { PLAIN, CLONE_PARENT, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, vfork)            { { PLAIN, CLONE_VFORK, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, pidfd)            { { PLAIN, CLONE_PIDFD, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, signal)           { { PLAIN, CLONE_NEWPID | SIGCHLD, 0, -EINVAL } };
FIXTURE_VARIANT_ADD(unshare, pid_no_caps)      { { NO_CAPS, CLONE_NEWPID, 0, -EPERM } };
FIXTURE_VARIANT_ADD(unshare, time_no_caps)     { { NO_CAPS, CLONE_NEWTIME, 0, -EPERM } };
/* clang-format on */

FIXTURE_SETUP(unshare)
{
	ASSERT_EQ(0, ns_prepare(FLAG_ROW_NEEDS(&variant->row), &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(unshare)
{
}

TEST_F(unshare, taken)
{
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, FLAG_ROW_CALLER(&variant->row),
			       run_unshare, (void *)&variant->row));
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
