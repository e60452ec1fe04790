/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every way into a time namespace, so that a test can be run through all of
 * them: time_namespaces(7), clone(2), setns(2), unshare(2).
 */
#ifndef TIMENS_ROUTES_H
#define TIMENS_ROUTES_H

#include "child.h"
#include "clocks.h"

enum route {
	ROUTE_FORK, /* unshare, then fork */
	ROUTE_CLONE3, /* clone3 with CLONE_NEWTIME */
	ROUTE_FORK_EXEC, /* unshare, fork, then exec in the child */
	ROUTE_VFORK_EXEC, /* unshare, vfork, exec moves the child */
	ROUTE_EXEC, /* unshare, exec moves the caller itself */
	ROUTE_SPAWN, /* unshare, posix_spawn */
	ROUTE_SETNS, /* setns by the namespace's file */
	ROUTE_SETNS_PIDFD, /* setns by the pidfd of a member */
	ROUTE_NESTED, /* unshare and fork from another time namespace */
	ROUTE_BACK, /* setns there and back to the old namespace */
};

/*
 * struct route_job - what to do on the other side
 * @fn:   a function, for the routes that keep the program running.  On
 *        ROUTE_BACK it runs twice: there, and back again.
 * @arg:  its argument
 * @argv: a program that does the same, with its path first, for the routes
 *        that end in exec
 */
struct route_job {
	child_fn fn;
	void *arg;
	char *const *argv;
};

/**
 * route_run - make a time namespace, go there, do something
 * @rep: report of whoever went there; a kernel without that way gives a skip
 * @route: the way
 * @off: how far its clocks are ahead of the caller's
 * @job: what to do there
 *
 * All of it happens in children of the caller, who stays where it is.
 * Returns 0 or a negative errno of child_run().
 */
int route_run(struct child_report *rep, enum route route,
	      const struct offsets *off, const struct route_job *job);

/**
 * program_beside - path of a program in the directory of the running one
 * @name: its name
 * @path, @size: the path
 *
 * Returns 0 or a negative errno of readlink(2), -ENAMETOOLONG.
 */
int program_beside(const char *name, char *path, size_t size);

#endif /* TIMENS_ROUTES_H */
