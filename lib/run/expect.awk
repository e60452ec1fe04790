# SPDX-License-Identifier: GPL-2.0
#
# With glob.awk: what one test ($EXPECT, a pattern) says. Reads the leaves of all
# programs, see write.awk, and prints an exit status: 1 it failed, 0 it is good,
# 125 it was skipped or had no result.

BEGIN {
	FS = "\t"
	wanted = ENVIRON["EXPECT"]
	if (wanted !~ /:/)
		wanted = wanted ":*"
	wanted = glob_regex(wanted)
}

$2 !~ wanted { next }
$1 == "FAIL" || $1 == "ERROR" { failed = 1 }
$1 == "PASS" || $1 == "XFAIL" { good = 1 }

END { print failed ? 1 : good ? 0 : 125 }
