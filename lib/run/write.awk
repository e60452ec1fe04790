# SPDX-License-Identifier: GPL-2.0
#
# Write the leaves of one program in every form. $OUT is the prefix of
#
#   ktap      a nested block for results.ktap
#   ndjson    one JSON record per result and per measured cost
#   nested    the same block as comments, as kselftest's runner shows it
#   report    what a person wants to see: failures and costs
#   leaves    "VERDICT TAB name TAB reason TAB known TAB repaired TAB unlike
#             TAB flaky", for the summary; known, repaired and unlike are line
#             numbers in $KNOWN
#   costs     "program TAB test TAB perf line"
#   verdict   "<pass|fail|skip|none> <ms> <pass> <fail> <skip> <xfail> <note>"

function out(what) { return ENVIRON["OUT"] what }

function write_all(	i)
{
	flavour = ENVIRON["FLAVOUR"]
	suite = (flavour == "" ? "" : flavour ".") ENVIRON["SUITE"]
	path = suite "." ENVIRON["PROGRAM"]
	for (i = 1; i <= leaves; i++)
		count[verdict[i]]++
	count["FAIL"] += count["ERROR"]
	write_blocks()
	write_ndjson()
	write_report()
	write_leaves()
	write_costs()
	write_verdict()
}

function result_line(i, number,	name, reason)
{
	name = leaf[i]
	reason = why[i]
	gsub(/#/, "", name)
	gsub(/#/, "", reason)
	if (verdict[i] == "PASS")
		return "ok " number " " name
	if (verdict[i] == "SKIP")
		return "ok " number " " name " # SKIP " reason
	if (verdict[i] == "XFAIL")
		return "ok " number " " name " # XFAIL " reason
	if (reason ~ /^TIMEOUT /)
		return "not ok " number " " name " # " reason
	if (verdict[i] == "ERROR")
		return "not ok " number " " name " # ERROR " reason
	return "not ok " number " " name
}

# Line by line: to append to a text that becomes long costs its length each time.
function block_line(text)
{
	print "  " text > out("ktap")
	print "# " text > out("nested")
}

function write_blocks(	i, p, part, k)
{
	print "  KTAP version 1" > out("ktap")
	print "# TAP version 13" > out("nested")
	block_line("1.." leaves)
	for (i = 1; i <= leaves; i++) {
		for (p = 1; p <= perfs; p++)
			if (perf_leaf[p] == i)
				block_line(perf_line[p])
		if (verdict[i] ~ /FAIL|ERROR/) {
			k = split(said[i], part, "\n")
			for (p = 1; p < k; p++)
				block_line(part[p])
		}
		if (flaky[i])
			block_line("# " why[i])
		block_line(result_line(i, i))
	}
}

function quote(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\t/, "\\t", text)
	gsub(/\n/, "\\n", text)
	return "\"" text "\""
}

function number(text)
{
	return text ~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/ ? text : "null"
}

# Dotted paths hold nothing that a CI system would rewrite.
function dotted(name)
{
	gsub(/[^A-Za-z0-9_.-]+/, "_", name)
	return name
}

function field(key, value) { return ",\"" key "\":" value }

function write_ndjson(	i)
{
	printf "" > out("ndjson")
	for (i = 1; i <= leaves; i++)
		print leaf_record(i) > out("ndjson")
	for (i = 1; i <= perfs; i++)
		if (perf_leaf[i])
			printf "%s", perf_record(i) > out("ndjson")
}

function leaf_record(i)
{
	return "{\"path\":" quote(path "." dotted(leaf[i])) \
		field("status", quote(verdict[i])) \
		field("start", quote(began[i])) \
		field("duration", sprintf("%.3f", took[i] / 1000)) \
		field("log", quote(ENVIRON["LOG"])) \
		(why[i] == "" ? "" : field("reason", quote(why[i]))) \
		(verdict[i] ~ /FAIL|ERROR/ && entry[i] ? field("fix", \
			quote(known_fix[entry[i]])) : "") \
		(verdict[i] ~ /FAIL|ERROR/ && known_link[entry[i]] != "" ? \
		field("link", quote(known_link[entry[i]])) : "") \
		(said[i] != "" && verdict[i] ~ /FAIL|ERROR/ ? \
		field("log_excerpt", quote(said[i])) : "") \
		(flaky[i] ? field("flaky", flaky[i]) : "") \
		common_fields() "}"
}

function common_fields()
{
	return (ENVIRON["ROUND"] > 1 ? field("round", ENVIRON["ROUND"]) : "") \
	       (flavour != "" ? field("flavour", quote(flavour)) : "")
}

# The statuses of KCIDB: DONE is a number without a judgement.
function perf_status(answer)
{
	if (answer == "within")
		return "PASS"
	if (answer == "over")
		return "FAIL"
	return answer == "unsure" ? "SKIP" : "DONE"
}

function perf_name(i,	name)
{
	name = perf[i, "name"]
	if (index(name, ENVIRON["SUITE"] ".") == 1)
		name = substr(name, length(ENVIRON["SUITE"]) + 2)
	return dotted(name)
}

function perf_record(i,	r, n, part, k, key, value)
{
	r = "{\"path\":" quote(path "." perf_name(i)) \
		field("status", quote(perf_status(perf[i, "verdict"]))) \
		field("start", quote(perf_when[i])) \
		field("test", quote(dotted(leaf[perf_leaf[i]]))) \
		field("number", "{\"value\":" number(perf[i, "ratio"]) \
			",\"unit\":\"ratio\"}") \
		field("interval", "[" number(perf[i, "lo"]) "," \
			number(perf[i, "hi"]) "]")
	n = split(perf_line[i], part, " ")
	for (k = 3; k <= n; k++) {
		key = part[k]
		value = part[k]
		sub(/=.*/, "", key)
		sub(/^[^=]*=/, "", value)
		if (key !~ /^[a-z][a-z0-9_]*$/ ||
		    key ~ /^(name|ratio|lo|hi|path|status|start|test|number|log)$/)
			continue
		r = r field(key, number(value) == "null" ? quote(value) : value)
	}
	return r field("log", quote(ENVIRON["LOG"])) common_fields() "}\n"
}

function write_report(	i)
{
	printf "" > out("report")
	for (i = 1; i <= leaves; i++)
		if (verdict[i] ~ /^(FAIL|ERROR)$/)
			print "  not ok " suite "/" ENVIRON["PROGRAM"] ":" \
				leaf[i] "\n         " why[i] > out("report")
	for (i = 1; i <= perfs; i++)
		if (perf_leaf[i])
			print "  " perf_sentence(i) > out("report")
}

function perf_sentence(i)
{
	return sprintf("%-34s %9s -> %9s %s  x%s [%s, %s], limit %s: %s", \
		perf_name(i), perf[i, "outside"], perf[i, "inside"], \
		perf[i, "unit"], perf[i, "ratio"], perf[i, "lo"], \
		perf[i, "hi"], perf[i, "limit"], perf[i, "verdict"])
}

function write_leaves(	i)
{
	printf "" > out("leaves")
	for (i = 1; i <= leaves; i++)
		print verdict[i] "\t" suite "/" ENVIRON["PROGRAM"] \
			":" leaf[i] "\t" why[i] "\t" entry[i] "\t" \
			repaired[i] "\t" unlike[i] "\t" flaky[i] > out("leaves")
}

function write_costs(	i)
{
	printf "" > out("costs")
	for (i = 1; i <= perfs; i++)
		if (perf_leaf[i])
			print ENVIRON["SUITE"] "/" ENVIRON["PROGRAM"] "\t" \
				leaf[perf_leaf[i]] "\t" perf_line[i] > out("costs")
}

# One reason for all skips, or none in particular.
function skip_reason(	i, reason)
{
	for (i = 1; i <= leaves; i++) {
		if (reason != "" && why[i] != reason)
			return "several reasons"
		reason = why[i]
	}
	return reason
}

function failure_note(	i)
{
	if (directive ~ /^TIMEOUT /)
		return directive
	if (directive != "")
		return "ERROR " directive
	if (ended["code"] > 0 && own_failures)
		return "exit=" ended["code"]
	for (i = 1; i <= leaves; i++)
		if (verdict[i] == "ERROR")
			return "ERROR " why[i]
	return count["FAIL"] " of " leaves " failed"
}

function write_verdict(	result, note)
{
	note = ""
	if (!leaves) {
		result = "none"
	} else if (count["FAIL"]) {
		result = "fail"
		note = failure_note()
	} else if (count["PASS"] + count["XFAIL"]) {
		result = "pass"
	} else {
		result = "skip"
		note = "SKIP " skip_reason()
	}
	gsub(/#/, "", note)
	print result, ended["duration_ms"] + 0, count["PASS"] + 0, \
		count["FAIL"] + 0, count["SKIP"] + 0, count["XFAIL"] + 0, \
		note > out("verdict")
}
