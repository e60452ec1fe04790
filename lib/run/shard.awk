# SPDX-License-Identifier: GPL-2.0
#
# Of the programs on stdin, those of $SHARD ("2/5"): the longest first, each to
# the shard that has least to do so far. $DURATIONS has lines of "name
# milliseconds"; what it does not know takes as long as the median.

BEGIN {
	while ((getline text < ENVIRON["DURATIONS"]) > 0)
		if (text !~ /^#/ && split(text, part, " ") == 2)
			recorded[part[1]] = part[2] + 0
	split(ENVIRON["SHARD"], part, "/")
	mine = part[1]
	shards = part[2]
}

{
	name[NR] = $0
	if ($0 in recorded)
		known[++n] = recorded[$0]
}

# Falling, and by name where that is equal.
function sort_rank(	i, k, t)
{
	for (i = 1; i <= NR; i++) {
		for (k = i; k > 1 && before(i, rank[k - 1]); k--)
			rank[k] = rank[k - 1]
		rank[k] = i
	}
}

function before(a, b)
{
	return ms[a] > ms[b] || ms[a] == ms[b] && name[a] < name[b]
}

function median(	i, k, t)
{
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && known[k - 1] > known[k]; k--) {
			t = known[k]
			known[k] = known[k - 1]
			known[k - 1] = t
		}
	return n ? known[int((n + 1) / 2)] : 1
}

END {
	usual = median()
	for (i = 1; i <= NR; i++)
		ms[i] = name[i] in recorded ? recorded[name[i]] : usual
	sort_rank()
	for (i = 1; i <= NR; i++) {
		least = 1
		for (k = 2; k <= shards; k++)
			if (load[k] < load[least])
				least = k
		load[least] += ms[rank[i]] + 1
		shard[rank[i]] = least
	}
	for (i = 1; i <= NR; i++)
		if (shard[i] == mine)
			print name[i]
}
