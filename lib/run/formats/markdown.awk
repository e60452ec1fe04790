# SPDX-License-Identifier: GPL-2.0
#
# summary.md: the run as Markdown, for a mail, a pull request, or the page that
# GitHub shows of a job. $RUN is how to call run_all.sh.

# No text may end a cell, or begin something that Markdown knows.
function cell(text)
{
	gsub(/\n/, " ", text)
	gsub(/[|<>*_\\`]/, "\\\\&", text)
	return text
}

function code(text)
{
	gsub(/[`|\n]/, " ", text)
	return "`" text "`"
}

function each_record()
{
	if (is_cost) {
		costs++
		cost = cost "| " code(rec["path"]) " | " rec["outside"] " | " \
			rec["inside"] " " rec["unit"] " | " ratio() " | " \
			cell(rec["interval"]) " | " rec["limit"] " | " \
			rec["verdict"] " |\n"
		return
	}
	total++
	count[rec["status"]]++
	if (is_failure())
		note_failure()
	if (rec["status"] == "SKIP" && !skips[rec["reason"]]++)
		skip[++reasons] = rec["reason"]
	if (rec["status"] == "XFAIL" && !known[rec["reason"]]++)
		bug[++bugs] = rec["reason"]
}

# The page has a limit, and nobody reads thousands.
function note_failure()
{
	if (++failures <= 50)
		failure = failure "| " code(rec["path"]) " | " \
			cell(rec["reason"]) " | " \
			code(ENVIRON["RUN"] " -v " selector()) " |\n"
}

function the_end(	i)
{
	print "### selftests: " (failures ? failures " failed" : \
		count["PASS"] + count["XFAIL"] ? "nothing failed" : \
		"nothing could be judged") " on Linux " cell(fact["kernel"])
	print ""
	print total + 0 " tests: " count["PASS"] + 0 " passed, " \
		failures + 0 " failed, " count["SKIP"] + 0 " skipped, " \
		count["XFAIL"] + 0 " failed as known."
	if (failures) {
		print "\n| failed | reason | run it again |\n|---|---|---|"
		printf "%s", failure
		if (failures > 50)
			print "\nand " failures - 50 " more."
	}
	if (bugs)
		print "\n| known bug of this kernel | tests |\n|---|--:|"
	for (i = 1; i <= bugs; i++)
		print "| " cell(bug[i]) " | " known[bug[i]] " |"
	if (costs)
		print "\n<details><summary>" costs " costs</summary>\n\n" \
		      "| cost | outside | inside | ratio | interval | limit | " \
		      "verdict |\n|---|--:|--:|--:|--:|--:|---|\n" cost \
		      "\n</details>"
	if (reasons)
		print "\n| skipped because | tests |\n|---|--:|"
	for (i = 1; i <= reasons; i++)
		print "| " cell(skip[i]) " | " skips[skip[i]] " |"
	print "\n<details><summary>surroundings</summary>\n\n| | |\n|---|---|"
	for (i = 1; i <= facts; i++)
		print "| " fact_order[i] " | " cell(fact[fact_order[i]]) " |"
	print "\n</details>"
}
