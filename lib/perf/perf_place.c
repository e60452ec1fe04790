// SPDX-License-Identifier: GPL-2.0
/* Entering the places of perf_place.h. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "caps.h"
#include "clocks.h"
#include "needs.h"
#include "perf_place.h"
#include "procfs.h"

static int enter_timens(int generation, int inside)
{
	/* With nanoseconds: a carry is part of the work. */
	static const struct offsets off = {
		.monotonic = 86400 * NSEC_PER_SEC + 999999999,
		.boottime = 7 * 86400 * NSEC_PER_SEC + 1,
	};

	(void)generation;
	return inside ? timens_unshare(&off) : 0;
}

static int enter_pidns(int generation, int inside)
{
	(void)generation;
	if (!inside || !unshare(CLONE_NEWPID))
		return 0;
	/* Too deep, or too many of them (pid_namespaces(7)). */
	return errno == ENOSPC ? -EUSERS : -errno;
}

static int enter_userns(int generation, int inside)
{
	int ret;

	(void)generation;
	if (!inside)
		return 0;
	ret = userns_enter();
	/* Changed credentials disarm this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return ret;
}

#define DEEPEST 31

static int enter_twice(int generation, int inside)
{
	return enter_pidns(generation, inside || generation > DEEPEST / 2 - 1);
}

#define DEEPER 8

static int enter_deeper(int generation, int inside)
{
	int last = generation == DEEPER - 1;

	return enter_pidns(generation, inside || last);
}

static int enter_apart(int generation, int inside)
{
	(void)inside;
	return enter_pidns(generation, 1);
}

static int enter_proc(int generation, int inside)
{
	if (generation < DEEPER)
		return enter_deeper(generation, inside);
	return proc_mount_own();
}

static int enter_both(int generation, int inside)
{
	int ret = enter_pidns(generation, inside);

	return ret ? ret : enter_timens(generation, inside);
}

const struct perf_place perf_timens = {
	"timens", CLONE_NEWTIME, 1, enter_timens, NULL,
};

const struct perf_place perf_pidns1 = {
	"pidns1", CLONE_NEWPID, 1, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_pidns2 = {
	"pidns2", CLONE_NEWPID, 2, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_pidns4 = {
	"pidns4", CLONE_NEWPID, 4, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_pidns8 = {
	"pidns8", CLONE_NEWPID, 8, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_pidns16 = {
	"pidns16", CLONE_NEWPID, 16, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_pidns31 = {
	"pidns31", CLONE_NEWPID, DEEPEST, enter_pidns, NEEDS_NS_DEPTH,
};

const struct perf_place perf_userns = {
	"userns", CLONE_NEWUSER, 1, enter_userns, NEEDS_USERNS,
};

const struct perf_place perf_twice = {
	"twice", CLONE_NEWPID, DEEPEST, enter_twice, NEEDS_NS_DEPTH,
};

const struct perf_place perf_both = {
	"both", CLONE_NEWPID | CLONE_NEWTIME, 1, enter_both, NEEDS_NS_DEPTH,
};

const struct perf_place perf_deeper = {
	"deeper", CLONE_NEWPID, DEEPER, enter_deeper, NEEDS_NS_DEPTH,
};

const struct perf_place perf_proc = {
	"proc",		CLONE_NEWPID | CLONE_NEWNS, DEEPER + 1, enter_proc,
	NEEDS_NS_DEPTH,
};

const struct perf_place perf_apart = {
	"apart", CLONE_NEWPID, 1, enter_apart, NEEDS_NS_DEPTH,
};
