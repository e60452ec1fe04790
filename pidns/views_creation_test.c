// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a child by the calls that make it: the number that the maker gets is
 * the one in the maker's pid namespace, the child's own is that of its own.
 *
 * Promises: clone(2), return value, CLONE_PARENT_SETTID, CLONE_CHILD_SETTID,
 *           CLONE_CHILD_CLEARTID; set_tid_address(2)
 *           (kernel/fork.c:kernel_clone, kernel/sched/core.c:schedule_tail).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

/*
 * struct creation - who makes what
 * @flags:  CLONE_NEWPID or 0
 * @clone3: by which of the two calls
 * @v:      a pair of sockets: who sends a byte is known here by the kernel's
 *          credentials, which are not what is tested
 * @child_tid: where the child finds its number, in memory both see
 */
struct creation {
	__u64 flags;
	bool clone3;
	struct view v;
	pid_t parent_tid;
	pid_t *child_tid;
};

FIXTURE(creation)
{
	struct creation c;
	const char *missing;
};

FIXTURE_VARIANT(creation)
{
	__u64 flags;
	bool clone3;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(creation, clone) { 0, false };
FIXTURE_VARIANT_ADD(creation, clone_of_new_namespace) { CLONE_NEWPID, false };
FIXTURE_VARIANT_ADD(creation, clone3) { 0, true };
FIXTURE_VARIANT_ADD(creation, clone3_of_new_namespace) { CLONE_NEWPID, true };
/* clang-format on */

FIXTURE_SETUP(creation)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->c.flags = variant->flags;
	self->c.clone3 = variant->clone3;
	self->c.child_tid = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->c.child_tid);
}

FIXTURE_TEARDOWN(creation)
{
}

static pid_t create(struct creation *c, __u64 flags)
{
	struct uapi_clone_args args = {
		.flags = c->flags | flags,
		.exit_signal = SIGCHLD,
		.parent_tid = (uintptr_t)&c->parent_tid,
		.child_tid = (uintptr_t)c->child_tid,
	};

	if (c->clone3)
		return sys_clone3(&args, sizeof(args));
#if defined(__s390__) || defined(__CRIS__)
	return syscall(__NR_clone, NULL, args.flags | SIGCHLD, &c->parent_tid,
		       c->child_tid, 0);
#elif defined(__x86_64__) || defined(__alpha__)
	return syscall(__NR_clone, args.flags | SIGCHLD, NULL, &c->parent_tid,
		       c->child_tid, 0);
#else
	return syscall(__NR_clone, args.flags | SIGCHLD, NULL, &c->parent_tid,
		       0, c->child_tid);
#endif
}

/* Make a child that ends; its number here, by the credentials of its byte. */
static pid_t create_and_ask(struct child_report *rep, struct creation *c,
			    __u64 flags, pid_t *returned)
{
	long long truth;
	int status;
	pid_t pid;

	CHILD_EQ(rep, 0, view_pair(&c->v));
	view_creds(rep, &c->v);
	pid = create(c, flags);
	if (!pid) {
		view_hand_over(c->v.fd[FOR_TARGET], -1);
		_exit(0);
	}
	if (pid < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	CHILD_LE(rep, 1, pid);
	CHILD_LE(rep, 1, wait(&status));
	truth = view_sender(c->v.fd[FOR_OBSERVER]);
	CHILD_LE(rep, 1, truth);
	*returned = pid;
	return truth;
}

static void compare_returned(struct child_report *rep, void *arg)
{
	pid_t returned, truth = create_and_ask(rep, arg, 0, &returned);

	CHILD_EQ(rep, truth, returned);
}

static void compare_parent_tid(struct child_report *rep, void *arg)
{
	struct creation *c = arg;
	pid_t returned, truth;

	truth = create_and_ask(rep, c, CLONE_PARENT_SETTID, &returned);
	CHILD_EQ(rep, truth, c->parent_tid);
}

/* In a new namespace it is the first process. */
static void compare_child_tid(struct child_report *rep, void *arg)
{
	struct creation *c = arg;
	pid_t returned, truth;

	truth = create_and_ask(rep, c, CLONE_CHILD_SETTID, &returned);
	CHILD_EQ(rep, c->flags ? 1 : truth, *c->child_tid);
}

TEST_F(creation, returns_number_of_child_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, compare_returned, &self->c);
}

TEST_F(creation, tells_parent_the_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, compare_parent_tid, &self->c);
}

TEST_F(creation, tells_child_its_own_number)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, compare_child_tid, &self->c);
}

FIXTURE(thread)
{
	const char *missing;
};

FIXTURE_SETUP(thread)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(thread)
{
}

static void ask_for_tid(struct child_report *rep, void *arg)
{
	int cleared;

	CHILD_EQ(rep, 1, syscall(__NR_gettid));
	CHILD_EQ(rep, 1, syscall(__NR_set_tid_address, &cleared));
}

TEST_F(thread, set_tid_address_returns_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, ask_for_tid, NULL);
}

static void *end_at_once(void *arg)
{
	return NULL;
}

/* The C library waits until the kernel has cleared the number of the thread. */
static void join_thread(struct child_report *rep, void *arg)
{
	struct timespec deadline;
	pthread_t thread;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, end_at_once, NULL));
	CHILD_OK(rep, clock_gettime(CLOCK_REALTIME, &deadline));
	deadline.tv_sec += CHILD_DEADLINE_MS / 1000 / 2;
	CHILD_EQ(rep, 0, pthread_timedjoin_np(thread, NULL, &deadline));
}

TEST_F(thread, number_is_cleared_at_its_end)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, join_thread, NULL);
}

TEST_HARNESS_MAIN
