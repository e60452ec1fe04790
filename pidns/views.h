/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The views matrix: which number does an observer see for a target?
 *
 * A row is an interface that carries a pid.  It says what the target does,
 * what the observer looks at, and what an invisible process looks like.  It is
 * then asked for every observer and target in a tower of pid namespaces (see
 * tower.h), in four tests:
 *
 *	target_below    the observer is in an ancestor of the target's namespace
 *	target_same     both are in the same namespace
 *	target_above    the observer is in a descendant: the target is invisible
 *	target_sibling  neither contains the other: the target is invisible
 *
 * A test file includes this, writes its rows with FIXTURE_VARIANT_ADD(view,
 * name), and ends with TEST_HARNESS_MAIN.
 */
#ifndef PIDNS_VIEWS_H
#define PIDNS_VIEWS_H

#include "caps.h"
#include "expect.h"
#include "tower.h"
#include "views_tools.h"

FIXTURE(view)
{
	struct tower tower;
	const char *missing;
};

FIXTURE_VARIANT(view)
{
	struct view_row row;
};

FIXTURE_SETUP(view)
{
	ASSERT_EQ(0, tower_prepare(CLONE_NEWNS, &self->missing));
	if (self->missing)
		SKIP(return, "%s", self->missing);
	/* rows may mount; nothing of that may reach the host */
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	/* nor what they make with System V IPC, where that can be had */
	if (unshare(CLONE_NEWIPC) < 0)
		ASSERT_EQ(EINVAL, errno);
	ASSERT_EQ(0, tower_up(&self->tower, VIEW_DEPTH));
}

FIXTURE_TEARDOWN(view)
{
	if (!self->missing)
		tower_down(&self->tower);
}

/*
 * struct view_run - one row in one test
 * @skip:   what was missing for a pair
 * @judged: how many pairs got an answer
 * @failed: a pair did not get as far as an answer
 */
struct view_run {
	const struct view_row *row;
	struct tower *tower;
	const char *skip;
	int judged;
	bool failed;
};

/* struct view_pair - one observer, one target */
struct view_pair {
	struct tower_member *observer;
	struct tower_member *target;
	struct view at_observer;
	struct view at_target;
};

static inline void view_log_wrong(struct __test_metadata *_metadata,
				  const struct view_pair *p, long long seen)
{
	const struct tower_member *t = p->target;
	int level;

	TH_LOG("observer at level %d%s, target at level %d%s",
	       p->observer->level, p->observer->branch ? " (sibling)" : "",
	       t->level, t->branch ? " (sibling)" : "");
	for (level = 0; seen > 0 && level <= t->level; level++)
		if (seen == t->pid[level])
			TH_LOG("%lld is the number of the target at level %d",
			       seen, level);
}

/* Let a process do its part; what it notes goes on to the next parts. */
static inline bool view_step(struct __test_metadata *_metadata,
			     struct view_run *run, struct view_pair *p,
			     struct tower_member *who, child_fn fn,
			     struct child_report *rep)
{
	struct view *v = who == p->target ? &p->at_target : &p->at_observer;
	int i, ret;

	if (!fn)
		return true;
	ret = tower_call(who, fn, v, sizeof(*v), rep);
	EXPECT_EQ(0, ret)
	TH_LOG("a process at level %d did not answer", who->level);
	run->failed |= ret < 0;
	if (ret < 0)
		return false;
	if (rep->skip) {
		run->skip = rep->skip;
		return false;
	}
	expect_held(_metadata, rep);
	if (!child_held(rep)) {
		run->failed = true;
		view_log_wrong(_metadata, p, 0);
		return false;
	}
	if (fn != run->row->arm && fn != run->row->act)
		return true;
	for (i = 0; i < 3; i++) {
		p->at_observer.note[i] = rep->value[i + 1];
		p->at_target.note[i] = rep->value[i + 1];
	}
	return true;
}

/* What one of the two gets to know about the other. */
static inline int view_fill(struct view *v, struct tower_member *me,
			    const struct tower_member *other, const int *fd)
{
	int i;

	v->level = me->level;
	v->peer_level = other->level;
	v->own = me->pid[me->level];
	v->peer = tower_pid(other, me);
	v->seen_as = tower_pid(me, other);
	memcpy(v->names, other->pid, sizeof(v->names));
	v->number = v->peer ? v->peer : other->pid[other->level];
	v->pidfd = tower_send_fd(me, other->proc.pidfd);
	for (i = 0; i < VIEW_FDS; i++) {
		v->fd[i] = fd[i] < 0 ? -1 : tower_send_fd(me, fd[i]);
		if (fd[i] >= 0 && v->fd[i] < 0)
			return v->fd[i];
	}
	return v->pidfd < 0 ? v->pidfd : 0;
}

static inline void view_close(struct child_report *rep, void *arg)
{
	struct view *v = arg;
	int i;

	rep->value[0] = 0;
	close(v->pidfd);
	for (i = 0; i < VIEW_FDS; i++)
		fd_close(&v->fd[i]);
}

static inline void view_tidy(struct __test_metadata *_metadata,
			     struct view_run *run, struct view_pair *p)
{
	struct child_report rep;

	view_step(_metadata, run, p, p->target, run->row->clear, &rep);
	view_step(_metadata, run, p, p->observer, run->row->clear, &rep);
	view_step(_metadata, run, p, p->target, view_close, &rep);
	view_step(_metadata, run, p, p->observer, view_close, &rep);
}

/* The row's functions, in their order; false: there is no answer to judge. */
static inline bool view_play(struct __test_metadata *_metadata,
			     struct view_run *run, struct view_pair *p,
			     struct child_report *rep)
{
	return view_step(_metadata, run, p, p->observer, run->row->arm, rep) &&
	       view_step(_metadata, run, p, p->target, run->row->act, rep) &&
	       view_step(_metadata, run, p, p->observer, run->row->look, rep);
}

static inline void view_ask(struct __test_metadata *_metadata,
			    struct view_run *run, struct tower_member *observer,
			    struct tower_member *target)
{
	struct view_pair p = { .observer = observer, .target = target };
	struct view shared = { .fd = { -1, -1, -1, -1 } };
	pid_t visible = tower_pid(target, observer);
	long long want = run->row->invisible;
	struct child_report rep;
	int i;

	if (visible)
		want = run->row->visible == VIEW_PID ? visible :
						       run->row->visible;
	if (run->row->blind && !tower_pid(observer, target))
		want = run->row->blind;
	if (run->row->prepare)
		ASSERT_EQ(0, run->row->prepare(&shared));
	ASSERT_EQ(0, view_fill(&p.at_observer, observer, target, shared.fd));
	ASSERT_EQ(0, view_fill(&p.at_target, target, observer, shared.fd));
	p.at_target.is_target = true;
	for (i = 0; i < VIEW_FDS; i++)
		fd_close(&shared.fd[i]);
	if (view_play(_metadata, run, &p, &rep)) {
		run->judged++;
		EXPECT_EQ(want, rep.value[0])
		view_log_wrong(_metadata, &p, rep.value[0]);
	}
	view_tidy(_metadata, run, &p);
}

/* All pairs with the observer above the target, or the other way round. */
static inline void view_ask_levels(struct __test_metadata *_metadata,
				   struct view_run *run, bool below)
{
	struct tower_member *m = run->tower->member;
	int high, low;

	for (high = 0; high < VIEW_DEPTH; high++)
		for (low = high + 1; low <= VIEW_DEPTH; low++)
			view_ask(_metadata, run, &m[below ? high : low],
				 &m[below ? low : high]);
}

/* Something missing for some pairs does not hide what the others saw. */
static inline void view_end(struct __test_metadata *_metadata,
			    const struct view_run *run)
{
	if (run->judged || run->failed)
		return;
	ASSERT_NE(NULL, run->skip);
	SKIP(return, "%s", run->skip);
}

TEST_F(view, target_below)
{
	struct view_run run = { .row = &variant->row, .tower = &self->tower };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	view_ask_levels(_metadata, &run, true);
	view_end(_metadata, &run);
}

TEST_F(view, target_above)
{
	struct view_run run = { .row = &variant->row, .tower = &self->tower };

	if (self->missing)
		SKIP(return, "%s", self->missing);
	view_ask_levels(_metadata, &run, false);
	view_end(_metadata, &run);
}

TEST_F(view, target_same)
{
	struct view_run run = { .row = &variant->row, .tower = &self->tower };
	struct tower_member *deep = &self->tower.member[VIEW_DEPTH];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	view_ask(_metadata, &run, deep, &self->tower.twin);
	view_ask(_metadata, &run, &self->tower.twin, deep);
	view_end(_metadata, &run);
}

TEST_F(view, target_sibling)
{
	struct view_run run = { .row = &variant->row, .tower = &self->tower };
	struct tower_member *m = self->tower.member;
	int i;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 1; i <= VIEW_DEPTH; i++) {
		view_ask(_metadata, &run, &self->tower.sibling, &m[i]);
		view_ask(_metadata, &run, &m[i], &self->tower.sibling);
	}
	view_end(_metadata, &run);
}

#endif /* PIDNS_VIEWS_H */
