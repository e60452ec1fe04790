# SPDX-License-Identifier: GPL-2.0
#
# kcidb.json: what the kernel's common database of CI results takes, schema 5.3
# (kcidb-io). A known failure is a failed test with an incident of an issue.
# $KCIDB_ORIGIN is the name of the CI system that submits it.

function put(key, text) { return ",\"" key "\":" text }

function id(text) { return json(origin ":" text) }

function start()
{
	started = 1
	origin = ENVIRON["KCIDB_ORIGIN"]
	if (origin !~ /^[a-z0-9_]+$/)
		origin = "selftests"
	build = fact["kernel"] "-" fact["machine"] "-" fact["config"]
	run = substr(fact["boot"], 1, 8) "-" fact["date"]
	print "{\"version\":{\"major\":5,\"minor\":3},"
	print "\"checkouts\":[{\"id\":" id(fact["kernel"]) \
		put("origin", json(origin)) \
		put("git_commit_name", json(fact["kernel"])) "}],"
	print "\"builds\":[{\"id\":" id(build) \
		put("checkout_id", id(fact["kernel"])) \
		put("origin", json(origin)) \
		put("architecture", json(fact["machine"])) \
		put("comment", json(fact["version"])) \
		put("misc", facts_object()) "}],"
	environment = put("environment", "{\"comment\":" \
		json(fact["virtualisation"] ", " fact["cpus"] " cpus") "}")
	printf "\"tests\":["
}

function facts_object(	i, text)
{
	for (i = 1; i <= facts; i++)
		text = text (i > 1 ? "," : "") json(fact_order[i]) ":" \
			json(fact[fact_order[i]])
	return "{" text "}"
}

# A complaint of the kernel is about what is tested; all else that the runner
# says is about the test.
function status()
{
	if (rec["status"] == "XFAIL" || name ~ /^runner\.(kernel_log|taint)$/)
		return "FAIL"
	return rec["status"]
}

function each_record(	test)
{
	if (!started)
		start()
	test = run "." rec["path"] \
		("round" in rec ? ".round" rec["round"] : "")
	printf "%s\n{\"id\":%s", separator, id(test)
	separator = ","
	printf "%s", put("build_id", id(build)) put("origin", json(origin)) \
		put("path", json(rec["path"])) put("status", json(status())) \
		put("start_time", json(rec["start"])) environment
	if ("duration" in rec)
		printf "%s", put("duration", rec["duration"])
	if (is_cost && ratio() != "null")
		printf "%s", put("number", "{\"value\":" ratio() "}")
	if ("reason" in rec)
		printf "%s", put("comment", json(rec["reason"]))
	if ("log_excerpt" in rec)
		printf "%s", put("log_excerpt", \
			json(substr(rec["log_excerpt"], 1, 16000)))
	printf "%s}", put("misc", misc())
	if (rec["status"] == "XFAIL")
		note_incident(test)
}

# What the schema has no place for.
function misc(	key, text)
{
	for (key in rec)
		if (key !~ /^(path|status|start|duration|reason|log_excerpt|number)$/)
			text = text (text == "" ? "" : ",") json(key) ":" \
				json(rec[key])
	return "{" text "}"
}

function note_incident(test,	what, issue)
{
	what = "fix" in rec && rec["fix"] != "none" ? rec["fix"] : rec["reason"]
	issue = what
	gsub(/[^A-Za-z0-9]+/, "-", issue)
	if (!(issue in seen)) {
		seen[issue] = 1
		issues = issues (issues == "" ? "" : ",") "\n{\"id\":" \
			id(issue) put("version", 1) put("origin", json(origin)) \
			put("culprit", "{\"code\":true}") \
			put("comment", json(rec["reason"])) \
			("link" in rec ? put("report_url", json(rec["link"])) : \
			"") "}"
	}
	incidents = incidents (incidents == "" ? "" : ",") "\n{\"id\":" \
		id(test) put("origin", json(origin)) \
		put("issue_id", id(issue)) put("issue_version", 1) \
		put("test_id", id(test)) put("present", "true") "}"
}

function the_end()
{
	if (!started)
		start()
	print "],"
	print "\"issues\":[" issues "],"
	print "\"incidents\":[" incidents "]}"
}
