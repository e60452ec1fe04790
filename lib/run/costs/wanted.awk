# SPDX-License-Identifier: GPL-2.0
#
# Which costs to profile: "test operation count cpu" for those that are over, and
# for those that $PATTERNS names. Needs glob.awk.

BEGIN { patterns = glob_list(ENVIRON["PATTERNS"], pattern) }

{
	n = split($3, part, " ")
	for (i = 3; i <= n; i++) {
		at = index(part[i], "=")
		value[substr(part[i], 1, at - 1)] = substr(part[i], at + 1)
	}
	if (value["outside"] <= 0)
		next
	# A second is 4000 ticks.
	count = int(1e9 / value["outside"])
	if (value["verdict"] == "over" && !ENVIRON["QUIET"] ||
	    in_list(value["name"], pattern, patterns))
		printf "%s %s %.0f %s\n", $2, value["name"], \
			(count < 3 ? 3 : count), value["cpu"]
}
