#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does run_all.sh say the truth also where much is missing or in the way?
#
#     check.sh [CONDITION]...        all conditions of table.list, or those
#     RUNS=N STATE=FILE check.sh     N runs in different surroundings: many.sh
#
# Under every condition the collection has to come to the verdict it comes to
# without it, or to skip with the true reason, in time, and to leave nothing.
# WHAT in the environment selects tests, as for run_all.sh, LIMIT is in seconds
# for one condition. Prints TAP and a table; exit status 1 if something failed:
# all that was printed is in .results/stress.CONDITION.out then.

here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
top=$(cd "$here/../../.." && pwd -P)
out=$here/../.lib
limit=${LIMIT:-600}
tests=${WHAT:-}

# Not below /tmp, which will be replaced.
if [ "${STRESS_INSIDE:-}" != 1 ]; then
	make -s -C "$here/.." OUTPUT="$out" "$out/filter" || exit 1
	mkdir -p "$top/.results"
	scratch=$(mktemp -d "$top/.results/stress.XXXXXX") || exit 1
	chmod 755 "$scratch"
	trap 'rm -rf "$scratch"' EXIT
	trap 'exit 1' HUP INT TERM
	if [ -n "${RUNS:-}" ]; then
		touch "${STATE:?names a file for RUNS}" || exit 1
		exec 7>>"$STATE"
		exec 8<"$STATE"
	fi
	export STRESS_INSIDE=1 top scratch filter="$out/filter" limit
	if [ "$(id -u)" = 0 ]; then
		unshare --mount --propagation private \
			sh "$here/conditions.sh" private_tmp sh "$0" "$@"
	else
		sh "$0" "$@"
	fi
	exit
fi

cd "$top" || exit 1
# shellcheck source=lib/selftest/stress/left.sh
. "$here/left.sh"
unset KSFT_MACHINE_SLOW NO_COLOR GITHUB_ACTIONS MAKEFLAGS MAKELEVEL MFLAGS

# Sets rc, seconds; the results are in $scratch/disk, the output in out.
run_under() # CONDITION OPTIONS...
{
	condition=$1
	shift
	known_reasons=$scratch/reasons.$(echo "$*" | tr -c 'a-z\n' _)
	touch "$known_reasons"
	snapshot before
	rm -rf "$scratch/disk"
	started=$(date +%s)
	# shellcheck disable=SC2086 # words
	timeout -k 20 "$limit" $apart sh "$here/conditions.sh" "$condition" \
		env "SELFTESTS_STRESS=$$.$number" ./run_all.sh --no-perf \
		--known lib/known.list -o "$scratch/disk" "$@" $tests \
		>"$scratch/out" 2>&1 </dev/null 7>&- 8>&-
	rc=$?
	seconds=$(($(date +%s) - started))
	find_left "$$.$number"
}

reasons() # of the last run
{
	sed -n 's/^# skipped [0-9]*: //p' "$scratch/out" | sort -u
}

# Did nothing fail but what is known to? Without /proc run_all.sh excuses nothing.
only_known()
{
	[ "$rc" -eq 1 ] || return 1
	names=$(sed -n 's/^# failed: \([^ ]*\).*/\1/p' "$scratch/out" | tr /: ..)
	[ -n "$names" ] && ! echo "$names" | grep -qvxFf "$scratch/known"
}

known_names() # of the last run
{
	sed -n 's/^{"path":"\([^"]*\)","status":"XFAIL".*/\1/p' \
		"$scratch/disk/results.ndjson"
}

# What should not be, one a line.
judge() # STATUS REASONS
{
	if [ "$rc" -ge 124 ] && [ "$rc" -ne 129 ] && [ "$rc" -ne 125 ]; then
		echo "no end within $limit s (status $rc)"
	elif [ "$rc" -ne "$1" ] && [ "$1:$rc" != 0:125 ] && ! only_known; then
		echo "exit status $rc, not $1"
	elif [ "$rc" -eq 129 ]; then
		grep -qE "$2" "$scratch/out" || echo "the reason is not $2"
	else
		reasons | grep -vxFf "$known_reasons" | grep -vE "$2" |
			sed 's/^/not to be expected: skipped: /'
	fi
	[ "$left" -eq 0 ] || echo "$left left behind"
}

# The failures and their reasons, of what run_all.sh says.
show_failures()
{
	grep -E '^# (failed|hung|crashed|left|the kernel)|^not ok|^run_all.sh' \
		"$scratch/out" | head -n 40
	tail -n 1 "$scratch/out"
}

totals()
{
	said=$(sed -n 's/^# Totals: //p' "$scratch/out")
	echo "${said:-$(sed -n 's/^run_all.sh: //p' "$scratch/out" |
		tail -n 1)}"
}

check_condition() # NAME STATUS REASONS OPTIONS
{
	number=$((number + 1))
	label="$1${4:+ $4}"
	# shellcheck disable=SC2086 # words
	run_under "$1" $4
	if [ "$rc" -eq 77 ]; then
		verdict=skipped
		said=$(sed 1q "$scratch/out")
		echo "ok $number $label # SKIP $said"
	else
		judge "$2" "$3" >"$scratch/problems"
		if [ "$1" = plain ]; then
			reasons >"$known_reasons"
			known_names >>"$scratch/known"
		fi
		verdict=right
		if [ -s "$scratch/problems" ]; then
			verdict=WRONG failed=$((failed + 1))
			sed 's/^/# /' "$scratch/problems"
			show_failures | sed 's/^/# | /'
			cp "$scratch/out" "$top/.results/stress.$1.out"
			printf 'not '
		fi
		echo "ok $number $label"
	fi
	[ $verdict = skipped ] || said=$(totals)
	printf '# %-29s %-8s %4s s %4s left  %s\n' "$label" "$verdict" \
		"$seconds" "$left" "$said" | tee -a "$scratch/table"
}

wanted() # NAME
{
	[ -n "$patterns" ] || return 0
	[ "$1" != plain ] || return 0
	for pattern in $patterns; do
		# shellcheck disable=SC2254 # it is a pattern
		case $1 in
		$pattern) return 0 ;;
		esac
	done
	return 1
}

# What a condition mounts goes with it.
apart=''
[ "$(id -u)" != 0 ] || apart='unshare --mount --propagation private'
set -f
patterns=$* number=0 failed=0
: >"$scratch/known"
: >"$scratch/table"
if [ -n "${RUNS:-}" ]; then
	# shellcheck source=lib/selftest/stress/many.sh
	. "$here/many.sh"
	run_many
fi
grep -v '^#' "$here/table.list" >"$scratch/list"
while IFS=';' read -r name status expected options <&4; do
	wanted "$name" || continue
	check_condition "$name" "$status" "$expected" "$options"
done 4<"$scratch/list"
echo "1..$number"
echo "#"
cat "$scratch/table"
[ "$failed" -eq 0 ]
