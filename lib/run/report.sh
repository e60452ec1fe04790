# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# What people see. Three ways:
#   kselftest  the form of kselftest's own runner, when it does not go to a
#              terminal, and with -v: stable lines that CI systems read
#   terminal   one line that is updated, plus failures and costs
#   quiet      nothing but the summary

choose_look()
{
	look=kselftest prefix='# ' colour='' cursor=''
	if [ -n "$opt_quiet" ]; then
		look=quiet prefix=''
	elif [ -t 1 ] && [ -z "$opt_verbose" ]; then
		look=terminal prefix=''
		if [ "${TERM:-dumb}" != dumb ]; then
			cursor=1
			[ -n "${NO_COLOR:-}" ] || colour=1
		fi
	fi
	red='' green='' plain='' clear=''
	[ -z "$colour" ] || {
		red=$(printf '\033[31m')
		green=$(printf '\033[32m')
		plain=$(printf '\033[0m')
	}
	[ -z "$cursor" ] || clear=$(printf '\r\033[K')
}

# "3 programs", "1 program"
count_of() # COUNT WORD
{
	printf '%s %s' "$1" "$2"
	[ "$1" -eq 1 ] || printf s
}

short_path() # PATH
{
	case $1 in
	"$PWD"/*) printf '%s' "${1#"$PWD"/}" ;;
	*) printf '%s' "$1" ;;
	esac
}

what_will_happen()
{
	printf 'running %s' "$(count_of "$(echo "$programs" | wc -l)" program)"
	[ -z "$opt_repeat" ] || printf ', %s times' "$opt_repeat"
	[ -z "$opt_until_fail" ] || printf ', until something fails'
	[ -z "$opt_shard" ] || printf ', shard %s' "$opt_shard"
	[ -z "$opt_flavours" ] || printf ', as%s' "$opt_flavours"
	[ -z "$seed" ] || printf ', shuffled (--shuffle=%s)' "$seed"
	printf '; results in %s' "$(short_path "$results")"
}

show_header()
{
	case $look in
	kselftest)
		echo "TAP version 13"
		echo "# $(what_will_happen)"
		echo "# $(one_line_environment)"
		[ -z "$planned" ] || echo "1..$planned" ;;
	terminal)
		what_will_happen
		echo
		one_line_environment
		echo ;;
	esac
}

seconds() # MILLISECONDS
{
	printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
}

show_start() # NAME
{
	case $look in
	kselftest)
		echo "# selftests: ${flavour:+$flavour.}${1%/*}: ${1#*/}" ;;
	terminal)
		[ -n "$cursor" ] || return 0
		last=$(last_time "$1")
		printf '%s' "$clear"
		printf '[%2d/%s] %s ... %s' "$number" "${planned:-?}" \
			"${flavour:+$flavour.}$1" \
			"${last:+(last $(seconds "$last"))}" | cut -c 1-78 |
			tr -d '\n' ;;
	esac
}

show_end() # NAME
{
	[ "$result" != none ] || return 0
	case $look in
	kselftest)
		[ -n "$opt_verbose" ] || cat "$work/out.nested"
		result_line "selftests: $label: ${1#*/}"
		echo ;;
	terminal)
		show_on_terminal "$1" ;;
	esac
}

show_on_terminal() # NAME
{
	word=ok
	case $result in
	fail) word="${red}failed${plain}: $note" ;;
	skip) word="skipped: ${note#SKIP }" ;;
	esac
	# A terminal that can be overwritten keeps only what is worth keeping.
	if [ -n "$cursor" ]; then
		printf '%s' "$clear"
		if [ "$result" = pass ] && [ ! -s "$work/out.report" ]; then
			return 0
		fi
	fi
	printf '[%2d/%s] %s %s (%s)\n' "$number" "${planned:-?}" \
		"$label/${1#*/}" "$word" "$(seconds "$took")"
	cat "$work/out.report"
}

say_stopping()
{
	complain "finishing the running program; interrupt again to stop it now"
}

show_summary()
{
	[ -z "$cursor" ] || printf '%s' "$clear"
	headers_of_failures >"$work/headers"
	{
		KNOWN=$work/known APPLY=${opt_known:+1} HEADERS=$work/headers \
		RERUN=$0$rerun_options EVERY=$opt_verbose LC_ALL=C \
			awk -f "$here/formats/human.awk" \
			-f "$here/summary.awk" "$work/leaves"
		show_notes
		show_costs
	} | sed "s/^/$prefix/"
	[ "$look" != kselftest ] || show_totals
	[ -z "$first_failed" ] || printf '%srerun: %s%s -v %s\n' "$prefix" \
		"$0" "$rerun_options" "$first_failed"
	printf '%s' "$prefix"
	show_sentence
}

# Lines of: Promises or Guards, program, item.
headers_of_failures()
{
	awk -F '[\t:]' '$1 ~ /^(FAIL|ERROR)$/ { print $2 }' "$work/leaves" |
		sed 's|^[^/]*\.||' | sort -u | while read -r name; do
			source=$(source_dir "${name%/*}")/${name#*/}.c
			[ -r "$source" ] || continue
			for keyword in Promises Guards; do
				KEYWORD=$keyword awk -f "$here/header.awk" \
					"$source" | sed "s/^/$keyword$tab/"
			done
		done
}

show_notes()
{
	[ -z "$seed" ] || [ "$fail_programs" -eq 0 ] || echo \
		"note: this order comes again with --shuffle=$((seed + round - 1))"
	[ -z "$kernel_log_denied" ] || echo \
		"note: the kernel log cannot be read here (needs root), so warnings in it were not seen"
	[ "$old_taint" = 0 ] || [ "$old_taint" = unknown ] || echo \
		"note: the kernel was tainted before: $old_taint"
	[ -z "$no_proc" ] || echo \
		"note: /proc is not mounted for this pid namespace, which most tests need: mount -t proc proc /proc"
	[ -z "$read_only_proc" ] || echo \
		"note: /proc is read-only, which many tests cannot do with: mount -o remount,rw /proc"
	[ -z "$no_proc$read_only_proc" ] || [ -z "$opt_known" ] || echo \
		"note: the list of known failures was not applied, because failures may come from /proc"
	for option in hidepid=1 hidepid=2 hidepid=invisible hidepid=noaccess; do
		if [ "$uid" != 0 ] && grep -q "^[^ ]* /proc .*$option" \
				/proc/self/mounts 2>/dev/null; then
			echo "note: /proc is mounted with $option, which hides processes from tests"
		fi
	done
}

show_totals()
{
	printf '# Totals: pass:%s fail:%s xfail:%s xpass:0 skip:%s error:0\n' \
		"$pass_tests" "$fail_tests" "$known_tests" "$skip_tests"
}

show_sentence()
{
	word="all good"
	case $verdict in
	1) word="${red}$(count_of "$fail_tests" failure)${plain}" ;;
	125) word="nothing could be judged" ;;
	129) word="the surroundings failed" ;;
	130) word=interrupted ;;
	*) [ "$known_tests" -eq 0 ] || word="nothing new failed" ;;
	esac
	[ "$verdict" != 0 ] || word=$green$word$plain
	all_tests=$((pass_tests + fail_tests + skip_tests + known_tests))
	programs_word=program
	[ -z "$opt_repeat$opt_until_fail" ] || programs_word='program run'
	printf '%s: of %s in %s on Linux %s, %s passed, %s failed, %s skipped' \
		"$word" "$(count_of $all_tests test)" \
		"$(count_of "$number" "$programs_word")" "$kernel_release" \
		"$pass_tests" "$fail_tests" "$skip_tests"
	[ "$known_tests" -eq 0 ] ||
		printf ', %s failed as known' "$known_tests"
	printf ', in %s; results in %s\n' "$(seconds "$(elapsed_ms)")" \
		"$(short_path "$results")"
}
