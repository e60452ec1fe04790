// SPDX-License-Identifier: GPL-2.0
/* The record of a measurement. */
#include "perf_impl.h"

static const char *verdict_word(enum perf_verdict verdict)
{
	static const char *const words[] = {
		[PERF_WITHIN] = "within",
		[PERF_OVER] = "over",
		[PERF_UNSURE] = "unsure",
		[PERF_REPORT] = "report",
	};

	return words[verdict];
}

void perf_line(char *buf, size_t size, const struct perf_row *row,
	       const struct perf_result *res, const struct env *env)
{
	buf[0] = '\0';
	line_add(buf, size, "perf name=%s unit=ns/op outside=%.4g inside=%.4g",
		 row->name, res->outside, res->inside);
	line_add(buf, size, " ratio=%.4f lo=%.4f hi=%.4f limit=%.4g n=%d",
		 res->ratio, res->lo, res->hi, res->limit, res->pairs);
	line_add(buf, size, " verdict=%s", verdict_word(res->verdict));
	if (res->reason)
		line_add(buf, size, " reason=%s", res->reason);
	line_add(buf, size, " launches=%d nulls=%d spread=%.4f batch=%lu",
		 res->launches, res->nulls, res->spread, res->batch);
	line_add(buf, size, " loop=%.2f loop_subtracted=%s", res->loop,
		 res->subtracted ? "yes" : "no");
	line_add(buf, size, " reference=%.4f", res->reference);
	line_add(buf, size, " place=%s ms=%d", row->place->name, res->ms);
	if (res->cpu < 0)
		line_add(buf, size, " cpu=all");
	else
		line_add(buf, size, " cpu=%d node=%d", res->cpu,
			 env_node(res->cpu));
	line_add(buf, size, " sched=%s", res->fifo ? "fifo" : "other");
	env_line(env, buf, size);
}
