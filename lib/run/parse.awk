# SPDX-License-Identifier: GPL-2.0
#
# Read what one test program printed (RECORD of supervise, see main.c) into
# leaves: one per result. judge.awk does the rest.
#
# Both dialects of the harness are understood: the one that prints the reason
# of a skip without the name of the test (up to 6.8), and the later one.

BEGIN { FS = "\t" }

# run_all.sh wrote this between the runs of a program that brought the machine
# down: "cut", how, milliseconds, reason, test to blame; then "begin", if any.
$1 == "cut" {
	end_part()
	next
}

$1 == "begin" {
	closed = 0
	next
}

{
	ms = $1
	when = $2
	line = substr($0, length($1) + length($2) + 3)
	if (!seen_any++)
		last_when = when
	if (line !~ /^(not )?ok( |$)/)
		line = split_glued(line)
	take_line(line)
}

# A result behind text that lacked its newline: somebody else's output came in
# between. Believe it only if it is the very result that is due, and neither
# indented nor a comment: those are results of something else.
function split_glued(text,	due, at)
{
	due = "ok " (results + 1) " "
	at = index(text, due)
	if (at < 2 || text ~ /^[ \t#]/)
		return text
	if (at > 4 && substr(text, at - 4, 4) == "not ")
		at -= 4
	keep_diagnostic("# " substr(text, 1, at - 1))
	return substr(text, at)
}

function take_line(text)
{
	if (text ~ /^(not )?ok( |$)/)
		take_result(text)
	else if (text ~ /^1\.\.[0-9]+/)
		take_plan(text)
	else if (text ~ /^# +RUN +[^ ]+ \.\.\.$/)
		take_run(text)
	else if (text ~ /^# perf [a-z]+=/)
		take_perf(text)
	else if (!is_chatter(text))
		keep_diagnostic(text)
}

# Lines that say nothing the results do not say.
function is_chatter(text)
{
	return text ~ /^K?TAP version/ || text == "" ||
	       text ~ /^# +(OK|FAIL) +[^ ]+$/ || text ~ /^# Totals: / ||
	       text ~ /^# Starting [0-9]+ tests from/ ||
	       text ~ /^# (PASSED|FAILED): [0-9]+ \/ [0-9]+ tests passed/
}

function take_plan(text,	reason)
{
	plans++
	planned = text
	sub(/^1\.\./, "", planned)
	sub(/[^0-9].*/, "", planned)
	planned += 0
	if (planned == 0 && text ~ /# *SKIP/) {
		reason = text
		sub(/.*# *SKIP */, "", reason)
		skipped_whole = 1
		whole_reason = reason
	}
}

function take_run(text)
{
	sub(/^# +RUN +/, "", text)
	sub(/ \.\.\.$/, "", text)
	running = text
	running_ms = ms
	running_when = when
}

function keep_diagnostic(text)
{
	if (text !~ /^#/)
		text = "# " text
	if (diagnostics++ < 40)
		pending = pending text "\n"
}

function take_result(text,	good, number, name, directive, at)
{
	good = text !~ /^not /
	sub(/^(not )?ok */, "", text)
	number = match(text, /^[0-9]+/) ? substr(text, 1, RLENGTH) + 0 : 0
	sub(/^[0-9]+ *(- )?/, "", text)
	at = index(text, "#")
	name = at ? substr(text, 1, at - 1) : text
	directive = at ? substr(text, at + 1) : ""
	sub(/^ +/, "", directive)
	sub(/ +$/, "", name)
	if (name == "")
		name = running != "" ? running : "unnamed_" number

	results++
	if (number != results)
		misnumbered = misnumbered " " number
	add_leaf(name, status_of(good, directive), reason_of(directive))
	if (running == name)
		set_time(leaves, running_ms, running_when)
	else
		set_time(leaves, last_ms, last_when)
	running = ""
	last_ms = ms
	last_when = when
}

function set_time(i, from_ms, from_when)
{
	took[i] = ms - from_ms
	began[i] = from_when
}

function status_of(good, directive)
{
	if (directive ~ /^[Ss][Kk][Ii][Pp]/)
		return "SKIP"
	if (directive ~ /^(XFAIL|TODO)/)
		return "XFAIL"
	return good ? "PASS" : "FAIL"
}

function reason_of(directive)
{
	sub(/^[A-Za-z]+ */, "", directive)
	return directive
}

# Everything said since the result before belongs to this one.
function add_leaf(name, status, reason)
{
	leaves++
	leaf[leaves] = name
	verdict[leaves] = status
	why[leaves] = reason
	said[leaves] = pending
	if (status == "FAIL" && reason == "")
		why[leaves] = first_reason(pending)
	if (name in used)
		twice = twice " " name
	used[name] = 1
	own_failures += status == "FAIL"
	own_skips += status == "SKIP"
	own_xfails += status == "XFAIL"
	pending = ""
	diagnostics = 0
}

# The line of the assertion, else the first line said.
function first_reason(text,	n, part, i)
{
	n = split(text, part, "\n")
	for (i = 1; i < n; i++)
		if (part[i] ~ /^# +[^ :]+\.(c|h|sh):[0-9]+:/)
			return tidy(part[i])
	return n > 1 ? tidy(part[1]) : "no reason given"
}

# "file.c:12:test:Expected ..." names the test once more. What was seen in a
# child says itself where that was.
function tidy(text,	head)
{
	sub(/^# */, "", text)
	if (match(text, /^[^ :]+:[0-9]+:[^ :]+:/)) {
		head = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		sub(/:[^:]*:$/, "", head)
		text = text ~ /^in child, / ? text : head ": " text
	}
	return text
}

function take_perf(text,	n, part, i, at)
{
	perfs++
	perf_line[perfs] = text
	perf_leaf[perfs] = leaves + 1
	perf_when[perfs] = when
	n = split(text, part, " ")
	for (i = 3; i <= n; i++) {
		at = index(part[i], "=")
		if (at)
			perf[perfs, substr(part[i], 1, at - 1)] = \
				substr(part[i], at + 1)
	}
	over += perf[perfs, "verdict"] == "over"
}
