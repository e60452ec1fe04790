// SPDX-License-Identifier: GPL-2.0
/*
 * trace_probe PID - trace a process, stop it, and let it go again
 *
 * The exit code is 0 or the errno of the first call that failed; 255 when the
 * process could not be waited for.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
	pid_t pid = argc == 2 ? atoi(argv[1]) : 0;

	if (ptrace(PTRACE_SEIZE, pid, 0, 0) < 0)
		return errno;
	if (ptrace(PTRACE_INTERRUPT, pid, 0, 0) < 0)
		return errno;
	if (waitpid(pid, NULL, __WALL) != pid)
		return 255;
	if (ptrace(PTRACE_DETACH, pid, 0, 0) < 0)
		return errno;
	return 0;
}
