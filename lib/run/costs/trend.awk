# SPDX-License-Identifier: GPL-2.0
#
# --history: how each cost went over the runs of saves, one digit a run: 0 is the
# cheapest, 9 the dearest; a run without it is a dot. Needs series.awk.

# Less than this between the extremes is noise, and drawn small.
BEGIN { SMALL = 0.02 }

function show(name, side,	r, m, least, most, first, last, line, scale)
{
	for (r = 1; r <= runs; r++) {
		if (!((r, name, side) in value))
			continue
		m[r] = middle(sorted(fill(value[r, name, side])))
		if (!first) {
			first = least = most = m[r]
			scale = reference[r, name]
		}
		last = m[r]
		if (m[r] < least)
			least = m[r]
		if (m[r] > most)
			most = m[r]
	}
	if (!first)
		return
	for (r = 1; r <= runs; r++)
		line = line (r in m ? digit(m[r], least, most) : ".")
	printf "%-34s %-7s %s  %.5g..%.5g %s, last %+.1f%% of first\n", name, \
		side, line, least * scale, most * scale, unit[name], \
		percent(last / first)
}

function digit(v, least, most,	range)
{
	range = most - least
	if (range < least * SMALL)
		range = least * SMALL
	return int(9 * (v - least) / range + 0.5)
}

END {
	for (r = 1; r <= runs; r++)
		printf "run %d: %s, %s, clocksource %s, suite %s\n", r, \
			fact[r, "kernel"], fact[r, "date"], \
			fact[r, "clocksource"], fact[r, "suite"]
	for (i = 1; i <= n_names; i++) {
		show(names[i], "outside")
		show(names[i], "inside")
	}
}
