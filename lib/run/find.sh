# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # variables come from the other parts
#
# Which suites, programs and tests there are, and which of them were asked for.
#
# A program is named <suite>/<program> throughout. Names hold no white space,
# so lists of them are words. Patterns of the user's are words as well, so the
# shell must not expand words (set -f) except where files are looked for.

# Where the sources of a suite are.
source_dir() # SUITE
{
	for dir in $given_suites; do
		if [ "${dir##*/}" = "$1" ]; then
			printf '%s' "$dir"
			return
		fi
	done
	printf '%s/%s' "$top" "$1"
}

# Where its programs are: the same, unless built with O= or KBUILD_OUTPUT.
binary_dir() # SUITE
{
	if [ -z "$given_suites" ] && [ -n "$build_dir" ]; then
		for dir in "$build_dir/$1" "$build_dir/kselftest/$1" \
			   "$build_dir/kselftest/${top##*/}/$1"; do
			if [ -d "$dir" ]; then
				printf '%s' "$dir"
				return
			fi
		done
	fi
	source_dir "$1"
}

find_suites()
{
	if [ -n "$given_suites" ]; then
		for dir in $given_suites; do
			echo "${dir##*/}"
		done
		return
	fi
	for dir in "$top"/*/; do
		dir=${dir%/}
		[ "${dir##*/}" != lib ] || continue
		for file in "$dir"/*_test "$dir"/*_perf "$dir"/*_test.c \
			    "$dir"/*_perf.c "$dir"/*_test.sh; do
			if [ -e "$file" ]; then
				echo "${dir##*/}"
				break
			fi
		done
	done
}

# Sources decide what there is; a binary whose source is gone is not run. Where
# there are no sources ("make install"), the binaries and the list made with
# them decide.
find_programs() # SUITE KIND: tests or costs
{
	where=$(source_dir "$1")
	{
		for file in "$where"/*_"$2".c "$where"/*_"$2".sh; do
			case $file in
			*.sh) [ -x "$file" ] || continue ;;
			*) [ -e "$file" ] || continue ;;
			esac
			file=${file##*/}
			echo "$1/${file%.*}"
		done
		if ! has_sources "$where"; then
			list_binaries "$1" "$2"
		fi
	} | sort -u
}

list_binaries() # SUITE KIND
{
	for file in "$where"/*_"$2"; do
		[ -x "$file" ] && [ ! -d "$file" ] && echo "$1/${file##*/}"
	done
	[ -z "$given_suites" ] || return
	for file in "$top/kselftest-list.txt" "$top/../kselftest-list.txt"; do
		[ -r "$file" ] && sed -n \
			"s|^\(.*/\)*$1:\([^ ]*_$2\)\(\.sh\)*\$|$1/\2|p" "$file"
	done
}

has_sources() # DIR
{
	(
		set +f
		for source in "$1"/*_test.c "$1"/*_perf.c; do
			[ ! -e "$source" ] || exit 0
		done
		exit 1
	)
}

# The file to run; may be missing.
program_path() # NAME
{
	dir=$(binary_dir "${1%/*}")
	if [ ! -e "$dir/${1#*/}" ] && [ -e "$(source_dir "${1%/*}")/${1#*/}.sh" ]; then
		printf '%s/%s.sh' "$(source_dir "${1%/*}")" "${1#*/}"
	else
		printf '%s/%s' "$dir" "${1#*/}"
	fi
}

# Does PATTERN, without its test, mean the program NAME?
means_program() # PATTERN NAME
{
	pattern=${1%%:*}
	# shellcheck disable=SC2254 # these are patterns
	case $pattern in
	*/*) case $2 in $pattern) return 0 ;; esac ;;
	*)
		case ${2%/*} in $pattern) return 0 ;; esac
		case ${2#*/} in $pattern) return 0 ;; esac ;;
	esac
	return 1
}

is_selected() # NAME
{
	for item in $excludes; do
		case $item in
		*:*) ;;
		*) if means_program "$item" "$1"; then return 1; fi ;;
		esac
	done
	[ -n "$selectors" ] || return 0
	for item in $selectors; do
		if means_program "$item" "$1"; then return 0; fi
	done
	return 1
}

# Patterns of the tests of NAME that were asked for; none if all.
wanted_tests() # NAME
{
	list=''
	for item in $selectors; do
		means_program "$item" "$1" || continue
		case $item in
		*:*) list=$(add_line "$list" "${item#*:}") ;;
		*) return ;;
		esac
	done
	printf '%s' "$list"
}

excluded_tests() # NAME
{
	list=''
	for item in $excludes; do
		case $item in
		*:*)
			means_program "$item" "$1" &&
				list=$(add_line "$list" "${item#*:}") ;;
		esac
	done
	printf '%s' "$list"
}

# Can the program run one test of many? Harnesses before 6.10 cannot; nor can
# what does not use the harness.
can_filter() # NAME
{
	grep -q 'run specified test' "$(program_path "$1")" 2>/dev/null
}

# All tests of a program; nothing if that can only be known by running it.
test_names() # NAME
{
	source=$(source_dir "${1%/*}")/${1#*/}.c
	if can_filter "$1" && ! { [ -n "$opt_kernel" ] && is_foreign; }; then
		"$(program_path "$1")" -l 2>&1 </dev/null |
			awk -f "$here/list.awk"
	elif [ -r "$source" ]; then
		# Whole fixtures may be in a header of the suite.
		# shellcheck disable=SC2046 # a list of names
		awk -f "$here/names.awk" "$source" $(
			cd "${source%/*}" &&
			sed -n 's/^#include "\([^"/]*\)"$/\1/p' "$source" |
			while read -r header; do
				[ ! -e "$header" ] || echo "${source%/*}/$header"
			done)
	fi
}

# Those of them that were asked for.
selected_tests() # NAME
{
	test_names "$1" |
		WANT=$(wanted_tests "$1") EXCLUDE=$(excluded_tests "$1") \
		awk -f "$here/glob.awk" -f "$here/filter.awk"
}

# Sets programs. Costs come last: by then everything else is known.
select_programs()
{
	suites=$(find_suites)
	[ -n "$suites" ] || environment_error "no tests found in $top"
	all_programs=$(
		for kind in test perf; do
			for suite in $suites; do
				find_programs "$suite" "$kind"
			done
		done
	)
	set -f
	check_names
	programs=''
	for name in $all_programs; do
		case $opt_perf:$name in
		no:*_perf | only:*_test) continue ;;
		esac
		if is_selected "$name"; then
			programs=$(add_line "$programs" "$name")
		fi
	done
	[ -n "$programs" ] || usage_error "nothing is left to run"
}

# A name that means nothing is a mistake, never an empty success.
check_names()
{
	for item in $selectors $excludes; do
		found=''
		for name in $all_programs; do
			if means_program "$item" "$name"; then
				found=1
				break
			fi
		done
		[ -n "$found" ] || usage_error \
			"nothing is called \"$item\" ($0 -l lists all names)"
	done
}

# The same for tests; needs the programs.
check_test_names()
{
	for item in $selectors; do
		case $item in
		*:*) ;;
		*) continue ;;
		esac
		found=''
		for name in $programs; do
			means_program "$item" "$name" || continue
			tests=$(test_names "$name")
			[ -n "$tests" ] || found=1 # known only after running
			[ -z "$(printf '%s\n' "$tests" | WANT=${item#*:} \
				EXCLUDE='' awk -f "$here/glob.awk" \
				-f "$here/filter.awk")" ] || found=1
		done
		[ -n "$found" ] || usage_error \
			"no test is called \"$item\" ($0 -l ${item%%:*} lists them)"
	done
}

# What is to decide will have no result: often its name is wrong. It may also be
# younger than the tree, though, which "git bisect" skips then: so it is no error.
tell_if_unexpected()
{
	[ -n "$opt_expect" ] || return 0
	for name in $programs; do
		means_program "$opt_expect" "$name" || continue
		case $opt_expect in
		*:runner.*) return 0 ;;
		*:*) ;;
		*) return 0 ;;
		esac
		tests=$(test_names "$name")
		[ -n "$tests" ] || return 0 # known only after running
		[ -z "$(printf '%s\n' "$tests" | WANT=${opt_expect#*:} \
			EXCLUDE='' awk -f "$here/glob.awk" \
			-f "$here/filter.awk")" ] || return 0
	done
	complain "nothing of what runs is called \"$opt_expect\" (--expect): it will have no result"
}

# Leaves out of programs those whose tests are known and of which none is asked
# for. Whoever asks for one test of many programs gets no other.
drop_programs_without_tests()
{
	left=''
	for name in $programs; do
		if [ -z "$(wanted_tests "$name")$(excluded_tests "$name")" ] ||
		   [ -n "$(selected_tests "$name")" ] ||
		   [ -z "$(test_names "$name")" ]; then
			left=$(add_line "$left" "$name")
		fi
	done
	programs=$left
	[ -n "$programs" ] || usage_error "nothing is left to run"
}
