#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does run_all.sh see what the kernel says while a program runs? Not to be run
# beside other tests: they would be blamed for the warning.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

if [ ! -w /dev/kmsg ]; then
	skip_test "a warning of the kernel turns a pass into a failure" "needs root"
	finish
fi

graded "a warning of the kernel turns a pass into a failure" warn_test 1 \
	'not ok 1 warn_test.warn_test # ERROR WARNING: CPU: 0 at lib/selftest, not a real one$' \
	'not ok 2 runner.kernel_log # ERROR WARNING: CPU: 0 at lib/selftest, not a real one'
has "$tmp/results/kernel.log" '^== warn_test/warn_test$'
has "$tmp/results/kernel.log" '^\[[ 0-9.]*\] WARNING: CPU: 0 at lib/selftest'
test_is "kernel.log has what the kernel said, and when"
graded "an OOM report and a crash of a program are no kernel bugs" \
	oom_test 0 'ok 1 oom_test.oom_test # time=' 'ok 1 global.one'
make_suite both warn_test pass_test
run_into_results --suite "$tmp/both"
ktap_has '^ok 1 both.pass_test'
ktap_has '^not ok 2 both.warn_test'
test_is "only the program that ran meanwhile is blamed for a warning"

finish
