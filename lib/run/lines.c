// SPDX-License-Identifier: GPL-2.0
/* Output of a test program, cut into lines fit for any reader. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "supervise.h"

/* What one program may leave in its log: more than anybody reads. */
#define LOG_MAX_BYTES (4UL << 20)

long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

void utc_now(char *text, size_t size)
{
	struct timespec t;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &tm);
	n = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, size - n, ".%03dZ", (int)(t.tv_nsec / 1000000));
}

/* Lines that decide about verdicts are never dropped. */
static bool matters(const char *line)
{
	return !strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7) ||
	       !strncmp(line, "1..", 3) || !strncmp(line, "# perf ", 7);
}

static void end_line(struct lines *out)
{
	char when[40];

	while (out->len && out->text[out->len - 1] == '\r')
		out->len--;
	out->text[out->len] = '\0';
	out->written += out->len + 1;
	out->len = 0;
	if (out->written > LOG_MAX_BYTES && !matters(out->text)) {
		out->dropped++;
		return;
	}

	utc_now(when, sizeof(when));
	fprintf(out->log, "%s\n", out->text);
	fprintf(out->record, "%lld\t%s\t%s\n", now_ms() - out->start_ms, when,
		out->text);
	if (out->echo)
		printf("# %s\n", out->text);
}

void lines_add(struct lines *out, const char *bytes, size_t n)
{
	size_t i;
	char c;

	for (i = 0; i < n; i++) {
		c = bytes[i];
		if (c == '\n') {
			end_line(out);
			continue;
		}
		if (out->len == LINE_MAX_BYTES)
			continue;
		if ((c < ' ' || c > '~') && c != '\t' && c != '\r')
			c = '?';
		out->text[out->len++] = c;
	}
	/* Whoever watches, or whoever comes after a crash, sees it all. */
	fflush(out->log);
	fflush(out->record);
	fflush(stdout);
}

int lines_end(struct lines *out)
{
	char note[80];

	if (out->len)
		end_line(out);
	if (out->dropped) {
		snprintf(note, sizeof(note), "# (%lu more lines not kept)\n",
			 out->dropped);
		fputs(note, out->log);
	}
	if (fflush(out->log) || fflush(out->record) || ferror(out->log) ||
	    ferror(out->record))
		return -EIO;
	return 0;
}
