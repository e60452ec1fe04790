// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a thread through the futex it holds: its number in its own pid
 * namespace is what user space and the kernel write and look for.
 *
 * Promises: futex(2), FUTEX_LOCK_PI, FUTEX_UNLOCK_PI, FUTEX_CMP_REQUEUE_PI:
 *           the TID in the word, EDEADLK, EPERM; get_robust_list(2), the death
 *           of an owner (kernel/futex/pi.c, kernel/futex/core.c:
 *           handle_futex_death).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

FIXTURE(futex)
{
	const char *missing;
};

FIXTURE_VARIANT(futex)
{
	child_fn fn;
};

FIXTURE_SETUP(futex)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(futex)
{
}

static long futex_op(unsigned int *word, int op, const struct timespec *timeout)
{
	return view_result(syscall(__NR_futex, word, op, 0, timeout));
}

static pid_t own_tid(void)
{
	return syscall(__NR_gettid);
}

static void lock_and_unlock(struct child_report *rep, void *arg)
{
	unsigned int word = 0;

	CHILD_EQ(rep, 0, futex_op(&word, FUTEX_LOCK_PI, NULL));
	CHILD_EQ(rep, own_tid(), word);
	CHILD_EQ(rep, -EDEADLK, futex_op(&word, FUTEX_LOCK_PI, NULL));
	CHILD_EQ(rep, 0, futex_op(&word, FUTEX_UNLOCK_PI, NULL));
	CHILD_EQ(rep, 0, word);
}

static void try_lock(struct child_report *rep, void *arg)
{
	unsigned int word = 0;

	CHILD_EQ(rep, 0, futex_op(&word, FUTEX_TRYLOCK_PI, NULL));
	CHILD_EQ(rep, own_tid(), word);
	CHILD_EQ(rep, -EDEADLK, futex_op(&word, FUTEX_TRYLOCK_PI, NULL));
}

static void unlock_of_another(struct child_report *rep, void *arg)
{
	unsigned int word = own_tid() + 1;

	CHILD_EQ(rep, -EPERM, futex_op(&word, FUTEX_UNLOCK_PI, NULL));
	/* locked in user space, as the C library does without contention */
	word = own_tid();
	CHILD_EQ(rep, 0, futex_op(&word, FUTEX_UNLOCK_PI, NULL));
	CHILD_EQ(rep, 0, word);
}

/* struct contest - a futex that one holds and another one waits for */
struct contest {
	unsigned int word;
	struct gate up;
	struct gate done;
	pid_t tid;
	long ret;
	unsigned int then;
};

static void *wait_for_it(void *arg)
{
	struct contest *c = arg;

	c->tid = own_tid();
	gate_open(&c->up);
	c->ret = futex_op(&c->word, FUTEX_LOCK_PI, NULL);
	c->then = c->word;
	futex_op(&c->word, FUTEX_UNLOCK_PI, NULL);
	return NULL;
}

/* Wait until the kernel has queued a waiter: it says so in the word. */
static void wait_for_waiter(struct child_report *rep, unsigned int *word)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; !(__atomic_load_n(word, __ATOMIC_SEQ_CST) & FUTEX_WAITERS);
	     i++) {
		CHILD_LE(rep, i, CHILD_DEADLINE_MS / 2);
		nanosleep(&ms, NULL);
	}
}

/* The holder locked it in user space: the kernel looks the number up. */
static void hand_on(struct child_report *rep, void *arg)
{
	struct contest c = { .word = own_tid() };
	pthread_t thread;

	CHILD_EQ(rep, 0, gate_init(&c.up));
	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, wait_for_it, &c));
	CHILD_EQ(rep, 0, gate_wait(&c.up));
	wait_for_waiter(rep, &c.word);
	CHILD_EQ(rep, own_tid(), c.word & FUTEX_TID_MASK);
	CHILD_EQ(rep, 0, futex_op(&c.word, FUTEX_UNLOCK_PI, NULL));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	CHILD_EQ(rep, 0, c.ret);
	CHILD_EQ(rep, c.tid, c.then & FUTEX_TID_MASK);
}

static void owner_that_nobody_is(struct child_report *rep, void *arg)
{
	/* an unused number: this process is alone in its namespace */
	unsigned int word = own_tid() + 1000;

	CHILD_EQ(rep, -ESRCH, futex_op(&word, FUTEX_LOCK_PI, NULL));
}

/* A thread that ends as the owner of a lock in its robust list. */
struct robust {
	struct robust_list_head head;
	struct robust_list entry;
	unsigned int word;
};

static void *die_as_owner(void *arg)
{
	struct robust *r = arg;

	r->head.list.next = &r->entry;
	r->head.futex_offset =
		offsetof(struct robust, word) - offsetof(struct robust, entry);
	r->head.list_op_pending = NULL;
	r->entry.next = &r->head.list;
	r->word = own_tid();
	return syscall(__NR_set_robust_list, &r->head, sizeof(r->head)) ? NULL :
									  r;
}

static void leave_to_the_next(struct child_report *rep, void *arg)
{
	struct robust r;
	pthread_t thread;
	void *ret;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, die_as_owner, &r));
	CHILD_EQ(rep, 0, pthread_join(thread, &ret));
	CHILD_EQ(rep, 1, ret == &r);
	CHILD_EQ(rep, FUTEX_OWNER_DIED, r.word);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(futex, lock_and_unlock) { lock_and_unlock };
FIXTURE_VARIANT_ADD(futex, try_lock) { try_lock };
FIXTURE_VARIANT_ADD(futex, unlock_of_another) { unlock_of_another };
FIXTURE_VARIANT_ADD(futex, hand_on) { hand_on };
FIXTURE_VARIANT_ADD(futex, owner_that_nobody_is) { owner_that_nobody_is };
FIXTURE_VARIANT_ADD(futex, robust_list) { leave_to_the_next };
/* clang-format on */

TEST_F(futex, has_the_number_of_its_holder_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, variant->fn, NULL);
}

TEST_HARNESS_MAIN
