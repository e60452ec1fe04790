# SPDX-License-Identifier: GPL-2.0
#
# Shuffle lines by $SEED. Every awk has another rand(), and a seed shall mean
# the same everywhere: so here is a generator (Lehmer's) that all compute alike.

function below(n)
{
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

{ line[NR] = $0 }

END {
	state = ENVIRON["SEED"] % 2147483646 + 1
	# Close seeds begin alike.
	for (i = 0; i < 10; i++)
		below(1)
	for (i = NR; i > 0; i--) {
		k = 1 + below(i)
		print line[k]
		line[k] = line[i]
	}
}
