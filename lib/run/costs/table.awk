# SPDX-License-Identifier: GPL-2.0
#
# Compare kernels: a table of every cost, and verdicts on the last run, "now",
# against the first kernel where $LIMITS has limits. Needs glob.awk, series.awk.
#
# Runs of the same kernel are one row. Costs are in turns of a reference that no
# kernel has a part in, shown in ns as the first kernel's turns took them.
# $VERDICT is a file for the numbers of limits that are over, unsure, within.

# What one boot may differ from the next of the same kernel: where the kernel's
# memory happens to lie. Not added within a boot, nor where three boots a side
# show it themselves.
BEGIN { BOOT = 0.01 }

# What one run may differ from another: who else is at work, and where. What half
# of many costs are off by outside is no kernel's doing; three sigmas of a normal
# distribution are 4.5 times that. A few costs tell nothing, and then nobody else
# must be at work.
BEGIN { MANY = 20; SIGMAS = 4.5 }

function group_runs(	r, id)
{
	for (r = 1; r <= runs; r++) {
		id = fact[r, "kernel"] " " fact[r, "build"] (r == runs ? " now" : "")
		if (!(id in group))
			group[id] = ++groups
		member[group[id], ++members[group[id]]] = r
		label[group[id]] = fact[r, "kernel"] (r == runs ? " (now)" : "")
		now_name = fact[r, "kernel"]
	}
}

# Sets avg, dev, med, lo, hi and count of a side in a group; medians of boots
# rather than of launches when asked for.
function describe(g, name, side, by_boot,	i, r, text, v, sum, square, rank)
{
	count = 0
	text = ""
	for (i = 1; i <= members[g]; i++) {
		r = member[g, i]
		if (!((r, name, side) in value))
			continue
		v = value[r, name, side]
		if (by_boot)
			v = middle(sorted(fill(v)))
		text = text (text == "" ? "" : ",") v
	}
	count = sorted(text == "" ? 0 : fill(text))
	if (!count)
		return 0
	for (i = 1; i <= count; i++)
		sum += list[i]
	avg = sum / count
	for (i = 1; i <= count; i++)
		square += (list[i] - avg) * (list[i] - avg)
	dev = count > 1 ? root(square / (count - 1)) / avg * 100 : 0
	med = middle(count)
	rank = rank_of(count)
	lo = list[rank ? rank : 1]
	hi = list[count + 1 - (rank ? rank : 1)]
	return count
}

function boots(g,	i, r, n, seen)
{
	for (i = 1; i <= members[g]; i++) {
		r = fact[member[g, i], "boot"]
		if (!(r in seen))
			n++
		seen[r] = 1
	}
	return n
}

function limit_of(name,	i, n, part, text, found)
{
	n = split(ENVIRON["LIMITS"], part, ",")
	for (i = 1; i <= n; i++) {
		text = part[i]
		if (text ~ /=/ && name !~ glob_regex(substr(text, 1, \
				length(text) - length(last_word(text)) - 1)))
			continue
		text = last_word(text)
		found = text ~ /%$/ ? 1 + text / 100 : text + 0
	}
	return found
}

function last_word(text)
{
	sub(/.*=/, "", text)
	return text
}

# Why the two machines cannot be compared, or "".
function mismatch(	n, key, i)
{
	n = split("machine model virt clocksource vdso debug", key, " ")
	for (i = 1; i <= n; i++)
		if (fact[1, key[i]] != fact[runs, key[i]])
			return key[i] " was " fact[1, key[i]] ", is " \
				fact[runs, key[i]]
	if (fact[runs, "virt"] == "tcg")
		return "emulated"
	if (fact[runs, "debug"] != "none")
		return "debug kernel (" fact[runs, "debug"] ")"
	return ""
}

# Sets drift, what to allow for between the runs, and maybe crowded.
function compare_runs(	i, before, n, d, off)
{
	for (i = 1; i <= n_names; i++) {
		if (!describe(1, names[i], "outside"))
			continue
		before = med
		if (!describe(groups, names[i], "outside"))
			continue
		d = med / before
		off[++n] = d > 1 ? d - 1 : 1 / d - 1
	}
	for (i = 1; i <= n; i++)
		list[i] = off[i]
	if (n >= MANY) {
		half = middle(sorted(n))
		drift = SIGMAS * half
		return
	}
	for (i = 1; i <= runs; i += runs > 1 ? runs - 1 : 1)
		if (fact[i, "load"] > fact[i, "cpus"] + 1)
			crowded = "others were at work: load average " \
				fact[i, "load"]
}

function warn(	n, key, i)
{
	n = split("suite cpus smt nodes governor turbo preempt thp quota cpu node sched", \
		key, " ")
	for (i = 1; i <= n; i++)
		if (fact[1, key[i]] != fact[runs, key[i]])
			print "note: " key[i] " was " fact[1, key[i]] ", is " \
				fact[runs, key[i]]
}

# The last group against the first.
function judge(name, side, limit,	by_boot, low, high, guard, n)
{
	by_boot = boots(1) >= 3 && boots(groups) >= 3
	n = describe(1, name, side, by_boot)
	low = lo
	high = hi
	if (!n || !describe(groups, name, side, by_boot))
		return "unsure (measured in one of them only)"
	if (unlike != "")
		return "unsure (" unlike ")"
	if (!by_boot && (n < 6 || count < 6))
		return "unsure (too few launches)"
	if (!by_boot && crowded != "")
		return "unsure (" crowded ")"
	guard = by_boot || fact[1, "boot"] == fact[runs, "boot"] ? 0 : BOOT
	guard += by_boot ? 0 : drift
	guard += spread[runs, name] + spread[1, name]
	if (lo / high / (1 + guard) > limit)
		return "over"
	if (hi / low * (1 + guard) < limit)
		return "within"
	return "unsure (interval " sprintf("%+.1f%% .. %+.1f%%", \
		percent(lo / high / (1 + guard)), \
		percent(hi / low * (1 + guard))) ")"
}

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
			word = judge(name, side, limit)
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
	group_runs()
	unlike = mismatch()
	compare_runs()
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
	if (half > BOOT)
		printf "note: half of all costs differ by more than %.1f %%:" \
			" who else was at work?\n", 100 * half
	warn()
	print tally["over"] + 0, tally["unsure"] + 0, tally["within"] + 0 \
		> ENVIRON["VERDICT"]
}
