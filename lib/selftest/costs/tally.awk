# SPDX-License-Identifier: GPL-2.0
#
# What the lines that check.sh keeps come to: a table for each of $PARTS, then
# TAP. Exit status 1 when a series is not what it should be.

BEGIN {
	split("within over unsure report", verdicts, " ")
	split("ours means means_ahead counts counts_ahead", methods, " ")
}

/^part=/ {
	split("", f)
	for (i = 1; i <= NF; i++) {
		at = index($i, "=")
		f[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	series = f["part"] " " f["with"]
	take_load()
	if (f["part"] == "methods")
		take_methods()
	else
		take_cost()
}

function take_load()
{
	if (!(series in lowest) || f["load"] + 0 < lowest[series])
		lowest[series] = f["load"] + 0
	if (f["load"] + 0 > highest[series])
		highest[series] = f["load"] + 0
}

function take_methods(	i, kind, key, over)
{
	kind = f["op"] " " f["inject"] " " f["limit"]
	if (!((series, kind) in tries))
		kinds[series, ++n_kinds[series]] = kind
	tries[series, kind]++
	key = series SUBSEP kind
	ms[key, tries[series, kind]] = f["ms"]
	for (i = 1; i in methods; i++) {
		over = f[methods[i]] == "over" || f[methods[i]] > f["limit"] + 0 &&
			f[methods[i]] ~ /^[0-9]/
		if (f[methods[i]] == "unsure")
			unsure[key, methods[i]]++
		else if (f["inject"] > 0 && !over || f["inject"] == 0 && over)
			wrong[key, methods[i]]++
	}
}

function take_cost(	key)
{
	key = series SUBSEP f["name"]
	if (!(key in tries))
		names[series, ++n_names[series]] = f["name"]
	tries[key]++
	count[key, f["verdict"]]++
	ms[key, tries[key]] = f["ms"]
	ratio[key, tries[key]] = f["ratio"]
	lo[key, tries[key]] = f["lo"]
	hi[key, tries[key]] = f["hi"]
	ns[key, tries[key]] = f["outside"]
	limit[key] = f["limit"]
	all[series]++
	total[series, f["verdict"]]++
	# The others need not notice.
	if (f["part"] != "inject" || f["limit"] < 1.10) {
		must[series]++
		must_total[series, f["verdict"]]++
	}
	loop = f["loop"] / (f["outside"] > 0 ? f["outside"] : 1)
	# Whether 2 % are reached is decided before the cost is known that well.
	if (loop > 0.025 && f["loop_subtracted"] != "yes")
		loops = loops " " f["name"]
}

# Sorts column[1..n].
function sort(n,	i, j, v)
{
	for (i = 2; i <= n; i++) {
		v = column[i] + 0
		for (j = i - 1; j && column[j] + 0 > v; j--)
			column[j + 1] = column[j]
		column[j + 1] = v
	}
}

function middle(values, key, n,	i)
{
	for (i = 1; i <= n; i++)
		column[i] = values[key, i]
	sort(n)
	return (column[int((n + 1) / 2)] + column[int(n / 2) + 1]) / 2
}

function part_of(a, n) { return n ? 100 * a / n : 0 }

function title()
{
	printf "#\n# %s neighbour, load average %.1f to %.1f:\n", \
		with == "busy" ? part ", with a busy" : part ", with no", \
		lowest[series], highest[series]
}

# False alarms, or misses, and in brackets how often there was no answer.
function show_methods(	i, j, kind, key, n, word, text)
{
	title()
	printf "# %-6s %5s %6s %4s %16s", "op", "more", "limit", "n", "wrong %:"
	for (j = 1; j in methods; j++)
		printf " %12s", methods[j]
	print "   ms of ours"
	for (i = 1; i <= n_kinds[series]; i++) {
		kind = kinds[series, i]
		key = series SUBSEP kind
		n = tries[series, kind]
		split(kind, word, " ")
		printf "# %-6s %4s%% %5g%% %4d %16s", word[1], word[2], \
			100 * (word[3] - 1), n, \
			(word[2] > 0 ? "missed" : "false alarm")
		for (j = 1; j in methods; j++) {
			text = sprintf("%.0f", part_of(wrong[key, methods[j]] + 0, n))
			if (unsure[key, methods[j]])
				text = text sprintf(" (%.0f)", \
					part_of(unsure[key, methods[j]] + 0, n))
			printf " %12s", text
		}
		printf "   %.0f\n", middle(ms, key, n)
		ours_wrong += wrong[key, "ours"]
	}
	check("ours are right beside usual methods, " with, ours_wrong == 0)
	ours_wrong = 0
}

function show_costs(	i, j, name, key, n)
{
	title()
	printf "# %-34s %4s", part, "n"
	for (j = 1; j in verdicts; j++)
		printf " %6s", verdicts[j]
	print "   ratio  interval          limit    ns outside   ms"
	for (i = 1; i <= n_names[series]; i++) {
		name = names[series, i]
		key = series SUBSEP name
		n = tries[key]
		printf "# %-34s %4d", name, n
		for (j = 1; j in verdicts; j++)
			printf " %6d", count[key, verdicts[j]]
		printf "  %.4f  %.4f..%.4f  %.4f %12.5g %5.0f\n", \
			middle(ratio, key, n), middle(lo, key, n), \
			middle(hi, key, n), limit[key], middle(ns, key, n), \
			middle(ms, key, n)
	}
	printf "# %-34s %4d", "together", all[series]
	for (j = 1; j in verdicts; j++)
		printf " %6d", total[series, verdicts[j]]
	print ""
	judge()
}

# What a neighbour keeps from being sure is no mistake; what it makes wrong is.
function judge(	over, within, doubt)
{
	over = part_of(must_total[series, "over"] + 0, must[series])
	within = part_of(must_total[series, "within"] + 0, must[series])
	doubt = part_of(must_total[series, "unsure"] + 0, must[series])
	if (part == "null") {
		check("no cost is over where there is none, " with, over + 0 == 0)
		check("at most 5 % of such costs are unsure, " with, doubt <= 5)
	} else if (part != "real") {
		check("dearer by " part ": at most 1 % are within, " with, \
			within <= 1)
		if (with == "idle")
			check("dearer by " part ": " (part == "limit" ? 95 : 99) \
				" % are over", over >= (part == "limit" ? 95 : 99))
	}
}

function check(what, right)
{
	number++
	lines = lines (right ? "ok " : "not ok ") number " " what "\n"
	if (!right)
		failed++
}

END {
	n = split(ENVIRON["PARTS"], parts, " ")
	for (k = 1; k <= n; k++) {
		part = parts[k]
		for (w = 1; w <= 2; w++) {
			with = w == 1 ? "idle" : "busy"
			series = part " " with
			if (part == "methods" && n_kinds[series])
				show_methods()
			else if (n_names[series])
				show_costs()
		}
	}
	if (loops != "")
		print "# not subtracted:" loops
	check("the loop is below 2 % of each cost, or subtracted", loops == "")
	printf "%s1..%d\n", lines, number
	exit failed ? 1 : 0
}
