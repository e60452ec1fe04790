#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Can the verdicts about costs be believed? Long series tell:
#
#     check.sh [PART]...     all parts, or those
#
#   methods   our verdicts beside those of usual methods: false alarms, misses
#   real      every cost as it is: a table of what namespaces cost here
#   null      every cost outside against outside: never over, seldom unsure
#   inject    the same 10 % dearer: over, where its limit is below that
#   limit     the same 3 % dearer, with a limit of +1 %: over
#
# From the environment: RUNS (2), how many of each part, with nobody beside us
# and as many with a busy neighbour on the CPU that measures (LOADS="idle busy");
# WHAT (all), programs as for run_all.sh; STATE, a file that remembers what was
# measured: cut off, a series goes on where it was, and with a larger RUNS it
# grows. A run of everything takes a minute.
#
# Prints TAP and tables; exit status 1 if something failed.

here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
top=$(cd "$here/../../.." && pwd -P)
out=$here/../.lib
runs=${RUNS:-2}
each=250	# ms that a usual method has for each side

make -s -C "$here/.." OUTPUT="$out" "$out/methods" || exit 1
tmp=$(mktemp -d) || exit 1
state=${STATE:-$tmp/state}
neighbour=''
trap 'leave_alone; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# The measuring CPU is the last one that is allowed.
be_busy()
{
	cpu=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' \
		/proc/self/status)
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	neighbour=$!
}

leave_alone()
{
	[ -n "$neighbour" ] || return 0
	kill "$neighbour"
	wait "$neighbour" 2>/dev/null
	neighbour=''
}

# A line of key=value words for each measurement.
compare_methods()
{
	for op in clock fork; do
		for case in '0 1.05' '0 1.01' '3 1.01' '10 1.05'; do
			# shellcheck disable=SC2086 # words
			"$out/methods" $op $case $each || return
		done
	done
}

measure_all() # OPTION...
{
	# shellcheck disable=SC2086 # words
	"$top/run_all.sh" -q --perf-only -o "$tmp/results" "$@" ${WHAT:-} \
		>"$tmp/out" 2>&1 </dev/null
	rc=$?
	if [ "$rc" -ge 129 ]; then
		cat "$tmp/out" >&2
		return 1
	fi
	sed -n 's/^.*# perf //p' "$tmp/results/results.ktap"
}

measure() # PART
{
	case $1 in
	methods) compare_methods ;;
	real) measure_all ;;
	null) measure_all --perf-null ;;
	inject) measure_all --perf-null --perf-inject 10 ;;
	limit) measure_all --perf-null --perf-inject 3 --limit +1% ;;
	esac
}

# Kept when it is complete.
one_run() # PART LOAD NUMBER
{
	key="part=$1 with=$2 run=$3"
	! grep -q "^end $key\$" "$state" || return 0
	[ "$2" != busy ] || be_busy
	measure "$1" >"$tmp/lines" || exit 1
	leave_alone
	{
		sed "s/^/$key /" "$tmp/lines"
		echo "end $key"
	} >>"$state"
}

parts=${*:-methods real null inject limit}
for part in $parts; do
	case $part in
	methods | real | null | inject | limit) ;;
	*)
		echo "check.sh: there is no part $part" >&2
		exit 1 ;;
	esac
done
touch "$state" || exit 1
number=0
while [ "$number" -lt "$runs" ]; do
	number=$((number + 1))
	for part in $parts; do
		for with in ${LOADS:-idle busy}; do
			one_run "$part" "$with" "$number"
		done
	done
done
PARTS=$parts LC_ALL=C awk -f "$here/tally.awk" "$state"
