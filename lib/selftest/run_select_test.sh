#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does run_all.sh run what was asked for, all of it and nothing else, and does
# it refuse what makes no sense?

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite one pass_test skip_test within_perf
make_suite two pass_test all_skip_test

# A program whose harness knows no options, with its source.
mkdir "$tmp/src"
ln -s "$ROLES" "$tmp/src/old_test"
echo 'TEST_F_TIMEOUT(set, three, 60)' >"$tmp/src/shared.h"
cat >"$tmp/src/old_test.c" <<'END'
#include <stdio.h>
#include "elsewhere.h"
#include "shared.h"
TEST(one)
FIXTURE_VARIANT_ADD(set, a) { 1 };
FIXTURE_VARIANT_ADD(set, b) { 2 };
TEST_F(set, two)
END

# A program with the real harness.
mkdir "$tmp/real"
ln -s "$(dirname "$ROLES")/stats_test" "$tmp/real/stats_test"

both()
{
	run_into_results --suite "$tmp/one" --suite "$tmp/two" "$@"
}

# Names of the programs that ran, in the order in which they ran.
ran() # NAMES
{
	is "what ran" "$1" "$(sed -n 's/^\(not \)*ok [0-9]* \([^ ]*\).*/\2/p' \
		"$tmp/results/results.ktap" | tr '\n' ' ' | sed 's/ $//')"
}

# --- programs -----------------------------------------------------------------

both
ran "one.pass_test one.skip_test two.all_skip_test two.pass_test one.within_perf"
test_is "without a name, everything runs, costs last"

while IFS='|' read -r args want what; do
	# shellcheck disable=SC2086 # several arguments
	both $args
	ran "$want"
	test_is "$what"
done <<'END'
two|two.all_skip_test two.pass_test|a suite
one/skip_test|one.skip_test|a program
./one/skip_test.c two/|one.skip_test two.all_skip_test two.pass_test|names as a shell completes them
one.skip_test|one.skip_test|a dotted path of results.ndjson
pass_test|one.pass_test two.pass_test|a program name in every suite
*/pass_*|one.pass_test two.pass_test|a pattern
-x two -x one/skip_test|one.pass_test one.within_perf|without a suite and a program
-x pass_test --exclude=*_perf|one.skip_test two.all_skip_test|without patterns
--no-perf one|one.pass_test one.skip_test|no costs
--perf-only|one.within_perf|only costs
--repeat 2 one/pass_test|one.pass_test one.pass_test|twice
--repeat=2 two/pass_test one/pass_test|one.pass_test two.pass_test one.pass_test two.pass_test|everything twice
-- one/pass_test|one.pass_test|a name behind --
END

make_suite unstable pass_test fail_test
run_into_results --suite "$tmp/unstable" --until-fail unstable/fail_test
rc_is 1
ran "unstable.fail_test"
ktap_has '^1..1$'
test_is "--until-fail stops at the first failure"
run_into_results --suite "$tmp/unstable" --until-fail --repeat 3 unstable/pass_test
rc_is 0
ran "unstable.pass_test unstable.pass_test unstable.pass_test"
ktap_has '^1..3$'
test_is "--until-fail with --repeat ends without a failure"

# --- single tests -------------------------------------------------------------

run_into_results --suite "$tmp/src" src/old_test:set.a.two
rc_is 125
ktap_has '^  ok 1 set.a.two # SKIP needs vDSO$'
ktap_has '^  1..1$'
test_is "one test of a program that cannot run one test"
run_into_results --suite "$tmp/src" -x 'src/old_test:set.b.*'
rc_is 0
ktap_has '^  1..2$'
test_is "all but one test of a program that cannot run one test"
run --suite "$tmp/src" src/old_test:set.c.two
rc_is 129
err_has 'no test is called "src/old_test:set.c.two"'
test_is "an unknown test of such a program is refused"
run --suite "$tmp/src" -l
is "list" "global.one set.a.two set.a.three set.b.two set.b.three " \
	"$(sed 's|^src/old_test:||' "$tmp/out" | tr '\n' ' ')"
test_is "-l lists the tests of such a program from its source"

ln -s "$ROLES" "$tmp/src/more_test"
echo 'TEST(three)' >"$tmp/src/more_test.c"
for which in '*.two' 'global.t*'; do
	run_into_results --suite "$tmp/src" "src/*:$which"
	case $which in
	*two) ran src.old_test ;;
	*) ran src.more_test ;;
	esac
	ktap_has '^1..1$'
done
run_into_results --suite "$tmp/src" -x 'src/old_test:*'
ran src.more_test
ktap_has '^1..1$'
run --suite "$tmp/src" -l 'src/*:*.two'
out_has_not more_test
test_is "programs without a test that matches are not run"
run --suite "$tmp/src" src/old_test -x 'src/old_test:*'
rc_is 129
err_has 'nothing is left to run'
test_is "no test at all is a mistake"
rm "$tmp"/src/more_test*

if [ -x "$tmp/real/stats_test" ]; then
	run --suite "$tmp/real" -l
	rc_is 0
	test=$(sed -n 2p "$tmp/out")
	run_into_results --suite "$tmp/real" "$test"
	rc_is 0
	ktap_has '^  1..1$'
	ktap_has "^  ok 1 ${test#*:}\$"
	test_is "one test of a program with the kernel's harness"
	run_into_results --suite "$tmp/real" "real/stats_test:${test#*:}" \
		-x "$test" -x real/nothing
	rc_is 129
	run --suite "$tmp/real" real/stats_test:no.such.test
	rc_is 129
	err_has 'no test is called "real/stats_test:no.such.test"'
	test_is "an unknown test of such a program is refused"
	run --suite "$tmp/real" -n "$test"
	rc_is 0
	out_has "^would run .*/stats_test -r ${test#*:} (limit 45 s)\$"
	[ ! -e "$tmp/real/.results" ] || problem "results of a dry run"
	test_is "-n shows what would be done"
else
	skip_test "one test of a program with the kernel's harness" "not built"
fi

# The table of -l, with the names that are hardest to tell apart.
list_is() # NAMES
{
	is "the list" "$1" "$(awk -f "$top/lib/run/list.awk" "$tmp/table" |
		tr '\n' ' ' | sed 's/ $//')"
}
line="--------------------------------------------------------------------------------"
{
	printf '%-20s %-25s %s\n' '# FIXTURE' VARIANT TEST global '' ''
	echo "$line"
	printf '%-20s %-25s %s\n' a one t1 '' two '' '' three ''
	echo "$line"
	printf '%-20s %-25s %s\n' b '' t1 '' '' t2
	echo "$line"
	printf '%-20s %-25s %s\n' c_with_a_name_that_is_too_long v1 t1 '' '' t2
	echo "$line"
	printf '%-20s %-25s %s\n' d_with_a_name_that_is_too_long '' t1
	echo "$line"
	printf '%-20s %-25s %s\n' e v_with_a_name_that_is_much_too_long t1
} >"$tmp/table"
long=_with_a_name_that_is_too_long
list_is "a.one.t1 a.two.t1 a.three.t1 b.t1 b.t2 c$long.v1.t1 c$long.v1.t2 d$long.t1 e.v_with_a_name_that_is_much_too_long.t1"
test_is "the table that programs print with -l is understood"

# --- settings -----------------------------------------------------------------

make_suite set surroundings_test hang_test
echo "timeout=1" >"$tmp/set/settings"
run_into_results --suite "$tmp/set" -v --slow 2 --perf-report-only
out_has '^# # SELFTESTS_SLOW=2 KSFT_MACHINE_SLOW=yes REPORT_ONLY=1$'
ktap_has '^not ok 1 set.hang_test # TIMEOUT 2 seconds$'
test_is "limits come from settings, --slow multiplies them, programs know"
KSFT_MACHINE_SLOW=yes run_into_results --suite "$tmp/set" -v surroundings_test
out_has '^# # SELFTESTS_SLOW=3 KSFT_MACHINE_SLOW=yes REPORT_ONLY=none$'
test_is "KSFT_MACHINE_SLOW is respected"
run_into_results --suite "$tmp/set" -v surroundings_test
out_has '^# # SELFTESTS_SLOW=1 KSFT_MACHINE_SLOW=none REPORT_ONLY=none$'
test_is "nothing is slow by itself"

# --- mistakes -----------------------------------------------------------------

touch "$tmp/file"
while IFS='|' read -r args message; do
	# shellcheck disable=SC2086 # several arguments
	run -o "$tmp/refused" --suite "$tmp/one" $args
	rc_is 129
	err_has "^run_all.sh: $message"
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	[ ! -s "$tmp/out" ] || problem "something on stdout"
	[ ! -e "$tmp/refused" ] || problem "half a results directory"
	test_is "refused: $args"
done <<END
--frob|unknown option --frob
--frob=1|unknown option --frob=1
-z|unknown option -z
nosuch|nothing is called "nosuch"
one/nosuch_test|nothing is called "one/nosuch_test"
one/nosuch_test:x|nothing is called "one/nosuch_test:x"
-x nosuch|nothing is called "nosuch"
--no-perf one/within_perf|nothing is left to run
-x one|nothing is left to run
--timeout|--timeout needs a value
--timeout soon|--timeout wants seconds
--timeout 0|--timeout wants seconds
--slow -1|--slow wants a factor
--repeat 1.5|--repeat wants a count
--suite $tmp/nosuch|no directory
--known $tmp/nosuch|cannot read the list
-q -v|-v and -q exclude each other
--no-perf --perf-only|--no-perf and --perf-only exclude each other
--perf-only --no-perf|--no-perf and --perf-only exclude each other
--known /|cannot read the list
--allow-skip /|cannot read the list
--html=|--html= wants a name
--html=/|/ is a directory
-o $tmp/file/x|cannot write to
END

for place in "" one/pass_test; do
	run one "$place" ""
	[ "$rc" -eq 129 ] || break
done
rc_is 129
err_has '^run_all.sh: an empty name selects nothing$'
test_is "an empty name is refused"

ln -s "$top/run_all.sh" "$tmp/link"
(cd / && exec $RUN_SH "$tmp/link" --suite "$tmp/one" -l) >"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 0
test_is "a link to it lies anywhere"

for option in -h -l -q; do
	(exec $RUN_SH "$top/run_all.sh" -o "$tmp/results" --suite "$tmp/one" \
		$option) >/dev/full 2>"$tmp/err"
	rc=$?
	rc_is 129
	err_has '^run_all.sh: cannot write to the standard output$'
done
test_is "what nobody can read is no success"

mkdir -p "$tmp/two words"
cp "$top/run_all.sh" "$top/Makefile" "$tmp/two words"
(cd "$tmp/two words" && exec $RUN_SH ./run_all.sh -l) >"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 129
is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
err_has '^run_all.sh: make cannot work in ".*/two words": the path must not hold blanks$'
(cd "$tmp/two words" && exec make) >"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 2
is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
err_has 'make cannot work in ".*/two words": the path must not hold blanks'
run --suite "$tmp/two words"
rc_is 129
err_has '^run_all.sh: the path of a suite must not hold blanks'
test_is "blanks in the path are refused"

run --help
rc_is 0
out_has '^usage: run_all.sh'
test_is "--help"

finish
