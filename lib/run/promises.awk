# SPDX-License-Identifier: GPL-2.0
#
# From lines of header.awk (sorted by item), a table: item, then its tests.

BEGIN { FS = "\t" }

NR == 1 { print title ":"; print "" }

$2 != item {
	if (item != "")
		print ""
	item = $2
	print item
}

{ print "    " $1 }

END { if (NR) print "" }
