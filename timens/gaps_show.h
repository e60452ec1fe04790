/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks as interfaces show them that time namespaces do not know about.
 *
 * Each function returns nanoseconds; the child skips when it finds something
 * missing.
 */
#ifndef TIMENS_GAPS_SHOW_H
#define TIMENS_GAPS_SHOW_H

#include "child.h"

/* show_times - the return value of times(2), CLOCK_MONOTONIC in ticks */
int64_t show_times(struct child_report *rep);

/* show_timer_list - "now at" of /proc/timer_list, CLOCK_MONOTONIC */
int64_t show_timer_list(struct child_report *rep);

/*
 * show_address - when a new network address was made, CLOCK_MONOTONIC in
 *                hundredths: IFA_CACHEINFO of rtnetlink(7).  Moves the caller
 *                into a new network namespace.
 */
int64_t show_address(struct child_report *rep);

/*
 * show_perf - time of a record of perf_event_open(2) that was asked to use
 *             CLOCK_MONOTONIC
 */
int64_t show_perf(struct child_report *rep);

/* show_perf_boottime - as show_perf(), CLOCK_BOOTTIME */
int64_t show_perf_boottime(struct child_report *rep);

/* show_bpf - when a new BPF program was loaded, CLOCK_BOOTTIME */
int64_t show_bpf(struct child_report *rep);

#endif /* TIMENS_GAPS_SHOW_H */
