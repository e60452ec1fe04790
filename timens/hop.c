// SPDX-License-Identifier: GPL-2.0
/* Moving the caller between time namespaces; see hop.h. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "hop.h"
#include "lack.h"
#include "procfs.h"

static int result_of(long ret)
{
	return ret < 0 ? -errno : ret;
}

static int open_ns(struct child_report *rep, const char *path)
{
	int fd = result_of(open(path, O_RDONLY | O_CLOEXEC));

	CHILD_OK(rep, fd);
	return fd;
}

void timens_enter_pending(struct child_report *rep)
{
	int ns = open_ns(rep, "/proc/self/ns/time_for_children");

	timens_leave(rep, ns);
	close(ns);
}

int timens_enter(struct child_report *rep, const struct offsets *off)
{
	int old = open_ns(rep, "/proc/self/ns/time");
	struct offsets here;

	CHILD_EQ(rep, 0, offsets_from_here(off, &here));
	/* who may not return to it leaves for a twin of it first */
	if (setns(old, CLONE_NEWTIME) < 0) {
		CHILD_EQ(rep, EPERM, errno == ENOSYS ? EPERM : errno);
		child_need(rep, lack_of_setns());
		close(old);
		CHILD_EQ(rep, 0, timens_unshare(NULL));
		timens_enter_pending(rep);
		old = open_ns(rep, "/proc/self/ns/time");
	}
	CHILD_EQ(rep, 0, timens_unshare(&here));
	timens_enter_pending(rep);
	return old;
}

void timens_leave(struct child_report *rep, int ns)
{
	int ret = result_of(setns(ns, CLONE_NEWTIME));

	if (ret < 0)
		child_need(rep, lack_of_setns());
	CHILD_EQ(rep, 0, ret);
}
