# SPDX-License-Identifier: GPL-2.0
#
# Read saves (see save.awk) for table.awk and trend.awk: runs are numbered in
# the order in which they come.
#
#   fact[run, key]          what the run says of its machine
#   value[run, name, side]  medians of its launches, in turns of the reference
#   reference[run, name]    one such turn, in ns

/^run / {
	runs++
	for (i = 2; i <= NF; i++) {
		at = index($i, "=")
		fact[runs, substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	from[runs] = FILENAME
}

/^cost / && runs {
	for (i = 2; i <= NF; i++) {
		at = index($i, "=")
		field[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	name = field["name"]
	if (!(name in known_name)) {
		known_name[name] = 1
		names[++n_names] = name
	}
	unit[name] = field["unit"]
	spread[runs, name] = field["spread"]
	n = split(field["reference"], ref, ",")
	take_side("outside")
	take_side("inside")
	for (i = 1; i <= n; i++)
		list[i] = ref[i]
	reference[runs, name] = middle(sorted(n))
}

function take_side(side,	i, part, text)
{
	split(field[side], part, ",")
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? "," : "") part[i] / ref[i]
	value[runs, name, side] = text
}

# Sorts list[1..n]; returns n.
function sorted(n,	i, j, v)
{
	for (i = 2; i <= n; i++) {
		v = list[i] + 0
		for (j = i - 1; j && list[j] + 0 > v; j--)
			list[j + 1] = list[j]
		list[j + 1] = v
	}
	return n
}

function middle(n)
{
	return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
}

function fill(text) { return split(text, list, ",") }

# Of list[1..n], sorted: the largest rank whose interval fails in at most 5 %
# (stats.h:stat_rank); 0 when n is too small. Beyond 400 as a normal distribution.
function rank_of(n,	k, p, tail)
{
	if (n > 400)
		return int(n / 2 - 0.98 * root(n))
	p = 1
	for (k = 0; k < n; k++)
		p /= 2
	for (k = 0; tail + p <= 0.025; k++) {
		tail += p
		p = p * (n - k) / (k + 1)
	}
	return k
}

# Not every awk has sqrt().
function root(x,	i, r)
{
	r = x > 1 ? x : 1
	for (i = 0; i < 60; i++)
		r = (r + x / r) / 2
	return r
}

# What a ratio is more than 1, in percent; without a sign for nothing.
function percent(ratio,	p)
{
	p = 100 * (ratio - 1)
	return p > -0.05 && p < 0 ? 0 : p
}
