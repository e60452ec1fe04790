# SPDX-License-Identifier: GPL-2.0
#
# Print the first of $LIMITS whose pattern fits no cost of a save. Needs glob.awk.

/^cost name=/ { name[++n] = substr($2, 6) }

END {
	k = split(ENVIRON["LIMITS"], limit, ",")
	for (i = 1; i <= k; i++) {
		if (limit[i] !~ /=/)
			continue
		sub(/=[^=]*$/, "", limit[i])
		for (j = 1; j <= n; j++)
			if (name[j] ~ glob_regex(limit[i]))
				break
		if (j > n) {
			print limit[i]
			exit
		}
	}
}
