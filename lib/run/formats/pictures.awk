# SPDX-License-Identifier: GPL-2.0
#
# A script for gnuplot that draws costs, for html.awk: cost<N>.svg is about the
# Nth cost of results.ndjson, depth<N>.svg about what is measured at several
# depths; $PAGE/depths says which. $RESULTS/pairs* has the pairs.
#
# No text from outside gets into the script, only numbers. Colours are stand-ins
# for the page's own, see draw() in html.awk.

BEGIN {
	INK = "\"#010203\""
	LIMIT = "\"#010204\""
	BAND = "\"#010205\""
	INSIDE = "\"#010206\""
	NULL = "\"#010207\""
	BINS = 96
}

function is_value(text) { return text ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ }

function percent(factor) { return 100 * (factor - 1) }

function begin()
{
	if (begun++)
		return
	print "set terminal svg size 460,170 dynamic noenhanced"
	print "set border 1 lc rgb " INK
	print "set xtics nomirror scale 0.5 tc rgb " INK
	print "set format x '%g %%'"
	print "unset key"
	print "unset ytics"
}

# The file that lib/perf/perf_raw.c wrote; a flavour is in its directory's name.
function pairs_file(	text, suite)
{
	text = class
	if ("flavour" in rec)
		text = substr(text, length(rec["flavour"]) + 2)
	suite = text
	sub(/\..*/, "", suite)
	return ENVIRON["RESULTS"] "/pairs" \
		("flavour" in rec ? "." rec["flavour"] : "") \
		("round" in rec ? "." rec["round"] : "") "/" suite "." name ".tsv"
}

# Sets got[kind, i] and gots[kind], kind 0 inside against outside, 1 outside
# against itself, and v[1..all] of both.
function read_pairs(file,	line, part)
{
	split("", got)
	split("", gots)
	split("", v)
	all = 0
	while ((getline line < file) > 0) {
		split(line, part, "\t")
		if (part[2] !~ /^[01]$/ || part[4] <= 0 || part[5] <= 0)
			continue
		v[++all] = percent(part[5] / part[4])
		got[part[2], ++gots[part[2]]] = v[all]
	}
	close(file)
}

# Shell sort of v[1..n]: there may be thousands.
function sort(n,	gap, i, j, x)
{
	for (gap = int(n / 2); gap; gap = int(gap / 2))
		for (i = gap + 1; i <= n; i++) {
			x = v[i]
			for (j = i; j > gap && v[j - gap] > x; j -= gap)
				v[j] = v[j - gap]
			v[j] = x
		}
}

function widen(x)
{
	if (x < low)
		low = x
	if (x > high)
		high = x
}

# One pair in twenty may lie outside of the picture: interrupts would make the
# rest too small to be seen.
function set_range(	cut)
{
	sort(all)
	cut = int(all / 40)
	low = v[1 + cut]
	high = v[all - cut]
	widen(percent(lo))
	widen(percent(hi))
	widen(0)
	if (is_value(rec["limit"]))
		widen(percent(rec["limit"]))
	cut = (high - low) / 25
	if (cut <= 0)
		cut = 0.1
	low -= cut
	high += cut
}

# Shares, because there are fewer pairs of the outside against itself.
function print_bins(kind,	i, at, bin)
{
	for (i = 1; i <= gots[kind]; i++) {
		at = int((got[kind, i] - low) / (high - low) * BINS)
		if (at >= 0 && at < BINS)
			bin[at]++
	}
	print "$kind" kind " << END"
	for (i = 0; i < BINS; i++)
		printf "%.6g %.6g\n", low + (i + (kind ? 0 : 0.5)) * (high - low) / \
			BINS, bin[i] / gots[kind]
	print "END"
}

function line_at(x, colour, style)
{
	printf "set arrow from first %.6g, graph 0 to first %.6g, graph 1 " \
		"nohead lw 2 %s lc rgb %s\n", x, x, style, colour
}

function draw_pairs(	null)
{
	read_pairs(pairs_file())
	if (gots[0] < 2)
		return
	set_range()
	begin()
	print "set output 'cost" costs ".svg'"
	print "unset arrow\nunset object"
	printf "set xrange [%.6g:%.6g]\nset yrange [0:*]\n", low, high
	printf "set object 1 rectangle from first %.6g, graph 0 to first " \
		"%.6g, graph 1 behind fs solid 0.35 noborder fc rgb %s\n", \
		percent(lo), percent(hi), BAND
	printf "set arrow from first 0, graph 0 to first 0, graph 1 nohead " \
		"lc rgb %s\n", INK
	line_at(percent(ratio()), INSIDE, "")
	if (is_value(rec["limit"]))
		line_at(percent(rec["limit"]), LIMIT, "dt '- '")
	print_bins(0)
	null = gots[1] > 1
	if (null)
		print_bins(1)
	print "plot $kind0 using 1:2 with boxes fs solid 0.7 noborder lc rgb " \
		INSIDE (null ? ", $kind1 using 1:2 with steps lw 1.5 lc rgb " \
		NULL : "")
}

# "fork_wait.pidns8" is a point of the line "fork_wait".
function note_depth(	series, depth)
{
	if (!match(name, /\.pidns[0-9]+$/))
		return
	depth = substr(name, RSTART + 6)
	series = class
	sub(/\.[^.]*$/, "", series)
	series = series "." substr(name, 1, RSTART - 1) \
		("round" in rec ? " (round " rec["round"] ")" : "")
	if (!(series in points))
		line[++lines] = series
	points[series]++
	if (!((series, depth) in row) && depth + 0 > deepest[series] + 0)
		deepest[series] = depth + 0
	row[series, depth + 0] = sprintf("%d %.6g %.6g %.6g %s\n", depth, \
		percent(ratio()), percent(lo), percent(hi), \
		is_value(rec["limit"]) ? percent(rec["limit"]) : "NaN")
}

function each_record(	part)
{
	if (!is_cost)
		return
	costs++
	split(rec["interval"], part, ",")
	lo = part[1]
	hi = part[2]
	if (!is_value(ratio()) || !is_value(lo) || !is_value(hi))
		return
	draw_pairs()
	note_depth()
}

function draw_depth(series,	d)
{
	print "set output 'depth" ++drawn ".svg'"
	print "$kind0 << END\n0 0 0 0 0"
	for (d = 1; d <= deepest[series]; d++)
		if ((series, d) in row)
			printf "%s", row[series, d]
	print "END"
	printf "set xrange [0:%d]\n", deepest[series] + 1
	print "plot $kind0 using 1:5 every ::1 with lines dt '- ' " \
		"lw 2 lc rgb " LIMIT ", $kind0 using 1:2:3:4 with " \
		"yerrorlines pt 7 ps 0.5 lw 1.5 lc rgb " INSIDE
	print drawn "\t" series > ENVIRON["PAGE"] "/depths"
}

function the_end(	i)
{
	for (i = 1; i <= lines; i++) {
		if (points[line[i]] < 2)
			continue
		begin()
		if (!drawn) {
			print "unset arrow\nunset object\nset format x '%g'"
			print "set border 3 lc rgb " INK
			print "set yrange [*:*]\nset format y '%g %%'"
			print "set ytics nomirror scale 0.5 tc rgb " INK
			print "set xlabel 'pid namespaces deep' tc rgb " INK
			print "set terminal svg size 460,240 dynamic noenhanced"
		}
		draw_depth(line[i])
	}
}
