# SPDX-License-Identifier: GPL-2.0
#
# Say what the leaves (see write.awk) of a whole run amount to. Needs glob.awk.
#
#   KNOWN APPLY   as for judge.awk
#   HEADERS       file: what header.awk prints, behind its keyword and a tab
#   RERUN         how to run a test again: what stands before its name
#   EVERY         1 to name every skipped test

BEGIN {
	FS = "\t"
	while ((getline text < ENVIRON["HEADERS"]) > 0) {
		split(text, part, "\t")
		if (part[3] == "none")
			continue
		if (part[1] == "Guards")
			guards[part[2]] = guards[part[2]] "\n    guards: " \
				part[3]
		else
			promises[part[2]] = promises[part[2]] \
				(promises[part[2]] == "" ? "" : "; ") part[3]
	}
	while ((getline text < ENVIRON["KNOWN"]) > 0) {
		split(text, part, "\t")
		known++
		pattern[known] = part[1]
		fix[known] = part[2]
		since[known] = part[3]
		reason_known[known] = part[4]
		says[known] = part[6]
		may_pass[known] = part[7]
		link[known] = part[8]
		expired[known] = part[9]
	}
}

{
	runs[$2]++
	if ($4 != "")
		outcomes[$4, $1 == "ERROR" ? "FAIL" : $1]++
}

$1 == "FAIL" || $1 == "ERROR" { remember_failure() }
$1 == "SKIP" { remember_skip() }
$1 == "PASS" && $7 != "" { flaky = flaky "\nflaky: " $2 "\n    " $3 }

# What a known bug explains is told with it, so that the rest stands out.
function remember_failure()
{
	if ($4 != "") {
		if (++excused[fix[$4]] <= 3)
			examples[fix[$4]] = examples[fix[$4]] " " $2
		return
	}
	if (!($2 in failed)) {
		order[++failures] = $2
		reason[$2] = $3
		if ($5 != "" && expired[$5] != "")
			reason[$2] = $3 "\n    known until " expired[$5] \
				": " reason_known[$5] linked($5)
		else if ($5 != "")
			reason[$2] = $3 "\n    known until " since[$5] \
				", which has " fix[$5] ": broken again?"
		else if ($6 != "")
			reason[$2] = $3 "\n    known to fail, but saying: " \
				says[$6]
	}
	failed[$2]++
}

function remember_skip(	name)
{
	if (!($3 in skipped))
		skip_order[++skips] = $3
	if (($2, $3) in seen_skip)
		return
	seen_skip[$2, $3] = 1
	skipped[$3]++
	if (skipped[$3] <= 3 || ENVIRON["EVERY"])
		skip_names[$3] = skip_names[$3] " " $2
}

# "userns.pidns/own_test:two.ways" is one of pidns/own_test.
function program_of(name)
{
	sub(/:.*/, "", name)
	sub(/^[^\/]*\./, "", name)
	return name
}

# What goes wrong with a whole program is not a test to ask for.
function to_ask_for(name,	program)
{
	program = program_of(name)
	sub(/^[^:]*/, "", name)
	return name ~ /^:(runner\.|unnamed_)/ ? program : program name
}

# What the numbers mean, where they do not speak for themselves.
function print_in_words(said)
{
	sub(/\n.*/, "", said)
	if (!take_apart(said) || want got !~ /[(]/)
		return
	print "    expected " want ", got " got \
		(apart == "" ? "" : ", difference " apart)
}

function print_failures(	i, name, program, last)
{
	for (i = 1; i <= failures && i <= 20; i++) {
		name = order[i]
		program = program_of(name)
		print "failed: " name (runs[name] > 1 ? " (" failed[name] \
			" of " runs[name] " times)" : "")
		print "    " reason[name]
		print_in_words(reason[name])
		print "    again: " ENVIRON["RERUN"] " -v " to_ask_for(name)
		if (program_of(order[i + 1]) == program)
			continue
		if (program in promises)
			print "    promised by: " promises[program]
		if (program in guards)
			print substr(guards[program], 2)
	}
	if (failures > 20)
		print "failed: and " failures - 20 " more"
}

function print_skips(	i, why)
{
	for (i = 1; i <= skips; i++) {
		why = skip_order[i]
		print "skipped " skipped[why] ": " why
		print "   " skip_names[why] (skipped[why] > 3 && \
			!ENVIRON["EVERY"] ? " and " skipped[why] - 3 " more" : "")
	}
}

function print_known(	k)
{
	for (k = 1; k <= known; k++) {
		if (ENVIRON["APPLY"] && expired[k] != "")
			print "expired on " expired[k] ", excuses nothing: " \
				pattern[k] linked(k)
		if (ENVIRON["APPLY"] && outcomes[k, "PASS"] &&
		    !outcomes[k, "XFAIL"] && may_pass[k] == "")
			print "passes although known to fail: " pattern[k] \
				linked(k)
		if (fix[k] in told)
			continue
		if (!ENVIRON["APPLY"] && outcomes[k, "FAIL"] ||
		    ENVIRON["APPLY"] && outcomes[k, "XFAIL"]) {
			told[fix[k]] = 1
			print missing_fix(k)
		}
	}
}

function linked(k) { return link[k] == "" ? "" : " (" link[k] ")" }

function missing_fix(k,	text, n)
{
	if (fix[k] == "none")
		text = "known bug, no fix yet: " reason_known[k] linked(k)
	else
		text = "this kernel lacks " fix[k] ", in " since[k] ": " \
			reason_known[k] linked(k)
	n = excused[fix[k]]
	if (n)
		text = text "\n    failed " n ":" examples[fix[k]] \
			(n > 3 ? " and " n - 3 " more" : "")
	return text
}

END {
	print_failures()
	if (flaky != "")
		print substr(flaky, 2)
	print_skips()
	print_known()
}
