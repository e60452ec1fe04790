#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run_all.sh --expect: one result among several decides.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite x fail_test pass_test skip_test

expected() # STATUS ARGUMENT...
{
	status=$1
	shift
	run_into_results --suite "$tmp/x" "$@"
	rc_is "$status"
}

expected 1 --expect x/fail_test
expected 1 --expect 'x/fail_test:global.*' x
test_is "the expected failure decides"
expected 0 --expect x/pass_test:global.one x
ktap_has '^not ok 1 x.fail_test'
test_is "other failures are shown, and do not decide"
expected 0 --expect x/pass_test
has_not "$tmp/results/results.ktap" fail_test
test_is "alone, it is all that runs"
expected 125 --expect x/skip_test:global.two
expected 125 --expect x/pass_test:global.gone x
test_is "no result is no verdict"
expected 125 --expect x/pass_test x/fail_test
err_has 'nothing of what runs is called "x/pass_test"'
test_is "who waits in vain is told"
expected 129 --expect x/passs_test
err_has 'nothing is called "x/passs_test"'
test_is "a name that means nothing is a mistake"

finish
