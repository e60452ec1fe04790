# SPDX-License-Identifier: GPL-2.0
#
# Read results: what every form of a report begins with. A format script has
#
#   each_record()   called for each record of results.ndjson, which is in rec[]
#   the_end()       called after the last
#
# and may use, besides rec[]: fact[] (the lines of env.txt, from $FACTS), class
# ("pidns.identity_test"), name (the rest of the path), and is_cost.

BEGIN {
	while ((getline text < ENVIRON["FACTS"]) > 0) {
		at = index(text, ":")
		if (!at)
			continue
		fact[substr(text, 1, at - 1)] = substr(text, at + 2)
		fact_order[++facts] = substr(text, 1, at - 1)
	}
}

# A machine that died leaves half a line at the end.
/^\{.*\}$/ {
	read_record(substr($0, 2, length($0) - 2))
	split_path(rec["path"])
	is_cost = "number" in rec
	each_record()
}

END { the_end() }

# Only what write.awk writes: no nested objects but flat ones.
function read_record(text,	key, c, at)
{
	for (key in rec)
		delete rec[key]
	rest = text
	while (substr(rest, 1, 1) == "\"") {
		key = take_string()
		rest = substr(rest, 2)
		c = substr(rest, 1, 1)
		if (c == "\"") {
			rec[key] = take_string()
		} else if (c == "{" || c == "[") {
			at = index(rest, c == "{" ? "}" : "]")
			rec[key] = substr(rest, 2, at - 2)
			rest = substr(rest, at + 1)
		} else {
			at = index(rest ",", ",")
			rec[key] = substr(rest, 1, at - 1)
			rest = substr(rest, at)
		}
		sub(/^,/, "", rest)
	}
}

function take_string(	raw)
{
	match(rest, /^"([^"\\]|\\.)*"/)
	raw = substr(rest, 2, RLENGTH - 2)
	rest = substr(rest, RLENGTH + 1)
	return index(raw, "\\") ? unescape(raw) : raw
}

function unescape(raw,	n, part, i, text)
{
	n = split(raw, part, /\\\\/)
	for (i = 1; i <= n; i++) {
		gsub(/\\n/, "\n", part[i])
		gsub(/\\t/, "\t", part[i])
		gsub(/\\"/, "\"", part[i])
		text = text (i > 1 ? "\\" : "") part[i]
	}
	return text
}

# Everything up to the program, whatever comes before the suite.
function split_path(path,	n, part, i)
{
	n = split(path, part, ".")
	class = part[1]
	for (i = 2; i <= n; i++) {
		class = class "." part[i]
		if (part[i] ~ /_(test|perf)$/)
			break
	}
	name = substr(path, length(class) + 2)
}

# As run_all.sh takes it: "pidns/identity_test:global.one".
function selector(	text, test)
{
	text = class
	if ("flavour" in rec)
		text = substr(text, length(rec["flavour"]) + 2)
	sub(/\./, "/", text)
	test = is_cost ? rec["test"] : name
	return test ~ /^(runner\.|unnamed_|all$)/ ? text : text ":" test
}

# Is it a failure that counts?
function is_failure() { return rec["status"] ~ /^(FAIL|ERROR)$/ }

# The value of "value" in "value":1.05,"unit":"ratio".
function ratio(	text)
{
	text = rec["number"]
	sub(/^"value":/, "", text)
	sub(/,.*/, "", text)
	return text
}

function json(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\t/, "\\t", text)
	gsub(/\n/, "\\n", text)
	return "\"" text "\""
}
