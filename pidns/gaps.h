/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Known gaps: interfaces that no released kernel translates for pid namespaces.
 *
 * Nobody promises that they do, so none of them fails a run.  While the gap is
 * there the result is "ok # XFAIL" with what is wrong; when a kernel closes it,
 * a plain "ok".  Not every harness has a word for that, but all of them print
 * what stands behind the name.
 */
#ifndef PIDNS_GAPS_H
#define PIDNS_GAPS_H

#include <errno.h>
#include <string.h>

#include "kselftest.h"

#include "caps.h"
#include "child.h"
#include "needs.h"

/*
 * struct gap - an interface
 * @name:  what should hold, as a name of a test
 * @probe: rep->value[0] is 1 if it holds, 0 if not; anything unexpected stops
 *         it with the macros of child.h
 * @why:   what is wrong as long as it does not hold
 */
struct gap {
	const char *name;
	child_fn probe;
	const char *why;
};

/* ksft_test_result_skip() would leave out the name. */
static inline void gap_directive(const struct gap *gap, const char *directive,
				 const char *why)
{
	ksft_test_result_pass("%s # %s %s\n", gap->name, directive, why);
}

static inline int gap_report(const struct gap *gap)
{
	struct child_report rep;
	int ret = child_run(&rep, 0, gap->probe, NULL);

	if (ret < 0 || !child_held(&rep)) {
		if (!ret && rep.file)
			ksft_print_msg("%s:%d: %s is %lld, expected %s %lld\n",
				       rep.file, rep.line, rep.what, rep.got,
				       rep.relation, rep.want);
		ksft_test_result_fail("%s\n", gap->name);
		return 1;
	}
	if (rep.skip)
		gap_directive(gap, "SKIP", rep.skip);
	else if (rep.value[0])
		ksft_test_result_pass("%s\n", gap->name);
	else
		gap_directive(gap, "XFAIL", gap->why);
	return 0;
}

/**
 * gaps_main - probe all gaps of a program
 * @gaps: a table of @n
 *
 * Does not return.
 */
static inline void gaps_main(const struct gap *gaps, int n)
{
	const char *missing;
	int i, failed = 0;

	ksft_print_header();
	ksft_set_plan(n);
	if (ns_prepare(CLONE_NEWPID, &missing) < 0)
		ksft_exit_fail();
	for (i = 0; i < n; i++) {
		if (missing)
			gap_directive(&gaps[i], "SKIP", missing);
		else
			failed += gap_report(&gaps[i]);
	}
	if (failed)
		ksft_exit_fail();
	ksft_exit_pass();
}

#endif /* PIDNS_GAPS_H */
