/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the C library's headers may be too old to know: system call numbers,
 * flags and structures of the kernel's user interface.
 *
 * The only place where such a fallback may stand.  Values come from the
 * kernel's include/uapi and never change once released.  Sorted by header.
 */
#ifndef LIB_UAPI_H
#define LIB_UAPI_H

#include <errno.h>
#include <linux/types.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* include/uapi/asm-generic/unistd.h; the same on every architecture */
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_move_mount
#define __NR_move_mount 429
#endif
#ifndef __NR_fsopen
#define __NR_fsopen 430
#define __NR_fsconfig 431
#define __NR_fsmount 432
#define __NR_fspick 433
#endif
#ifndef __NR_pidfd_open
#define __NR_pidfd_open 434
#endif
#ifndef __NR_clone3
#define __NR_clone3 435
#endif
#ifndef __NR_close_range
#define __NR_close_range 436
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif
#ifndef __NR_process_madvise
#define __NR_process_madvise 440
#endif
#ifndef __NR_epoll_pwait2
#define __NR_epoll_pwait2 441
#endif
#ifndef __NR_futex_waitv
#define __NR_futex_waitv 449
#endif
#ifndef __NR_futex_wait
#define __NR_futex_wait 455
#endif
#ifndef __NR_listns
#define __NR_listns 470
#endif

/* linux/sched.h */
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif

/* struct clone_args of linux/sched.h, in full (88 bytes, v5.7) */
struct uapi_clone_args {
	__aligned_u64 flags;
	__aligned_u64 pidfd;
	__aligned_u64 child_tid;
	__aligned_u64 parent_tid;
	__aligned_u64 exit_signal;
	__aligned_u64 stack;
	__aligned_u64 stack_size;
	__aligned_u64 tls;
	__aligned_u64 set_tid;
	__aligned_u64 set_tid_size;
	__aligned_u64 cgroup;
};

/* linux/mount.h, which does not go with sys/mount.h of some C libraries */
#ifndef FSOPEN_CLOEXEC
#define FSOPEN_CLOEXEC 0x00000001
#endif
#ifndef FSPICK_CLOEXEC
#define FSPICK_CLOEXEC 0x00000001
#define FSPICK_EMPTY_PATH 0x00000008
#endif
#ifndef FSMOUNT_CLOEXEC
#define FSMOUNT_CLOEXEC 0x00000001
#endif
#define UAPI_FSCONFIG_SET_FLAG 0
#define UAPI_FSCONFIG_SET_STRING 1
#define UAPI_FSCONFIG_SET_FD 5
#define UAPI_FSCONFIG_CMD_CREATE 6
#define UAPI_MOVE_MOUNT_F_EMPTY_PATH 0x00000004

/* linux/nsfs.h */
#ifndef NSIO
#define NSIO 0xb7
#endif
#ifndef NS_GET_USERNS
#define NS_GET_USERNS _IO(NSIO, 0x1)
#endif
#ifndef NS_GET_PARENT
#define NS_GET_PARENT _IO(NSIO, 0x2)
#endif
#ifndef NS_GET_NSTYPE
#define NS_GET_NSTYPE _IO(NSIO, 0x3)
#endif
#ifndef NS_GET_OWNER_UID
#define NS_GET_OWNER_UID _IO(NSIO, 0x4)
#endif
#ifndef NS_GET_PID_FROM_PIDNS
#define NS_GET_PID_FROM_PIDNS _IOR(NSIO, 0x6, int)
#define NS_GET_TGID_FROM_PIDNS _IOR(NSIO, 0x7, int)
#define NS_GET_PID_IN_PIDNS _IOR(NSIO, 0x8, int)
#define NS_GET_TGID_IN_PIDNS _IOR(NSIO, 0x9, int)
#endif
#ifndef NS_GET_ID
#define NS_GET_ID _IOR(NSIO, 0xd, __u64)
#endif
#define UAPI_LISTNS_CURRENT_USER (~(__u64)0)

/* struct ns_id_req of linux/nsfs.h, first published size (32 bytes) */
struct uapi_ns_id_req {
	__u32 size;
	__u32 spare;
	__u64 ns_id;
	__u32 ns_type;
	__u32 spare2;
	__u64 user_ns_id;
};

/* linux/pidfd.h */
#ifndef PIDFD_NONBLOCK
#define PIDFD_NONBLOCK 04000
#endif
#ifndef PIDFD_THREAD
#define PIDFD_THREAD 0200
#endif
#ifndef PIDFD_SIGNAL_THREAD
#define PIDFD_SIGNAL_THREAD (1UL << 0)
#define PIDFD_SIGNAL_THREAD_GROUP (1UL << 1)
#define PIDFD_SIGNAL_PROCESS_GROUP (1UL << 2)
#endif
#ifndef PIDFS_IOCTL_MAGIC
#define PIDFS_IOCTL_MAGIC 0xFF
#endif
#ifndef PIDFD_GET_PID_NAMESPACE
#define PIDFD_GET_PID_NAMESPACE _IO(PIDFS_IOCTL_MAGIC, 5)
#define PIDFD_GET_PID_FOR_CHILDREN_NAMESPACE _IO(PIDFS_IOCTL_MAGIC, 6)
#define PIDFD_GET_TIME_NAMESPACE _IO(PIDFS_IOCTL_MAGIC, 7)
#define PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE _IO(PIDFS_IOCTL_MAGIC, 8)
#define PIDFD_GET_USER_NAMESPACE _IO(PIDFS_IOCTL_MAGIC, 9)
#endif
#ifndef PIDFD_GET_INFO
#define PIDFD_INFO_PID (1UL << 0)
#define PIDFD_INFO_CREDS (1UL << 1)
#define PIDFD_INFO_CGROUPID (1UL << 2)
#define PIDFD_INFO_EXIT (1UL << 3)
#define PIDFD_GET_INFO _IOWR(PIDFS_IOCTL_MAGIC, 11, struct uapi_pidfd_info)
#endif

/* struct pidfd_info of linux/pidfd.h, first published size (64 bytes) */
struct uapi_pidfd_info {
	__u64 mask;
	__u64 cgroupid;
	__u32 pid;
	__u32 tgid;
	__u32 ppid;
	__u32 ruid;
	__u32 rgid;
	__u32 euid;
	__u32 egid;
	__u32 suid;
	__u32 sgid;
	__u32 fsuid;
	__u32 fsgid;
	__s32 exit_code;
};

/* asm-generic/socket.h, asm/socket.h */
#ifndef SO_PASSPIDFD
#if defined(__sparc__)
#define SO_PASSPIDFD 0x0055
#define SO_PEERPIDFD 0x0056
#elif defined(__hppa__)
#define SO_PASSPIDFD 0x404A
#define SO_PEERPIDFD 0x404B
#else
#define SO_PASSPIDFD 76
#define SO_PEERPIDFD 77
#endif
#endif
#ifndef SCM_PIDFD
#define SCM_PIDFD 0x04
#endif

/* linux/time.h, linux/wait.h, linux/capability.h */
#ifndef CLOCK_TAI
#define CLOCK_TAI 11
#endif
/* an enumerator in the C libraries that know it, so it cannot be tested for */
#define UAPI_P_PIDFD 3
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

/*
 * sys_clone3 - clone3(2) without a wrapper.
 * @args: arguments; @size: their size in bytes
 * Returns what fork(2) returns, or -1 with errno.  Only for calls that give
 * the child a copy of the caller's stack (no CLONE_VM).
 *
 * A seccomp filter that answers EPERM to every clone3(2) is told from a kernel
 * that refuses this one, and reported as ENOSYS: the call is not there.  A
 * filter answers before the kernel looks at the arguments; the kernel itself
 * refuses a structure of size 0 with EINVAL.
 */
static inline pid_t sys_clone3(struct uapi_clone_args *args, size_t size)
{
	pid_t pid = syscall(__NR_clone3, args, size);

	if (pid >= 0 || errno != EPERM)
		return pid;
	if (syscall(__NR_clone3, NULL, 0) < 0 && errno == EINVAL)
		errno = EPERM;
	else
		errno = ENOSYS;
	return -1;
}

/* sys_pidfd_open - pidfd_open(2); returns an fd, or -1 with errno. */
static inline int sys_pidfd_open(pid_t pid, unsigned int flags)
{
	return syscall(__NR_pidfd_open, pid, flags);
}

/* sys_pidfd_send_signal - pidfd_send_signal(2); 0, or -1 with errno. */
static inline int sys_pidfd_send_signal(int pidfd, int sig, void *info,
					unsigned int flags)
{
	return syscall(__NR_pidfd_send_signal, pidfd, sig, info, flags);
}

/* sys_pidfd_getfd - pidfd_getfd(2); returns an fd, or -1 with errno. */
static inline int sys_pidfd_getfd(int pidfd, int fd, unsigned int flags)
{
	return syscall(__NR_pidfd_getfd, pidfd, fd, flags);
}

#endif /* LIB_UAPI_H */
