// SPDX-License-Identifier: GPL-2.0
/*
 * Test programs that behave well and badly, to see how run_all.sh grades them.
 *
 * One binary under many names: "hang_test" and "over_perf" play the roles
 * "hang" and "over". No harness here, because most roles are things that a
 * program with a harness would not do.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "roles.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define PLAN(n) "TAP version 13\n1.." n "\n"
#define ONE                                 \
	"#  RUN           global.one ...\n" \
	"#            OK  global.one\n"     \
	"ok 1 global.one\n"
#define RUN_TWO "#  RUN           global.two ...\n"
#define COST(verdict)                                                  \
	PLAN("1")                                                      \
	"#  RUN           costs.one ...\n"                             \
	"# perf name=roles.one unit=ns/op outside=20.0 inside=21.0 "   \
	"ratio=1.05 lo=1.04 hi=1.06 limit=1.10 n=101 host=\"quoted\" " \
	"verdict=" verdict "\n"

/* Roles that are a text and an exit code. */
static const struct {
	const char *name;
	int code;
	const char *text;
} readings[] = {
	{ "pass", 0, PLAN("2") ONE "ok 2 global.two\n# Totals: pass:2\n" },
	{ "skip", 0, PLAN("2") ONE RUN_TWO "ok 2 # SKIP needs root\n" },
	{ "all_skip", 0,
	  PLAN("2") "ok 1 global.one # SKIP needs root\n"
		    "ok 2 global.two # SKIP slow machine\n" },
	{ "whole_skip", 4, PLAN("0 # SKIP needs CONFIG_TIME_NS") },
	{ "xfail", 0,
	  PLAN("2") "ok 1 global.one # XFAIL not there yet\n"
		    "ok 2 global.two\n" },
	{ "silent", 0, "" },
	{ "no_plan", 0, "TAP version 13\n" ONE },
	{ "empty_plan", 0, PLAN("0") },
	{ "short", 0, PLAN("3") ONE "ok 2 global.two\n" },
	{ "long", 0, PLAN("1") ONE "ok 2 global.two\n" },
	{ "misnumbered", 0, PLAN("2") ONE "ok 3 global.two\n" },
	{ "twice", 0, PLAN("2") ONE "ok 2 global.one\n" },
	/* Results must survive what strangers write in between. */
	{ "garbage", 1,
	  PLAN("3") "\033[31mred\001\377\376\"quote\\ ok 7 nothing\n"
		    "no newline hereok 1 global.one\n  ok 2 indented\n"
		    "prompt> not ok 2 global.two\nok 3 global.three\r\nend" },
	{ "liar", 1, PLAN("1") ONE },
	{ "modest", 0, PLAN("1") "not ok 1 global.one\n" },
	/* As a harness that knows no options prints it. */
	{ "old", 1,
	  PLAN("3") ONE
	  "#  RUN           set.a.two ...\n"
	  "ok 2 # SKIP needs vDSO\n"
	  "#  RUN           set.b.two ...\nnot ok 3 set.b.two\n" },
	{ "within", 0, COST("within") "ok 1 costs.one\n" },
	{ "over", 1, COST("over") "not ok 1 costs.one\n" },
	{ "over_unsaid", 0, COST("over") "ok 1 costs.one\n" },
	{ "unsure", 0,
	  COST("unsure") "ok 1 costs.one # SKIP inconclusive measurement\n" },
	{ "report", 0, COST("report") "ok 1 costs.one\n" },
};

/* Roles that do something. */
static const struct {
	const char *name;
	int (*play)(void);
} plays[] = {
	{ "die", play_die },	 { "fail", play_fail },
	{ "flood", play_flood }, { "hang", play_hang },
	{ "oom", play_oom },	 { "orphan", play_orphan },
	{ "slow", play_slow },	 { "surroundings", play_surroundings },
	{ "warn", play_warn },
};

static int play(const char *role)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(readings); i++) {
		if (strcmp(readings[i].name, role))
			continue;
		fputs(readings[i].text, stdout);
		return readings[i].code;
	}
	for (i = 0; i < ARRAY_SIZE(plays); i++)
		if (!strcmp(plays[i].name, role))
			return plays[i].play();
	fprintf(stderr, "no role %s\n", role);
	return 1;
}

int main(int argc, char **argv)
{
	const char *base = strrchr(argv[0], '/');
	char role[64], *kind;

	/* "interruptible COMMAND": not deaf to Ctrl-C as children of "&" are */
	if (argc > 2 && !strcmp(argv[1], "interruptible"))
		return become_interruptible(argv + 2);
	snprintf(role, sizeof(role), "%s", base ? base + 1 : argv[0]);
	kind = strrchr(role, '_');
	if (kind && (!strcmp(kind, "_test") || !strcmp(kind, "_perf")))
		*kind = '\0';
	return play(role);
}
