// SPDX-License-Identifier: GPL-2.0
/* A little io_uring; see uring.h. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "clocks.h"
#include "needs.h"
#include "uring.h"

/* the same on every architecture but alpha */
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#define __NR_io_uring_enter 426
#define __NR_io_uring_register 427
#endif

static void *ring_map(struct child_report *rep, int fd, size_t size, off_t at)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_POPULATE, fd, at);

	CHILD_EQ(rep, 0, map == MAP_FAILED ? errno : 0);
	return map;
}

/* Before 5.4 the two rings had a mapping each; those kernels know no timens. */
void uring_open(struct child_report *rep, struct uring *r)
{
	struct io_uring_params p = { 0 };
	size_t size;
	char *rings;

	r->fd = syscall(__NR_io_uring_setup, URING_ENTRIES, &p);
	if (r->fd < 0 && (errno == ENOSYS || errno == EPERM))
		child_skip(rep, NEEDS_IO_URING);
	CHILD_EQ(rep, 0, r->fd < 0 ? errno : 0);
	size = p.cq_off.cqes + p.cq_entries * sizeof(*r->cqes);
	if (size < p.sq_off.array + p.sq_entries * sizeof(*r->sq_array))
		size = p.sq_off.array + p.sq_entries * sizeof(*r->sq_array);
	rings = ring_map(rep, r->fd, size, IORING_OFF_SQ_RING);
	r->sq_tail = (void *)(rings + p.sq_off.tail);
	r->sq_array = (void *)(rings + p.sq_off.array);
	r->cq_head = (void *)(rings + p.cq_off.head);
	r->cq_tail = (void *)(rings + p.cq_off.tail);
	r->cqes = (void *)(rings + p.cq_off.cqes);
	r->sqes = ring_map(rep, r->fd, p.sq_entries * sizeof(*r->sqes),
			   IORING_OFF_SQES);
	r->queued = 0;
	r->done = 0;
}

void uring_queue(struct uring *r, const struct io_uring_sqe *sqe)
{
	unsigned int tail = *r->sq_tail;

	r->sqes[tail] = *sqe;
	r->sq_array[tail] = tail;
	__atomic_store_n(r->sq_tail, tail + 1, __ATOMIC_RELEASE);
	r->queued++;
}

static int enter(struct uring *r, unsigned int submit, unsigned int wait,
		 unsigned int flags, const void *arg, size_t size)
{
	int ret = syscall(__NR_io_uring_enter, r->fd, submit, wait, flags, arg,
			  size);

	return ret < 0 ? -errno : ret;
}

void uring_submit(struct child_report *rep, struct uring *r)
{
	CHILD_EQ(rep, r->queued, enter(r, r->queued, 0, 0, NULL, 0));
	r->queued = 0;
}

/* There are twice as many completions as requests: none is overwritten. */
static void fetch_results(struct uring *r)
{
	unsigned int head = *r->cq_head;

	while (head != __atomic_load_n(r->cq_tail, __ATOMIC_ACQUIRE)) {
		r->res[r->cqes[head].user_data] = r->cqes[head].res;
		r->done |= 1U << r->cqes[head].user_data;
		head++;
	}
	__atomic_store_n(r->cq_head, head, __ATOMIC_RELEASE);
}

int uring_result(struct uring *r, int number, int *res)
{
	int ret;

	for (fetch_results(r); !(r->done & 1U << number); fetch_results(r)) {
		ret = enter(r, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
		fetch_results(r);
		if (ret < 0 && !(r->done & 1U << number))
			return ret;
	}
	*res = r->res[number];
	return 0;
}

int uring_wait_time(struct uring *r, unsigned int flags, int64_t ns)
{
	struct timespec time = ns_timespec(ns);
	__s64 ts[] = { time.tv_sec, time.tv_nsec };
	struct uring_wait_arg arg = { .ts = (uintptr_t)ts };

	flags |= IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;
	return enter(r, 0, 1, flags, &arg, sizeof(arg));
}
