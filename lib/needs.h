/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fixed list of reasons to skip.
 *
 * A skip names the one thing that is missing, in these words and no others:
 * some CI systems append the reason to the name of the test, and people group
 * skips by it.  "lint" refuses a SKIP() whose reason is not from this list.
 */
#ifndef LIB_NEEDS_H
#define LIB_NEEDS_H

/* rights of the caller */
#define NEEDS_ROOT "needs root"
#define NEEDS_USERNS "needs root or unprivileged user namespaces"
#define NEEDS_NSROOT_CAPS "needs capabilities root lacks here"
#define NEEDS_NS_UNFILTERED "needs a seccomp filter that allows namespaces"
#define NEEDS_USER_SYSCTL "needs the right to write /proc/sys/user"
#define NEEDS_LOWER_NICE "needs root or a lower nice value"
#define NEEDS_REAL_ROOT "needs root in the initial user namespace"

/* options of the kernel */
#define NEEDS_PID_NS "needs CONFIG_PID_NS"
#define NEEDS_TIME_NS "needs CONFIG_TIME_NS"
#define NEEDS_USER_NS "needs CONFIG_USER_NS"
#define NEEDS_NET_NS "needs CONFIG_NET_NS"
#define NEEDS_UTS_NS "needs CONFIG_UTS_NS"
#define NEEDS_CGROUPS "needs CONFIG_CGROUPS"
#define NEEDS_CHECKPOINT_RESTORE "needs CONFIG_CHECKPOINT_RESTORE"
#define NEEDS_UNIX "needs CONFIG_UNIX"
#define NEEDS_SYSVIPC "needs CONFIG_SYSVIPC"
#define NEEDS_POSIX_MQUEUE "needs CONFIG_POSIX_MQUEUE"
#define NEEDS_POSIX_TIMERS "needs CONFIG_POSIX_TIMERS"
#define NEEDS_PROC_CHILDREN "needs CONFIG_PROC_CHILDREN"
#define NEEDS_SECCOMP "needs CONFIG_SECCOMP_FILTER"
#define NEEDS_SCHED_DEBUG "needs CONFIG_SCHED_DEBUG"
#define NEEDS_IO_URING "needs io_uring"
#define NEEDS_FANOTIFY "needs CONFIG_FANOTIFY"
#define NEEDS_PERF_EVENTS "needs perf events"
#define NEEDS_CONNECTOR "needs CONFIG_PROC_EVENTS"
#define NEEDS_TASKSTATS "needs CONFIG_TASKSTATS"
#define NEEDS_ACCT "needs CONFIG_BSD_PROCESS_ACCT"
#define NEEDS_ACCT_V3 "needs CONFIG_BSD_PROCESS_ACCT_V3"
#define NEEDS_USERFAULTFD "needs CONFIG_USERFAULTFD"
#define NEEDS_AUTOFS "needs CONFIG_AUTOFS_FS"
#define NEEDS_FUSE "needs CONFIG_FUSE_FS"
#define NEEDS_BLOCK "needs CONFIG_BLOCK"
#define NEEDS_BPF "needs CONFIG_BPF_SYSCALL"
#define NEEDS_YAMA "needs CONFIG_SECURITY_YAMA"
#define NEEDS_SCHED_CORE "needs CONFIG_SCHED_CORE and SMT"
#define NEEDS_KCMP "needs CONFIG_KCMP"
#define NEEDS_MIGRATION "needs CONFIG_MIGRATION"
#define NEEDS_CROSS_MEMORY "needs CONFIG_CROSS_MEMORY_ATTACH"
#define NEEDS_PTRACE "needs ptrace rights"
#define NEEDS_CGROUP_PIDS "needs the pids cgroup controller"
#define NEEDS_CGROUP2 "needs a cgroup2 mount"
#define NEEDS_AUX_CLOCK "needs an auxiliary clock"
#define NEEDS_DEBUGFS "needs debugfs"

/* interfaces that came with a later release */
#define NEEDS_CLONE3 "needs clone3"
#define NEEDS_CLONE3_STACK "needs a known way to give clone3 a stack"
#define NEEDS_CGROUP_KILL "needs cgroup.kill"
#define NEEDS_SET_TID "needs clone3 set_tid"
#define NEEDS_PEERPIDFD "needs SO_PEERPIDFD"
#define NEEDS_PASSPIDFD "needs SO_PASSPIDFD"
#define NEEDS_PIDFD_INFO "needs PIDFD_GET_INFO"
#define NEEDS_PIDFD_NS "needs the PIDFD_GET_*_NAMESPACE ioctls"
#define NEEDS_PIDFS_HANDLE "needs file handles of pidfds"
#define NEEDS_NS_PID_IOCTL "needs the NS_GET_PID_IN_PIDNS ioctls"
#define NEEDS_NS_ID "needs the NS_GET_ID ioctl"
#define NEEDS_NS_PID_MAX "needs pid_max per pid namespace"
#define NEEDS_PROC_PIDNS "needs the pidns mount option of procfs"
#define NEEDS_TIMENS_EXEC "needs exec into the pending time namespace"
#define NEEDS_TIMENS_VFORK "needs vfork with a pending time namespace"
#define NEEDS_PIDFD_PGRP "needs PIDFD_SIGNAL_PROCESS_GROUP"
#define NEEDS_MEMFD_NOEXEC "needs vm.memfd_noexec at 0"
#define NEEDS_FANOTIFY_PIDFD "needs FAN_REPORT_PIDFD"
#define NEEDS_FUTEX_WAITV "needs futex_waitv"
#define NEEDS_FUTEX2 "needs the futex_wait system call"
#define NEEDS_LOCK_PI2 "needs FUTEX_LOCK_PI2"
#define NEEDS_EPOLL_PWAIT2 "needs epoll_pwait2"
#define NEEDS_IO_URING_CLOCKS "needs io_uring timeouts on other clocks"
#define NEEDS_IO_URING_LINK_UPDATE "needs updates of linked io_uring timeouts"
#define NEEDS_IO_URING_ABS_TIMER "needs IORING_ENTER_ABS_TIMER"

/* things of this machine */
#define NEEDS_PROC "needs /proc"
#define NEEDS_WRITABLE_PROC "needs a writable /proc"
#define NEEDS_FRESH_PROC "needs the right to mount a new /proc"
#define NEEDS_SELF_PROC "needs a /proc of this pid namespace"
#define NEEDS_PROC_SYS "needs a writable /proc/sys"
#define NEEDS_VDSO "needs vDSO"
#define NEEDS_PTY "needs pseudoterminals"
#define NEEDS_VDSO_MOVABLE "needs a vDSO that may be moved"
#define NEEDS_RTC "needs an RTC for alarm clocks"
#define NEEDS_32BIT "needs a 32-bit C library"
#define NEEDS_STATIC_LIBC "needs a static C library"
#define NEEDS_DYNAMIC_LIBC "needs a dynamically linked program"
#define NEEDS_NS_DEPTH "needs room for deeper pid namespaces"
#define NEEDS_INITIAL_PIDNS "needs the initial pid namespace"
#define NEEDS_FIRST_PID_NS "needs to run in the initial pid namespace"
#define NEEDS_VM "needs a machine that may be disturbed"
#define NEEDS_TWO_CPUS "needs two CPUs"
#define NEEDS_PROCESSES "needs room for more processes"
#define NEEDS_UPTIME "needs a longer uptime"
#define NEEDS_XFAIL "needs a harness that knows XFAIL"
#define NEEDS_TIMER_LIST "needs /proc/timer_list"

/* costs */
#define SLOW_MACHINE "slow machine"
#define INCONCLUSIVE "inconclusive measurement"

#endif /* LIB_NEEDS_H */
