# SPDX-License-Identifier: GPL-2.0
#
# Runs of the same kernel as one group, and verdicts on groups against the first
# kernel where $LIMITS has limits. Needs glob.awk, series.awk.
#
# Costs are in turns of a reference that no kernel has a part in.

# What one boot may differ from the next of the same kernel: where the kernel's
# memory happens to lie. Not added within a boot, nor where three boots a side
# show it themselves.
BEGIN { BOOT = 0.01; COUNTED = 0.01 }

# What one run may differ from another: who else is at work, and where. What half
# of many costs are off by outside is no kernel's doing; three sigmas of a normal
# distribution are 4.5 times that. A few costs tell nothing, and then nobody else
# must be at work.
BEGIN { MANY = 20; SIGMAS = 4.5 }

# Runs of the same kernel are one group, but for the last, or all of them apart.
function group_runs(apart,	r, id)
{
	for (r = 1; r <= runs; r++) {
		id = fact[r, "kernel"] " " fact[r, "build"] (r == runs ? " now" : "")
		if (apart)
			id = r
		if (!(id in group))
			group[id] = ++groups
		member[group[id], ++members[group[id]]] = r
		label[group[id]] = fact[r, "kernel"] (r == runs ? " (now)" : "")
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

# Instructions, of machines that counted nothing else?
function counted(r) { return fact[1, "icount"] != "" && fact[r, "icount"] != "" }

# Why the machines of two runs cannot be compared, or "".
function mismatch(r,	n, key, i)
{
	n = split("machine model virt icount clocksource vdso debug", key, " ")
	for (i = 1; i <= n; i++)
		if (fact[1, key[i]] != fact[r, key[i]])
			return key[i] " was " said(1, key[i]) ", is " \
				said(r, key[i])
	if (fact[r, "virt"] == "tcg" && !counted(r))
		return "emulated"
	if (fact[r, "debug"] != "none" && !counted(r))
		return "debug kernel (" fact[r, "debug"] ")"
	return ""
}

# Sets drift, what to allow for between the first group and another one, and
# maybe crowded.
function compare_runs(g,	i, before, n, d, off, r)
{
	drift = half = 0
	crowded = ""
	r = member[g, members[g]]
	if (counted(r))
		return
	for (i = 1; i <= n_names; i++) {
		if (!describe(1, names[i], "outside"))
			continue
		before = med
		if (!describe(g, names[i], "outside"))
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
	for (i = 1; i <= r; i += r > 1 ? r - 1 : 1)
		if (fact[i, "load"] > fact[i, "cpus"] + 1)
			crowded = "others were at work: load average " \
				fact[i, "load"]
}

function tell_drift()
{
	if (half > BOOT)
		printf "note: half of all costs differ by more than %.1f %%:" \
			" who else was at work?\n", 100 * half
}

function said(r, key) { return fact[r, key] == "" ? "none" : fact[r, key] }

function warn(r,	n, key, i)
{
	n = split("suite cpus smt nodes governor turbo preempt thp quota cpu node sched", \
		key, " ")
	for (i = 1; i <= n; i++)
		if (fact[1, key[i]] != fact[r, key[i]])
			print "note: " key[i] " was " fact[1, key[i]] ", is " \
				fact[r, key[i]]
}

# What the interval of a difference is widened by.
function guard_of(g, name, by_boot,	r)
{
	r = member[g, members[g]]
	if (by_boot)
		return 0
	return (fact[1, "boot"] == fact[r, "boot"] ? 0 : \
		counted(r) ? COUNTED : BOOT) + drift + spread[r, name] + spread[1, name]
}

# Sets low and high: where a group is, as a part of the first one. Returns why
# that decides nothing, or "".
function differ(g, name, side,	by_boot, n, from, to, guard, unlike)
{
	by_boot = boots(1) >= 3 && boots(g) >= 3
	n = describe(1, name, side, by_boot)
	from = lo
	to = hi
	if (!n || !describe(g, name, side, by_boot))
		return "measured in one of them only"
	guard = 1 + guard_of(g, name, by_boot)
	low = lo / to / guard
	high = hi / from * guard
	unlike = mismatch(member[g, members[g]])
	if (unlike != "")
		return unlike
	if (!by_boot && (n < 6 || count < 6))
		return "too few launches"
	return by_boot ? "" : crowded
}

# A group against the first.
function judge(g, name, side, limit,	why)
{
	why = differ(g, name, side)
	if (why != "")
		return "unsure (" why ")"
	if (low > limit)
		return "over"
	if (high < limit)
		return "within"
	return "unsure (interval " sprintf("%+.1f%% .. %+.1f%%", percent(low), \
		percent(high)) ")"
}
