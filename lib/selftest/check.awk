# SPDX-License-Identifier: GPL-2.0
#
# Renumber the TAP of one test file, put $LABEL before the names, and make a
# failed result of a bad end. The last line of the input is "# ended <status>".

function result(good, text)
{
	print (good ? "ok " : "not ok ") ++number " " ENVIRON["LABEL"] ": " text
	failures += !good
}

BEGIN { number = first = ENVIRON["NUMBER"] + 0 }

/^# ended [0-9]+$/ { status = $3; next }

/^1\.\.[0-9]+/ { planned = substr($0, 4) + 0; next }

/^(not )?ok [0-9]+/ {
	good = $1 == "ok"
	text = $0
	sub(/^(not )?ok [0-9]+ *(- )?/, "", text)
	if (!good)
		printf "%s", said
	said = ""
	result(good, text)
	next
}

/^#/ && !/^# +(RUN|OK) / { said = said $0 "\n" }

END {
	printed = number - first
	if (status == 4 && planned == 0 && !printed)
		result(1, "all # SKIP not here")
	else if (status == 124 || status == 137)
		result(0, "took too long")
	else if (printed != planned || !printed)
		result(0, "planned " planned " results, printed " printed)
	else if (status != 0 && !failures)
		result(0, "exit status " status)
	else
		said = ""
	if (failures)
		printf "%s", said
}
