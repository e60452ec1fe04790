# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Measurements of costs: options for them, what is kept of them, comparisons
# with other kernels (save.awk, table.awk, trend.awk in costs/) and profiles.
#
# $work/costs has one line per measurement: name of the program, name of the
# test, the "# perf" line, with tabs between. $results/pairs has all pairs.

# --- options ------------------------------------------------------------------

cost_option() # NAME VALUE
{
	case $1 in
	--perf-inject)
		is_number "$2" || usage_error "$1 wants percent, not \"$2\""
		opt_inject=$2 opt_measure=$1
		for_rerun "$1" "$2" ;;
	--limit)
		if ! is_limit "${2##*=}" || [ -z "${2%=*}" ]; then
			usage_error "--limit wants OPERATION=+2%, or a ratio, not \"$2\""
		fi
		opt_limits=$opt_limits${opt_limits:+,}$2 ;;
	--profile)
		opt_profile=$(add_line "$opt_profile" "$2") ;;
	--save)
		[ ! -s "$2" ] || is_save "$2" ||
			usage_error "$2 exists and has no saved costs"
		[ -d "$(dirname "$2")" ] ||
			usage_error "there is no directory for $2"
		opt_save=$(absolute "$2") ;;
	--against | --history)
		is_save "$2" || usage_error "no saved costs in $2"
		saved=$(add_line "$saved" "$(absolute "$2")")
		[ "$1" = --history ] && opt_history=1 || opt_against=1 ;;
	esac
}

is_limit() # TEXT: +2% or 1.02
{
	case $1 in
	*,*) return 1 ;;
	+*%) limit=${1#+} && is_number "${limit%?}" ;;
	*) is_number "$1" ;;
	esac
}

is_save() # FILE
{
	head -n 1 "$1" 2>/dev/null | grep -q '^# costs 1 '
}

check_cost_options()
{
	[ -z "$opt_measure$opt_save$opt_against$opt_limits" ] ||
		[ "$opt_perf" != no ] ||
		usage_error "--no-perf leaves out what other options ask for"
	[ -z "$opt_save" ] || [ -z "$opt_measure" ] || usage_error \
		"--save and $opt_measure exclude each other: those are no costs"
	# Other tests have nothing to do with these.
	[ -z "$opt_measure" ] || opt_perf=only
	[ -z "$opt_limits" ] || [ -n "$opt_against" ] ||
		for_rerun --limit "$opt_limits"
}

export_cost_settings()
{
	[ -z "$opt_null" ] || export SELFTESTS_PERF_NULL=1
	[ -z "$opt_inject" ] || export SELFTESTS_PERF_INJECT="$opt_inject"
	# Between kernels, the limits are for the difference between them.
	[ -z "$opt_limits" ] || [ -n "$opt_against" ] ||
		export SELFTESTS_PERF_LIMIT="$opt_limits"
	# What is to be the same each time must not depend on a limit.
	[ -z "$opt_icount" ] || export SELFTESTS_PERF_PAIRS=64
}

# --- what is kept -------------------------------------------------------------

begin_costs()
{
	case $programs in
	*_perf*) ;;
	*) return ;;
	esac
	pairs=$results/pairs${flavour:+.$flavour}$round_suffix
	mkdir -p "$pairs" 2>/dev/null ||
		environment_error "cannot write to $results (disk full?)"
	export SELFTESTS_PERF_RAW="$pairs"
	# The file system of a virtual machine is another.
	[ -z "$opt_kernel" ] || SELFTESTS_PERF_RAW=$guest_pairs
}

guest_pairs=/run/pairs # see vm/init

# From there, after each program: the next one may bring the machine down.
fetch_costs() # NAME
{
	[ -n "$opt_kernel" ] && [ -n "$vm_pid" ] && [ -s "$work/out.costs" ] ||
		return 0
	ask_machine /bin/sh -c \
		"cd $guest_pairs && cat launches.tsv && rm -f *.tsv" \
		>>"$pairs/launches.tsv"
}

remove_costs() # DIR: files of an older run
{
	rm -f "$1"/pairs*/*.tsv "$1"/profiles/*.txt "$1/costs.txt" \
		"$1/costs.save"
	rmdir "$1"/pairs* "$1/profiles"
} 2>/dev/null

# The facts of all measurements, once.
cost_facts()
{
	[ -s "$work/costs" ] || return 0
	awk -F '\t' -v what="$1" -f "$here/costs/facts.awk" "$work/costs"
}

print_save()
{
	set +f
	set -- "$results"/pairs*/launches.tsv
	set -f
	[ -r "$1" ] || shift
	[ -s "$work/costs" ] || return 0
	if [ -n "$opt_kernel" ]; then
		build=$(guest_fact version) config=$(guest_fact config)
		boot=vm-$(date +%s)
	else
		build=$(uname -v) config=$(config_hash)
		boot=$(first_line /proc/sys/kernel/random/boot_id)
	fi
	echo "run date=$(date -u +%Y-%m-%dT%H:%M:%SZ) kernel=$kernel_release" \
		"build=$(echo "$build" | tr ' \t' __) machine=$machine" \
		"config=$config suite=$commit" \
		"boot=$boot${opt_icount:+ icount=instructions}$(cost_facts all)"
	LC_ALL=C awk -F '\t' -v "unit=${opt_icount:+instructions/op}" \
		-f "$here/costs/save.awk" "$work/costs" "$@"
}

# After all programs: keeps and compares. Sets costs_over, costs_unsure and
# costs_within, of limits between kernels.
finish_costs()
{
	costs_over=0 costs_unsure=0 costs_within=0
	set +f
	rmdir "$results"/pairs* 2>/dev/null
	set -f
	facts=$(cost_facts all)
	[ -z "$facts" ] || echo "costs:$facts" >>"$results/env.txt"
	print_save >"$work/save"
	[ ! -s "$work/save" ] || append_save "$results/costs.save"
	[ -n "$opt_save$opt_against$opt_limits" ] || return 0
	if [ ! -s "$work/save" ]; then
		complain "no cost was measured: nothing to save, compare or limit"
		costs_unsure=1
		return
	fi
	[ -z "$opt_save" ] || append_save "$opt_save"
	[ -z "$opt_limits" ] || check_limits
	[ -z "$opt_against" ] || compare_costs
}

append_save() # FILE
{
	head=''
	[ -s "$1" ] ||
		head="# costs 1 (run_all.sh --save; README tells how to read it)$newline"
	(
		printf %s "$head"
		cat "$work/save"
	) 2>/dev/null >>"$1" || environment_error "cannot write $1"
}

# A limit for an operation that nobody measured is a mistake, unless this kernel
# lacks what it needs.
check_limits()
{
	unused=$(LIMITS=$opt_limits awk -f "$here/glob.awk" \
		-f "$here/costs/limits.awk" "$work/save")
	[ -n "$unused" ] || return 0
	[ "$skip_tests" -gt 0 ] || environment_error \
		"no measured cost is called \"$unused\" (names: see the perf lines)"
	complain "not measured: $unused"
	costs_unsure=1
}

compare_costs()
{
	with_saves table "$work/save" >"$results/costs.txt" ||
		environment_error "cannot write $results/costs.txt"
	read -r costs_over unsure costs_within <"$work/compared"
	costs_unsure=$((costs_unsure + unsure))
}

with_saves() # SCRIPT [FILE]: runs it on all saves, then FILE
{
	script=$1
	shift
	old_ifs=$IFS IFS=$newline
	# shellcheck disable=SC2086 # one name a line
	set -- $saved "$@"
	IFS=$old_ifs
	LIMITS=$opt_limits VERDICT=${work:+$work/compared} LC_ALL=C awk \
		-f "$here/glob.awk" -f "$here/costs/series.awk" \
		-f "$here/costs/groups.awk" -f "$here/costs/$script.awk" "$@"
}

# Sets verdict: limits between kernels decide as well.
decide_costs()
{
	case $verdict in
	129 | 130) return ;;
	esac
	if [ "$costs_over" -gt 0 ]; then
		verdict=1
	elif [ "$verdict" != 1 ] && [ "$costs_unsure" -gt 0 ]; then
		verdict=125
	elif [ "$verdict" = 125 ] && [ "$costs_within" -gt 0 ]; then
		verdict=0
	fi
}

show_costs()
{
	[ ! -s "$results/costs.txt" ] || cat "$results/costs.txt"
	facts=$(cost_facts all)
	[ -z "$facts" ] || [ "$look" = quiet ] || echo "costs were measured with$facts"
	cost_facts unfit
	[ -z "$no_profile" ] || echo "note: no profiles of costs: $no_profile"
}

# --- profiles -----------------------------------------------------------------

# What is dearer inside: for costs over their limit, and for those asked for.
profile_costs() # NAME
{
	[ -z "$opt_kernel" ] || return 0
	[ "$round" = 1 ] && [ -z "$stopping" ] && [ -s "$work/out.costs" ] ||
		return 0
	PATTERNS=$opt_profile QUIET=$opt_quiet awk -F '\t' -f "$here/glob.awk" \
		-f "$here/costs/wanted.awk" "$work/out.costs" >"$work/profile"
	while read -r test operation count cpu; do
		profile_one "$1" "$test" "$operation" "$count" "$cpu" </dev/null
	done <"$work/profile"
}

profile_one() # NAME TEST OPERATION COUNT CPU
{
	if ! command -v perf >/dev/null 2>&1; then
		no_profile="needs perf (Debian: linux-perf)"
	elif ! can_filter "$1"; then
		no_profile="needs a program that can run one test of many"
	elif sample_all "$5" "$@" || sample '' "$@"; then
		mkdir -p "$results/profiles"
		OPERATION=$3 COUNT=$4 awk -f "$here/costs/profile.awk" \
			"$work/outside.profile" "$work/inside.profile" \
			>"$results/profiles/$3.txt"
		[ "$look" = quiet ] || sed "s/^/$prefix/" "$results/profiles/$3.txt"
	else
		no_profile=$(sed -n '/[A-Za-z]/ { s/^# *//p; q; }' "$work/perf.log")
		no_profile="perf record failed: ${no_profile:-no reason given}"
	fi
}

# All that the CPU does: of a process that is shorter than a tick, nothing would
# be seen otherwise. But that is not everybody's right.
sample_all() # CPU NAME TEST OPERATION COUNT
{
	case $1 in
	all) shift && sample "-a" "$@" ;;
	*[0-9]) cpu=$1 && shift && sample "-C $cpu" "$@" ;;
	*) return 1 ;;
	esac
}

# The same number of operations on both sides, so that ticks are costs, in turns,
# so that a noisy moment is in both: one perf for each side. Where there are no
# hardware counters, the clock makes the ticks.
sample() # WHERE NAME TEST OPERATION COUNT
{
	path=$(program_path "$2") event=cpu-clock period=250000
	for file in /sys/bus/event_source/devices/cpu \
		    /sys/bus/event_source/devices/armv8_pmuv3_0; do
		[ ! -d "$file" ] || event=cycles period=1000000
	done
	rm -rf "$work/perf"
	mkdir "$work/perf" || return
	for side in outside inside; do
		mkfifo "$work/perf/$side.control" "$work/perf/$side.ack" || return
	done
	(
		cd "${path%/*}" || exit
		export SELFTESTS_PERF_RAW='' SELFTESTS_PERF_CONTROL="$work/perf"
		export SELFTESTS_PERF_PROFILE="$5"
		where=$1
		set -- "./${path##*/}" -r "$3"
		for side in inside outside; do
			control=$work/perf/$side.control,$work/perf/$side.ack
			# shellcheck disable=SC2086 # words
			set -- perf record -q -e $event -c $period $where -D -1 \
				--control "fifo:$control" \
				-o "$work/perf/$side.data" -- "$@"
		done
		exec timeout -k 5 120 "$@"
	) >"$work/perf.log" 2>&1 &&
		list_samples outside && list_samples inside
}

list_samples() # SIDE
{
	perf report --stdio -q -i "$work/perf/$1.data" -g none \
		-F sample,symbol -t '|' 2>>"$work/perf.log" \
		>"$work/$1.profile" && [ -s "$work/$1.profile" ]
}
