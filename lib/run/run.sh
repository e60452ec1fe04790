# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Run programs one after the other, and take every end of them in hand.

# --- interruptions ------------------------------------------------------------

catch_signals()
{
	interrupts=0 stopping='' running_pid=''
	trap 'on_interrupt' INT
	trap 'on_terminate' TERM HUP
}

# Once: finish this program, then stop. Twice: now.
on_interrupt()
{
	interrupts=$((interrupts + 1))
	stopping=1
	if [ $interrupts -gt 1 ]; then
		on_terminate
	else
		say_stopping
	fi
}

on_terminate()
{
	stopping=1
	[ -z "$running_pid" ] || kill -TERM "$running_pid" 2>/dev/null
}

# wait returns early for a trapped signal; then the program still runs.
wait_for_program()
{
	[ -n "$running_pid" ] || return 0
	while :; do
		wait "$running_pid"
		rc=$?
		[ $rc -gt 128 ] || break
		kill -0 "$running_pid" 2>/dev/null || break
	done
	running_pid=''
}

# --- one program --------------------------------------------------------------

# Sets limit, in seconds: from the command line, else from the suite's settings,
# else what kselftest takes; longer on a slow machine.
set_limit() # SUITE
{
	limit=45
	settings=$(source_dir "$1")/settings
	if [ -n "$opt_timeout" ]; then
		limit=$opt_timeout
	elif [ -r "$settings" ]; then
		limit=$(sed -n 's/^timeout=\([0-9][0-9.]*\) *$/\1/p' "$settings")
		limit=${limit:-45}
	fi
	[ "$opt_slow" = 1 ] ||
		limit=$(awk "BEGIN { print $limit * $opt_slow }")
}

# Sets filter: options that make the program run the selected tests only.
set_filter() # NAME
{
	filter=''
	want=$(wanted_tests "$1")
	exclude=$(excluded_tests "$1")
	[ -n "$want$exclude" ] || return 0
	can_filter "$1" || return 0
	for test in $(selected_tests "$1"); do
		filter="$filter -r $test"
	done
}

run_program() # NAME: sets result, took, passed, failed, skipped, known, note
{
	name=$1 suite=${1%/*} program=${1#*/}
	path=$(program_path "$1")
	label=${flavour:+$flavour.}$suite
	log=logs/$label.$program${round_suffix}.log
	set_limit "$suite"
	set_filter "$1"
	status=$work/status.$number
	rm -f "$work"/status.* "$work"/klog* "$work"/record "$work"/out.* \
		"$work/order"
	: >"$work/record"
	: >"$work/klog"
	[ -z "$kmsg_writable" ] || echo "selftests: $name" >/dev/kmsg
	if [ -x "$path" ]; then
		start_program
		wait_for_program
		[ -z "$opt_kernel" ] || finish_in_vm
	else
		printf 'end=missing\n' >"$status"
	fi
	first_log=$log first_filter=$filter
	retry_failures
	judge_program
}

start_program()
{
	if [ -n "$opt_kernel" ]; then
		start_program_in_vm
		return
	fi
	# Words of filter are names without blanks.
	# shellcheck disable=SC2086
	"$supervise" ${opt_verbose:+-e} -t "$limit" -p $$ -C "${path%/*}" \
		-l "$results/$log" -r "$work/record" -k "$work/klog" \
		-s "$status" ${flavour:+"$here/flavour.sh" "$flavour"} \
		"./${path##*/}" $filter &
	running_pid=$!
}

judge_record() # PREFIX_OF_FILES WANT
{
	STATUS=$status SUITE=$suite FLAVOUR=$flavour PROGRAM=$program ROUND=$round \
	LOG=$log WANT=$2 EXCLUDE=$exclude LIMIT=$limit KLOG=$work/klog \
	KNOWN=$work/known APPLY=${opt_known:+1} ALLOWED=$opt_allow_skip \
	RECOVERED=$work/recovered FLAKY_OK=$opt_flaky_ok OUT=$1 \
	ORDER=$work/order LC_ALL=C \
		awk -f "$here/glob.awk" -f "$here/parse.awk" \
		-f "$here/judge.awk" -f "$here/write.awk" "$work/record"
}

# In a subshell that Ctrl-C does not reach: results of a program that ran are
# stored whole or the run ends with an error.
judge_program()
{
	(
		trap '' INT TERM HUP
		judge_record "$work/out." "$want" || exit
		read_verdict || exit
		[ "$result" != none ] || exit 0
		store_results "$(result_line "$label.$program")"
	) 2>/dev/null
	rc=$?
	[ $rc -eq 0 ] || environment_error \
		"cannot store results in $results (disk full?)"
	read_verdict
}

read_verdict()
{
	read -r result took passed failed skipped known note <"$work/out.verdict"
}

result_line() # LABEL
{
	case $result in
	fail) printf 'not ok %s %s # %s' "$number" "$1" "$note" ;;
	skip) printf 'ok %s %s # %s' "$number" "$1" "$note" ;;
	*) printf 'ok %s %s # time=%sms' "$number" "$1" "$took" ;;
	esac
}

# --- all programs -------------------------------------------------------------

run_rounds()
{
	number=0 round=0
	pass_programs=0 fail_programs=0 skip_programs=0 broken_programs=0
	pass_tests=0 fail_tests=0 skip_tests=0 known_tests=0
	first_failed='' first_new_failed='' kernel_log_denied='' no_profile=''
	while [ -n "$opt_until_fail$opt_repeat" ] || [ $round -eq 0 ]; do
		round=$((round + 1))
		round_suffix=''
		[ $round -eq 1 ] || round_suffix=.$round
		run_round
		[ -z "$stopping" ] || break
		[ -z "$opt_until_fail" ] || [ "$fail_programs" -eq 0 ] || break
		[ "${opt_repeat:-0}" != $round ] || break
	done
}

run_round()
{
	for flavour in ${opt_flavours:-plain}; do
		[ "$flavour" != plain ] || flavour=''
		begin_costs
		run_programs
	done
}

run_programs()
{
	for name in $(ordered_programs); do
		[ -z "$stopping" ] || return 0
		[ -z "$opt_until_fail" ] || [ "$fail_programs" -eq 0 ] || return 0
		number=$((number + 1))
		show_start "$name"
		run_program "$name"
		fetch_costs "$name"
		count_program
		show_end "$name"
		profile_costs "$name"
	done
}

count_program()
{
	pass_tests=$((pass_tests + passed))
	fail_tests=$((fail_tests + failed))
	skip_tests=$((skip_tests + skipped))
	known_tests=$((known_tests + known))
	case $result in
	pass) pass_programs=$((pass_programs + 1)) ;;
	skip) skip_programs=$((skip_programs + 1)) ;;
	fail) fail_programs=$((fail_programs + 1)) ;;
	none) number=$((number - 1)) ;;
	esac
	if [ -z "$kernel_log_denied" ]; then
		grep -q '^klog=[1-9]' "$status" 2>/dev/null &&
			kernel_log_denied=1
	fi
	[ ! -e "$work/out.broken" ] || broken_programs=$((broken_programs + 1))
	[ "$result" != fail ] || note_failure
}

# Sets first_failed; what no known bug explains is better.
note_failure()
{
	[ -z "$first_new_failed" ] || return 0
	# shellcheck disable=SC2016 # awk's, not the shell's
	first_new_failed=$(first_failure '$4 == ""')
	first_failed=${first_new_failed:-${first_failed:-$(first_failure 1)}}
}

first_failure() # CONDITION, on a line of out.leaves
{
	found=$(awk -F '\t' '$1 ~ /^(FAIL|ERROR)$/ && '"$1"' { print $2; exit }' \
		"$work/out.leaves")
	found=${found#"${flavour:+$flavour.}"}
	# What goes wrong with a whole program is not a test to ask for.
	case $found in
	*:runner.* | *:unnamed_*) found=${found%%:*} ;;
	esac
	printf '%s' "$found"
}
