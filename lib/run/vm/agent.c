// SPDX-License-Identifier: GPL-2.0
/*
 * The first process of the virtual machine: runs what it is told to over a
 * serial line, see wire.h.
 *
 *   agent DEVICE
 *
 * Nothing that a test does to the machine's processes reaches the first one.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

#define WORDS_MAX 2000
#define PIPES 4
#define FIRST_FD 5 /* R, K and S are this one and the following two */

/* One source of lines: the wire itself, or a pipe from the program. */
struct source {
	char letter;
	int fd;
	size_t len;
	char text[WIRE_LINE_MAX + 1];
};

static struct source wire = { .fd = -1 };
static struct source pipes[PIPES] = {
	{ .letter = 'O', .fd = -1 },
	{ .letter = 'R', .fd = -1 },
	{ .letter = 'K', .fd = -1 },
	{ .letter = 'S', .fd = -1 },
};

static pid_t running;

static void send_bytes(const char *bytes, size_t n)
{
	ssize_t done;

	while (n) {
		done = write(wire.fd, bytes, n);
		if (done < 0 && errno != EINTR)
			return;
		if (done > 0) {
			bytes += done;
			n -= done;
		}
	}
}

static void send_line(char letter, const char *text)
{
	static char line[WIRE_LINE_MAX + 8];
	int n = snprintf(line, sizeof(line), "%c %s\n", letter, text);

	send_bytes(line, n);
}

static void pong(const char *token)
{
	char text[80];
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	snprintf(text, sizeof(text), "%.20s %lld", token,
		 t.tv_sec * 1000000000LL + t.tv_nsec);
	send_line('P', text);
}

static void mark_log(const char *mark)
{
	FILE *kmsg;

	if (!strcmp(mark, "-"))
		return;
	kmsg = fopen("/dev/kmsg", "we");
	if (!kmsg)
		return;
	fprintf(kmsg, "selftests: %s\n", mark);
	fclose(kmsg);
}

/* Far away first, so that no descriptor is overwritten before its turn. */
static void place_descriptors(const int *ends)
{
	int away[PIPES];
	size_t i;

	for (i = 0; i < PIPES; i++)
		away[i] = fcntl(ends[i], F_DUPFD, 20);
	dup2(away[0], 1);
	dup2(away[0], 2);
	for (i = 1; i < PIPES; i++)
		dup2(away[i], FIRST_FD + i - 1);
	for (i = 0; i < PIPES; i++)
		close(away[i]);
}

static noreturn void become(char **word, const int *ends)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	place_descriptors(ends);
	while (*word && strchr(*word, '='))
		putenv(*word++);
	if (*word)
		execv(*word, word);
	dprintf(2, "cannot run %s: %s\n", *word ? *word : "nothing",
		strerror(errno));
	_exit(127);
}

static void start(char **word)
{
	int fds[2], ends[PIPES];
	size_t i;

	for (i = 0; i < PIPES; i++) {
		if (pipe2(fds, O_CLOEXEC))
			return;
		fcntl(fds[0], F_SETFL, O_NONBLOCK);
		pipes[i].fd = fds[0];
		pipes[i].len = 0;
		ends[i] = fds[1];
	}
	running = fork();
	if (running == 0)
		become(word, ends);
	for (i = 0; i < PIPES; i++)
		close(ends[i]);
	if (running < 0) {
		send_line('O', "the first process cannot fork");
		send_line('E', "32512"); /* exit code 127 */
		running = 0;
	}
}

static void obey(char *line)
{
	char *word[WORDS_MAX + 1];
	int n = 0;

	if (!strncmp(line, "ping ", 5)) {
		pong(line + 5);
	} else if (!strcmp(line, "stop")) {
		if (running)
			kill(running, SIGTERM);
	} else if (!strncmp(line, "run\t", 4) && !running) {
		strtok(line, "\t");
		while (n < WORDS_MAX && (word[n] = strtok(NULL, "\t")))
			n++;
		word[n] = NULL;
		if (n < 2)
			return;
		mark_log(word[0]);
		start(word + 1);
	}
}

static void end_line(struct source *from)
{
	from->text[from->len] = '\0';
	from->len = 0;
	if (from == &wire)
		obey(from->text);
	else
		send_line(from->letter, from->text);
}

/* Returns false when there is nothing (more) to read. */
static bool take(struct source *from)
{
	char bytes[4096];
	ssize_t n, i;

	if (from->fd < 0)
		return false;
	n = read(from->fd, bytes, sizeof(bytes));
	if (n == 0 && from != &wire) {
		close(from->fd);
		from->fd = -1;
	}
	if (n <= 0)
		return false;
	for (i = 0; i < n; i++) {
		if (bytes[i] == '\n' || from->len == WIRE_LINE_MAX - 1)
			end_line(from);
		if (bytes[i] != '\n')
			from->text[from->len++] = bytes[i] ? bytes[i] : '?';
	}
	return true;
}

static void finish(int status)
{
	char text[20];
	size_t i;

	for (i = 0; i < PIPES; i++) {
		while (take(&pipes[i]))
			;
		if (pipes[i].len)
			end_line(&pipes[i]);
		if (pipes[i].fd >= 0)
			close(pipes[i].fd);
		pipes[i].fd = -1;
	}
	running = 0;
	snprintf(text, sizeof(text), "%d", status);
	send_line('E', text);
}

static void reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		if (pid == running)
			finish(status);
}

static void serve(int signals)
{
	struct pollfd fds[PIPES + 2];
	struct signalfd_siginfo info;
	size_t i;

	for (;;) {
		for (i = 0; i < PIPES; i++)
			fds[i] = (struct pollfd){ pipes[i].fd, POLLIN, 0 };
		fds[PIPES] = (struct pollfd){ wire.fd, POLLIN, 0 };
		fds[PIPES + 1] = (struct pollfd){ signals, POLLIN, 0 };
		poll(fds, PIPES + 2, -1);
		for (i = 0; i < PIPES; i++)
			take(&pipes[i]);
		take(&wire);
		while (read(signals, &info, sizeof(info)) > 0)
			;
		reap();
	}
}

static int open_wire(const char *device)
{
	struct termios tio;
	int fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || tcgetattr(fd, &tio))
		return -1;
	cfmakeraw(&tio);
	tio.c_cflag |= CLOCAL | CREAD;
	cfsetspeed(&tio, B115200);
	tcsetattr(fd, TCSANOW, &tio);
	/* Blocking: it may be slower than a test; VMIN 0 keeps reads from it. */
	tio.c_cc[VMIN] = 0;
	tio.c_cc[VTIME] = 0;
	tcsetattr(fd, TCSANOW, &tio);
	fcntl(fd, F_SETFL, 0);
	return fd;
}

int main(int argc, char **argv)
{
	struct sched_param first = { .sched_priority = 1 };
	sigset_t chld;

	wire.fd = argc == 2 ? open_wire(argv[1]) : -1;
	if (wire.fd < 0) {
		perror("selftests: no second serial line");
		return 1;
	}
	/*
	 * What a program printed shall be out before it brings the kernel down;
	 * and a busy machine must not look like a dead one.
	 */
	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	serve(signalfd(-1, &chld, SFD_NONBLOCK | SFD_CLOEXEC));
}
