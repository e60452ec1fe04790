// SPDX-License-Identifier: GPL-2.0
/*
 * Becomes itself again as many times as its argument says, then ends.
 *
 *	chain_probe FD LETTERS	FD is of this program; one letter less each time
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	if (!argv[2][0])
		return 0;
	argv[2]++;
	syscall(SYS_execveat, atoi(argv[1]), "", argv, environ, AT_EMPTY_PATH);
	return 127;
}
