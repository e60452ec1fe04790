// SPDX-License-Identifier: GPL-2.0
/*
 * reboot(2) in a pid namespace ends the namespace, not the machine.
 *
 * Promises: reboot(2), "Behavior inside PID namespaces";
 *           kernel/pid_namespace.c:reboot_pid_ns(), zap_pid_ns_processes().
 * Guards:   cf3f89214ef6 ("pidns: add reboot_pid_ns() to handle the reboot
 *           syscall"), v3.4.
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment), because a
 *           broken kernel would reboot the machine; root or user namespaces.
 */
#include <linux/reboot.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <sys/syscall.h>

#include "caps.h"
#include "expect.h"

enum who { INIT, MEMBER, USERNS, POWERLESS, WRONG_FIRST, WRONG_SECOND };

#define SUSPEND LINUX_REBOOT_CMD_SW_SUSPEND
#define RESTART LINUX_REBOOT_CMD_RESTART

struct job {
	enum who who;
	unsigned int cmd;
	int want; /* errno of the call, if it comes back */
};

static void call(struct child_report *rep, void *arg)
{
	struct job *job = arg;
	unsigned int first = LINUX_REBOOT_MAGIC1 + (job->who == WRONG_FIRST);
	unsigned int second = LINUX_REBOOT_MAGIC2 + (job->who == WRONG_SECOND);
	int ret;

	if (job->who == POWERLESS)
		CHILD_EQ(rep, 0, caps_drop(CAP_SYS_BOOT));
	ret = syscall(SYS_reboot, first, second, job->cmd, "argument");
	CHILD_EQ(rep, job->want, ret < 0 ? -errno : ret);
}

static void init(struct child_report *rep, void *arg)
{
	struct job *job = arg;
	struct child_report inner;

	if (job->who == INIT) {
		call(rep, job);
		return;
	}
	CHILD_EQ(rep, 0, child_run(&inner, 0, call, job));
	CHILD_HELD(rep, &inner);
	/* who called well does not get here: this is killed */
	CHILD_LE(rep, job->want, -1);
}

FIXTURE(reboot)
{
	struct job job;
	const char *missing;
};

FIXTURE_VARIANT(reboot)
{
	enum who who;
	unsigned int cmd;
	int signal; /* that is said to have ended the init */
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(reboot, restart)            { MEMBER, LINUX_REBOOT_CMD_RESTART,   SIGHUP, 0 };
FIXTURE_VARIANT_ADD(reboot, restart_by_init)    { INIT,   LINUX_REBOOT_CMD_RESTART,   SIGHUP, 0 };
FIXTURE_VARIANT_ADD(reboot, restart_with_text)  { MEMBER, LINUX_REBOOT_CMD_RESTART2,  SIGHUP, 0 };
FIXTURE_VARIANT_ADD(reboot, power_off)          { MEMBER, LINUX_REBOOT_CMD_POWER_OFF, SIGINT, 0 };
FIXTURE_VARIANT_ADD(reboot, power_off_by_init)  { INIT,   LINUX_REBOOT_CMD_POWER_OFF, SIGINT, 0 };
FIXTURE_VARIANT_ADD(reboot, halt)               { MEMBER, LINUX_REBOOT_CMD_HALT,      SIGINT, 0 };
FIXTURE_VARIANT_ADD(reboot, cad_on)             { MEMBER, LINUX_REBOOT_CMD_CAD_ON,    0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, cad_off)            { MEMBER, LINUX_REBOOT_CMD_CAD_OFF,   0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, suspend)            { MEMBER, SUSPEND,                    0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, unknown)            { MEMBER, 1,                          0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, without_capability) { POWERLESS, RESTART, 0, -EPERM };
FIXTURE_VARIANT_ADD(reboot, wrong_first_magic)  { WRONG_FIRST,  RESTART, 0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, wrong_second_magic) { WRONG_SECOND, RESTART, 0, -EINVAL };
FIXTURE_VARIANT_ADD(reboot, in_user_namespace)  { USERNS, RESTART, SIGHUP, 0 };
/* clang-format on */

FIXTURE_SETUP(reboot)
{
	const char *vm = getenv("SELFTESTS_VM");

	self->missing = vm && !strcmp(vm, "1") ? NULL : NEEDS_VM;
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->job = (struct job){ .who = variant->who,
				  .cmd = variant->cmd,
				  .want = variant->want };
}

FIXTURE_TEARDOWN(reboot)
{
}

TEST_F(reboot, ends_the_namespace_or_is_refused)
{
	int flags = variant->who == USERNS ? CLONE_NEWUSER : 0;
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, child_run(&rep, flags | CLONE_NEWPID, init, &self->job));
	EXPECT_EQ(variant->signal, rep.signal);
	rep.done |= variant->signal;
	rep.signal = 0;
	rep.code = rep.code < 0 ? 0 : rep.code;
	expect_held(_metadata, &rep);
}

TEST_HARNESS_MAIN
