# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# --html: one page with everything in it. Pictures of costs are drawn by
# gnuplot, if there is one; formats/html.awk puts all together.

# What the sources of failed programs promise: keyword, program, item.
promises_of_failures()
{
	convert failed | while read -r program; do
		for source in "$(source_dir "${program%/*}")/${program#*/}".c \
			      "$(source_dir "${program%/*}")/${program#*/}".sh; do
			[ -r "$source" ] || continue
			for KEYWORD in Promises Guards; do
				export KEYWORD
				awk -f "$here/header.awk" "$source" |
					sed "s/^/$KEYWORD$tab/"
			done
		done
	done
}

# Sets no_pictures: why there are none. -d: nobody's settings.
draw_costs()
{
	no_pictures=''
	RESULTS=$results
	export RESULTS
	convert pictures >"$page/script"
	grep -q '^plot' "$page/script" || return 0
	if ! command -v gnuplot >/dev/null 2>&1; then
		no_pictures="gnuplot is not installed (Debian: gnuplot-nox)"
	elif ! (cd "$page" && timeout -k 5 120 gnuplot -d script) \
			</dev/null >"$page/said" 2>&1; then
		no_pictures="gnuplot failed: $(grep -v '^ *\^*$' "$page/said" |
			tail -n 1)"
	fi
}

make_page()
{
	[ -n "${work:-}" ] || work=$(mktemp -d) || environment_error \
		"cannot write temporary files (disk full?)"
	page=$work/page
	mkdir -p "$page" || return
	promises_of_failures >"$page/promises"
	PAGE=$page RESULTS=$results
	export PAGE RESULTS
	draw_costs 2>/dev/null
	NO_PICTURES=$no_pictures PARTS=$here/formats
	export NO_PICTURES PARTS
	convert human html
}
