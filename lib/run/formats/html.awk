# SPDX-License-Identifier: GPL-2.0
#
# report.html: a run as one page that needs nothing else, for people. Needs
# human.awk. It is XML as well, so that any parser can check it.
#
#   PAGE         directory with promises (see page.sh), and pictures if drawn
#   NO_PICTURES  why there are none
#   PARTS        directory with page.css and page.js
#   RESULTS      the results: kernel.log, costs.txt, results.ktap
#   RUN          how to call run_all.sh

BEGIN {
	MOST = 100 # failures told at length
	label["PASS"] = "passed"
	label["FAIL"] = "failed"
	label["ERROR"] = "error"
	label["SKIP"] = "skipped"
	label["XFAIL"] = "known"
	style["PASS"] = "pass"
	style["FAIL"] = style["ERROR"] = "fail"
	style["SKIP"] = "skip"
	style["XFAIL"] = "known"
	while ((getline text < (ENVIRON["PAGE"] "/promises")) > 0) {
		split(text, part, "\t")
		if (part[3] != "none")
			promises[part[1], part[2]] = promises[part[1], part[2]] \
				(promises[part[1], part[2]] == "" ? "" : "<br/>") \
				esc(part[3])
	}
}

function esc(text)
{
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	gsub(/'/, "\\&#39;", text)
	gsub(/[\001-\010\013-\037\177]/, "?", text)
	return text
}

function code(text) { return "<code>" esc(text) "</code>" }

function cell(text, kind)
{
	return "<td" (kind == "" ? "" : " class=\"" kind "\"") ">" text "</td>"
}

# A list is an array: long strings that grow are slow in some awks.
function each_record(	word, text)
{
	if (is_cost) {
		note_cost()
		return
	}
	word = rec["status"] in label ? rec["status"] : "ERROR"
	count[style[word]]++
	total++
	flaky += "flaky" in rec
	if (style[word] == "fail")
		note_failure()
	if (word == "SKIP" && !skips[rec["reason"]]++)
		skip[++reasons] = rec["reason"]
	if (word == "XFAIL" && !known[rec["reason"]]++) {
		bug[++bugs] = rec["reason"]
		fix[rec["reason"]] = rec["fix"]
		link[rec["reason"]] = rec["link"]
	}
	text = esc(rec["reason"])
	if (style[word] == "fail" && failures <= MOST)
		text = "<a href=\"#f" failures "\">" \
			(text == "" ? "more" : text) "</a>"
	row[total] = "<tr class=\"" style[word] \
		("flaky" in rec ? " flaky" : "") "\">" \
		cell(label[word] ("flaky" in rec ? ", flaky" : ""), "word") \
		"<td class=\"text\">" code(rec["path"]) round() "</td>" \
		cell(text, "text") \
		cell(esc(time(rec["duration"])), "number") "</tr>"
}

function round() { return "round" in rec ? " round " esc(rec["round"]) : "" }

# Names a test, and its round.
function key(test)
{
	return class "." test "." ("round" in rec ? rec["round"] : 1)
}

# They come in whole milliseconds.
function time(s)
{
	if (s !~ /^[0-9.]+$/)
		return ""
	return s < 0.001 ? "< 1 ms" : duration(s * 1e9)
}

function note_failure(	i, program)
{
	if (++failures > MOST)
		return
	program = selector()
	sub(/:.*/, "", program)
	i = failures
	f_key[i] = key(name)
	f_head[i] = code(rec["path"]) round()
	if (take_apart(rec["reason"]))
		f_facts[i] = pair("checked", code(promise)) \
			pair("expected", esc(want)) pair("got", esc(got)) \
			pair("difference", esc(apart))
	f_more[i] = pair("said", esc(rec["reason"])) pair("promised by", promises["Promises", program]) \
		pair("guards", promises["Guards", program]) \
		pair("fixed by", esc(rec["fix"] == "none" ? \
			"nothing yet" : rec["fix"])) \
		pair("more about it", esc(rec["link"])) \
		pair("run it again", code(ENVIRON["RUN"] " -v " selector())) \
		pair("all output", code(rec["log"]))
	f_said[i] = rec["log_excerpt"]
}

function pair(what, text)
{
	return text == "" ? "" : "<dt>" what "</dt><dd>" text "</dd>\n"
}

function note_cost(	verdict, part, text)
{
	costs++
	verdict = rec["verdict"] ~ /^(within|over|unsure|report)$/ ? \
		rec["verdict"] : "report"
	split(rec["interval"], part, ",")
	judged[verdict]++
	c_head[costs] = code(rec["path"]) round()
	c_class[costs] = verdict
	text = cost(rec["outside"], rec["unit"]) " outside, " \
		cost(rec["inside"], rec["unit"]) " inside, interval " \
		percents(part[1]) " to " percents(part[2]) ", " rec["n"] \
		" pairs"
	c_text[costs] = "<span class=\"word\">" esc(rec["verdict"]) \
		"</span>: " esc(percents(ratio()) ", limit " \
		percents(rec["limit"]) "; " text)
	c_title[costs] = esc(rec["path"] " " percents(ratio()) ", " \
		rec["verdict"])
	if (verdict == "over") {
		over[key(rec["test"])] = over[key(rec["test"])] \
			pair("cost", code(rec["path"])) \
			pair("expected", esc("at most " \
				percents(rec["limit"]) " inside")) \
			pair("got", esc(percents(ratio()) ": " text))
	}
	c_row[costs] = "<tr class=\"" verdict "\"><td class=\"text\">" \
		c_head[costs] "</td>" \
		cell(esc(cost(rec["outside"], rec["unit"])), "number") \
		cell(esc(cost(rec["inside"], rec["unit"])), "number") \
		cell(esc(ratio()), "number") \
		cell(esc(part[1] " .. " part[2]), "number") \
		cell(esc(rec["limit"]), "number") cell(esc(rec["n"]), "number") \
		cell(esc(rec["verdict"]), "word") cell(esc(rec["reason"])) \
		"</tr>"
}

function print_file(path,	text)
{
	while ((getline text < path) > 0)
		print text
	close(path)
}

function has_file(path,	text, found)
{
	found = (getline text < path) > 0
	close(path)
	return found
}

# What the program of the run says of itself: "1..46" and as many results.
function read_plan(	text, path)
{
	path = ENVIRON["RESULTS"] "/results.ktap"
	while ((getline text < path) > 0) {
		if (text ~ /^1\.\.[0-9]+$/)
			planned = substr(text, 4) + 0
		else if (text ~ /^(not )?ok [0-9]/)
			ran++
	}
	close(path)
}

function counted(n, word) { return n + 0 " " word (n == 1 ? "" : "s") }

function verdict_words()
{
	verdict = count["fail"] ? "fail" : "pass"
	if (dearer)
		verdict = "fail"
	else if (verdict == "pass" && !count["pass"] && !count["known"])
		verdict = "none"
	if (count["fail"])
		return count["fail"] " failed"
	if (dearer)
		return counted(dearer, "cost") " over the limit against another kernel"
	if (verdict == "none")
		return "Nothing could be judged"
	return count["known"] ? "Nothing new failed" : "All good"
}

function read_comparison(	text, path)
{
	path = ENVIRON["RESULTS"] "/costs.txt"
	while ((getline text < path) > 0) {
		compared++
		dearer += text ~ / limit [-+0-9.e]*%: over$/
	}
	close(path)
}

function tile(status, number, word)
{
	print "<li><a href=\"#all\" data-status=\"" status "\"><b>" \
		number + 0 "</b>" word "</a></li>"
}

function print_head(	words)
{
	words = verdict_words()
	print "<!DOCTYPE html>"
	print "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head>" \
		"<meta charset=\"utf-8\"/>"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
	# Nothing is fetched, and no text of a test can become a script.
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"" \
		"default-src &#39;none&#39;; img-src data:; " \
		"style-src &#39;unsafe-inline&#39;; " \
		"script-src &#39;nonce-page&#39;\"/>"
	print "<link rel=\"icon\" href=\"data:,\"/>"
	print "<title>" words ": selftests on Linux " esc(fact["kernel"]) \
		"</title>"
	print "<style>"
	print_file(ENVIRON["PARTS"] "/page.css")
	print "</style></head><body>"
	print "<header class=\"" verdict "\"><h1>" words "</h1>"
	print "<p>" counted(total, "test") " of selftests on Linux <b>" \
		esc(fact["kernel"]) "</b> " esc(fact["machine"]) ", " \
		esc(fact["cpus"]) " cpus, " esc(fact["virtualisation"]) ", " \
		esc(fact["date"]) "</p>"
	if (ran < planned)
		print "<p><b>Not complete: " ran + 0 " of " planned \
			" programs ran.</b></p>"
	if (costs)
		print "<p>" counted(costs, "cost") ": " judged["within"] + 0 \
			" within the limit, " judged["over"] + 0 " over, " \
			judged["unsure"] + 0 " unsure, " judged["report"] + 0 \
			" not judged</p>"
	print "</header>\n<ul class=\"counts\">"
	tile("", total, "tests")
	tile("pass", count["pass"], "passed")
	tile("fail", count["fail"], "failed")
	tile("skip", count["skip"], "skipped")
	tile("known", count["known"], "known")
	if (flaky)
		tile("flaky", flaky, "flaky")
	print "</ul>\n<nav>"
	if (failures)
		print "<a href=\"#failures\">Failures</a>"
	print "<a href=\"#facts\">Surroundings</a>"
	if (bugs)
		print "<a href=\"#known\">Known bugs</a>"
	if (reasons)
		print "<a href=\"#skips\">Skipped</a>"
	if (costs)
		print "<a href=\"#costs\">Costs</a>"
	print "<a href=\"#all\">All results</a></nav>"
}

function print_failures(	i)
{
	if (!failures)
		return
	print "<h2 id=\"failures\">Failures</h2>"
	for (i = 1; i <= failures && i <= MOST; i++) {
		print "<article id=\"f" i "\"><h3>" f_head[i] "</h3><dl>" \
			(f_key[i] in over ? over[f_key[i]] : f_facts[i]) \
			f_more[i] "</dl>"
		if (f_said[i] != "")
			print "<details><summary>what it printed</summary><pre>" \
				esc(f_said[i]) "</pre></details>"
		print "</article>"
	}
	if (failures > MOST)
		print "<p>and " failures - MOST " more, in the table of all " \
			"results.</p>"
}

function print_text(title, path,	text, n)
{
	if (!has_file(path))
		return
	print "<details><summary>" title "</summary><pre>"
	while ((getline text < path) > 0 && ++n <= 500)
		print esc(text)
	close(path)
	print "</pre>" (n > 500 ? "<p>The rest is in " code(path) ".</p>" : "") \
		"</details>"
}

function print_facts(	i)
{
	print "<h2 id=\"facts\">Surroundings</h2><dl class=\"facts\">"
	for (i = 1; i <= facts; i++)
		print pair(esc(fact_order[i]), esc(fact[fact_order[i]]))
	print "</dl>"
	print_text("Kernel log", ENVIRON["RESULTS"] "/kernel.log")
}

function table(id, heads,	i, n, head)
{
	n = split(heads, head, "|")
	print "<div class=\"scroll\" tabindex=\"0\"><table" \
		(id == "" ? "" : " id=\"" id "\"") "><thead><tr>"
	for (i = 1; i <= n; i++)
		print "<th scope=\"col\"" (head[i] ~ /^>/ ? \
			" class=\"number\"" : "") ">" \
			(head[i] ~ /^>/ ? substr(head[i], 2) : head[i]) "</th>"
	print "</tr></thead><tbody>"
}

function end_table() { print "</tbody></table></div>" }

# No other links than these: one to a script would be run.
function linked(url)
{
	if (url ~ /^https?:\/\/[^ ]+$/)
		return "<a href=\"" esc(url) "\">" esc(url) "</a>"
	return esc(url)
}

function print_known_and_skips(	i, why)
{
	if (bugs) {
		print "<h2 id=\"known\">Known bugs of this kernel</h2>"
		table("", "bug|fix|>tests")
	}
	for (i = 1; i <= bugs; i++) {
		why = bug[i]
		print "<tr>" cell(esc(why) (link[why] == "" ? "" : "<br/>" \
			linked(link[why])), "text") \
			cell(esc(fix[why])) cell(known[why], "number") "</tr>"
	}
	if (bugs)
		end_table()
	if (reasons) {
		print "<h2 id=\"skips\">Skipped</h2>"
		table("", "because|>tests")
	}
	for (i = 1; i <= reasons; i++)
		print "<tr>" cell(esc(skip[i])) cell(skips[skip[i]], "number") \
			"</tr>"
	if (reasons)
		end_table()
}

# What gnuplot drew, in colours of the page, and without what two pictures on
# a page must not both have.
function draw(path, title,	text, on, held)
{
	while ((getline text < path) > 0) {
		if (text ~ /viewBox=/) {
			gsub(/[^0-9 ]/, "", text)
			sub(/^ */, "", text)
			print "<svg viewBox=\"" text "\" role=\"img\" " \
				"aria-label=\"" title "\">"
		}
		if (text ~ /<g id="gnuplot_canvas">/)
			on = 1
		if (text ~ /<defs>/)
			on = 0
		if (on && text !~ /^[ \t]*$/ && text !~ /<rect [^>]*fill="none"/)
			held = print_drawn(recoloured(text), held)
		if (text ~ /<\/defs>/)
			on = 1
	}
	close(path)
	print held
}

# Most groups are empty. Returns what may have to be printed.
function print_drawn(text, held)
{
	if (held ~ /<g [^>]*>$/ && text == "</g>")
		return ""
	if (held != "")
		print held
	return text
}

function recoloured(text)
{
	gsub(/rgb\( *1, *2, *3\)/, "var(--ink)", text)
	gsub(/rgb\( *1, *2, *4\)/, "var(--limit)", text)
	gsub(/rgb\( *1, *2, *5\)/, "var(--band)", text)
	gsub(/rgb\( *1, *2, *6\)/, "var(--inside)", text)
	gsub(/rgb\( *1, *2, *7\)/, "var(--null)", text)
	gsub(/ id="[^"]*"/, "", text)
	gsub(/<title>[^<]*<\/title>/, "", text)
	gsub(/ font-family="[^"]*" font-size="[^"]*"/, "", text)
	gsub(/ color="[^"]*"| stroke-linecap="butt"| stroke-linejoin="miter"/, \
		"", text)
	if (gsub(/<use xlink:href='#gp[A-Za-z0-9]*'/, "<circle r='1' stroke='none'", text))
		gsub(/ color=/, " fill=", text)
	sub(/^[ \t]+/, "", text)
	return text
}

function print_pictures(	i, n, path, text, part)
{
	if (ENVIRON["NO_PICTURES"] != "") {
		print "<p id=\"no_pictures\">No pictures: " \
			esc(ENVIRON["NO_PICTURES"]) ".</p>"
		return
	}
	while ((getline text < (ENVIRON["PAGE"] "/depths")) > 0) {
		split(text, part, "\t")
		path = ENVIRON["PAGE"] "/depth" part[1] ".svg"
		if (!has_file(path))
			continue
		if (!n++)
			print "<h3>Cost against depth</h3><p class=\"legend\">" \
				"<span>more than outside, with interval</span>" \
				"<span class=\"l-limit\">limit</span></p>" \
				"<div class=\"figures\">"
		print "<figure>"
		draw(path, esc(part[2]) " against depth")
		print "<figcaption>" code(part[2]) "</figcaption></figure>"
	}
	if (n)
		print "</div>"
	n = 0
	for (i = 1; i <= costs; i++) {
		path = ENVIRON["PAGE"] "/cost" i ".svg"
		if (!has_file(path))
			continue
		if (!n++)
			print_legend()
		print "<figure>"
		draw(path, c_title[i])
		print "<figcaption class=\"" c_class[i] "\">" c_head[i] \
			"<br/>" c_text[i] "</figcaption></figure>"
	}
	print n ? "</div>" : "<p id=\"no_pictures\">No pictures " \
		"of pairs: they were not kept.</p>"
}

function print_legend()
{
	print "<h3>Pairs</h3><p class=\"legend\">" \
		"<span class=\"l-pairs\">inside against outside</span>" \
		"<span>ratio</span>" \
		"<span class=\"l-band\">its interval</span>" \
		"<span class=\"l-limit\">limit</span>" \
		"<span class=\"l-null\">outside against itself: noise</span>" \
		"</p><p class=\"quiet\">How many pairs of batches differed by " \
		"how much. One pair in twenty may lie outside of the " \
		"picture.</p><div class=\"figures\">"
}

function print_costs(	i)
{
	if (!costs)
		return
	print "<h2 id=\"costs\">Costs</h2>"
	table("cost_table", "cost|>outside|>inside|>ratio|>lo .. hi|>limit|>n|verdict|")
	for (i = 1; i <= costs; i++)
		print c_row[i]
	end_table()
	if (compared)
		print_text("Against other kernels", \
			ENVIRON["RESULTS"] "/costs.txt")
	print_pictures()
}

function print_all(	i)
{
	print "<h2>All results</h2>"
	print "<div class=\"tools\" id=\"tools\" hidden=\"hidden\">" \
		"<input type=\"search\" id=\"search\" aria-label=\"search\" " \
		"placeholder=\"words of a name or a reason\"/>" \
		"<select id=\"status\" aria-label=\"status\">" \
		"<option value=\"\">all</option>" \
		"<option value=\"pass\">passed</option>" \
		"<option value=\"fail\">failed</option>" \
		"<option value=\"skip\">skipped</option>" \
		"<option value=\"known\">known</option>" \
		(flaky ? "<option value=\"flaky\">flaky</option>" : "") \
		"</select><output id=\"shown\"></output></div>"
	table("all", "result|test|reason|>time")
	for (i = 1; i <= total; i++)
		print row[i]
	end_table()
}

function the_end()
{
	read_plan()
	read_comparison()
	print_head()
	print "<main>"
	print_failures()
	print_facts()
	print_known_and_skips()
	print_costs()
	print_all()
	print "</main>\n<script nonce=\"page\">"
	print_file(ENVIRON["PARTS"] "/page.js")
	print "</script></body></html>"
}
