// SPDX-License-Identifier: GPL-2.0
/*
 * Which arguments clone3(2) takes: sizes of its structure, pointers, stack,
 * exit signal, chosen numbers.  What is refused leaves no child behind.
 *
 * Promises: clone(2), "The clone3() system call" and ERRORS;
 *           kernel/fork.c:copy_clone_args_from_user(), clone3_stack_valid().
 * Guards:   fa729c4df558 ("clone3: validate stack arguments"), v5.4;
 *           a0eb9abd8af9 ("fork: block invalid exit signals with clone3()"),
 *           v5.3;
 *           9014143bab2f ("fork: don't check parent_tidptr with CLONE_PIDFD"),
 *           v5.2;
 *           c0ee554906c3 ("pid: Handle failure to allocate the first pid in a
 *           pid namespace"), v4.15.
 * Needs:    root or user namespaces; CONFIG_PID_NS.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "caps.h"
#include "expect.h"
#include "raw_clone.h"

/* sizes of the structure: up to tls v5.3, set_tid_size v5.5, cgroup v5.7 */
#define VER0 64
#define VER1 80
#define VER2 88
#define NOWHERE 8 /* in the page that is never mapped */

FIXTURE(clone3)
{
	const char *missing;
};

FIXTURE_VARIANT(clone3)
{
	struct uapi_clone_args args;
	size_t size;
	int want;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(clone3, size_zero)            { { 0 }, 0, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, size_below_first)     { { 0 }, VER0 - 1, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, size_of_first)        { { 0 }, VER0, 0 };
FIXTURE_VARIANT_ADD(clone3, size_between)         { { 0 }, VER0 + 1, 0 };
FIXTURE_VARIANT_ADD(clone3, size_of_second)       { { 0 }, VER1, 0 };
FIXTURE_VARIANT_ADD(clone3, size_of_third)        { { 0 }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, size_of_the_future)   { { 0 }, 1024, 0 };
FIXTURE_VARIANT_ADD(clone3, size_of_a_page)       { { 0 }, 4096, 0 };
FIXTURE_VARIANT_ADD(clone3, tid_beyond_size)      { { .set_tid_size = 1 }, VER0, 0 };
FIXTURE_VARIANT_ADD(clone3, cgroup_beyond_size)   { { .flags = CLONE_INTO_CGROUP }, VER1, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, cgroup_no_number) {
	{ .flags = CLONE_INTO_CGROUP, .cgroup = 1ULL << 31 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, cgroup_not_open) {
	{ .flags = CLONE_INTO_CGROUP, .cgroup = 0x7fffffff }, VER2, -EBADF };
FIXTURE_VARIANT_ADD(clone3, cgroup_unasked)       { { .cgroup = 0x7fffffff }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, signal_last)          { { .exit_signal = 64 }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, signal_too_large)     { { .exit_signal = 65 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, signal_ninth_bit) { { .exit_signal = 0x100 | SIGCHLD }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, signal_bit_32) {
	{ .exit_signal = 1ULL << 32 | SIGCHLD }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, signal_bit_63) {
	{ .exit_signal = 1ULL << 63 | SIGCHLD }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, stack_without_size)   { { .stack = 65536 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, size_without_stack)   { { .stack_size = 4096 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, stack_outside) {
	{ .stack = -4096ULL, .stack_size = 4096 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, tid_null)             { { .set_tid_size = 1 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, tid_without_size)     { { .set_tid = 4096 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, tid_too_many) {
	{ .set_tid = 4096, .set_tid_size = 33 }, VER2, -EINVAL };
FIXTURE_VARIANT_ADD(clone3, tid_nowhere) {
	{ .set_tid = NOWHERE, .set_tid_size = 1 }, VER2, -EFAULT };
FIXTURE_VARIANT_ADD(clone3, pidfd_nowhere) {
	{ .flags = CLONE_PIDFD, .pidfd = NOWHERE }, VER2, -EFAULT };
FIXTURE_VARIANT_ADD(clone3, pidfd_pid_nowhere) {
	{ .flags = CLONE_PIDFD | CLONE_NEWPID, .pidfd = NOWHERE }, VER2, -EFAULT };
FIXTURE_VARIANT_ADD(clone3, pidfd_unasked)        { { .pidfd = NOWHERE }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, parent_tid_nowhere) {
	{ .flags = CLONE_PARENT_SETTID, .parent_tid = NOWHERE }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, child_tid_nowhere) {
	{ .flags = CLONE_CHILD_SETTID, .child_tid = NOWHERE }, VER2, 0 };
FIXTURE_VARIANT_ADD(clone3, two_results_one_place) {
	{ .flags = CLONE_PIDFD | CLONE_PARENT_SETTID, .pidfd = NOWHERE, .parent_tid = NOWHERE },
	VER2, -EINVAL };
/* clang-format on */

FIXTURE_SETUP(clone3)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(clone3)
{
}

/* Returns the errno of the call, negative, once its child is gone. */
static int call_and_reap(void *args, size_t size)
{
	int status = -1;
	pid_t pid;

	pid = sys_clone3(args, size);
	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(0);
	if (waitpid(pid, &status, __WALL) != pid)
		return -errno;
	return status ? -ECHILD : 0;
}

TEST_F(clone3, takes)
{
	char args[4096] __attribute__((aligned(8))) = { 0 };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* exit signals that would end us */
	signal(SIGRTMAX, SIG_IGN);
	memcpy(args, &variant->args, sizeof(variant->args));
	EXPECT_EQ(variant->want, call_and_reap(args, variant->size));
	EXPECT_EQ(-1, waitpid(-1, NULL, __WALL | WNOHANG));
	EXPECT_EQ(ECHILD, errno);
}

static void reuse_number(struct child_report *rep, void *arg)
{
	pid_t tid = 50;
	struct uapi_clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&tid,
		.set_tid_size = 1,
	};

	(void)arg;
	CHILD_EQ(rep, 0, call_and_reap(&args, VER1));
	/* the number of before may still be where the kernel would look */
	args.set_tid = 0;
	CHILD_EQ(rep, -EINVAL, call_and_reap(&args, VER1));
}

TEST(no_number_is_taken_from_nowhere)
{
	const char *missing;
	struct child_report rep;

	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &missing));
	if (!missing)
		missing = clone3_missing();
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, reuse_number, NULL));
	expect_held(_metadata, &rep);
}

FIXTURE(memory)
{
	const char *missing;
	char *room;
	size_t page;
};

/* Two pages, then a hole. */
FIXTURE_SETUP(memory)
{
	self->missing = clone3_missing();
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->page = sysconf(_SC_PAGESIZE);
	self->room = mmap(NULL, 3 * self->page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->room);
	ASSERT_EQ(0, munmap(self->room + 2 * self->page, self->page));
}

FIXTURE_TEARDOWN(memory)
{
}

TEST_F(memory, beyond_the_known_structure_must_be_zero)
{
	size_t i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* far beyond what later kernels may know */
	for (i = 1024; i < self->page; i += 509) {
		self->room[i] = 1;
		EXPECT_EQ(-E2BIG, call_and_reap(self->room, self->page));
		EXPECT_EQ(0, call_and_reap(self->room, i));
		self->room[i] = 0;
	}
}

TEST_F(memory, more_than_a_page_is_too_big)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(0, call_and_reap(self->room, self->page));
	EXPECT_EQ(-E2BIG, call_and_reap(self->room, self->page + 1));
	EXPECT_EQ(-E2BIG, call_and_reap(self->room, (size_t)-1));
}

TEST_F(memory, must_be_readable)
{
	char *hole = self->room + 2 * self->page;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	EXPECT_EQ(0, call_and_reap(hole - VER0, VER0));
	EXPECT_EQ(-EFAULT, call_and_reap(hole - VER0, VER1));
	EXPECT_EQ(-EFAULT, call_and_reap(hole, VER0));
	EXPECT_EQ(-EFAULT, call_and_reap(NULL, VER0));
	EXPECT_EQ(-EINVAL, call_and_reap(NULL, VER0 - 1));
}

TEST_HARNESS_MAIN
