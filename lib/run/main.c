// SPDX-License-Identifier: GPL-2.0
/*
 * Run one test program, keep what it says, end it in time, leave nothing.
 *
 *   supervise [-e] [-t SECONDS] [-p PARENT] [-C DIR]
 *             -l LOG -r RECORD -k KLOG -s STATUS PROGRAM [ARG]...
 *   supervise -n COUNT
 *
 * Writes what the program prints (stdout and stderr in the order written) to
 * LOG and, with times, to RECORD; -e copies it to stdout as comments. Appends
 * what the kernel logs meanwhile to KLOG. When everything is over, STATUS says
 * how it ended, as key=value lines:
 *
 *   end=exit|signal|timeout|stopped|error   code=<exit code, signal or errno>
 *   start=<UTC>   duration_ms=<n>   klog=<0, or errno when it was unreadable>
 *   left=<number of processes left behind>   left_names=<who>
 *   immortal=<1 if something could not be killed>
 *
 * A time limit, a signal to this program, and the death of PARENT all end the
 * program and every descendant. -n prints how many processes can be created.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "supervise.h"

struct options {
	const char *log, *record, *klog;
	pid_t parent;
};

static int prepare(struct run *run, const struct options *opt)
{
	sigset_t set;

	/* Out of reach of the terminal and of signals to run_all.sh's group. */
	setsid();
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) ||
	    prctl(PR_SET_PDEATHSIG, SIGTERM))
		return -errno;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (opt->parent && getppid() != opt->parent)
		return -ESRCH;
	run->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	run->out.log = fopen(opt->log, "we");
	run->out.record = fopen(opt->record, "we");
	run->klog_file = fopen(opt->klog, "ae");
	if (run->signal_fd < 0 || !run->out.log || !run->out.record ||
	    !run->klog_file)
		return -errno;
	return 0;
}

static int parse(struct run *run, struct options *opt, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+et:p:C:l:r:k:s:")) != -1) {
		switch (c) {
		case 'e':
			run->out.echo = true;
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
		ret = prepare(&run, &opt);
	if (ret) {
		fprintf(stderr, "supervise: %s\n", strerror(-ret));
		return 129;
	}
	supervise(&run);
	return 0;
}
