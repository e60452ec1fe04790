// SPDX-License-Identifier: GPL-2.0
/*
 * The list of the threads of a process, read in small pieces.
 *
 * Promises: proc_pid_task(5), in the numbers of the pid namespace of the
 *           procfs, whoever reads it; a reader goes on at the thread that
 *           comes next also when threads before it have ended
 *           (fs/proc/base.c:first_tid, proc_task_readdir); seekdir(3).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "caps.h"
#include "inside.h"
#include "lack.h"
#include "procfs.h"
#include "views_tools.h"

#define THREADS 6
#define ALL (THREADS + 1)

/* struct crowd - threads that each wait for their own gate */
struct crowd {
	pthread_t thread[THREADS];
	struct gate go[THREADS];
	struct gate up;
	pid_t tid[THREADS];
	int next;
};

static void *wait_to_end(void *arg)
{
	struct crowd *c = arg;
	int i = c->next++;

	c->tid[i] = syscall(__NR_gettid);
	gate_open(&c->up);
	gate_wait(&c->go[i]);
	return NULL;
}

static void start_threads(struct child_report *rep, struct crowd *c)
{
	int i;

	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, gate_init(&c->up));
	c->next = 0;
	for (i = 0; i < THREADS; i++) {
		CHILD_EQ(rep, 0, gate_init(&c->go[i]));
		CHILD_EQ(rep, 0,
			 pthread_create(&c->thread[i], NULL, wait_to_end, c));
		CHILD_EQ(rep, 0, gate_wait(&c->up));
	}
}

/* End a thread; it is gone only when the kernel finds it no more. */
static void end_thread(struct child_report *rep, struct crowd *c, pid_t tid)
{
	static const struct timespec ms = { .tv_nsec = 1000000 };
	int i = 0, tries;

	while (i < THREADS && c->tid[i] != tid)
		i++;
	CHILD_LE(rep, i, THREADS - 1);
	CHILD_EQ(rep, 0, gate_open(&c->go[i]));
	CHILD_EQ(rep, 0, pthread_join(c->thread[i], NULL));
	for (tries = 0; !syscall(__NR_tgkill, getpid(), tid, 0); tries++) {
		CHILD_LE(rep, tries, CHILD_DEADLINE_MS / 2);
		nanosleep(&ms, NULL);
	}
	CHILD_EQ(rep, ESRCH, errno);
}

/* struct entry - struct linux_dirent64 of getdents(2), with room for a pid */
struct entry {
	__u64 ino;
	__s64 off;
	__u16 len;
	__u8 type;
	char name[13];
};

/* Read one entry: two do not fit.  0 at the end. */
static pid_t next_thread(struct child_report *rep, int fd, __s64 *off)
{
	struct entry e;
	long len;

	do {
		len = view_result(syscall(__NR_getdents64, fd, &e, sizeof(e)));
		CHILD_OK(rep, len);
		if (!len)
			return 0;
		CHILD_EQ(rep, e.len, len);
	} while (e.name[0] == '.');
	*off = e.off;
	return atoi(e.name);
}

static int open_list(struct child_report *rep, int proc)
{
	int fd = openat(proc, "self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	CHILD_OK(rep, fd);
	return fd;
}

/* The number that a thread of this process has here. */
static pid_t number_here(struct child_report *rep, int proc, pid_t listed)
{
	char path[64], buf[4096], *line, *end;

	snprintf(path, sizeof(path), "self/task/%d/status", listed);
	CHILD_OK(rep, view_read(proc, path, buf, sizeof(buf)));
	line = strstr(buf, "\nNSpid:");
	CHILD_EQ(rep, 1, !!line);
	end = strchr(line + 1, '\n');
	*end = 0;
	return atoi(strrchr(line, '\t') + 1);
}

/* What is listed while nothing changes, and the offset behind each entry. */
struct list {
	pid_t pid[ALL];
	__s64 off[ALL];
};

static void read_list(struct child_report *rep, int proc, struct list *l)
{
	int i, fd = open_list(rep, proc);
	__s64 off;

	for (i = 0; i < ALL; i++) {
		l->pid[i] = next_thread(rep, fd, &l->off[i]);
		CHILD_LE(rep, 1, l->pid[i]);
	}
	CHILD_EQ(rep, 0, next_thread(rep, fd, &off));
	close(fd);
}

static void expect_from(struct child_report *rep, int fd, const struct list *l,
			int first)
{
	__s64 off;
	int i;

	for (i = first; i < ALL; i++)
		CHILD_EQ(rep, l->pid[i], next_thread(rep, fd, &off));
	CHILD_EQ(rep, 0, next_thread(rep, fd, &off));
}

/* Two of the three that were read are gone when reading goes on. */
static void go_on_without_two(struct child_report *rep, void *arg)
{
	int i, proc = *(int *)arg, fd;
	struct crowd c;
	struct list l;
	__s64 off;

	start_threads(rep, &c);
	read_list(rep, proc, &l);
	fd = open_list(rep, proc);
	for (i = 0; i < 3; i++)
		CHILD_EQ(rep, l.pid[i], next_thread(rep, fd, &off));
	for (i = 0; i < 3; i++) {
		pid_t tid = number_here(rep, proc, l.pid[i]);

		if (tid != getpid())
			end_thread(rep, &c, tid);
	}
	expect_from(rep, fd, &l, 3);
}

static void seek_back(struct child_report *rep, void *arg)
{
	int i, proc = *(int *)arg, fd;
	struct crowd c;
	struct list l;
	__s64 off;

	start_threads(rep, &c);
	read_list(rep, proc, &l);
	fd = open_list(rep, proc);
	for (i = 0; i < 5; i++)
		CHILD_EQ(rep, l.pid[i], next_thread(rep, fd, &off));
	CHILD_EQ(rep, l.off[1], lseek(fd, l.off[1], SEEK_SET));
	expect_from(rep, fd, &l, 2);
	CHILD_EQ(rep, 0, lseek(fd, 0, SEEK_SET));
	expect_from(rep, fd, &l, 0);
	CHILD_EQ(rep, l.off[3], lseek(fd, l.off[3], SEEK_SET));
	expect_from(rep, fd, &l, 4);
}

FIXTURE(list)
{
	const char *missing;
};

FIXTURE_VARIANT(list)
{
	bool above;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(list, of_this_namespace)      { false };
FIXTURE_VARIANT_ADD(list, of_the_namespace_above) { true };
/* clang-format on */

FIXTURE_SETUP(list)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID | CLONE_NEWNS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
}

FIXTURE_TEARDOWN(list)
{
}

/* struct reading - a part of a test, and where it reads */
struct reading {
	child_fn fn;
	bool above;
	int proc;
};

static void open_proc(struct child_report *rep, struct reading *r)
{
	r->proc = proc_open_new();
	if (r->proc == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_OK(rep, r->proc);
}

static void read_inside(struct child_report *rep, void *arg)
{
	struct reading *r = arg;

	if (!r->above)
		open_proc(rep, r);
	r->fn(rep, &r->proc);
}

static void open_and_go_inside(struct child_report *rep, void *arg)
{
	struct child_report inner;
	struct reading *r = arg;

	if (r->above)
		open_proc(rep, r);
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, read_inside, r));
	CHILD_HELD(rep, &inner);
}

static void expect_reading(struct __test_metadata *_metadata, child_fn fn,
			   bool above)
{
	struct reading r = { .fn = fn, .above = above };
	struct child_report rep;

	ASSERT_EQ(0, child_run(&rep, CLONE_NEWPID, open_and_go_inside, &r));
	expect_held(_metadata, &rep);
}

TEST_F(list, goes_on_behind_threads_that_ended)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_reading(_metadata, go_on_without_two, variant->above);
}

TEST_F(list, goes_on_where_a_seek_says)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_reading(_metadata, seek_back, variant->above);
}

TEST_HARNESS_MAIN
