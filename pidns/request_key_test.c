// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/keys tells which process a key is being made for.
 *
 * Promises: keyrings(7), /proc/keys, and request_key(2): while /sbin/request-key
 *           runs, an authorisation key names the process that asked: by its
 *           number in the pid namespace of that procfs, 0 where it has none
 *           (security/keys/request_key_auth.c:request_key_auth_describe).
 * Guards:   0d6a4268b060 ("keys: translate request_key_auth pid for the reading
 *           procfs instance"), v7.3.
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment) without
 *           /sbin/request-key, because this puts itself there; real root;
 *           CONFIG_KEYS.
 */
#include <fcntl.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "caps.h"
#include "expect.h"
#include "lack.h"
#include "procfs.h"
#include "tower.h"
#include "views_tools.h"

#define HELPER "/sbin/request-key"
#define DIR "/tmp/request_key_test.XXXXXX"
#define DEPTH 3
#define OBSERVERS (DEPTH + 2)

/* A file of the directory that HELPER leads to. */
static int open_beside_helper(const char *name)
{
	char link[64] = { 0 }, path[128];

	if (readlink(HELPER, link, sizeof(link) - 1) < 0)
		return -1;
	*strrchr(link, '/') = 0;
	snprintf(path, sizeof(path), "%s/%s", link, name);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* The kernel has started this program: stay until the test has looked. */
static void __attribute__((constructor)) be_helper(void)
{
	struct pollfd go = { .events = POLLIN };
	char name[sizeof(HELPER)];
	int up;

	if (proc_read("/proc/self/cmdline", name, sizeof(name)) < 0 ||
	    strcmp(name, HELPER))
		return;
	up = open_beside_helper("up");
	go.fd = open_beside_helper("go");
	if (write(up, "", 1) == 1)
		poll(&go, 1, CHILD_DEADLINE_MS);
	_exit(1);
}

FIXTURE(key)
{
	const char *missing;
	char dir[sizeof(DIR)];
	int up;
	int go;
	int sbin; /* 0: made here */
	struct tower tower;
	struct tower_member *observer[OBSERVERS];
	struct tower_member *asker;
};

/* clang-format off */
FIXTURE_VARIANT(key) { int level; };
FIXTURE_VARIANT_ADD(key, asked_for_at_level_1) { 1 };
FIXTURE_VARIANT_ADD(key, asked_for_at_level_3) { DEPTH };
/* clang-format on */

static const char *lack_of_helper(void)
{
	const char *vm = getenv("SELFTESTS_VM");
	char link[64] = { 0 };
	struct stat st;

	if (!vm || strcmp(vm, "1"))
		return NEEDS_VM;
	if (syscall(__NR_keyctl, KEYCTL_GET_KEYRING_ID,
		    KEY_SPEC_PROCESS_KEYRING, 0) < 0 &&
	    errno == ENOSYS)
		return NEEDS_KEYS;
	/* of a run that was killed */
	if (readlink(HELPER, link, sizeof(link) - 1) > 0 &&
	    !strncmp(link, DIR, sizeof(DIR) - sizeof("XXXXXX")))
		unlink(HELPER);
	return lstat(HELPER, &st) < 0 ? lack_of_real_root() :
					NEEDS_NO_REQUEST_KEY;
}

static void in_dir(char *path, const char *dir, const char *name)
{
	snprintf(path, 64, "%s/%s", dir, name);
}

static int make_fifo(const char *dir, const char *name)
{
	char path[64];

	in_dir(path, dir, name);
	if (mkfifo(path, 0600) < 0)
		return -errno;
	return open(path, O_RDWR | O_CLOEXEC);
}

static int install(const char *dir)
{
	char program[256] = { 0 }, path[64];

	in_dir(path, dir, "program");
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0 ||
	    symlink(program, path) < 0 || symlink(path, HELPER) < 0)
		return -errno;
	return 0;
}

FIXTURE_SETUP(key)
{
	struct tower *t = &self->tower;
	int i;

	self->missing = lack_of_helper();
	if (!self->missing)
		ASSERT_EQ(0, tower_prepare(0, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	memcpy(self->dir, DIR, sizeof(DIR));
	ASSERT_NE(NULL, mkdtemp(self->dir));
	self->up = make_fifo(self->dir, "up");
	self->go = make_fifo(self->dir, "go");
	self->sbin = mkdir("/sbin", 0755);
	ASSERT_EQ(0, install(self->dir));
	ASSERT_EQ(0, tower_up(t, DEPTH));
	for (i = 0; i <= DEPTH; i++)
		self->observer[i] = &t->member[i];
	self->observer[i] = &t->sibling;
	/* nobody else is there at that level, but for the twin */
	self->asker = variant->level == DEPTH ? &t->twin : &t->member[1];
}

FIXTURE_TEARDOWN(key)
{
	static const char *const name[] = { "up", "go", "program" };
	char path[64];
	size_t i;

	if (self->missing)
		return;
	EXPECT_EQ(1, write(self->go, "", 1));
	tower_down(&self->tower);
	unlink(HELPER);
	if (!self->sbin)
		rmdir("/sbin");
	for (i = 0; i < ARRAY_SIZE(name); i++) {
		in_dir(path, self->dir, name[i]);
		unlink(path);
	}
	EXPECT_EQ(0, rmdir(self->dir));
}

/* struct wish - a key, and a procfs to find it in */
struct wish {
	char name[sizeof(DIR)];
	int proc;
};

/* Returns when the helper has ended. */
static void ask_for_key(struct child_report *rep, void *arg)
{
	const struct wish *wish = arg;

	CHILD_EQ(rep, -1,
		 syscall(__NR_request_key, "user", wish->name, "anything",
			 KEY_SPEC_PROCESS_KEYRING));
	CHILD_EQ(rep, ENOKEY, errno);
}

static void open_proc(struct child_report *rep, void *arg)
{
	(void)arg;
	rep->value[0] = proc_open_new();
	CHILD_OK(rep, rep->value[0]);
}

/* The key itself is there, by its serial number; so is that of the helper. */
static void look(struct child_report *rep, void *arg)
{
	const struct wish *wish = arg;
	char text[16384], word[32], *at;

	CHILD_OK(rep, view_read(wish->proc, "keys", text, sizeof(text)));
	close(wish->proc);
	at = strstr(text, wish->name);
	CHILD_OK(rep, at ? 0 : -ENOKEY);
	while (at > text && at[-1] != '\n')
		at--;
	snprintf(word, sizeof(word), " key:%lx pid:", strtoul(at, NULL, 16));
	at = strstr(text, word);
	CHILD_OK(rep, at ? 0 : -ENOENT);
	rep->value[0] = atoi(at + strlen(word));
}

static void expect_number(struct __test_metadata *_metadata, pid_t number,
			  struct tower_member *reader, struct wish wish)
{
	struct child_report rep;

	wish.proc = tower_send_fd(reader, wish.proc);
	ASSERT_LE(0, wish.proc);
	ASSERT_EQ(0, tower_call(reader, look, &wish, sizeof(wish), &rep));
	expect_held(_metadata, &rep);
	EXPECT_EQ(number, rep.value[0])
	TH_LOG("read at level %d", reader->level);
}

static int proc_of(struct tower_member *m)
{
	struct child_report rep;
	int ret = tower_call(m, open_proc, NULL, 0, &rep);

	return ret < 0 ? ret : tower_fetch_fd(m, rep.value[0]);
}

TEST_F(key, names_the_asker_as_the_procfs_knows_it)
{
	struct tower_member *asker = self->asker;
	struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };
	struct wish wish = { .proc = -1 };
	int i, j;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	memcpy(wish.name, self->dir, sizeof(wish.name));
	ASSERT_EQ(0, tower_begin(asker, ask_for_key, &wish, sizeof(wish)));
	fds[0].fd = self->up;
	fds[1].fd = asker->sock;
	ASSERT_LE(1, poll(fds, 2, CHILD_DEADLINE_MS));
	if (!fds[0].revents)
		SKIP(return, NEEDS_UPCALLS);
	for (i = 0; i < OBSERVERS; i++) {
		struct tower_member *m = self->observer[i];

		if (m == asker)
			continue;
		wish.proc = proc_of(m);
		ASSERT_LE(0, wish.proc);
		for (j = 0; j < OBSERVERS; j++)
			if (self->observer[j] != asker)
				expect_number(_metadata, tower_pid(asker, m),
					      self->observer[j], wish);
		close(wish.proc);
	}
}

TEST_HARNESS_MAIN
