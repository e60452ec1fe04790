// SPDX-License-Identifier: GPL-2.0
/*
 * Have something done in a virtual machine; see wire.h for how.
 *
 *   ask -w SOCKET -g FILE -b SECONDS [-c CONSOLE] [-n]
 *       wait until it answers, and see whether its clock is as fast as ours,
 *       with -n not that; not long if the file CONSOLE stays empty
 *   ask -w SOCKET [-p PARENT] [-t SECONDS] [-aen]
 *       [-l LOG -r RECORD -k KLOG -s STATUS] MARK WORD...
 *       run a program there; LOG and the others as supervise has them; with -a,
 *       add to LOG and RECORD; with -n it may take long to answer
 *   ask -T
 *       print how many thousand times a second this CPU's counter ticks
 *
 * What the program prints by itself comes out here; with -e, the lines of RECORD
 * as comments, too. SIGTERM is handed on to the program. FILE appears when the
 * machine is gone. -t is how long it may take before it is not believed to end.
 *
 * Exit status: 0 done, 3 the machine is gone, 4 it does not answer, 5 its clock
 * is wrong, 6 the program there could not be run, 129 wrong usage.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum { DONE, GONE = 3, SILENT, WRONG_CLOCK, NOT_RUN, USAGE = 129 };

#define PINGS 256 /* that may wait for their answer */
#define PING_MS 3000
#define SILENT_MS 60000 /* a host that swaps may stop everything for long */
#define SLOW_SILENT_MS 600000
#define STOP_MS 45000 /* supervise needs up to 30 s to kill what resists */
#define CLOCK_MS 300
#define FIRST_WORD_MS 4000
#define PROMPT_NS (20 * 1000 * 1000)

struct options {
	const char *wire, *gone, *console, *log, *record, *klog, *status;
	double boot, limit;
	pid_t parent;
	bool echo, append, any_clock;
};

static struct options opt;
static FILE *log_file, *record_file, *klog_file, *status_file;
static int fd = -1;
static int token;
static long long ping_sent[PINGS];
static long long pong_sent, pong_got, pong_guest; /* of the last pong, in ns */
static int ended = -1;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long now_ms(void)
{
	return now_ns() / 1000000;
}

/* How long nothing may be heard: a second there may be a minute here. */
static long long silent_ms(void)
{
	return opt.any_clock ? SLOW_SILENT_MS : SILENT_MS;
}

/* SIGTERM is blocked, and stays pending. */
static bool stop_asked(void)
{
	sigset_t set;

	return !sigpending(&set) && sigismember(&set, SIGTERM);
}

static bool send_text(const char *text)
{
	size_t n = strlen(text);
	ssize_t done;

	while (n) {
		done = send(fd, text, n, MSG_NOSIGNAL);
		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			text += done;
			n -= done;
		}
	}
	return true;
}

static bool send_ping(void)
{
	char text[40];

	snprintf(text, sizeof(text), "ping %d\n", ++token);
	ping_sent[token % PINGS] = now_ns();
	return send_text(text);
}

/* "<ms> TAB <time> TAB <line>" */
static void keep_record(const char *text)
{
	const char *line = strchr(text, '\t');

	line = line ? strchr(line + 1, '\t') : NULL;
	line = line ? line + 1 : text;
	if (record_file)
		fprintf(record_file, "%s\n", text);
	if (log_file)
		fprintf(log_file, "%s\n", line);
	if (opt.echo)
		printf("# %s\n", line);
}

static void on_line(char *text)
{
	long long guest;
	int t;

	switch (text[0]) {
	case 'P':
		if (sscanf(text, "P %d %lld", &t, &guest) == 2 && t > 0 &&
		    t <= token && t > token - PINGS) {
			pong_sent = ping_sent[t % PINGS];
			pong_got = now_ns();
			pong_guest = guest;
		}
		break;
	case 'O':
		printf("%s\n", text + 2);
		break;
	case 'R':
		keep_record(text + 2);
		break;
	case 'K':
		if (klog_file)
			fprintf(klog_file, "%s\n", text + 2);
		break;
	case 'S':
		if (status_file)
			fprintf(status_file, "%s\n", text + 2);
		break;
	case 'E':
		ended = atoi(text + 2);
		break;
	}
}

/* Returns false when the machine is gone. */
static bool take_lines(void)
{
	static char text[WIRE_LINE_MAX + 16];
	static size_t len;
	char bytes[8192];
	ssize_t n, i;

	n = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	for (i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (len < sizeof(text) - 1 && bytes[i] != '\r')
				text[len++] = bytes[i];
			continue;
		}
		text[len] = '\0';
		if (len > 1 && text[1] == ' ')
			on_line(text);
		len = 0;
	}
	/* Who watches, or comes after a crash, sees it all. */
	fflush(NULL);
	return n > 0;
}

static bool wait_for_lines(long long ms)
{
	struct pollfd p = { fd, POLLIN, 0 };

	if (ms > 0)
		poll(&p, 1, ms);
	return take_lines();
}

static bool connect_wire(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (fd >= 0)
		return true;
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", opt.wire);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return true;
	close(fd);
	fd = -1;
	return false;
}

/* Returns false when no answer came in time. */
static bool get_pong(long long deadline)
{
	const struct timespec pause = { 0, 50 * 1000 * 1000 };
	long long before = pong_got;
	long long next = 0;

	while (now_ms() < deadline && !stop_asked() &&
	       (!opt.gone || access(opt.gone, F_OK))) {
		if (!connect_wire()) {
			nanosleep(&pause, NULL);
			continue;
		}
		if (now_ms() >= next) {
			send_ping();
			next = now_ms() + 200;
		}
		if (!wait_for_lines(50)) {
			close(fd);
			fd = -1;
		}
		if (pong_got != before)
			return true;
	}
	return false;
}

/* Those sent before the machine was there were answered long after. */
static bool get_prompt_pong(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		if (!get_pong(now_ms() + SILENT_MS))
			return false;
		if (pong_got - pong_sent < PROMPT_NS)
			break;
	}
	return true;
}

/*
 * The guest read its clock between our sending and receiving: twice that, and
 * its speed against ours is known within bounds. More than a tenth off is not
 * a clock but a wrong calibration of one.
 */
static int check_clock(void)
{
	const struct timespec pause = { 0, CLOCK_MS * 1000 * 1000 };
	long long sent, got, guest;
	double least, most;

	if (!get_prompt_pong())
		return SILENT;
	sent = pong_sent;
	got = pong_got;
	guest = pong_guest;
	nanosleep(&pause, NULL);
	if (!get_prompt_pong())
		return SILENT;
	guest = pong_guest - guest;
	least = (double)guest / (pong_got - sent);
	most = (double)guest / (pong_sent - got);
	if (most >= 0.9 && least <= 1.1)
		return DONE;
	printf("%.2f\n", (least + most) / 2);
	return WRONG_CLOCK;
}

static bool has_spoken(void)
{
	struct stat st;

	return stat(opt.console, &st) || st.st_size > 0;
}

static int wait_for_boot(void)
{
	long long start = now_ms();

	if (opt.console && !get_pong(start + FIRST_WORD_MS) && !has_spoken())
		return opt.gone && !access(opt.gone, F_OK) ? GONE : SILENT;
	if (!get_pong(start + opt.boot * 1000))
		return opt.gone && !access(opt.gone, F_OK) ? GONE : SILENT;
	return opt.any_clock ? DONE : check_clock();
}

/* Who asked before may have gone in the middle of a line. */
static bool send_command(char **word)
{
	bool sent = send_text("\nrun");

	for (; *word && sent; word++)
		sent = send_text("\t") && send_text(*word);
	return sent && send_text("\n");
}

static int talk(void)
{
	long long limit = 0, answer, next = now_ms() + PING_MS, heard;
	bool stopped = false;

	if (opt.limit)
		limit = now_ms() + opt.limit * 1000 + silent_ms();
	answer = now_ms();
	heard = pong_got;
	while (ended < 0) {
		if (!wait_for_lines(200))
			return GONE;
		if (pong_got != heard)
			answer = now_ms();
		heard = pong_got;
		if (!stopped && stop_asked()) {
			stopped = true;
			send_text("stop\n");
			limit = now_ms() + STOP_MS;
		}
		if (now_ms() >= next) {
			if (!send_ping())
				return GONE;
			next = now_ms() + PING_MS;
		}
		if (now_ms() > answer + silent_ms() ||
		    (limit && now_ms() > limit))
			return SILENT;
	}
	return ended ? NOT_RUN : DONE;
}

static FILE *open_file(const char *path, const char *mode)
{
	FILE *f = path ? fopen(path, mode) : NULL;

	if (path && !f) {
		fprintf(stderr, "ask: %s: %s\n", path, strerror(errno));
		exit(USAGE);
	}
	return f;
}

static int run(char **word)
{
	log_file = open_file(opt.log, opt.append ? "ae" : "we");
	record_file = open_file(opt.record, opt.append ? "ae" : "we");
	klog_file = open_file(opt.klog, "ae");
	status_file = open_file(opt.status, "we");
	if (!connect_wire() || !send_command(word))
		return GONE;
	return talk();
}

/* The virtual machine sees the same counter, and would have to guess. */
static int print_ticks(void)
{
#ifdef __has_builtin
#if __has_builtin(__builtin_ia32_rdtsc)
	const struct timespec pause = { 0, 100 * 1000 * 1000 };
	unsigned long long ticks;
	long long ns;

	ns = now_ns();
	ticks = __builtin_ia32_rdtsc();
	nanosleep(&pause, NULL);
	ns = now_ns() - ns;
	ticks = __builtin_ia32_rdtsc() - ticks;
	printf("%.0f\n", ticks * 1e6 / ns);
#endif
#endif
	return DONE;
}

static int parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+w:g:b:c:np:t:ael:r:k:s:T")) != -1) {
		switch (c) {
		case 'w':
			opt.wire = optarg;
			break;
		case 'g':
			opt.gone = optarg;
			break;
		case 'b':
			opt.boot = strtod(optarg, NULL);
			break;
		case 'c':
			opt.console = optarg;
			break;
		case 'n':
			opt.any_clock = true;
			break;
		case 'p':
			opt.parent = atoi(optarg);
			break;
		case 't':
			opt.limit = strtod(optarg, NULL);
			break;
		case 'a':
			opt.append = true;
			break;
		case 'e':
			opt.echo = true;
			break;
		case 'l':
			opt.log = optarg;
			break;
		case 'r':
			opt.record = optarg;
			break;
		case 'k':
			opt.klog = optarg;
			break;
		case 's':
			opt.status = optarg;
			break;
		case 'T':
			exit(print_ticks());
		default:
			return -EINVAL;
		}
	}
	return opt.wire && (opt.boot || argc - optind >= 2) ? 0 : -EINVAL;
}

int main(int argc, char **argv)
{
	sigset_t term;

	if (parse(argc, argv)) {
		fputs("ask: wrong usage\n", stderr);
		return USAGE;
	}
	signal(SIGINT, SIG_IGN); /* from a terminal; run_all.sh decides */
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (opt.parent && getppid() != opt.parent)
		return GONE;
	return opt.boot ? wait_for_boot() : run(argv + optind);
}
