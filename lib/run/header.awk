# SPDX-License-Identifier: GPL-2.0
#
# Print what the headers of test files say under $KEYWORD (Promises, Guards or
# Needs): one "<suite>/<program> TAB <item>" line per item. A value may go on
# over several lines; items are separated by ";", and every commit that begins
# a line of Guards is an item.

FNR == 1 { flush_item(); inside = in_comment = over = 0; program = name_of(FILENAME) }

over { next }

/^[ \t]*\/\*/ { in_comment = 1 }

!in_comment { next }

/\*\// { flush_item(); inside = 0; over = 1; next }

{
	text = $0
	sub(/^[ \t]*\/?\*+[ \t]*/, "", text)
	sub(/[ \t]+$/, "", text)
}

text ~ /^(Promises|Guards|Needs):/ {
	flush_item()
	inside = index(text, ENVIRON["KEYWORD"] ":") == 1
	sub(/^[A-Za-z]+:[ \t]*/, "", text)
}

text == "" { flush_item(); inside = 0 }

inside {
	if (ENVIRON["KEYWORD"] == "Guards" && text ~ /^[0-9a-f]+ \(/)
		flush_item()
	item = item (item == "" ? "" : " ") text
	while ((at = end_of_item(item)) > 0) {
		rest = substr(item, at + 2)
		item = substr(item, 1, at - 1)
		flush_item()
		item = rest
	}
}

END { flush_item() }

# Where the ";" is that ends the first item; those in parentheses belong to it.
function end_of_item(text,	i, c, depth)
{
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		depth += (c == "(") - (c == ")")
		if (c == ";" && depth <= 0 && \
		    substr(text, i + 1, 1) ~ /^ ?$/)
			return i
	}
	return 0
}

function flush_item()
{
	sub(/[.;]$/, "", item)
	if (item != "")
		print program "\t" item
	item = ""
}

function name_of(path,	n, part, base)
{
	n = split(path, part, "/")
	base = part[n]
	sub(/\.(c|sh)$/, "", base)
	return n > 1 ? part[n - 1] "/" base : base
}
