// SPDX-License-Identifier: GPL-2.0
/*
 * Run one test program, keep what it says, end it in time, leave nothing.
 *
 *   supervise [-ef] [-t SECONDS] [-p PARENT] [-C DIR]
 *             -l LOG -r RECORD -k KLOG -s STATUS PROGRAM [ARG]...
 *   supervise -n COUNT
 *
 * Writes what the program prints (stdout and stderr in the order written) to
 * LOG and, with times, to RECORD; -e copies it to stdout as comments. With -f it
 * goes ahead of all else that runs, so that output is not lost when the kernel
 * crashes right behind it. Appends what the kernel logs meanwhile to KLOG. When
 * everything is over, STATUS says how it ended, as key=value lines:
 *
 *   end=exit|signal|timeout|stopped|error   code=<exit code, signal or errno>
 *   start=<UTC>   duration_ms=<n>   klog=<0, or errno when it was unreadable>
 *   left=<number of processes left behind>   left_names=<who>
 *   immortal=<1 if something could not be killed>
 *   new_taint=<bits by which the kernel's taint grew>
 *
 * A time limit, a signal to this program, and the death of PARENT all end the
 * program and every descendant. -n prints how many processes can be created.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervise.h"

struct options {
	const char *log, *record, *klog;
	pid_t parent;
	bool first;
};

static void go_first(void)
{
	struct sched_param param = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

static int open_files(struct run *run, const struct options *opt)
{
	run->out.log = fopen(opt->log, "we");
	run->out.record = fopen(opt->record, "we");
	run->klog_file = fopen(opt->klog, "ae");
	if (!run->out.log || !run->out.record || !run->klog_file)
		return -errno;
	return 0;
}

static int parse(struct run *run, struct options *opt, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+eft:p:C:l:r:k:s:")) != -1) {
		switch (c) {
		case 'e':
			run->out.echo = true;
			break;
		case 'f':
			opt->first = true;
			break;
		case 't':
			run->limit_ms = strtod(optarg, NULL) * 1000;
			break;
		case 'p':
			opt->parent = atoi(optarg);
			break;
		case 'C':
			run->dir = optarg;
			break;
		case 'l':
			opt->log = optarg;
			break;
		case 'r':
			opt->record = optarg;
			break;
		case 'k':
			opt->klog = optarg;
			break;
		case 's':
			run->status = optarg;
			break;
		default:
			return -EINVAL;
		}
	}
	run->argv = argv + optind;
	if (!opt->log || !opt->record || !opt->klog || !run->status ||
	    !run->argv[0])
		return -EINVAL;
	return 0;
}

int main(int argc, char **argv)
{
	struct options opt = { 0 };
	struct run run = { 0 };
	int ret;

	if (argc == 3 && !strcmp(argv[1], "-n")) {
		printf("%d\n", room_for(atoi(argv[2])));
		return 0;
	}
	ret = parse(&run, &opt, argc, argv);
	if (!ret)
		ret = open_files(&run, &opt);
	if (!ret) {
		ret = stand_guard(opt.parent);
		run.signal_fd = ret;
	}
	if (ret < 0) {
		fprintf(stderr, "supervise: %s\n", strerror(-ret));
		return 129;
	}
	if (opt.first)
		go_first();
	supervise(&run);
	return 0;
}
