// SPDX-License-Identifier: GPL-2.0
/* What makers of containers do; see container.h. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "container.h"
#include "procfs.h"

#define FILTER_STEPS 4

int container_map(uid_t uid, gid_t gid)
{
	char text[64];
	int ret;

	ret = proc_write("/proc/self/setgroups", "deny");
	if (ret < 0)
		return ret;
	snprintf(text, sizeof(text), "0 %u 1", uid);
	ret = proc_write("/proc/self/uid_map", text);
	if (ret < 0)
		return ret;
	snprintf(text, sizeof(text), "0 %u 1", gid);
	return proc_write("/proc/self/gid_map", text);
}

int container_allowed(__u64 flags)
{
	struct uapi_clone_args args = {
		.flags = flags,
		.exit_signal = SIGCHLD,
	};
	pid_t pid = sys_clone3(&args, sizeof(args));

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return waitpid(pid, NULL, 0) == pid ? 0 : -errno;
}

int container_cover(const char *path)
{
	return mount("cover", path, "tmpfs", MS_RDONLY, NULL) < 0 ? -errno : 0;
}

int container_no_clone3(void)
{
	struct sock_filter code[FILTER_STEPS] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = FILTER_STEPS,
		.filter = code,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return -errno;
	return 0;
}
