// SPDX-License-Identifier: GPL-2.0
/*
 * Interfaces that still hand out, or take, numbers of another pid namespace.
 *
 * Promises: none; see gaps.h.
 * Needs:    root, or user namespaces, to make the pid namespaces.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/netlink.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "gaps.h"
#include "procfs.h"
#include "views_tools.h"

static void stay(struct child_report *rep, void *arg)
{
	while (1)
		pause();
}

/* A new namespace with a process that lives on, for a probe that may stop. */
static void start_inside(struct child_report *rep, struct child *c, child_fn fn,
			 void *arg)
{
	CHILD_EQ(rep, 0, child_start(c, CLONE_NEWPID, fn, arg));
}

static void signal_oneself(struct child_report *rep, void *arg)
{
	CHILD_OK(rep, ptrace(PTRACE_TRACEME, 0, 0, 0));
	kill(getpid(), SIGUSR1);
	stay(rep, arg);
}

static void probe_siginfo(struct child_report *rep, void *arg)
{
	struct child tracee;
	siginfo_t info;
	int status;

	start_inside(rep, &tracee, signal_oneself, NULL);
	CHILD_EQ(rep, tracee.pid, waitpid(tracee.pid, &status, __WALL));
	CHILD_EQ(rep, 1, WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1);
	CHILD_OK(rep, ptrace(PTRACE_GETSIGINFO, tracee.pid, 0, &info));
	rep->value[0] = info.si_pid == tracee.pid;
	CHILD_EQ(rep, 0, child_kill(&tracee));
}

/* struct held - a futex that a process in the other namespace holds */
struct held {
	unsigned int *word;
	struct gate up;
	pid_t number;
};

static void hold_futex(struct child_report *rep, void *arg)
{
	struct held *h = arg;

	CHILD_OK(rep, syscall(__NR_futex, h->word, FUTEX_LOCK_PI, 0, NULL));
	CHILD_EQ(rep, 0, gate_open(&h->up));
	stay(rep, arg);
}

/* The holder has the number inside that the waiter has outside. */
static void have_holder(struct child_report *rep, void *arg)
{
	struct held *h = arg;
	struct child c;

	CHILD_EQ(rep, 0, child_start_tid(&c, 0, &h->number, 1, hold_futex, h));
	stay(rep, arg);
}

static void probe_pi_futex(struct child_report *rep, void *arg)
{
	struct held h = { .number = getpid() };
	struct timespec soon;
	struct child c;
	long long ret;

	if (sys_clone3(NULL, 0) < 0 && errno == ENOSYS)
		child_skip(rep, NEEDS_CLONE3);
	h.word = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHILD_EQ(rep, 0, h.word == MAP_FAILED);
	CHILD_EQ(rep, 0, gate_init(&h.up));
	start_inside(rep, &c, have_holder, &h);
	CHILD_EQ(rep, 0, gate_wait_child(&h.up, &c));
	CHILD_OK(rep, clock_gettime(CLOCK_REALTIME, &soon));
	ret = view_result(syscall(__NR_futex, h.word, FUTEX_LOCK_PI, 0, &soon));
	/* EDEADLK: it believes that the caller itself holds it */
	rep->value[0] = ret == -ETIMEDOUT;
	if (ret != -ETIMEDOUT)
		CHILD_EQ(rep, -EDEADLK, ret);
	CHILD_EQ(rep, 0, child_kill(&c));
}

static void lock_and_end(struct child_report *rep, void *arg)
{
	int *fd = arg;

	CHILD_OK(rep, flock(*fd, LOCK_EX | LOCK_NB));
}

/* The lock stays: the file is open here too. */
static void list_locks(struct child_report *rep, void *arg)
{
	int proc, fd = memfd_create("gaps", MFD_CLOEXEC);
	char buf[1 << 16], inode[32];
	struct child_report inner;
	struct stat st;

	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, child_run(&inner, 0, lock_and_end, &fd));
	CHILD_HELD(rep, &inner);
	CHILD_OK(rep, fstat(fd, &st));
	snprintf(inode, sizeof(inode), ":%lu ", (unsigned long)st.st_ino);
	proc = proc_open_new();
	if (proc == -EPERM)
		child_skip(rep, NEEDS_FRESH_PROC);
	CHILD_OK(rep, proc);
	CHILD_OK(rep, view_read(proc, "locks", buf, sizeof(buf)));
	rep->value[0] = !!strstr(buf, inode);
}

static void probe_locks(struct child_report *rep, void *arg)
{
	struct child_report inner;

	CHILD_OK(rep, unshare(CLONE_NEWNS));
	CHILD_EQ(rep, 0, child_run(&inner, CLONE_NEWPID, list_locks, NULL));
	CHILD_HELD(rep, &inner);
	rep->value[0] = inner.value[0];
}

/* struct bound - a socket that a process in the other namespace binds */
struct bound {
	int sock;
	struct gate up;
};

static void bind_socket(struct child_report *rep, void *arg)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	struct bound *b = arg;

	CHILD_OK(rep, bind(b->sock, (struct sockaddr *)&any, sizeof(any)));
	CHILD_EQ(rep, 0, gate_open(&b->up));
	stay(rep, arg);
}

static void probe_netlink(struct child_report *rep, void *arg)
{
	struct sockaddr_nl name;
	socklen_t len = sizeof(name);
	struct bound b;
	struct child c;

	/* else somebody else may have taken the number */
	if (unshare(CLONE_NEWNET) < 0)
		child_skip(rep, NEEDS_NET_NS);
	b.sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	CHILD_OK(rep, b.sock);
	CHILD_EQ(rep, 0, gate_init(&b.up));
	start_inside(rep, &c, bind_socket, &b);
	CHILD_EQ(rep, 0, gate_wait_child(&b.up, &c));
	CHILD_OK(rep, getsockname(b.sock, (struct sockaddr *)&name, &len));
	rep->value[0] = name.nl_pid == (unsigned int)c.pid;
	CHILD_EQ(rep, 0, child_kill(&c));
}

/* struct fault - a page that a process in the other namespace touches */
struct fault {
	int sock[2];
	struct gate up;
};

static void touch_page(struct child_report *rep, void *arg)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = UFFD_FEATURE_THREAD_ID };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct fault *f = arg;
	char *page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* linux/userfaultfd.h since v5.11: UFFD_USER_MODE_ONLY */
	int fd = syscall(__NR_userfaultfd, O_CLOEXEC | O_NONBLOCK | 1);

	if (fd < 0)
		child_skip(rep, NEEDS_USERFAULTFD);
	CHILD_OK(rep, ioctl(fd, UFFDIO_API, &api));
	range.range.start = (uintptr_t)page;
	range.range.len = getpagesize();
	CHILD_OK(rep, ioctl(fd, UFFDIO_REGISTER, &range));
	CHILD_EQ(rep, 0, view_hand_over(f->sock[0], fd));
	CHILD_EQ(rep, 0, gate_open(&f->up));
	*page = 1;
}

static void probe_userfaultfd(struct child_report *rep, void *arg)
{
	struct uffd_msg msg = { 0 };
	struct child_report inner;
	struct fault f;
	struct child c;
	int fd;

	CHILD_OK(rep, socketpair(AF_UNIX, SOCK_DGRAM, 0, f.sock));
	CHILD_EQ(rep, 0, gate_init(&f.up));
	start_inside(rep, &c, touch_page, &f);
	if (gate_wait_child(&f.up, &c)) {
		CHILD_EQ(rep, 0, child_wait(&c, &inner));
		CHILD_HELD(rep, &inner);
	}
	fd = view_take_over(f.sock[1]);
	CHILD_OK(rep, fd);
	CHILD_EQ(rep, 0, view_wait_byte(fd));
	CHILD_EQ(rep, sizeof(msg), read(fd, &msg, sizeof(msg)));
	rep->value[0] = msg.arg.pagefault.feat.ptid == (unsigned int)c.pid;
	CHILD_EQ(rep, 0, child_kill(&c));
}

static const struct gap gaps[] = {
	{ "tracer_reads_number_of_sender_here", probe_siginfo,
	  "PTRACE_GETSIGINFO gives si_pid as the tracee sees it" },
	{ "pi_futex_finds_holder_in_other_namespace", probe_pi_futex,
	  "FUTEX_LOCK_PI looks for the holder's number in the caller's namespace" },
	{ "lock_of_a_dead_process_is_listed_inside", probe_locks,
	  "/proc/locks of a new pid namespace hides locks of dead processes" },
	{ "netlink_socket_shows_number_of_binder_here", probe_netlink,
	  "the address of a netlink socket is its binder's number for itself" },
	{ "page_fault_shows_number_of_thread_here", probe_userfaultfd,
	  "userfaultfd gives the number that the faulting thread has for itself" },
};

int main(void)
{
	gaps_main(gaps, sizeof(gaps) / sizeof(*gaps));
}
