# SPDX-License-Identifier: GPL-2.0
#
# The difference of two profiles, "TICKS |[k] SYMBOL" a line, in the form known
# from the kernel's lists: delta ticks, delta %, symbol. What chance alone
# explains (two sigma of a count) is left out.

BEGIN { FS = "|" }

FNR == 1 { side++ }

/\|/ {
	symbol = $2
	sub(/ +$/, "", symbol)
	ticks[side, symbol] += $1
	ticks[side, "total"] += $1
	all[symbol] = 1
}

function delta(symbol) { return ticks[2, symbol] - ticks[1, symbol] }

function show(symbol,	before)
{
	before = ticks[1, symbol]
	printf "%10d %8s  %s\n", delta(symbol), before ? \
		sprintf("%.1f%%", 100 * delta(symbol) / before) : "new", symbol
}

# Largest first, smallest last.
function sort(n,	i, j, symbol)
{
	for (i = 2; i <= n; i++) {
		symbol = list[i]
		for (j = i - 1; j && delta(list[j]) < delta(symbol); j--)
			list[j + 1] = list[j]
		list[j + 1] = symbol
	}
}

END {
	print "profile of " ENVIRON["OPERATION"] ": what " ENVIRON["COUNT"] \
		" operations take more inside than outside"
	print "     delta  delta %  symbol"
	for (symbol in all)
		if (delta(symbol) * delta(symbol) > \
		    4 * (ticks[1, symbol] + ticks[2, symbol]))
			list[++n] = symbol
	sort(n)
	show("total")
	for (i = 1; i <= n; i++)
		if (i <= 20 || i > n - 10)
			show(list[i])
	if (n > 30)
		print "           and " n - 30 " symbols between these"
	print "     of " ticks[1, "total"] + 0 " ticks outside, " \
		ticks[2, "total"] + 0 " inside"
}
