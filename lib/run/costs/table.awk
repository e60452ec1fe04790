# SPDX-License-Identifier: GPL-2.0
#
# Compare kernels: a table of every cost, and verdicts on the last run, "now".
# Needs groups.awk.
#
# Costs are shown in ns as the first kernel's turns took them. $VERDICT is a file
# for the numbers of limits that are over, unsure, within.

function show(name, side,	g, first, scale, word, limit)
{
	limit = limit_of(name)
	for (g = 1; g <= groups; g++) {
		if (!describe(g, name, side, 0))
			continue
		if (!first) {
			first = med
			scale = reference[member[g, 1], name]
		}
		word = ""
		if (limit && g == groups) {
			printed = sprintf("%9.5g %+7.1f %7.2f %9.5g  %.5g..%.5g", \
				avg * scale, percent(med / first), dev, \
				med * scale, lo * scale, hi * scale)
			word = judge(groups, name, side, limit)
			tally[substr(word, 1, 6)]++
			printf "  %-24s %-7s %s  limit %+g%%: %s\n", label[g], \
				side, printed, percent(limit), word
			continue
		}
		printf "  %-24s %-7s %9.5g %+7.1f %7.2f %9.5g  %.5g..%.5g\n", \
			label[g], side, avg * scale, percent(med / first), \
			dev, med * scale, lo * scale, hi * scale
	}
}

END {
	group_runs(0)
	unlike = mismatch(runs)
	compare_runs(groups)
	for (i = 1; i <= n_names; i++) {
		if (!((runs, names[i], "outside") in value) && !limit_of(names[i]))
			continue
		printf "%-34s %9s %7s %7s %9s  interval, %s\n", names[i], "avg", \
			"diff %", "stdev %", "median", unit[names[i]]
		show(names[i], "outside")
		show(names[i], "inside")
	}
	if (unlike != "")
		print "note: these cannot be compared: " unlike
	tell_drift()
	warn(runs)
	print tally["over"] + 0, tally["unsure"] + 0, tally["within"] + 0 \
		> ENVIRON["VERDICT"]
}
