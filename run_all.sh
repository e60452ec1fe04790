#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run the collection on this kernel and judge it; "run_all.sh -h" tells how.
#
# It knows programs by their output (KTAP and "# perf" lines) and exit status
# only. The parts are in lib/run: args.sh (command line), find.sh (what there
# is), build.sh, env.sh (facts), store.sh (results), run.sh (running), report.sh
# (what people see), order.sh, retry.sh, formats.sh (what other programs read),
# page.sh (a page for people), costs.sh (costs of several runs, profiles), vm*.sh
# and vm/ (the same in a virtual machine), compare.sh (in several); *.awk do the
# text work; supervise (C) runs one program so that nothing of it escapes.

# git bisect must never take a mistake for a verdict: whatever
# ends this script that is not quit() is an error of the surroundings.
#
# shellcheck disable=SC2317 # functions are called by trap
trap on_exit EXIT
finished=''

on_exit()
{
	rc=$?
	trap - EXIT
	[ -z "${running_pid:-}" ] || kill -TERM "$running_pid" 2>/dev/null
	[ -z "${vm_pid:-}" ] || stop_qemu
	[ -z "${work:-}" ] || rm -rf "$work" 2>/dev/null
	[ -n "$finished" ] && exit "$rc"
	complain "gave up (exit status $rc): no more processes or files allowed, or the disk is full?"
	exit 129
}

quit() # STATUS
{
	finished=1
	exit "$1"
}

complain() # TEXT
{
	printf 'run_all.sh: %s\n' "$*" >&2
}

usage_error() # TEXT
{
	complain "$*"
	quit 129
}

environment_error() # TEXT
{
	complain "$*"
	quit 129
}

newline='
'
tab='	'
# Where a shell cannot start a pipeline, it takes its empty output for an answer.
[ "$( (echo 1 | cat | cat | cat | cat | cat | cat) 2>/dev/null)" = 1 ] ||
	environment_error "no more processes can be created: raise pids.max of this cgroup, or ulimit -u"
self=$(readlink -f "$0" 2>/dev/null) || self=$0 # a link to this may lie anywhere
top=$(cd "$(dirname "$self")" && pwd -P)
case $top in
*[[:blank:]]*) environment_error "make cannot work in \"$top\": the path must not hold blanks" ;;
esac
here=$top/lib/run
# shellcheck source=lib/run/args.sh
. "$here/args.sh"
# shellcheck source=lib/run/find.sh
. "$here/find.sh"
# shellcheck source=lib/run/build.sh
. "$here/build.sh"
# shellcheck source=lib/run/env.sh
. "$here/env.sh"
# shellcheck source=lib/run/store.sh
. "$here/store.sh"
# shellcheck source=lib/run/run.sh
. "$here/run.sh"
# shellcheck source=lib/run/order.sh
. "$here/order.sh"
# shellcheck source=lib/run/retry.sh
. "$here/retry.sh"
# shellcheck source=lib/run/report.sh
. "$here/report.sh"
# shellcheck source=lib/run/costs.sh
. "$here/costs.sh"
# shellcheck source=lib/run/formats.sh
. "$here/formats.sh"
# shellcheck source=lib/run/page.sh
. "$here/page.sh"
# shellcheck source=lib/run/vm_arch.sh
. "$here/vm_arch.sh"
# shellcheck source=lib/run/vm_image.sh
. "$here/vm_image.sh"
# shellcheck source=lib/run/vm_build.sh
. "$here/vm_build.sh"
# shellcheck source=lib/run/vm_icount.sh
. "$here/vm_icount.sh"
# shellcheck source=lib/run/vm.sh
. "$here/vm.sh"
# shellcheck source=lib/run/compare.sh
. "$here/compare.sh"

# Without --known, our own list serves to explain failures.
load_known()
{
	known_lines='' lists=${opt_known:-$top/lib/known.list}
	[ -n "$opt_known" ] || [ -r "$lists" ] || return 0
	old_ifs=$IFS IFS=$newline
	# shellcheck disable=SC2086 # one name a line
	set -- $lists
	IFS=$old_ifs
	known_lines=$(RELEASE=${kernel_release:-$(uname -r)} TODAY=$(date -u +%Y-%m-%d) \
		awk -f "$here/known.awk" "$@") ||
		usage_error "the list of known failures is not right"
}

check_room()
{
	room=$("$supervise" -n "$wanted_room")
	[ "${room:-0}" -ge "$wanted_room" ] || environment_error \
		"only ${room:-0} more processes can be created, the tests need $wanted_room: raise pids.max of this cgroup, or ulimit -u"
}

# About the machine the programs run on, which with --kernel has to boot first.
read_facts()
{
	if [ -n "$opt_kernel" ]; then
		start_machine
	else
		check_room
		read_environment
	fi
}

list_tests()
{
	for name in $programs; do
		tests=$(selected_tests "$name")
		[ -n "$tests" ] || echo "$name" || return 1
		for test in $tests; do
			echo "$name:$test" || return 1
		done
	done
}

# What nobody could read is no result.
output_lost()
{
	environment_error "cannot write to the standard output"
}

print_promises()
{
	for keyword in Promises Guards; do
		for name in $programs; do
			echo "$(source_dir "${name%/*}")/${name#*/}"
		done | while read -r file; do
			for file in "$file.c" "$file.sh"; do
				[ ! -r "$file" ] || KEYWORD=$keyword awk \
					-f "$here/header.awk" "$file"
			done
		done | sort -t "$tab" -k 2 | awk -f "$here/promises.awk" \
			-v "title=$keyword"
	done
}

show_plan()
{
	for name in $programs; do
		set_limit "${name%/*}"
		set_filter "$name"
		echo "would run $(program_path "$name")$filter (limit $limit s)"
	done
}

# What cannot be had here must not become a failure of every test.
check_flavours()
{
	for flavour in $opt_flavours; do
		[ "$flavour" != plain ] || continue
		said=$("$here/flavour.sh" "$flavour" true 2>&1) ||
			environment_error "the flavour $flavour is not to be had here: ${said%%"$newline"*}"
	done
	flavour=''
}

export_settings()
{
	export SELFTESTS_SLOW="$opt_slow"
	[ "$opt_slow" = 1 ] || export KSFT_MACHINE_SLOW=yes
	[ -z "$opt_report_only" ] || export SELFTESTS_PERF_REPORT_ONLY=1
	export_cost_settings
}

# Sets planned: how many programs will run; "" if that cannot be known.
plan_run()
{
	planned=$(($(echo "$programs" | wc -l) * ${opt_repeat:-1}))
	# shellcheck disable=SC2086 # words
	set -- ${opt_flavours:-plain}
	planned=$((planned * $#))
	[ -z "$opt_until_fail" ] || [ -n "$opt_repeat" ] || planned=''
	kmsg_writable='' uid=0 no_proc='' read_only_proc=''
	[ -z "$opt_kernel" ] || return 0
	[ ! -w /dev/kmsg ] || kmsg_writable=1
	uid=$(id -u)
	proc_is_ours || no_proc=1
	proc_is_writable || read_only_proc=1
	# Nearly everything fails then, and not because of known bugs.
	[ -z "$no_proc$read_only_proc" ] || : >"$work/known"
}

# 130 beats 1: who interrupted a run does not want it to decide anything. And a
# program that could not be run at all says nothing about the kernel.
decide()
{
	if [ -n "$stopping" ]; then
		verdict=130
	elif [ -n "$opt_expect" ] && [ "$broken_programs" -eq 0 ]; then
		verdict=$(EXPECT=$opt_expect LC_ALL=C awk -f "$here/glob.awk" \
			-f "$here/expect.awk" "$work/leaves")
	elif [ "$fail_programs" -gt "$broken_programs" ]; then
		verdict=1
	elif [ "$broken_programs" -gt 0 ]; then
		verdict=129
	elif [ $((pass_tests + known_tests)) -eq 0 ]; then
		verdict=125
	else
		verdict=0
	fi
}

main()
{
	command_line="$0 $*"
	{ true 3>&1; } 2>/dev/null ||
		environment_error "the standard output is closed"
	parse_args "$@"
	if [ -n "$opt_history" ]; then
		with_saves trend
		quit 0
	fi
	if [ -n "$opt_from" ]; then
		convert_only
		quit 0
	fi
	! compares_kernels || compare_kernels "$@"
	find_build_dir
	[ -z "$opt_build" ] || build_kernel
	[ -z "$opt_kernel" ] || prepare_vm
	select_programs
	if [ -n "$opt_promises" ]; then
		print_promises
		quit 0
	fi
	load_known
	build_programs
	check_test_names
	drop_programs_without_tests
	tell_if_unexpected
	take_shard
	if [ -n "$opt_list$opt_dry" ]; then
		if [ -n "$opt_list" ]; then
			list_tests || output_lost
		else
			show_plan
		fi
		quit 0
	fi
	find_supervise
	check_flavours
	find_last_times
	open_results
	mark_start
	read_facts
	choose_look
	export_settings
	plan_run
	choose_seed
	begin_results
	show_header
	catch_signals
	run_rounds
	finish_costs
	decide
	decide_costs
	finish_results
	write_formats
	tell_github
	show_summary || output_lost
	quit "$verdict"
}

wanted_room=64
main "$@"
