#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The collection's tests of itself:
#
#     check.sh [PATTERN]...     all, or those whose file name matches
#
# *_test.c are programs about lib/; run_*_test.sh are about run_all.sh and run
# once for every shell that it promises to work under; other *.sh that print TAP
# (perf_*.sh) run once. $LINT is a command that prints TAP about the sources; it
# keeps busy the processor that the tests of run_all.sh mostly wait on. Prints one line per test and ends with
# "N passed, N failed, N skipped"; exit status 1 if something failed.

here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
out=$here/.lib
limit=170	# seconds for one file: none may stop the others
lint_limit=900	# it compiles everything twice, perhaps beside other work
# The two shells' turns mostly wait; beyond two at once they would hinder each
# other on a small machine.
shells='dash busybox'

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

export ROLES="$out/roles" KSFT_OUT="$out"
number=0 passed=0 failed=0 skipped=0

wanted() # FILE
{
	name=${1##*/}
	[ -e "$1" ] || return 1
	[ -n "$patterns" ] || return 0
	for pattern in $patterns; do
		# shellcheck disable=SC2254 # it is a pattern
		case $name in
		*$pattern*) return 0 ;;
		esac
	done
	return 1
}

# Runs COMMAND and keeps what it printed and how it ended.
keep() # FILE COMMAND...
{
	file=$1
	shift
	timeout -k 5 "$limit" "$@" >"$file" 2>&1 </dev/null
	echo "# ended $?" >>"$file"
}

# Turns what was kept into our lines, and counts them.
report() # LABEL FILE
{
	[ -e "$2" ] || return 0
	LABEL=$1 NUMBER=$number awk -f "$here/check.awk" "$2" >"$tmp/lines"
	cat "$tmp/lines"
	number=$((number + $(grep -c '^\(not \)*ok ' "$tmp/lines")))
	failed=$((failed + $(grep -c '^not ok ' "$tmp/lines")))
	skipped=$((skipped + $(grep -c '^ok .* # SKIP' "$tmp/lines")))
	passed=$((number - failed - skipped))
}

shell_command() # SHELL
{
	case $1 in
	busybox) echo "busybox ash" ;;
	*) echo "$1" ;;
	esac
}

# All tests of run_all.sh with one shell, but for the one that needs to be alone.
run_lane() # SHELL
{
	for test in "$here"/run_*_test.sh; do
		case $test in
		*/run_klog_test.sh) continue ;;
		esac
		wanted "$test" && RUN_SH=$(shell_command "$1") \
			keep "$tmp/$1.${test##*/}" sh "$test"
	done
}

check_programs()
{
	for test in "$here"/*_test.c; do
		wanted "$test" || continue
		name=$(basename "$test" .c)
		keep "$tmp/$name" "$out/$name"
		report "$name" "$tmp/$name"
	done
}

check_scripts()
{
	for test in "$here"/*.sh; do
		case ${test##*/} in
		run_* | check.sh | tap.sh) continue ;;
		esac
		wanted "$test" || continue
		keep "$tmp/${test##*/}" sh "$test"
		report "$(basename "$test" .sh)" "$tmp/${test##*/}"
	done
}

run_lint()
{
	[ -z "$LINT" ] || limit=$lint_limit keep "$tmp/lint" sh -c "$LINT"
}

check_runner()
{
	run_lint &
	usable=''
	for shell in $shells; do
		if command -v "$shell" >/dev/null 2>&1; then
			usable="$usable $shell"
			run_lane "$shell" &
		else
			printf '1..1\nok 1 run_all.sh works # SKIP needs %s\n# ended 0\n' \
				"$shell" >"$tmp/missing"
			report "$shell" "$tmp/missing"
		fi
	done
	wait
	for shell in $usable; do
		test=$here/run_klog_test.sh
		wanted "$test" && RUN_SH=$(shell_command "$shell") \
			keep "$tmp/$shell.run_klog_test.sh" sh "$test"
		for test in "$here"/run_*_test.sh; do
			name=$(basename "$test" .sh)
			report "$name ($shell)" "$tmp/$shell.$name.sh"
		done
	done
	report lint "$tmp/lint"
}

patterns=$*
make -s -C "$here" OUTPUT="$out" all || {
	echo "not ok 1 the self-tests can be built"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
}
check_programs
check_scripts
check_runner
echo "1..$number"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
