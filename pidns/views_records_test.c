// SPDX-License-Identifier: GPL-2.0
/*
 * Views of a process through records that the kernel makes of what it does.
 *
 * Promises: perf_event_open(2), PERF_RECORD_FORK, PERF_RECORD_COMM,
 *           PERF_SAMPLE_TID: numbers of the namespace of who opened the event
 *           (kernel/events/core.c:perf_event_pid_type);
 *           userfaultfd(2), ptid; netlink(7), the address of a socket
 *           (mm/userfaultfd.c:userfault_msg,
 *           net/netlink/af_netlink.c:netlink_autobind).
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "inside.h"
#include "lack.h"
#include "views.h"

/* Note 1 is the event, note 2 its buffer. */
static void watch(struct child_report *rep, const struct view *v,
		  struct perf_event_attr *attr)
{
	void *buffer;
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->size = PERF_ATTR_SIZE_VER0;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	fd = syscall(__NR_perf_event_open, attr, v->number, -1, -1,
		     PERF_FLAG_FD_CLOEXEC);
	view_note(rep, 1, fd);
	if (fd < 0 && errno == ESRCH)
		return;
	if (fd < 0 && (errno == ENOSYS || errno == EACCES || errno == EPERM))
		child_skip(rep, NEEDS_PERF_EVENTS);
	CHILD_OK(rep, fd);
	buffer = mmap(NULL, 2 * getpagesize(), PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	/* there is little memory for buffers without privilege */
	if (buffer == MAP_FAILED && errno == EPERM)
		child_skip(rep, NEEDS_PERF_EVENTS);
	CHILD_EQ(rep, 0, buffer == MAP_FAILED);
	rep->value[3] = (intptr_t)buffer;
}

static void watch_forks(struct child_report *rep, void *arg)
{
	struct perf_event_attr attr = { .task = 1 };

	view_creds(rep, arg);
	watch(rep, arg, &attr);
}

static void watch_names(struct child_report *rep, void *arg)
{
	struct perf_event_attr attr = { .comm = 1,
					.sample_id_all = 1,
					.sample_type = PERF_SAMPLE_TID };

	watch(rep, arg, &attr);
}

static void change_name(struct child_report *rep, void *arg)
{
	char name[16];

	view_keep(rep, arg);
	CHILD_OK(rep, prctl(PR_GET_NAME, name));
	CHILD_OK(rep, prctl(PR_SET_NAME, name));
}

static void fork_and_keep(struct child_report *rep, void *arg)
{
	view_keep(rep, arg);
	view_child(rep, arg, NULL, NULL);
}

/* struct forked - PERF_RECORD_FORK of linux/perf_event.h */
struct forked {
	struct perf_event_header header;
	__u32 pid;
	__u32 ppid;
	__u32 tid;
	__u32 ptid;
};

static void look_record(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char *buffer = (char *)(intptr_t)v->note[2];
	struct perf_event_mmap_page *page = (void *)buffer;
	struct forked *record = (void *)(buffer + getpagesize());
	pid_t pid = view_child_number(rep, v);

	rep->value[0] = v->note[1];
	if (v->note[1] < 0)
		return;
	CHILD_LE(rep, sizeof(*record),
		 __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE));
	CHILD_EQ(rep, PERF_RECORD_FORK, record->header.type);
	CHILD_EQ(rep, pid, record->pid);
	CHILD_EQ(rep, pid, record->tid);
	CHILD_EQ(rep, record->ppid, record->ptid);
	rep->value[0] = record->ppid;
	munmap(buffer, 2 * getpagesize());
	close(v->note[1]);
}

/* PERF_RECORD_COMM; behind the name, what samples say about their task */
struct named {
	struct perf_event_header header;
	__u32 pid;
	__u32 tid;
};

struct sample_id {
	__u32 pid;
	__u32 tid;
};

static void look_name(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	char *buffer = (char *)(intptr_t)v->note[2];
	struct named *record = (void *)(buffer + getpagesize());
	struct perf_event_mmap_page *page = (void *)buffer;
	struct sample_id *id;

	rep->value[0] = v->note[1];
	if (v->note[1] < 0)
		return;
	CHILD_LE(rep, sizeof(*record) + sizeof(*id),
		 __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE));
	CHILD_EQ(rep, PERF_RECORD_COMM, record->header.type);
	id = (void *)((char *)record + record->header.size - sizeof(*id));
	CHILD_EQ(rep, record->pid, record->tid);
	CHILD_EQ(rep, record->pid, id->pid);
	CHILD_EQ(rep, record->pid, id->tid);
	rep->value[0] = record->pid;
	munmap(buffer, 2 * getpagesize());
	close(v->note[1]);
}

/* clang-format off */
FIXTURE_VARIANT_ADD(view, perf_comm_and_sample)
{ { NULL, watch_names, change_name, look_name, NULL, VIEW_PID, -ESRCH, 0 } };
FIXTURE_VARIANT_ADD(view, perf_fork)
{ { view_pair, watch_forks, fork_and_keep, look_record, view_end_child, VIEW_PID, -ESRCH, 0 } };
/* clang-format on */

FIXTURE(record)
{
	const char *missing;
};

FIXTURE_SETUP(record)
{
	ASSERT_EQ(0, ns_prepare(CLONE_NEWPID, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
}

FIXTURE_TEARDOWN(record)
{
}

/* struct toucher - a thread that makes a page fault */
struct toucher {
	char *page;
	pid_t tid;
};

static void *touch(void *arg)
{
	struct toucher *t = arg;

	t->tid = syscall(__NR_gettid);
	*t->page = 1;
	return NULL;
}

static void handle_fault(struct child_report *rep, void *arg)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = UFFD_FEATURE_THREAD_ID };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_zeropage zero = { 0 };
	struct uffd_msg msg = { 0 };
	struct toucher t;
	pthread_t thread;
	/* linux/userfaultfd.h since v5.11: UFFD_USER_MODE_ONLY */
	int fd = syscall(__NR_userfaultfd, O_CLOEXEC | O_NONBLOCK | 1);

	if (fd < 0)
		fd = syscall(__NR_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		child_skip(rep, NEEDS_USERFAULTFD);
	CHILD_OK(rep, ioctl(fd, UFFDIO_API, &api));
	t.page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)t.page;
	range.range.len = getpagesize();
	CHILD_OK(rep, ioctl(fd, UFFDIO_REGISTER, &range));
	child_need(rep, lack_of_threads());
	CHILD_EQ(rep, 0, pthread_create(&thread, NULL, touch, &t));
	CHILD_EQ(rep, 0, view_wait_byte(fd));
	CHILD_EQ(rep, sizeof(msg), read(fd, &msg, sizeof(msg)));
	zero.range = range.range;
	CHILD_OK(rep, ioctl(fd, UFFDIO_ZEROPAGE, &zero));
	CHILD_EQ(rep, 0, pthread_join(thread, NULL));
	CHILD_EQ(rep, t.tid, msg.arg.pagefault.feat.ptid);
}

TEST_F(record, page_fault_names_thread_by_its_number)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, handle_fault, NULL);
}

/* A socket that is not bound gets the number of the process, if it is free. */
static void bind_socket(struct child_report *rep, void *arg)
{
	struct sockaddr_nl name = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(name);
	int fd;

	/* else somebody else may have it */
	if (unshare(CLONE_NEWNET) < 0)
		child_skip(rep, NEEDS_NET_NS);
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	CHILD_OK(rep, fd);
	CHILD_OK(rep, bind(fd, (struct sockaddr *)&name, sizeof(name)));
	CHILD_OK(rep, getsockname(fd, (struct sockaddr *)&name, &len));
	CHILD_EQ(rep, getpid(), name.nl_pid);
}

TEST_F(record, netlink_socket_is_named_by_number_here)
{
	if (self->missing)
		SKIP(return, "%s", self->missing);
	expect_inside(_metadata, bind_socket, NULL);
}

TEST_HARNESS_MAIN
