# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# run_all.sh --kernel A --kernel B: this script runs itself for each of them, into
# a directory per kernel, called A, B, ... as in the tables; then compare.awk and
# costs/sides.awk tell what differs, to people and in compare.ndjson.

all_letters='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'

# Are there several kernels to run the tests on?
compares_kernels()
{
	case $opt_kernels$opt_builds in
	*"$newline"*) ;;
	*) return 1 ;;
	esac
	[ -z "$opt_list$opt_dry$opt_promises" ]
}

compare_kernels() # ARGUMENT...: those of the command line
{
	check_kernels
	open_comparison
	choose_look
	keep_arguments "$@"
	catch_signals
	run_kernels
	verdict=$worst costs_over=0 costs_unsure=0 costs_within=0
	tell_differences | sed "s/^/$prefix/"
	[ ! -s "$work/compared" ] ||
		read -r costs_over costs_unsure costs_within <"$work/compared"
	[ -z "$opt_limits" ] || [ -n "$opt_against" ] || decide_costs
	printf '%scompared: %s\n' "$prefix" "$(short_path "$results/compare.ndjson")"
	quit "$verdict"
}

# What would be wrong each time is said once, and before anything runs.
check_kernels()
{
	first_arch=''
	old_ifs=$IFS IFS=$newline
	# shellcheck disable=SC2086 # one name a line
	set -- $opt_kernels
	IFS=$old_ifs
	for image; do
		check_machine "$image"
		[ "${first_arch:=$vm_arch}" = "$vm_arch" ] || usage_error \
			"kernels for $first_arch and for $vm_arch cannot be compared"
	done
	count=$(printf '%s\n' "$opt_kernels$opt_builds" | wc -l)
	[ "$count" -le 26 ] || usage_error "no more than 26 kernels can be compared"
}

# Sets results and work.
open_comparison()
{
	if [ -n "$opt_output" ]; then
		results=$opt_output
		[ -f "$results/compare.ndjson" ] || [ ! -e "$results" ] ||
			rmdir "$results" 2>/dev/null || usage_error \
			"$results has other things in it: give -o a new directory"
		set +f
		rm -rf "$results"/[A-Z] "$results/compare.ndjson"
		set -f
		mkdir -p "$results" 2>/dev/null
	else
		new_default_directory
	fi
	work=$results/.work
	{ mkdir -p "$work" && : >"$results/compare.ndjson"; } 2>/dev/null ||
		environment_error "cannot write to $results (full?): choose with -o DIR"
}

# Sets each_arguments: what all runs have in common, for eval.
keep_arguments() # ARGUMENT...
{
	each_arguments=''
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		case $1 in
		--kernel | --build | -o | --output) shift ;;
		--kernel=* | --build=* | --output=*) ;;
		--limit) [ -z "$opt_against" ] || keep_words "$1" "$2"; shift ;;
		--limit=*) [ -z "$opt_against" ] || keep_words "$1" ;;
		*)
			keep_words "$1"
			if takes_value "$1"; then
				keep_words "$2"
				shift
			fi ;;
		esac
		shift
	done
	keep_words "$@"
}

keep_words() # WORD...
{
	for word; do
		each_arguments="$each_arguments '$(printf '%s\n' "$word" |
			sed "s/'/'\\\\''/g")'"
	done
}

# Sets letters: of those that ran, and worst: of their exit statuses.
run_kernels()
{
	letters='' worst=0 option=--build
	[ -z "$opt_kernels" ] || option=--kernel
	printf '%s\n' "$opt_kernels$opt_builds" >"$work/kernels"
	while read -r kernel <&3; do
		[ -z "$stopping" ] || break
		letter=$(echo "$all_letters" | cut -c $((${#letters} + 1)))
		letters="$letters$letter "
		eval run_kernel "$each_arguments"
		worst=$(worse_of "$worst" "$rc")
		note_kernel
		# Nothing ran, nor will it on the others.
		[ "$rc" != 129 ] || [ -s "$results/$letter/results.ndjson" ] ||
			quit 129
	done 3<"$work/kernels"
	[ -z "$stopping" ] || quit 130
}

run_kernel() # ARGUMENT...
{
	printf '%skernel %s: %s\n' "$prefix" "$letter" "$kernel"
	"$top/run_all.sh" "$option" "$kernel" -o "$results/$letter" "$@" \
		</dev/null 3<&- &
	running_pid=$!
	wait_for_program
}

# An interruption decides nothing; a failure is one, whatever else went wrong.
worse_of() # STATUS STATUS
{
	for status in 130 1 129 125; do
		case " $1 $2 " in
		*" $status "*)
			echo $status
			return ;;
		esac
	done
	echo 0
}

note_kernel()
{
	release=$(sed -n 's/^kernel: //p' "$results/$letter/env.txt" 2>/dev/null)
	printf '{"kernel":"%s","release":"%s","image":"%s","exit_status":%s}\n' \
		"$letter" "$release" "$(printf '%s' "$kernel" |
		sed 's/[\\"]/\\&/g')" "$rc" >>"$results/compare.ndjson"
	printf '%s  %-34s exit status %-3s %s\n' "$letter" \
		"${release:-did not run}" "$rc" "$kernel" >>"$work/table"
}

# The files of that name that the runs left. Names have no newlines.
files_of_kernels() # NAME
{
	for letter in $letters; do
		[ ! -s "$results/$letter/$1" ] || echo "$results/$letter/$1"
	done
}

tell_differences()
{
	cat "$work/table"
	export RECORDS="$results/compare.ndjson"
	files=$(files_of_kernels results.ndjson)
	old_ifs=$IFS IFS=$newline
	# shellcheck disable=SC2086 # one name a line
	set -- $files
	IFS=$old_ifs
	[ $# -eq 0 ] || LETTERS=$letters FACTS=/dev/null LC_ALL=C awk \
		-f "$here/formats/record.awk" -f "$here/compare.awk" "$@"
	saved=$(files_of_kernels costs.save)
	case $saved in
	*"$newline"*) ;;
	*) return ;;
	esac
	LETTERS=$(echo "$saved" | sed 's|.*/\([A-Z]\)/[^/]*$|\1|' | tr '\n' ' ')
	export LETTERS
	with_saves sides
}
