// SPDX-License-Identifier: GPL-2.0
/*
 * The pages behind the vDSO: they follow the process also where it moved them,
 * and nobody has those of another made.
 *
 * Promises: vdso(7); lib/vdso/datastore.c:vvar_fault;
 *           kernel/time/namespace_vdso.c:vdso_join_timens,
 *           find_timens_vvar_page.
 * Guards:   none.
 * Needs:    root or user namespaces.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "caps.h"
#include "lack.h"
#include "procfs.h"
#include "vdso.h"
#include "witness_expect.h"

typedef int (*gettime_fn)(clockid_t id, struct timespec *ts);

/* struct range - of addresses; the vDSO with its data: vvar, more, vdso */
struct range {
	unsigned long start;
	unsigned long end;
};

#define RANGES 8

/*
 * The mappings that belong to the vDSO, by the names the kernel gives them.
 * Returns how many, with @data set to the one that has the clocks.
 */
static int find_ranges(struct range *range, struct range *data)
{
	char line[512], name[64];
	struct range r;
	FILE *maps;
	int n = 0;

	data->start = 0;
	maps = fopen("/proc/self/maps", "re");
	if (!maps)
		return -errno;
	while (n < RANGES && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %63s", &r.start,
			   &r.end, name) != 3)
			continue;
		if (strncmp(name, "[vvar", 5) && strcmp(name, "[vdso]"))
			continue;
		range[n++] = r;
		if (!strcmp(name, "[vvar]"))
			*data = r;
	}
	fclose(maps);
	return n;
}

FIXTURE(pages)
{
	const char *missing;
	struct range range[RANGES];
	struct range data;
	int n;
};

/* The test has a pending namespace, whose clocks are moved. */
FIXTURE_SETUP(pages)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWTIME, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	self->n = find_ranges(self->range, &self->data);
	ASSERT_LE(0, self->n);
	if (!self->data.start || sizeof(time_t) != sizeof(long))
		self->missing = NEEDS_VDSO;
	if (self->missing)
		SKIP(return, "%s", self->missing);
	ASSERT_EQ(0, timens_shift(&far));
}

FIXTURE_TEARDOWN(pages)
{
}

/* struct move - what to move, and a namespace to go to and come back from */
struct move {
	const struct range *range;
	int n;
	int there;
	int home;
};

/* Move all of it by the same distance, to a place nothing else is at. */
static long move_all(struct child_report *rep, const struct move *m)
{
	unsigned long start = m->range[0].start, from, size;
	unsigned long end = m->range[m->n - 1].end;
	char *to, *at;
	int i;

	to = mmap(NULL, end - start, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		  0);
	CHILD_EQ(rep, 0, to == MAP_FAILED);
	for (i = 0; i < m->n; i++) {
		from = m->range[i].start;
		size = m->range[i].end - from;
		at = mremap((void *)from, size, size,
			    MREMAP_MAYMOVE | MREMAP_FIXED, to + from - start);
		/* a kernel that seals its mappings, or cannot move this one */
		if (at == MAP_FAILED && i == 0 &&
		    (errno == EPERM || errno == EINVAL))
			child_skip(rep, NEEDS_VDSO_MOVABLE);
		CHILD_EQ(rep, 0, at == MAP_FAILED);
	}
	return (unsigned long)to - start;
}

/* The C library does not know that the vDSO moved: system calls only. */
static void compare_moved(struct child_report *rep, gettime_fn fn)
{
	int64_t low, high;
	struct timespec ts;
	int i;

	for (i = 0; i < 10; i++) {
		low = clock_ns_by(CLOCK_MONOTONIC, CLOCK_BY_SYSCALL);
		CHILD_EQ(rep, 0, fn(CLOCK_MONOTONIC, &ts));
		high = clock_ns_by(CLOCK_MONOTONIC, CLOCK_BY_SYSCALL);
		CHILD_LE(rep, low, timespec_ns(&ts));
		CHILD_LE(rep, timespec_ns(&ts), high);
	}
}

static void move_and_look(struct child_report *rep, void *arg)
{
	gettime_fn fn = (gettime_fn)vdso_find("clock_gettime");
	const struct move *m = arg;

	child_need(rep, lack_of_setns());
	CHILD_OK(rep, setns(m->home, CLONE_NEWTIME));
	compare_moved(rep, fn);
	fn = (gettime_fn)((char *)fn + move_all(rep, m));
	compare_moved(rep, fn);
	CHILD_OK(rep, setns(m->there, CLONE_NEWTIME));
	compare_moved(rep, fn);
	CHILD_OK(rep, setns(m->home, CLONE_NEWTIME));
	compare_moved(rep, fn);
}

/* @home is one more that the test owns, or it could not be entered again. */
TEST_F(pages, follow_where_they_were_moved)
{
	struct move m = { .range = self->range, .n = self->n };
	struct child_report rep;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	m.there = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, m.there);
	ASSERT_EQ(0, timens_unshare(&unmoved));
	m.home = open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, m.home);
	ASSERT_EQ(0, child_run(&rep, 0, move_and_look, &m));
	expect_held(_metadata, &rep);
	close(m.there);
	close(m.home);
}

/* struct target - a process whose pages another one wants to read */
struct target {
	struct gate gate[2];
};

static void be_read(struct child_report *rep, void *arg)
{
	struct target *t = arg;

	CHILD_OK(rep, gate_open(&t->gate[0]));
	CHILD_OK(rep, gate_wait(&t->gate[1]));
	witness_report(rep, 0);
}

static int read_remote(pid_t pid, unsigned long address)
{
	char text[64];
	struct iovec local = { text, sizeof(text) };
	struct iovec remote = { (void *)address, sizeof(text) };

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0 ? -errno : 0;
}

static int read_mem(pid_t pid, unsigned long address)
{
	char path[64], text[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = pread(fd, text, sizeof(text), address) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * A page that the process has not used yet has to be made for it, with the
 * offsets of its namespace, not of the reader's. What is in use may be read in
 * newer kernels: it is no secret.
 */
TEST_F(pages, are_not_made_for_others)
{
	struct instant before = now();
	struct child_report rep;
	struct target t;
	struct child c;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!proc_is_mine())
		SKIP(return, NEEDS_SELF_PROC);
	ASSERT_EQ(0, gate_init(&t.gate[0]));
	ASSERT_EQ(0, gate_init(&t.gate[1]));
	ASSERT_EQ(0, child_start(&c, 0, be_read, &t));
	EXPECT_EQ(0, gate_wait_child(&t.gate[0], &c));
	ret = read_remote(c.pid, self->data.start);
	/* -ENOSYS without CONFIG_CROSS_MEMORY_ATTACH; there is a second way */
	if (ret != -ENOSYS)
		EXPECT_EQ(-EFAULT, ret);
	EXPECT_EQ(-EIO, read_mem(c.pid, self->data.start));
	/* nor has it harmed anybody */
	EXPECT_EQ(0, gate_open(&t.gate[1]));
	EXPECT_EQ(0, child_wait(&c, &rep));
	expect_held(_metadata, &rep);
	expect_child_moved(_metadata, &rep, 0, &before, &far);
}

TEST_HARNESS_MAIN
