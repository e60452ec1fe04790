# SPDX-License-Identifier: GPL-2.0
#
# Kernels side by side: a line per cost, and verdicts on each kernel against the
# first. Needs groups.awk; one run per kernel. $LETTERS names the kernels,
# $VERDICT is a file for the numbers of limits that are over, unsure, within, and
# $RECORDS one that gets a line of JSON per cost.

function add(key, text)
{
	record = record (record == "" ? "" : ",") "\"" key "\":" text
}

function add_number(key, x) { add(key, sprintf("%.6g", x)) }

function show(name, side, g,	from, before, scale, limit, why, word, p)
{
	if (!describe(1, name, side, 0) || !describe(g, name, side, 0))
		return
	scale = reference[1, name]
	describe(1, name, side, 0)
	from = avg
	before = med
	describe(g, name, side, 0)
	p = percent(med / before)
	limit = limit_of(name)
	record = ""
	add("cost", "\"" name "\"")
	add("side", "\"" side "\"")
	add("unit", "\"" unit[name] "\"")
	add("kernel", "\"" letter[g] "\"")
	add_number("first_average", from * scale)
	add_number("average", avg * scale)
	add_number("difference_percent", p)
	add_number("stdev_percent", dev)
	printf "%-33s %-7s %9.6g %9.6g %+8.2f %7.2f", name, side, \
		from * scale, avg * scale, p, dev
	why = differ(g, name, side)
	add_number("low_percent", percent(low))
	add_number("high_percent", percent(high))
	printf "  %+.2f..%+.2f", percent(low), percent(high)
	if (limit) {
		word = judge(g, name, side, limit)
		tally[substr(word, 1, 6)]++
		printf "  limit %+g%%: %s", percent(limit), word
		add_number("limit_percent", percent(limit))
		add("verdict", "\"" substr(word, 1, 6) "\"")
	}
	if (why != "")
		add("unsure_because", "\"" why "\"")
	print ""
	print "{" record "}" >> ENVIRON["RECORDS"]
}

END {
	split(ENVIRON["LETTERS"], letter, " ")
	group_runs(1)
	for (g = 2; g <= groups; g++) {
		compare_runs(g)
		printf "%-41s %9s %9s %8s %7s  interval of diff, %s\n", \
			"costs, " letter[1] " and " letter[g], letter[1] " avg", \
			letter[g] " avg", "diff %", "stdev %", unit[names[1]]
		for (i = 1; i <= n_names; i++) {
			show(names[i], "outside", g)
			show(names[i], "inside", g)
		}
		why = mismatch(g)
		if (why != "")
			print "note: these cannot be judged: " why
		tell_drift()
		warn(g)
	}
	print tally["over"] + 0, tally["unsure"] + 0, tally["within"] + 0 \
		> ENVIRON["VERDICT"]
}
