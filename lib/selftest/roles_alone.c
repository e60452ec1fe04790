// SPDX-License-Identifier: GPL-2.0
/* Roles that one process can play. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "roles.h"

/* The harness flushes as well. */
static void say(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

int play_die(void)
{
	say("TAP version 13\n1..2\nok 1 global.one\n");
	say("#  RUN           global.two ...\n");
	raise(SIGSEGV);
	return 0;
}

int play_fail(void)
{
	say("TAP version 13\n1..2\nok 1 global.one\n");
	say("#  RUN           global.two ...\n");
	dprintf(2, "# fail_test.c:12:two:Expected 1 (1) == x (2)\n");
	say("#          FAIL  global.two\nnot ok 2 global.two\n");
	return 1;
}

int play_flood(void)
{
	char line[201];
	int i;

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	say("TAP version 13\n1..2\nok 1 global.one\n");
	for (i = 0; i < 40000; i++)
		puts(line);
	say("ok 2 global.two\n");
	return 0;
}

/*
 * Not by dprintf(): /dev/kmsg refuses to seek in a way that upsets stdio. A
 * message shows only once its newline, or another message, has come.
 */
static void log_as_kernel(const char *text)
{
	int fd = open("/dev/kmsg", O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		perror("/dev/kmsg");
	close(fd);
}

int play_warn(void)
{
	say("TAP version 13\n1..1\n");
	log_as_kernel("WARNING: CPU: 0 at lib/selftest, not a real one\n");
	say("ok 1 global.one\n");
	return 0;
}

int play_oom(void)
{
	say("TAP version 13\n1..1\n");
	log_as_kernel("hog invoked oom-killer: lib/selftest, not a real one\n");
	log_as_kernel("Call Trace:\n");
	log_as_kernel("traps: x[1] general protection fault ip:1 sp:2\n");
	say("ok 1 global.one\n");
	return 0;
}

int play_slow(void)
{
	say("TAP version 13\n1..2\n#  RUN           global.one ...\n");
	usleep(700 * 1000);
	say("ok 1 global.one\n#  RUN           global.two ...\n");
	usleep(700 * 1000);
	say("ok 2 global.two\n");
	return 0;
}

static void result(int number, int good, const char *name)
{
	printf("%sok %d %s\n", good ? "" : "not ", number, name);
}

int play_surroundings(void)
{
	struct sigaction action;
	int fd, fds = 0;
	char c;

	for (fd = 3; fd < 256; fd++)
		fds += fcntl(fd, F_GETFD) >= 0;
	sigaction(SIGINT, NULL, &action);
	say("TAP version 13\n1..4\n");
	result(1, fds == 0, "no_descriptors_leak_in");
	result(2, read(0, &c, 1) == 0, "nothing_to_read");
	result(3, action.sa_handler == SIG_DFL, "default_signals");
	result(4, getsid(0) == getpid(), "own_session");
	printf("# SELFTESTS_SLOW=%s KSFT_MACHINE_SLOW=%s REPORT_ONLY=%s\n",
	       getenv("SELFTESTS_SLOW") ?: "none",
	       getenv("KSFT_MACHINE_SLOW") ?: "none",
	       getenv("SELFTESTS_PERF_REPORT_ONLY") ?: "none");
	return 0;
}
