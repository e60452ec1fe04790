// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process by calls that reach into it by its number: they find it in
 * the pid namespace of the caller, or nothing.
 *
 * Promises: process_vm_readv(2), process_vm_writev(2), kcmp(2), move_pages(2),
 *           migrate_pages(2), ptrace(2), perf_event_open(2): ESRCH;
 *           process_madvise(2), by pidfd
 *           (mm/process_vm_access.c, kernel/kcmp.c, mm/migrate.c,
 *           mm/mempolicy.c, kernel/ptrace.c, kernel/events/core.c).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <linux/kcmp.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "views.h"

static void make_page(struct child_report *rep, void *arg)
{
	long *page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct view *v = arg;

	CHILD_EQ(rep, 0, page == MAP_FAILED);
	*page = v->own;
	rep->value[1] = (intptr_t)page;
}

/* Was the page written to by the observer, and only if it sees us? */
static void end_page(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	long *page = (long *)(intptr_t)v->note[0];

	if (!v->is_target || !page)
		return;
	if (v->note[1])
		CHILD_EQ(rep, v->seen_as ? -1 : v->own, *page);
	munmap(page, getpagesize());
}

static void make_page_to_write(struct child_report *rep, void *arg)
{
	make_page(rep, arg);
	rep->value[2] = 1;
}

/* Ways to deny a tracer differ; whether there is one is what we ask. */
static void skip_if_denied(struct child_report *rep, const struct view *v)
{
	if (rep->value[0] == -EPERM && v->peer)
		child_skip(rep, NEEDS_PTRACE);
}

static void read_page(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	long word = -1;
	struct iovec here = { &word, sizeof(word) };
	struct iovec there = { (void *)(intptr_t)v->note[0], sizeof(word) };

	view_see(rep, process_vm_readv(v->number, &here, 1, &there, 1, 0));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_CROSS_MEMORY);
	skip_if_denied(rep, v);
	if (rep->value[0] > 0)
		rep->value[0] = word == v->names[v->peer_level];
}

static void write_page(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	long word = -1;
	struct iovec here = { &word, sizeof(word) };
	struct iovec there = { (void *)(intptr_t)v->note[0], sizeof(word) };

	view_see(rep, process_vm_writev(v->number, &here, 1, &there, 1, 0));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_CROSS_MEMORY);
	skip_if_denied(rep, v);
}

/* Both have the same open file; no third one does. */
static void note_fd(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	rep->value[1] = v->fd[FOR_TARGET];
}

static void compare(struct child_report *rep, const struct view *v, bool swap)
{
	long mine = v->fd[FOR_TARGET], its = v->note[0];

	view_see(rep, syscall(__NR_kcmp, swap ? v->number : v->own,
			      swap ? v->own : v->number, KCMP_FILE,
			      swap ? its : mine, swap ? mine : its));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_KCMP);
	skip_if_denied(rep, v);
}

static void compare_with(struct child_report *rep, void *arg)
{
	compare(rep, arg, false);
}

static void compare_it(struct child_report *rep, void *arg)
{
	compare(rep, arg, true);
}

/* No pages at all, but still those of a process. */
static void move_no_pages(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep,
		 syscall(__NR_move_pages, v->number, 0, NULL, NULL, NULL, 0));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_MIGRATION);
}

static void migrate_nowhere(struct child_report *rep, void *arg)
{
	unsigned long node0 = 1;
	struct view *v = arg;

	view_see(rep, syscall(__NR_migrate_pages, v->number, sizeof(node0) * 8,
			      &node0, &node0));
	if (rep->value[0] == -ENOSYS)
		child_skip(rep, NEEDS_MIGRATION);
}

/* The tracee is asked to stop, waited for by its number, and let go. */
static void let_go(struct child_report *rep, const struct view *v)
{
	int status;

	CHILD_EQ(rep, v->number, waitpid(v->number, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status));
	CHILD_OK(rep, ptrace(PTRACE_DETACH, v->number, 0, 0));
}

static void seize(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, ptrace(PTRACE_SEIZE, v->number, 0, 0));
	skip_if_denied(rep, v);
	if (rep->value[0])
		return;
	CHILD_OK(rep, ptrace(PTRACE_INTERRUPT, v->number, 0, 0));
	let_go(rep, v);
}

static void attach(struct child_report *rep, void *arg)
{
	struct view *v = arg;

	view_see(rep, ptrace(PTRACE_ATTACH, v->number, 0, 0));
	skip_if_denied(rep, v);
	if (!rep->value[0])
		let_go(rep, v);
}

static void open_perf(struct child_report *rep, void *arg)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = PERF_ATTR_SIZE_VER0,
					.config = PERF_COUNT_SW_DUMMY,
					.exclude_kernel = 1,
					.exclude_hv = 1 };
	struct view *v = arg;
	int fd;

	fd = syscall(__NR_perf_event_open, &attr, v->number, -1, -1,
		     PERF_FLAG_FD_CLOEXEC);
	view_see(rep, fd);
	if (rep->value[0] == -ENOSYS || rep->value[0] == -EACCES ||
	    rep->value[0] == -EPERM)
		child_skip(rep, NEEDS_PERF_EVENTS);
	if (fd < 0)
		return;
	close(fd);
	rep->value[0] = 0;
}

static void get_cookie(struct child_report *rep, void *arg)
{
	unsigned long long cookie;
	struct view *v = arg;

	/* linux/prctl.h since v5.14: PR_SCHED_CORE, PR_SCHED_CORE_GET, thread */
	if (prctl(62, 0, 0, 0, &cookie) < 0)
		child_skip(rep, NEEDS_SCHED_CORE);
	view_see(rep, prctl(62, 0, v->number, 0, &cookie));
}

/* A pidfd needs no number. */
static void advise_page(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	struct iovec there = { (void *)(intptr_t)v->note[0], getpagesize() };

	view_see(rep, syscall(__NR_process_madvise, v->pidfd, &there, 1,
			      MADV_COLD, 0));
	if (rep->value[0] == -ENOSYS || rep->value[0] == -EINVAL)
		child_skip(rep, NEEDS_PROCESS_MADVISE);
	/* it takes CAP_SYS_NICE of the initial user namespace */
	if (rep->value[0] == -EPERM)
		child_skip(rep, NEEDS_REAL_ROOT);
	if (rep->value[0] > 0)
		rep->value[0] = rep->value[0] == getpagesize();
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, process_madvise_works_everywhere)
{ { NULL, NULL, make_page, advise_page, end_page, 1, 1, 0 } };
FIXTURE_VARIANT_ADD(view, process_vm_readv)
{ { NULL, NULL, make_page, read_page, end_page, 1, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, process_vm_writev)
{ { NULL, NULL, make_page_to_write, write_page, end_page, sizeof(long), -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, kcmp_with)
{ { view_pair, NULL, note_fd, compare_with, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, kcmp_of)
{ { view_pair, NULL, note_fd, compare_it, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, move_pages)
{ { NULL, NULL, NULL, move_no_pages, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, migrate_pages)
{ { NULL, NULL, NULL, migrate_nowhere, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ptrace_seize)
{ { NULL, NULL, NULL, seize, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, ptrace_attach)
{ { NULL, NULL, NULL, attach, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, perf_event_open)
{ { NULL, NULL, NULL, open_perf, NULL, 0, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, core_scheduling)
{ { NULL, NULL, NULL, get_cookie, NULL, 0, -ESRCH, 0 } };
/* clang-format on */

TEST_HARNESS_MAIN
