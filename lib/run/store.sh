# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# The directory with results: made, filled program by program, kept in number.

keep_runs=20

# Sets results and work.
open_results()
{
	if [ -n "$opt_output" ]; then
		results=$opt_output
		may_replace "$results" || usage_error \
			"$results has other things in it: give -o a new directory"
		mkdir -p "$results" 2>/dev/null
	else
		new_default_directory
	fi
	remove_results "$results"
	work=$results/.work
	if ! mkdir -p "$work" "$results/logs" 2>/dev/null ||
	   ! start_files; then
		environment_error "cannot write to $results (full?): choose with -o DIR"
	fi
}

# In a subshell: shells write once more what they could not.
start_files()
{
	(
		: >"$results/results.ndjson" && : >"$results/kernel.log" &&
		: >"$work/leaves" && : >"$work/costs" &&
		echo "date: not known yet" >"$results/env.txt" &&
		printf '%s\n' "$known_lines" >"$work/known"
	) 2>/dev/null
}

# Nothing is there, or results of an older run, perhaps one that came to nothing.
may_replace() # DIR
{
	[ -d "$1" ] && [ -n "$(ls -A "$1" 2>/dev/null)" ] || return 0
	[ -f "$1/results.ndjson" ] && [ -f "$1/env.txt" ] &&
		[ ! -L "$1/logs" ] && [ ! -L "$1/.work" ] || return 1
	[ ! -s "$1/env.txt" ] || grep -q '^date: ' "$1/env.txt" 2>/dev/null
}

# An older run in the same place gives way; what else lies there stays.
remove_results() # DIR
{
	set +f
	rm -rf "$1/.work" 2>/dev/null
	remove_costs "$1"
	rm -f "$1/results.ktap" "$1/results.ndjson" "$1/env.txt" \
		"$1/kernel.log" "$1/console.log" "$1/junit.xml" "$1/kcidb.json" "$1/bench.txt" \
		"$1/summary.md" "$1/report.html" "$1"/logs/*_test.log "$1"/logs/*_perf.log \
		"$1"/logs/*_test.[0-9]*.log "$1"/logs/*_perf.[0-9]*.log \
		"$1"/logs/*_test.retry*.log "$1"/logs/*_perf.retry*.log \
		2>/dev/null
	set -f
}

# A second run in the same second gets a longer name.
new_default_directory()
{
	stamp=$(date -u +%Y%m%d-%H%M%S)
	mkdir -p "$top/.results" 2>/dev/null
	results=$top/.results/$stamp
	n=1
	while ! mkdir "$results" 2>/dev/null && [ -d "$results" ]; do
		n=$((n + 1))
		results=$top/.results/$stamp-$n
	done
	[ -d "$results" ] || return
	ln -sfn "${results##*/}" "$top/.results/latest"
	remove_old_results
}

remove_old_results()
{
	set +f
	set -- "$top"/.results/[0-9]*-[0-9]*
	set -f
	while [ $# -gt $keep_runs ]; do
		rm -rf "$1"
		shift
	done
}

begin_results()
{
	(
		print_environment >"$results/env.txt" &&
		print_ktap_head >"$results/results.ktap"
	) 2>/dev/null || environment_error \
		"cannot store results in $results (disk full?)"
}

print_ktap_head()
{
	echo "KTAP version 1"
	echo "# $(one_line_environment)"
	[ -z "$planned" ] || echo "1..$planned"
}

# Appends what the last program gave. Uses $work/out.*, see write.awk.
store_results() # RESULT_LINE
{
	{
		cat "$work/out.ktap"
		echo "$1"
	} >"$work/block" &&
	cat "$work/block" >>"$results/results.ktap" &&
	cat "$work/out.ndjson" >>"$results/results.ndjson" &&
	cat "$work/out.leaves" >>"$work/leaves" &&
	cat "$work/out.costs" >>"$work/costs" &&
	store_kernel_log
}

store_kernel_log()
{
	[ -s "$work/klog" ] || [ -s "$work/klog.before" ] || return 0
	{
		echo "== $name"
		[ ! -s "$work/klog.before" ] || cat "$work/klog.before"
		cat "$work/klog"
	} >>"$results/kernel.log"
}

# A plan that could not be known, or came out otherwise, is put right; that of
# an interrupted run stays, because it tells how much is missing.
finish_results()
{
	[ -z "$stopping" ] && [ "$planned" != "$number" ] || return 0
	sed -e "/^1\.\.[0-9]*\$/d" -e "2a\\
1..$number" "$results/results.ktap" >"$work/block" &&
		cat "$work/block" >"$results/results.ktap"
}

# How long each program took last time, from the run before this one.
# Sets nothing if there is none.
find_last_times()
{
	last_times=''
	[ -z "$opt_output" ] && [ -z "$given_suites" ] || return 0
	[ -r "$top/.results/latest/results.ktap" ] || return 0
	last_times=$(sed -n \
		's/^ok [0-9]* \([^ .]*\)\.\([^ ]*\) .*time=\([0-9]*\)ms.*/\1\/\2=\3/p' \
		"$top/.results/latest/results.ktap")
}

last_time() # NAME: prints milliseconds, or nothing
{
	for item in $last_times; do
		if [ "${item%=*}" = "$1" ]; then
			printf '%s' "${item#*=}"
			return
		fi
	done
}
