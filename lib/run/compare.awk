# SPDX-License-Identifier: GPL-2.0
#
# Which tests end differently on several kernels. Reads results.ndjson of each,
# the directory names being those of the kernels, $LETTERS. What a failure said
# comes with it. $RECORDS gets a line of JSON per such test. Needs
# formats/record.awk.

function each_record(	k, n, part, key)
{
	if (is_cost)
		return
	n = split(FILENAME, part, "/")
	k = part[n - 1]
	key = ("flavour" in rec ? rec["flavour"] "." : "") selector()
	if (!(key in known)) {
		known[key] = 1
		order[++tests] = key
	}
	# Of several rounds the failure counts.
	if (status[k, key] ~ /^(FAIL|ERROR)$/)
		return
	status[k, key] = rec["status"]
	said[k, key] = is_failure() ? what_it_said() : rec["reason"]
}

# The line that names file and line of the source, else the first.
function what_it_said(	n, line, i)
{
	n = split(rec["log_excerpt"], line, "\n")
	for (i = 1; i <= n; i++)
		if (line[i] ~ /\.[ch]:[0-9]+:/)
			break
	sub(/^#[ \t]*/, "", line[i > n ? 1 : i])
	return n ? line[i > n ? 1 : i] : rec["reason"]
}

function status_of(k, key)
{
	return (k, key) in status ? status[k, key] : "none"
}

function differs(key,	i)
{
	for (i = 2; i <= n_letters; i++)
		if (status_of(letter[i], key) != status_of(letter[1], key))
			return 1
	return 0
}

function show(key,	i, k, line, text, reasons)
{
	line = text = reasons = ""
	for (i = 1; i <= n_letters; i++) {
		k = letter[i]
		line = line sprintf(" %-6s", status_of(k, key))
		text = text (i > 1 ? "," : "") json(k) ":" json(status_of(k, key))
		if (said[k, key] != "")
			reasons = reasons (reasons == "" ? "" : ",") json(k) ":" \
				json(said[k, key])
	}
	print " " line " " key
	for (i = 1; i <= n_letters; i++)
		if (said[letter[i], key] != "")
			print "    " letter[i] ": " said[letter[i], key]
	print "{\"test\":" json(key) ",\"status\":{" text "},\"reason\":{" \
		reasons "}}" >> ENVIRON["RECORDS"]
}

function the_end(	i, found)
{
	n_letters = split(ENVIRON["LETTERS"], letter, " ")
	for (i = 1; i <= tests; i++)
		found += differs(order[i])
	if (!found) {
		print "no test differs, of " tests
		return
	}
	print "tests that differ, " found " of " tests ":"
	printf " "
	for (i = 1; i <= n_letters; i++)
		printf " %-6s", letter[i]
	print ""
	for (i = 1; i <= tests; i++)
		if (differs(order[i]))
			show(order[i])
}
