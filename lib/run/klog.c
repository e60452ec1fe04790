// SPDX-License-Identifier: GPL-2.0
/*
 * Does the kernel complain? The kernel log from a moment on, see
 * Documentation/ABI/testing/dev-kmsg, and its taint, see
 * Documentation/admin-guide/tainted-kernels.rst.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "supervise.h"

int klog_open(void)
{
	struct stat st;
	int fd;

	fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* Containers may have something else under this name. */
	if (fstat(fd, &st) || st.st_rdev != makedev(1, 11) ||
	    lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -ENODEV;
	}
	return fd;
}

/* "prio,seq,usec,flags;text\n", then lines of details that begin with ' ' */
static void copy_message(char *message, FILE *to)
{
	unsigned long long usec = 0;
	char *text;

	text = strchr(message, ';');
	if (!text)
		return;
	if (sscanf(message, "%*u,%*u,%llu", &usec) != 1)
		return;
	text++;
	text[strcspn(text, "\n")] = '\0';
	fprintf(to, "[%5llu.%06llu] %s\n", usec / 1000000, usec % 1000000,
		text);
}

void klog_copy(int fd, FILE *to)
{
	char message[8192 + 1]; /* a record never is longer than 8 KiB */
	ssize_t n;

	for (;;) {
		n = read(fd, message, sizeof(message) - 1);
		if (n > 0) {
			message[n] = '\0';
			copy_message(message, to);
		} else if (n < 0 && errno == EPIPE) {
			fputs("(some messages were lost)\n", to);
		} else if (n == 0 || errno != EINTR) {
			break;
		}
	}
	fflush(to);
}

/* In one read: further ones find nothing, which is why a shell cannot do it. */
unsigned long kernel_taint(void)
{
	unsigned long taint = 0;
	char text[32] = "";
	int fd;

	fd = open("/proc/sys/kernel/tainted", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) > 0)
		taint = strtoul(text, NULL, 10);
	close(fd);
	return taint;
}
