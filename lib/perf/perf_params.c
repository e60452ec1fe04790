// SPDX-License-Identifier: GPL-2.0
/* Parameters of a workload; see perf_params.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "perf_params.h"

#define BLANKS " \t\n"

static struct perf_param *find(struct perf_param *p, char letter)
{
	for (; p->letter; p++) {
		if (p->letter == letter)
			return p;
	}
	return NULL;
}

/* "-s 10" and "-s10", any number of them. */
static int read_text(struct perf_param *p, const char *text)
{
	struct perf_param *one;
	char *end;

	for (;;) {
		text += strspn(text, BLANKS);
		if (!*text)
			return 0;
		if (*text != '-' || !text[1])
			return -EINVAL;
		one = find(p, text[1]);
		text += 2 + strspn(text + 2, BLANKS);
		if (!one || *text < '0' || *text > '9')
			return -EINVAL;
		one->value = strtol(text, &end, 10);
		if (one->value < 1 || one->value > one->most ||
		    (*end && !strchr(BLANKS, *end)))
			return -EINVAL;
		one->asked = 1;
		text = end;
	}
}

/* What follows "--", joined by blanks; there is no other way to argv. */
static void own_arguments(char *buf, size_t size)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);
	ssize_t i, from;

	close(fd);
	if (n < 0)
		n = 0;
	buf[n] = '\0';
	for (from = 0; from < n && strcmp(buf + from, "--");)
		from += strlen(buf + from) + 1;
	from += 3;
	for (i = from; i < n - 1; i++) {
		if (!buf[i])
			buf[i] = ' ';
	}
	if (from < n)
		memmove(buf, buf + from, n - from + 1);
	else
		buf[0] = '\0';
}

int perf_params_read(struct perf_param *p, const char *variable)
{
	const char *text = getenv(variable);
	char own[1024];
	int n = 0;

	if (text && read_text(p, text))
		return -EINVAL;
	own_arguments(own, sizeof(own));
	if (read_text(p, own))
		return -EINVAL;
	for (; p->letter; p++)
		n += p->asked;
	return n;
}

void perf_params_name(const struct perf_param *p, const char *base, char *buf,
		      size_t size)
{
	char between = '.';

	buf[0] = '\0';
	line_add(buf, size, "%s", base);
	for (; p->letter; p++) {
		if (!p->asked)
			continue;
		line_add(buf, size, "%c%c%ld", between, p->letter, p->value);
		between = '-';
	}
}

long perf_param(const struct perf_param *p, char letter)
{
	while (p->letter && p->letter != letter)
		p++;
	return p->value;
}
