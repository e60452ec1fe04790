// SPDX-License-Identifier: GPL-2.0
/*
 * Run a program behind a seccomp filter like those of container engines.
 *
 *   filter CALL=ERROR... -- PROGRAM [ARG]...
 *
 * CALL is clone3, unshare, setns, clone (only with a namespace flag) or userns
 * (unshare or clone with CLONE_NEWUSER); ERROR is EPERM, ENOSYS or EACCES.
 * Exit status 125: there was no filter, or no program.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif

#define NAMESPACES                                                     \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | \
	 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#define RULE_LENGTH 5
#define MAX_RULES 8

/* Where the lower half of an argument is, which has all the flags. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIRST_ARG (offsetof(struct seccomp_data, args[0]) + 4)
#else
#define FIRST_ARG offsetof(struct seccomp_data, args[0])
#endif

struct call {
	const char *name;
	unsigned int nr, flags; /* flags: any of them, 0 is always */
};

/* For clone(2), CLONE_NEWTIME is a part of the signal. */
static const struct call calls[] = {
	{ "clone3", __NR_clone3, 0 },
	{ "unshare", __NR_unshare, 0 },
	{ "setns", __NR_setns, 0 },
	{ "clone", __NR_clone, NAMESPACES },
	{ "userns", __NR_unshare, CLONE_NEWUSER },
	{ "userns", __NR_clone, CLONE_NEWUSER },
};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EPERM", EPERM },
	{ "EACCES", EACCES },
	{ "ENOSYS", ENOSYS },
};

static int error_number(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (!strcmp(name, errors[i].name))
			return errors[i].number;
	return 0;
}

/* Refuses one call; every rule loads anew what the one before may have changed. */
static void add_rule(struct sock_filter *to, const struct call *call, int error)
{
	unsigned int nr = offsetof(struct seccomp_data, nr);
	const struct sock_filter rule[RULE_LENGTH] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, nr),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call->nr, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIRST_ARG),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, call->flags, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
	};

	memcpy(to, rule, sizeof(rule));
	if (!call->flags)
		to[3] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, 0);
}

/* Returns how many rules the word asked for, 0 for an unknown one. */
static int add_rules(struct sock_filter *code, int room, const char *word)
{
	const char *equals = strchr(word, '=');
	int error = equals ? error_number(equals + 1) : 0, n = 0;
	size_t i;

	for (i = 0; error && i < ARRAY_SIZE(calls); i++) {
		if (strncmp(word, calls[i].name, equals - word) ||
		    calls[i].name[equals - word])
			continue;
		if (n == room)
			return 0;
		add_rule(code + RULE_LENGTH * n++, &calls[i], error);
	}
	return n;
}

static int install(struct sock_filter *code, int rules)
{
	const struct sock_filter allow =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog prog = { RULE_LENGTH * rules + 1, code };

	code[RULE_LENGTH * rules] = allow;
	/* Who may do without no_new_privs keeps set-user-ID programs working. */
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) ? -errno : 0;
}

int main(int argc, char **argv)
{
	struct sock_filter code[RULE_LENGTH * MAX_RULES + 1];
	int rules = 0, i, n;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		n = add_rules(code + RULE_LENGTH * rules, MAX_RULES - rules,
			      argv[i]);
		if (!n) {
			fprintf(stderr, "filter: cannot do %s\n", argv[i]);
			return 125;
		}
		rules += n;
	}
	if (i + 1 >= argc || !rules)
		return 125;
	n = install(code, rules);
	if (n < 0) {
		fprintf(stderr, "filter: %s\n", strerror(-n));
		return 125;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror("filter");
	return 125;
}
