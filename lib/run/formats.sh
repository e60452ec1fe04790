# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Results in the forms that others read: each is made from results.ndjson and
# env.txt by one script in formats/, after the run or, with --from, at any time.

# Prints the file that a form is kept in.
format_file() # FORMAT
{
	case $1 in
	junit) echo junit.xml ;;
	kcidb) echo kcidb.json ;;
	bench) echo bench.txt ;;
	markdown) echo summary.md ;;
	html) echo report.html ;;
	esac
}

# Prints where it goes; a page may be told where.
format_path() # FORMAT
{
	if [ "$1" = html ] && [ -n "$opt_page" ]; then
		printf '%s' "$opt_page"
	else
		printf '%s/%s' "$results" "$(format_file "$1")"
	fi
}

convert() # SCRIPT...
{
	scripts=''
	for script; do
		scripts="$scripts -f $here/formats/$script.awk"
	done
	# shellcheck disable=SC2086 # words: paths have no blanks
	FACTS=$results/env.txt TOP=$top ROOT=${GITHUB_WORKSPACE:-$top} \
	RUN=$0$rerun_options LC_ALL=C \
		awk -f "$here/formats/record.awk" $scripts \
		"$results/results.ndjson"
}

make_format() # FORMAT
{
	case $1 in
	html) make_page ;;
	*) convert "$1" ;;
	esac
}

write_formats()
{
	for format in $opt_formats; do
		file=$(format_path "$format")
		make_format "$format" 2>/dev/null >"$file" || environment_error \
			"cannot write $file (disk full?)"
	done
}

# In a job of GitHub's: marks at the lines of the source, a page for people.
tell_github()
{
	[ "${GITHUB_ACTIONS:-}" = true ] || return 0
	convert github
	[ -n "${GITHUB_STEP_SUMMARY:-}" ] || return 0
	convert markdown >>"$GITHUB_STEP_SUMMARY" ||
		complain "cannot write the summary $GITHUB_STEP_SUMMARY"
}

# --from: no run, only other forms of what an earlier one left.
convert_only()
{
	results=$opt_from
	[ -n "$opt_formats" ] || usage_error \
		"--from wants a form as well, such as --junit"
	write_formats
	for format in $opt_formats; do
		short_path "$(format_path "$format")"
		echo
	done
}
