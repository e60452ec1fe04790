// SPDX-License-Identifier: GPL-2.0
/*
 * Futexes with priority inheritance that several threads want: whose number
 * does the kernel write, or expect to find, inside a pid namespace?
 *
 * Promises: futex(2), FUTEX_LOCK_PI, FUTEX_TRYLOCK_PI, FUTEX_CMP_REQUEUE_PI,
 *           FUTEX_WAIT_REQUEUE_PI: the TID in the word, FUTEX_OWNER_DIED,
 *           EINVAL (kernel/futex/pi.c:attach_to_pi_state,
 *           __fixup_pi_state_owner; kernel/futex/requeue.c:futex_requeue).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "views_tools.h"

#define WAITERS 2

struct contest;

/* struct waiter - a thread that wants the futex, and how it got it */
struct waiter {
	struct contest *contest;
	pthread_t thread;
	pid_t tid;
	long ret;
	unsigned int then;
};

/*
 * struct contest - a futex that several threads want
 * @word: of the futex
 * @door: a futex without owner, where threads wait to be moved on
 * @up:   a thread opens it when it has a number
 * @go:   lets the owner end
 * @head, @entry: the robust list of the owner, who has one if @robust
 */
struct contest {
	unsigned int word;
	unsigned int door;
	struct gate up;
	struct gate go;
	struct waiter owner;
	struct waiter waiter[WAITERS];
	struct robust_list_head head;
	struct robust_list entry;
	bool robust;
};

static long futex(unsigned int *word, int op, long value, void *timeout,
		  unsigned int *second)
{
	long ret = syscall(__NR_futex, word, op, value, timeout, second, 0);

	return view_result(ret);
}

static pid_t own_tid(void)
{
	return syscall(__NR_gettid);
}

static unsigned int peek(unsigned int *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void take_turn(struct waiter *w)
{
	w->then = peek(&w->contest->word);
	if (!w->ret)
		futex(&w->contest->word, FUTEX_UNLOCK_PI, 0, NULL, NULL);
}

static void *want_it(void *arg)
{
	struct waiter *w = arg;

	w->tid = own_tid();
	gate_open(&w->contest->up);
	w->ret = futex(&w->contest->word, FUTEX_LOCK_PI, 0, NULL, NULL);
	take_turn(w);
	return NULL;
}

static void *come_by_the_door(void *arg)
{
	struct waiter *w = arg;
	struct contest *c = w->contest;

	w->tid = own_tid();
	gate_open(&c->up);
	w->ret = futex(&c->door, FUTEX_WAIT_REQUEUE_PI, 0, NULL, &c->word);
	take_turn(w);
	return NULL;
}

/* linux/futex.h: bit 0 of a pointer in the list says that it is a PI futex. */
static void make_robust(struct contest *c)
{
	c->head.list.next = (void *)((uintptr_t)&c->entry | 1);
	c->head.futex_offset = (long)offsetof(struct contest, word) -
			       (long)offsetof(struct contest, entry);
	c->head.list_op_pending = NULL;
	c->entry.next = &c->head.list;
	syscall(__NR_set_robust_list, &c->head, sizeof(c->head));
}

static void *end_as_owner(void *arg)
{
	struct waiter *w = arg;
	struct contest *c = w->contest;

	if (c->robust)
		make_robust(c);
	w->tid = own_tid();
	w->ret = futex(&c->word, FUTEX_LOCK_PI, 0, NULL, NULL);
	gate_open(&c->up);
	gate_wait(&c->go);
	return NULL;
}

static void begin(struct child_report *rep, struct contest *c)
{
	child_need(rep, lack_of_threads());
	memset(c, 0, sizeof(*c));
	CHILD_EQ(rep, 0, gate_init(&c->up));
	CHILD_EQ(rep, 0, gate_init(&c->go));
}

static void start(struct child_report *rep, struct contest *c, struct waiter *w,
		  void *(*fn)(void *))
{
	w->contest = c;
	CHILD_EQ(rep, 0, pthread_create(&w->thread, NULL, fn, w));
	CHILD_EQ(rep, 0, gate_wait(&c->up));
}

static void pause_a_moment(struct child_report *rep, int *tries)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };

	CHILD_LE(rep, (*tries)++, CHILD_DEADLINE_MS / 2);
	nanosleep(&ms, NULL);
}

/*
 * Wait until the kernel has queued a waiter.  It says so in the word shortly
 * before; whoever wants the futex after that has to wait for it to be done.
 */
static void wait_for_waiter(struct child_report *rep, struct contest *c,
			    long want)
{
	int tries = 0;

	while (!(peek(&c->word) & FUTEX_WAITERS))
		pause_a_moment(rep, &tries);
	CHILD_EQ(rep, want, futex(&c->word, FUTEX_TRYLOCK_PI, 0, NULL, NULL));
}

/* The waiter must have got the futex, with its own number in it. */
static void join(struct child_report *rep, struct waiter *w)
{
	CHILD_EQ(rep, 0, pthread_join(w->thread, NULL));
	CHILD_EQ(rep, 0, w->ret);
	CHILD_EQ(rep, w->tid, w->then & FUTEX_TID_MASK);
}

/* A second waiter: gives up at once, or takes it only if it is free. */
static void *ask_twice(void *arg)
{
	struct timespec past = { .tv_nsec = 1 };
	struct waiter *w = arg;
	struct contest *c = w->contest;

	w->ret = futex(&c->word, FUTEX_LOCK_PI, 0, &past, NULL);
	if (w->ret == -ETIMEDOUT)
		w->ret = futex(&c->word, FUTEX_TRYLOCK_PI, 0, NULL, NULL);
	gate_open(&c->up);
	return NULL;
}

static void second_waiter(struct child_report *rep, void *arg)
{
	struct contest c;

	begin(rep, &c);
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_LOCK_PI, 0, NULL, NULL));
	start(rep, &c, &c.waiter[0], want_it);
	wait_for_waiter(rep, &c, -EDEADLK);
	start(rep, &c, &c.waiter[1], ask_twice);
	CHILD_EQ(rep, 0, pthread_join(c.waiter[1].thread, NULL));
	CHILD_EQ(rep, -EAGAIN, c.waiter[1].ret);
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_UNLOCK_PI, 0, NULL, NULL));
	join(rep, &c.waiter[0]);
}

/* While somebody waits, the kernel knows the owner better than the word. */
static void wrong_owner_in_the_word(struct child_report *rep, void *arg)
{
	unsigned int word;
	struct contest c;

	begin(rep, &c);
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_LOCK_PI, 0, NULL, NULL));
	start(rep, &c, &c.waiter[0], want_it);
	wait_for_waiter(rep, &c, -EDEADLK);
	word = c.word;
	c.word = c.waiter[0].tid | FUTEX_WAITERS;
	CHILD_EQ(rep, -EINVAL, futex(&c.word, FUTEX_LOCK_PI, 0, NULL, NULL));
	c.word = word;
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_UNLOCK_PI, 0, NULL, NULL));
	join(rep, &c.waiter[0]);
}

static void owner_ends(struct child_report *rep, bool robust)
{
	struct contest c;

	begin(rep, &c);
	c.robust = robust;
	start(rep, &c, &c.owner, end_as_owner);
	CHILD_EQ(rep, 0, c.owner.ret);
	start(rep, &c, &c.waiter[0], want_it);
	wait_for_waiter(rep, &c, -EAGAIN);
	CHILD_EQ(rep, 0, gate_open(&c.go));
	CHILD_EQ(rep, 0, pthread_join(c.owner.thread, NULL));
	join(rep, &c.waiter[0]);
	CHILD_EQ(rep, FUTEX_OWNER_DIED, c.waiter[0].then & FUTEX_OWNER_DIED);
}

static void owner_ends_without_list(struct child_report *rep, void *arg)
{
	owner_ends(rep, false);
}

static void owner_ends_with_list(struct child_report *rep, void *arg)
{
	owner_ends(rep, true);
}

/* Move so many threads on from the door, one or all of them at a time. */
static void move_on(struct child_report *rep, struct contest *c, int number)
{
	int moved = 0, tries = 0;
	long ret;

	while (moved < number) {
		ret = futex(&c->door, FUTEX_CMP_REQUEUE_PI, 1,
			    (void *)(intptr_t)(number - 1), &c->word);
		/* the one who got it may be about to change the word */
		if (ret == -EAGAIN)
			ret = 0;
		CHILD_OK(rep, ret);
		moved += ret;
		if (moved < number)
			pause_a_moment(rep, &tries);
	}
	CHILD_EQ(rep, number, moved);
}

static void requeued_to_a_free_one(struct child_report *rep, void *arg)
{
	struct contest c;

	begin(rep, &c);
	start(rep, &c, &c.waiter[0], come_by_the_door);
	move_on(rep, &c, 1);
	join(rep, &c.waiter[0]);
	CHILD_EQ(rep, 0, c.word);
}

/* They have to wait for their turn, one after the other. */
static void requeued_to_a_held_one(struct child_report *rep, void *arg)
{
	struct contest c;

	begin(rep, &c);
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_LOCK_PI, 0, NULL, NULL));
	start(rep, &c, &c.waiter[0], come_by_the_door);
	start(rep, &c, &c.waiter[1], come_by_the_door);
	move_on(rep, &c, 2);
	CHILD_EQ(rep, own_tid(), peek(&c.word) & FUTEX_TID_MASK);
	CHILD_EQ(rep, 0, futex(&c.word, FUTEX_UNLOCK_PI, 0, NULL, NULL));
	join(rep, &c.waiter[0]);
	join(rep, &c.waiter[1]);
	CHILD_EQ(rep, 0, c.word);
}

FIXTURE(futex)
{
	const char *missing;
};

FIXTURE_VARIANT(futex)
{
	child_fn fn;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(futex, second_waiter)           { second_waiter };
FIXTURE_VARIANT_ADD(futex, wrong_owner_in_the_word) { wrong_owner_in_the_word };
FIXTURE_VARIANT_ADD(futex, owner_ends_without_list) { owner_ends_without_list };
FIXTURE_VARIANT_ADD(futex, owner_ends_with_list)    { owner_ends_with_list };
FIXTURE_VARIANT_ADD(futex, requeued_to_a_free_one)  { requeued_to_a_free_one };
FIXTURE_VARIANT_ADD(futex, requeued_to_a_held_one)  { requeued_to_a_held_one };
/* clang-format on */

FIXTURE_SETUP(futex)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(futex)
{
}

TEST_F(futex, goes_to_the_next_by_its_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, variant->fn, NULL);
}

TEST_HARNESS_MAIN
