// SPDX-License-Identifier: GPL-2.0
/* All that was measured, for whoever wants to look at it in another way. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf_impl.h"

static int open_file(const char *directory, const char *name, int flags,
		     const char *head)
{
	char path[PATH_MAX];
	struct stat st;
	int fd, ret = 0;

	if (snprintf(path, sizeof(path), "%s/%s.tsv", directory, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
	if (fd < 0 || fstat(fd, &st))
		ret = -errno;
	else if (!st.st_size && write(fd, head, strlen(head)) < 0)
		ret = -errno;
	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

int perf_raw_open(struct perf_raw *raw, const char *directory, const char *name)
{
	static const char head[] =
		"name\tlaunch\tnull\tpairs\tratio\toutside_ns\tinside_ns\treference_ns\n";

	*raw = (struct perf_raw){ .name = name, .pairs = -1, .launches = -1 };
	if (!directory)
		return 0;
	raw->pairs = open_file(directory, name, O_TRUNC,
			       "launch\tnull\tpair\toutside_ns\tinside_ns\n");
	if (raw->pairs < 0)
		return raw->pairs;
	raw->launches = open_file(directory, "launches", O_APPEND, head);
	return raw->launches < 0 ? raw->launches : 0;
}

int perf_raw_write(const struct perf_raw *raw, int launch, int null,
		   const struct perf_launch *l)
{
	int i;

	if (raw->pairs < 0)
		return 0;
	for (i = 0; i < l->pairs; i++) {
		if (dprintf(raw->pairs, "%d\t%d\t%d\t%.3f\t%.3f\n", launch,
			    null, i, l->ns[OUTSIDE][i], l->ns[INSIDE][i]) < 0)
			return -EIO;
	}
	if (dprintf(raw->launches, "%s\t%d\t%d\t%d\t%.5f\t%.7g\t%.7g\t%.7g\n",
		    raw->name, launch, null, l->pairs, l->median,
		    l->typical[OUTSIDE], l->typical[INSIDE], l->reference) < 0)
		return -EIO;
	return 0;
}
