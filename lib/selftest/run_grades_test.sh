#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does run_all.sh grade every kind of program right: exit status, results file
# and words? The programs are the roles of roles.c.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

while IFS='|' read -r role status line leaf what; do
	case $role in
	'' | '#'*) continue ;;
	esac
	graded "$what" "$role" "$status" "$line" "$leaf"
done <<'END'
pass_test|0|ok 1 pass_test.pass_test # time=[0-9]*ms$|ok 2 global.two|a pass is a pass
fail_test|1|not ok 1 fail_test.fail_test # exit=1$|not ok 2 global.two|a failure fails
skip_test|0|ok 1 skip_test.skip_test # time=|ok 2 global.two # SKIP needs root|a pass and a nameless skip is a pass
all_skip_test|125|ok 1 all_skip_test.all_skip_test # SKIP several reasons$|ok 1 global.one # SKIP needs root|nothing but skips cannot be judged
whole_skip_test|125|ok 1 whole_skip_test.whole_skip_test # SKIP needs CONFIG_TIME_NS$|ok 1 all # SKIP needs CONFIG_TIME_NS|a program skipped as a whole cannot be judged
xfail_test|0|ok 1 xfail_test.xfail_test # time=|ok 1 global.one # XFAIL not there yet|an expected failure is not a failure
hang_test|1|not ok 1 hang_test.hang_test # TIMEOUT 1 seconds$|not ok 2 global.two # TIMEOUT 1 seconds|a hang is a timeout of the test that ran
die_test|1|not ok 1 die_test.die_test # ERROR killed by signal 11$|not ok 2 global.two|a crash is a failure of the test that ran
silent_test|1|not ok 1 silent_test.silent_test # ERROR printed no result$|not ok 1 runner.plan # ERROR printed no result|silence is a failure
no_plan_test|1|not ok 1 no_plan_test.no_plan_test # ERROR printed no plan$|not ok 2 runner.plan # ERROR printed no plan|no plan is a failure
empty_plan_test|1|not ok 1 empty_plan_test.empty_plan_test # ERROR has no tests|not ok 1 runner.plan # ERROR has no tests (1..0)|an empty plan is a failure
short_test|1|not ok 1 short_test.short_test # ERROR planned 3|not ok 3 runner.plan # ERROR planned 3 results, printed 2|missing results are a failure
long_test|1|not ok 1 long_test.long_test # ERROR planned 1|not ok 3 runner.plan # ERROR planned 1 results, printed 2|results beyond the plan are a failure
misnumbered_test|1|not ok 1 misnumbered_test.misnumbered_test # ERROR numbered|not ok 3 runner.plan # ERROR numbered results wrongly: 3|wrong numbers are a failure
twice_test|1|not ok 1 twice_test.twice_test # ERROR used a name twice|not ok 3 runner.names # ERROR used a name twice: global.one|a name used twice is a failure
garbage_test|1|not ok 1 garbage_test.garbage_test # exit=1$|not ok 2 global.two|results are found among garbage
flood_test|0|ok 1 flood_test.flood_test # time=|ok 2 global.two|results are found behind megabytes of output
liar_test|1|not ok 1 liar_test.liar_test # ERROR exit code 1 although no test failed$|ok 1 global.one|a bad exit code alone is a failure
modest_test|1|not ok 1 modest_test.modest_test # 1 of 1 failed$|not ok 1 global.one|a failed result alone is a failure
orphan_test|1|not ok 1 orphan_test.orphan_test # ERROR left behind: |not ok 2 runner.leftover # ERROR left behind: orphan_test([0-9]*)|a process left behind is a failure, and no hang
old_test|1|not ok 1 old_test.old_test # exit=1$|ok 2 set.a.two # SKIP needs vDSO|an old harness is understood
surroundings_test|0|ok 1 surroundings_test.surroundings_test # time=|ok 4 own_session|programs start in clean surroundings
within_perf|0|ok 1 within_perf.within_perf # time=|ok 1 costs.one|a cost within its limit passes
over_perf|1|not ok 1 over_perf.over_perf # exit=1$|not ok 1 costs.one|a cost over its limit fails
over_unsaid_perf|1|not ok 1 over_unsaid_perf.over_unsaid_perf # ERROR a cost over|not ok 2 runner.perf # ERROR a cost over its limit, but no test failed|a cost over its limit fails even if the program says ok
unsure_perf|125|ok 1 unsure_perf.unsure_perf # SKIP inconclusive measurement$|ok 1 costs.one # SKIP inconclusive measurement|an unsure cost alone cannot be judged
report_perf|0|ok 1 report_perf.report_perf # time=|ok 1 costs.one|a cost that is only reported passes
END

# --- several programs ---------------------------------------------------------

make_suite mixed pass_test skip_test all_skip_test unsure_perf
run_into_results --suite "$tmp/mixed"
rc_is 0
ktap_has '^1..4$'
test_is "skips beside a pass do not change the verdict"

ln -sf "$ROLES" "$tmp/mixed/fail_test"
run_into_results --suite "$tmp/mixed"
rc_is 1
out_has '^# Totals: pass:4 fail:1 xfail:0 xpass:0 skip:4 error:0$'
test_is "one failure among passes fails the run"

mkdir "$tmp/gone"
printf 'TEST(one)\n' >"$tmp/gone/gone_test.c"
printf 'TEST(one)\n' >"$tmp/gone/pass_test.c"
ln -sf "$ROLES" "$tmp/gone/pass_test"
run_into_results --suite "$tmp/gone"
rc_is 1
ktap_has '^not ok 1 gone.gone_test # ERROR the program is not there'
ktap_has '^ok 2 gone.pass_test'
test_is "a program that was not built is a failure, and the others still run"

finish
