/* SPDX-License-Identifier: GPL-2.0 */
/* Judges what witnesses saw; for tests, see witness.h. */
#ifndef TIMENS_WITNESS_EXPECT_H
#define TIMENS_WITNESS_EXPECT_H

#include "expect.h"
#include "witness.h"

/* struct instant - the clocks of the test itself, to bracket a witness with */
struct instant {
	int64_t monotonic;
	int64_t boottime;
};

/* How far children are moved where it does not matter: carries both ways. */
static const struct offsets far = {
	1000 * NSEC_PER_SEC + 999999999,
	100000 * NSEC_PER_SEC + 1,
};

/* Not at all: what a process of the test's own time namespace sees. */
static const struct offsets unmoved = { 0, 0 };

/**
 * now - the clocks of the caller
 */
static inline struct instant now(void)
{
	return (struct instant){ clock_ns(CLOCK_MONOTONIC),
				 clock_ns(CLOCK_BOOTTIME) };
}

/**
 * expect_moved - the test fails unless a witness saw exactly moved clocks
 * @_metadata: of the test
 * @w: taken after @before and before @after
 * @shift: by how much the clocks of @w differ from those of the test
 */
static inline void expect_moved(struct __test_metadata *_metadata,
				const struct witness *w,
				const struct instant *before,
				const struct instant *after,
				const struct offsets *shift)
{
	static const char *const mono[] = { "CLOCK_MONOTONIC by libc",
					    "CLOCK_MONOTONIC by system call",
					    "CLOCK_MONOTONIC by vDSO" };
	static const char *const boot[] = { "CLOCK_BOOTTIME by libc",
					    "CLOCK_BOOTTIME by system call",
					    "CLOCK_BOOTTIME by vDSO" };
	int path;

	for (path = 0; path < CLOCK_PATHS; path++) {
		if (w->monotonic[path] == -ENOSYS)
			continue;
		expect_between(_metadata, mono[path],
			       before->monotonic + shift->monotonic,
			       w->monotonic[path],
			       after->monotonic + shift->monotonic);
		expect_between(_metadata, boot[path],
			       before->boottime + shift->boottime,
			       w->boottime[path],
			       after->boottime + shift->boottime);
	}
}

/**
 * expect_child_moved - expect_moved() for what a child left in its report
 * @_metadata: of the test
 * @rep: of the child, fetched; expect_held() has judged it before, and when it
 *       did not hold there is nothing to add
 * @slot: see witness_report()
 * @before: taken before the child started
 * @shift: see expect_moved()
 */
static inline void expect_child_moved(struct __test_metadata *_metadata,
				      const struct child_report *rep,
				      unsigned int slot,
				      const struct instant *before,
				      const struct offsets *shift)
{
	struct witness w = witness_of(rep, slot);
	struct instant after = now();

	if (child_held(rep) && !rep->skip)
		expect_moved(_metadata, &w, before, &after, shift);
}

#endif /* TIMENS_WITNESS_EXPECT_H */
