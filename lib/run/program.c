// SPDX-License-Identifier: GPL-2.0
/* The way from a fork of the supervisor to the test program. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supervise.h"

static void close_from_3(void)
{
	int fd;

	/* close_range(2), since 5.9; the number is the same everywhere */
	if (!syscall(436, 3, ~0U, 0))
		return;
	for (fd = 3; fd < 1024; fd++)
		close(fd);
}

noreturn void become_program(char **argv, const char *dir, int output)
{
	pid_t self = getppid();
	sigset_t none;
	int sig;

	/* Not even a killed supervisor leaves the program alive. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != self)
		_exit(127);
	setsid();
	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(0);
	open("/dev/null", O_RDONLY);
	dup2(output, 1);
	dup2(output, 2);
	close_from_3();
	if (dir && chdir(dir))
		dprintf(2, "# cannot enter %s: %s\n", dir, strerror(errno));
	execv(argv[0], argv);
	dprintf(2, "# cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}
