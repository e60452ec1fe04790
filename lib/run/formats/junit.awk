# SPDX-License-Identifier: GPL-2.0
#
# junit.xml, in the shape that GitLab and Jenkins both read: one testsuite per
# program, one testcase per test. A test that ran several times is one testcase
# with its worst result, because GitLab drops a name that comes again.

function each_record()
{
	if (is_cost) {
		note_cost()
		return
	}
	if (!(class in tests)) {
		suite[++suites] = class
		began[class] = rec["start"]
		sub(/\..*/, "", began[class])
	}
	spent[class] += rec["duration"]
	if (!(rec["path"] in runs)) {
		testcase[class, ++tests[class]] = rec["path"]
		test_name[rec["path"]] = name
	}
	runs[rec["path"]]++
	failed[rec["path"]] += is_failure()
	if (rank(rec["status"]) > rank(status[rec["path"]]))
		keep(rec["path"])
}

function note_cost(	path)
{
	path = class "." rec["test"]
	costs[path] = costs[path] rec["path"] ": " rec["outside"] " -> " \
		rec["inside"] " " rec["unit"] ", ratio " ratio() " [" \
		rec["interval"] "], limit " rec["limit"] ": " rec["verdict"] "\n"
}

function rank(word) { return index("SKIP PASS XFAIL ERROR FAIL", word) * (word != "") }

function keep(path)
{
	status[path] = rec["status"]
	reason[path] = rec["reason"]
	said[path] = rec["log_excerpt"]
	took[path] = rec["duration"]
	flaky[path] = "flaky" in rec
	log_file[path] = rec["log"]
}

# ERROR is the runner's own word, a time-out nothing the test said.
function kind(path)
{
	if (status[path] == "SKIP" || status[path] == "XFAIL")
		return "skipped"
	if (status[path] == "PASS")
		return ""
	if (status[path] == "ERROR" || reason[path] ~ /^(TIMEOUT|killed by)/)
		return "error"
	return "failure"
}

function xml(text)
{
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

function attribute(key, text)
{
	text = xml(text)
	gsub(/[\n\t]/, " ", text)
	return " " key "=\"" text "\""
}

function print_properties(	i, key)
{
	print "    <properties>"
	for (i = 1; i <= facts; i++) {
		key = fact_order[i]
		if (key ~ /^(suite|kernel|version|machine|config|cmdline|cpus|virtualisation|container|clocksource|governor|taint|uid|slow|flavours|seed|shard)$/)
			print "      <property" attribute("name", key) \
				attribute("value", fact[key]) "/>"
	}
	print "    </properties>"
}

function print_testcase(class_, path,	what, text)
{
	what = kind(path)
	text = runs[path] > 1 ? "failed " failed[path] " of " runs[path] \
		" times\n" : ""
	text = text (flaky[path] ? reason[path] "\n" : "") costs[path]
	printf "    <testcase%s%s%s", attribute("classname", class_), \
		attribute("name", test_name[path]), \
		attribute("time", sprintf("%.3f", took[path]))
	if (what == "" && text == "") {
		print "/>"
		return
	}
	print ">"
	if (what == "skipped")
		print "      <skipped" (status[path] == "XFAIL" ? \
			attribute("type", "known") : "") \
			attribute("message", reason[path]) "/>"
	else if (what != "")
		print "      <" what attribute("type", status[path]) \
			attribute("message", reason[path]) ">" \
			xml(said[path] == "" ? reason[path] "\n" : said[path]) \
			"(all output: " xml(log_file[path]) ")</" what ">"
	if (text != "")
		print "      <system-out>" xml(text) "</system-out>"
	print "    </testcase>"
}

function print_suite(class_,	i, n, what, count)
{
	for (i = 1; i <= tests[class_]; i++) {
		what = kind(testcase[class_, i])
		n[what]++
	}
	print "  <testsuite" attribute("name", class_) \
		attribute("tests", tests[class_]) \
		attribute("failures", n["failure"] + 0) \
		attribute("errors", n["error"] + 0) \
		attribute("skipped", n["skipped"] + 0) \
		attribute("time", sprintf("%.3f", spent[class_])) \
		attribute("timestamp", began[class_]) ">"
	print_properties()
	for (i = 1; i <= tests[class_]; i++)
		print_testcase(class_, testcase[class_, i])
	print "  </testsuite>"
	for (what in n)
		delete n[what]
}

function the_end(	i, k, what, n)
{
	for (i = 1; i <= suites; i++) {
		n["tests"] += tests[suite[i]]
		n["time"] += spent[suite[i]]
		for (k = 1; k <= tests[suite[i]]; k++)
			n[kind(testcase[suite[i], k])]++
	}
	print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
	print "<testsuites" attribute("name", "selftests") \
		attribute("tests", n["tests"] + 0) \
		attribute("failures", n["failure"] + 0) \
		attribute("errors", n["error"] + 0) \
		attribute("time", sprintf("%.3f", n["time"])) ">"
	for (i = 1; i <= suites; i++)
		print_suite(suite[i])
	print "</testsuites>"
}
