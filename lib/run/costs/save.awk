# SPDX-License-Identifier: GPL-2.0
#
# Lines for --save: of each measurement the medians of all launches. Reads
# $work/costs, then launches.tsv of every round; without those, one median. -v
# unit= replaces the unit.

FNR == 1 { files++ }

files == 1 {
	n = split($3, part, " ")
	name = keep = ""
	for (i = 3; i <= n; i++) {
		if (part[i] ~ /^name=/)
			name = substr(part[i], 6)
		else if (part[i] ~ /^(outside|inside|reference)=/)
			only[substr(part[i], 1, index(part[i], "=") - 1)] = \
				substr(part[i], index(part[i], "=") + 1)
		else if (part[i] ~ /^unit=/ && unit != "")
			keep = keep " unit=" unit
		else if (part[i] ~ /^(unit|verdict|limit|spread|place)=/)
			keep = keep " " part[i]
	}
	if (!(name in line))
		order[++names] = name
	line[name] = keep
	if (only["reference"] > 0)
		medians[name] = " outside=" only["outside"] " inside=" \
			only["inside"] " reference=" only["reference"]
	split("", only)
	next
}

FNR > 1 && $3 == 0 && $8 > 0 {
	comma = $1 in outside ? "," : ""
	outside[$1] = outside[$1] comma $6
	inside[$1] = inside[$1] comma $7
	reference[$1] = reference[$1] comma $8
}

END {
	for (i = 1; i <= names; i++) {
		name = order[i]
		if (name in outside)
			print "cost name=" name line[name] " outside=" \
				outside[name] " inside=" inside[name] \
				" reference=" reference[name]
		else if (name in medians)
			print "cost name=" name line[name] medians[name]
	}
}
