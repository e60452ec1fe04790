#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a person at a terminal sees: one line that is updated, failures, costs.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

if ! have script || ! script -qec true /dev/null >/dev/null 2>&1; then
	skip_test "what is shown on a terminal" "needs script of util-linux"
	finish
fi
esc=$(printf '\033')
make_suite t pass_test fail_test within_perf

on_terminal() # ENVIRONMENT ARGUMENTS
{
	env -u NO_COLOR TERM=xterm "$1" script -qec "$RUN_SH $top/run_all.sh \
		-o $tmp/results --suite $tmp/t $2" /dev/null \
		</dev/null 2>"$tmp/err" | tr -d '\r' >"$tmp/out"
}

# shellcheck disable=SC2034 # used by problem reports
rc=0
on_terminal TERM=xterm ""
is "the first line" "running 3 programs; results in $tmp/results" \
	"$(sed 1q "$tmp/out")"
out_has "$esc\\[K\\[ 1/3\\] t/fail_test \\.\\.\\."
out_has "$esc\\[K\\[ 1/3\\] t/fail_test $esc\\[31mfailed$esc\\[0m: exit=1"
out_has '^  not ok t/fail_test:global.two$'
out_has '^         fail_test.c:12: Expected 1 (1) == x (2)$'
out_has '^  roles.one  *20.0 ->  *21.0 ns/op  x1.05 \[1.04, 1.06\], limit 1.10: within$'
out_has_not 't/pass_test ok'
out_has '^rerun: '
test_is "a line that is updated; failures and costs stay"

on_terminal NO_COLOR=1 ""
out_has_not "$esc\\[3"
out_has "$esc\\[K"
test_is "NO_COLOR"

on_terminal TERM=dumb ""
out_has_not "$esc"
out_has '^\[ 2/3\] t/pass_test ok (0.[0-9] s)$'
test_is "a dumb terminal gets plain lines"

on_terminal TERM=xterm "-q"
out_has_not "$esc\\[K\\["
test_is "-q shows no progress"

run --suite "$tmp/t" -o "$tmp/results"
out_has_not "$esc"
is "the first line" "TAP version 13" "$(sed 1q "$tmp/out")"
test_is "not on a terminal: kselftest's form, no control characters"

run --suite "$tmp/t" -o "$tmp/results" -v fail_test
out_has '^# # fail_test.c:12:two:Expected 1 (1) == x (2)$'
out_has '^# #  RUN           global.two ...$'
out_has '^not ok 1 selftests: t: fail_test # exit=1$'
test_is "-v shows all output"

finish
