// SPDX-License-Identifier: GPL-2.0
/*
 * The core dump of a process in a pid namespace: its name and what it says.
 *
 * Promises: core(5), "Naming of core dump files": %p and %i are numbers of the
 *           namespace of the process, %P and %I of the initial one; what
 *           core_uses_pid adds is the number that %p is
 *           (fs/coredump.c:format_corename); the notes have the numbers of the
 *           process for itself (fs/binfmt_elf.c:fill_prstatus, fill_psinfo).
 * Needs:    a virtual machine (SELFTESTS_VM=1 in the environment), because the
 *           pattern is that of the whole machine; real root;
 *           CONFIG_ELF_CORE; /proc of the initial pid namespace.
 */
#include <elf.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"

#define PATTERN "/proc/sys/kernel/core_pattern"
#define USES_PID "/proc/sys/kernel/core_uses_pid"
#define DIR "/tmp/core_test.XXXXXX"

/* struct crash - what the process knows about itself before it crashes */
struct crash {
	pid_t pid;
	pid_t tid;
	pid_t outer_pid;
	pid_t outer_tid;
};

FIXTURE(core)
{
	char dir[sizeof(DIR)];
	char before[256];
	char used_pid[8];
	struct crash *crash;
	const char *missing;
};

FIXTURE_SETUP(core)
{
	const char *vm = getenv("SELFTESTS_VM");

	self->before[0] = 0;
	self->missing = vm && !strcmp(vm, "1") ? NULL : NEEDS_VM;
	if (!self->missing)
		ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (!self->missing)
		self->missing = lack_of_proc();
	if (!self->missing && access(PATTERN, F_OK) < 0)
		self->missing = NEEDS_COREDUMP;
	if (!self->missing && access(PATTERN, W_OK) < 0)
		self->missing = NEEDS_REAL_ROOT;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->crash = mmap(NULL, sizeof(*self->crash), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->crash);
	memcpy(self->dir, DIR, sizeof(DIR));
	ASSERT_NE(NULL, mkdtemp(self->dir));
	ASSERT_LE(0,
		  proc_read(USES_PID, self->used_pid, sizeof(self->used_pid)));
	ASSERT_LE(0, proc_read(PATTERN, self->before, sizeof(self->before)));
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

FIXTURE_TEARDOWN(core)
{
	if (!self->before[0])
		return;
	proc_write(PATTERN, self->before);
	proc_write(USES_PID, self->used_pid);
	/* a test that failed leaves cores there */
	nftw(self->dir, remove_one, 2, FTW_DEPTH | FTW_PHYS);
}

/* Cores go to the directory of the test, under that name. */
static int name_cores(const char *dir, const char *name, const char *uses_pid)
{
	char text[128];
	int ret;

	snprintf(text, sizeof(text), "%s/%s", dir, name);
	ret = proc_write(PATTERN, text);
	return ret ? ret : proc_write(USES_PID, uses_pid);
}

static pid_t outer_number(const char *path)
{
	long long number = -1;

	proc_number(path, "\nPid:", &number);
	return number;
}

/* A thread: %p and %i differ. */
static void *fault(void *arg)
{
	struct crash *crash = arg;
	void *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	crash->tid = syscall(__NR_gettid);
	crash->outer_tid = outer_number("/proc/thread-self/status");
	__atomic_store_n((int *)page, 0, __ATOMIC_RELAXED);
	return NULL;
}

static void crash_here(struct child_report *rep, void *arg)
{
	struct rlimit any = { RLIM_INFINITY, RLIM_INFINITY };
	struct crash *crash = arg;
	pthread_t thread;

	CHILD_OK(rep, setrlimit(RLIMIT_CORE, &any));
	CHILD_EQ(rep, getpid(), setsid());
	crash->pid = getpid();
	crash->outer_pid = outer_number("/proc/self/status");
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, fault, crash));
	pthread_join(thread, NULL);
}

static void have_crash(struct child_report *rep, void *arg)
{
	struct child_report inner;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, child_run(&inner, 0, crash_here, arg));
	CHILD_EQ(rep, 0, inner.file ? inner.line : 0);
	CHILD_EQ(rep, SIGSEGV, inner.signal);
}

static const char *find_note(const char *core, unsigned int type)
{
	const Elf64_Ehdr *head = (const void *)core;
	const Elf64_Phdr *part = (const void *)(core + head->e_phoff);
	const Elf64_Nhdr *note;
	const char *at;

	while (part->p_type != PT_NOTE)
		part++;
	at = core + part->p_offset;
	while (at < core + part->p_offset + part->p_filesz) {
		note = (const void *)at;
		at += sizeof(*note) + ((note->n_namesz + 3) & ~3);
		if (note->n_type == type)
			return at;
		at += (note->n_descsz + 3) & ~3;
	}
	return NULL;
}

static void expect_notes(struct __test_metadata *_metadata, const char *core,
			 const struct crash *crash)
{
	const struct elf_prstatus *status;
	const struct elf_prpsinfo *info;

	ASSERT_EQ(0, memcmp(core, ELFMAG, SELFMAG));
	/* the first one is that of the thread that crashed */
	status = (const void *)find_note(core, NT_PRSTATUS);
	ASSERT_NE(NULL, status);
	EXPECT_EQ(crash->tid, status->pr_pid);
	EXPECT_EQ(1, status->pr_ppid);
	EXPECT_EQ(crash->pid, status->pr_pgrp);
	EXPECT_EQ(crash->pid, status->pr_sid);
	info = (const void *)find_note(core, NT_PRPSINFO);
	ASSERT_NE(NULL, info);
	EXPECT_EQ(crash->pid, info->pr_pid);
	EXPECT_EQ(1, info->pr_ppid);
	EXPECT_EQ(crash->pid, info->pr_pgrp);
	EXPECT_EQ(crash->pid, info->pr_sid);
}

TEST_F(core, has_numbers_inside_and_outside)
{
	struct crash *c = self->crash;
	struct stat st;
	char path[128];
	void *core;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, name_cores(self->dir, "core.%p.%P.%i.%I", "0"));
	expect_inside(_metadata, have_crash, c);
	if (!c->outer_tid)
		return;
	EXPECT_EQ(2, c->pid);
	EXPECT_EQ(3, c->tid);
	EXPECT_NE(c->outer_pid, c->outer_tid);
	snprintf(path, sizeof(path), "%s/core.%d.%d.%d.%d", self->dir, c->pid,
		 c->outer_pid, c->tid, c->outer_tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd)
	TH_LOG("there is no %s", path);
	ASSERT_EQ(0, fstat(fd, &st));
	core = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, core);
	expect_notes(_metadata, core, c);
	EXPECT_EQ(0, unlink(path));
	EXPECT_EQ(0, rmdir(self->dir));
}

TEST_F(core, may_be_named_after_the_process_alone)
{
	char path[64];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, name_cores(self->dir, "core", "1"));
	expect_inside(_metadata, have_crash, self->crash);
	if (!self->crash->outer_tid)
		return;
	EXPECT_EQ(2, self->crash->pid);
	snprintf(path, sizeof(path), "%s/core.2", self->dir);
	EXPECT_EQ(0, unlink(path))
	TH_LOG("there is no %s", path);
	EXPECT_EQ(0, rmdir(self->dir));
}

TEST_HARNESS_MAIN
