#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Lists of known failures, and what the headers of test files are used for.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite a pass_test fail_test die_test
cat >"$tmp/list" <<'END'
# comment
a/fail_test:global.[!o]*
    fix:    123456789abc ("area: repair it")
    since:  v99.1 (v6.1.200)
    why:    what is wrong, told
            over two lines

a/die_test
    fix:    none
    since:  never
    why:    nobody knows
END

run_into_results --known "$tmp/list" --suite "$tmp/a"
rc_is 0
ktap_has '^  ok 2 global.two # XFAIL what is wrong, told over two lines$'
ktap_has '^ok 2 a.fail_test'
json_has '"path":"a.fail_test.global.two","status":"XFAIL",.*"fix":"123456789abc (\\"area: repair it\\")"'
out_has '^# this kernel lacks 123456789abc ("area: repair it"), in v99.1 (v6.1.200): what is wrong'
out_has '^# known bug, no fix yet: nobody knows$'
out_has '^# nothing new failed: .* 2 failed as known'
test_is "with --known, failures that are listed do not count"

run_into_results --suite "$tmp/a"
rc_is 1
out_has_not 'this kernel lacks'
test_is "without it they count"

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	cat >"$tmp/read_only" <<-END
		mount --bind /proc /proc && mount -o remount,bind,ro /proc ||
			exit 99
		exec $RUN_SH "$top/run_all.sh" -o "$tmp/results" \
			--known "$tmp/list" --suite "$tmp/a"
	END
	unshare -m sh "$tmp/read_only" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 1
	out_has_not 'this kernel lacks'
	out_has '^# note: /proc is read-only'
	out_has '^# note: the list of known failures was not applied'
	test_is "where /proc is read-only, no known bug is to blame"
else
	skip_test "where /proc is read-only, no known bug is to blame" \
		"needs root"
fi

sed 's/v99.1/v2.6/' "$tmp/list" >"$tmp/old_list"
run_into_results --known "$tmp/old_list" --suite "$tmp/a" fail_test
rc_is 1
out_has '^#     known until v2.6 (v6.1.200), which has 123456789abc .*: broken again?$'
test_is "a list excuses nothing that this release has repaired"

while read -r release since want; do
	printf 'a/b_test\n  fix: x\n  since: %s\n  why: y\n' "$since" \
		>"$tmp/one"
	got=$(RELEASE=$release awk -f "$top/lib/run/known.awk" "$tmp/one" |
		cut -f 5)
	is "whether v$since in $release excuses" "$want" "$got"
done <<'END'
6.18.44-abc v7.3 1
6.18.44-abc 6.18.45 1
6.18.44-abc 6.18.44 0
6.18.44-abc 6.18 0
7.3.0-rc2+ v7.3 1
7.3.0-rc2+ v7.2.9 0
7.3.0 v7.3 0
7.3-distro v7.3.1 1
10.0.1 v9.20 0
6.2.0 never 1
END
test_is "releases are compared as numbers"

mkdir -p "$tmp/own/lib"
cp "$top/run_all.sh" "$tmp/own"
cp -r "$top/lib/run" "$tmp/own/lib"
cp "$tmp/list" "$tmp/own/lib/known.list"
# shellcheck disable=SC2086 # words of RUN_SH are a command
$RUN_SH "$tmp/own/run_all.sh" -o "$tmp/results" --suite "$tmp/a" \
	>"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 1
out_has '^# this kernel lacks 123456789abc ("area: repair it"), in v99.1 (v6.1.200): what is wrong'
out_has '^#     failed 1: a/fail_test:global.two$'
out_has_not '^# failed: a/fail_test'
test_is "without it, the collection's own list says what the kernel lacks"

ln -s "$ROLES" "$tmp/a/modest_test"
# shellcheck disable=SC2086 # words of RUN_SH are a command
$RUN_SH "$tmp/own/run_all.sh" -o "$tmp/results" --suite "$tmp/a" \
	>"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 1
out_has '^# failed: a/modest_test:global.one$'
out_has "^# rerun: $tmp/own/run_all.sh --suite $tmp/a -v a/modest_test:global.one\$"
test_is "a failure that no known bug explains is the one to run again"
rm "$tmp/a/modest_test"

cat >"$tmp/list" <<'END'
a/pass_test:global.*
    fix:    123456789abc ("area: repair it")
    since:  v99.1 (v6.1.200)
    why:    it failed once
END
run_into_results --known "$tmp/list" --suite "$tmp/a" pass_test
rc_is 0
out_has '^# passes although known to fail: a/pass_test:global\.\*$'
test_is "a listed test that passes is mentioned"

while IFS='|' read -r text message; do
	printf '%b' "$text" >"$tmp/list"
	run_into_results --known "$tmp/list" --suite "$tmp/a"
	rc_is 129
	err_has "$message"
	test_is "bad list: $message"
done <<'END'
  fix: x\n|:1: a value without a test above it
pidns\n  fix: x\n|:1: want suite/program
a/b_test\n  fix: x\n  since: 1\n|the entry above needs fix:, since: and why:
a/b_test\n  fix: x\n  colour: red\n|:3: unknown key colour:
END

run --suite "$tmp/a" --known "$top/lib/known.list" -n
rc_is 0
test_is "the collection's own list is well-formed"

# --- headers ------------------------------------------------------------------

mkdir "$tmp/doc"
ln -s "$ROLES" "$tmp/doc/fail_test"
cat >"$tmp/doc/fail_test.c" <<'END'
// SPDX-License-Identifier: GPL-2.0
/*
 * What it is about.
 *
 * Promises: clone(2), "The child; and more"; kernel/fork.c:copy_process();
 *           fork(2) ENOMEM; all or nothing (kernel/pid.c:alloc_pid;
 *           free_pid); last (it is).
 * Guards:   35f71bc0a09a ("fork: report pid reservation failure properly"),
 *           v4.1
 *           06aba58e5849 ("another")
 * Needs:    root.
 *
 * More text; that is no promise.
 */
/* Promises: not this. */
END
run --suite "$tmp/doc" --promises
rc_is 0
out_has '^kernel/fork.c:copy_process()$'
out_has '^fork(2) ENOMEM$'
out_has '^all or nothing (kernel/pid.c:alloc_pid; free_pid)$'
out_has '^last (it is)$'
out_has '^35f71bc0a09a ("fork: report pid reservation failure properly"), v4.1$'
out_has '^06aba58e5849 ("another")$'
out_has '^    doc/fail_test$'
out_has_not 'not this\|no promise\|root'
test_is "--promises reads the headers"

# What take_apart() knows.
printf 'FAIL\tuserns.a/b_test:c.d\tb.c:1: Expected x (0) == y (-22)\n' \
	>"$tmp/leaves"
printf 'FAIL\ta/b_test:runner.exit\tb.c:2: Expected 5000000000 (5000000000) == t (3000000000)\n' \
	>>"$tmp/leaves"
printf 'Promises\ta/b_test\tone(2)\nPromises\ta/b_test\ttwo(7)\nGuards\ta/b_test\tnone\n' \
	>"$tmp/headers"
KNOWN=/dev/null HEADERS=$tmp/headers RERUN=run LC_ALL=C awk \
	-f "$top/lib/run/formats/human.awk" -f "$top/lib/run/summary.awk" \
	"$tmp/leaves" >"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 0
out_has '^    expected 0, got -22 (-EINVAL)$'
out_has '^    expected 5000000000 (as ns: 5.000 s), got 3000000000 (as ns: 3.000 s), difference -2000000000 (as ns: -2.000 s)$'
out_has '^    again: run -v a/b_test:c.d$'
out_has '^    again: run -v a/b_test$'
out_has '^    promised by: one(2); two(7)$'
is "promises told" 1 "$(grep -c 'promised by' "$tmp/out")"
test_is "numbers of a failure are told in words, flavours know their sources"

# From a copy, which keeps its results apart: other tests use ours meanwhile.
rm "$tmp/own/lib/known.list"
# shellcheck disable=SC2086 # words of RUN_SH are a command
$RUN_SH "$tmp/own/run_all.sh" -o "$tmp/results" --suite "$tmp/doc" \
	doc/fail_test >"$tmp/out" 2>"$tmp/err"
rc=$?
rc_is 1
out_has '^#     guards: 35f71bc0a09a ("fork: report pid reservation failure properly"), v4.1$'
out_has '^#     fail_test.c:12: Expected 1 (1) == x (2)$'
out_has '^#     again: .*/run_all.sh --suite .* -v doc/fail_test:global.two$'
out_has '^#     promised by: '
test_is "a failure comes with its reason, promise, guards and how to repeat it"

rerun=$(sed -n 's/^# rerun: //p' "$tmp/out")
is "words after rerun" "$tmp/own/run_all.sh --suite $tmp/doc -v doc/fail_test:global.two" \
	"$rerun"
is "the line before the last" "# rerun: $rerun" \
	"$(tail -n 2 "$tmp/out" | sed 1q)"
sh -c "$rerun" >"$tmp/out" 2>&1 </dev/null
rc=$?
rc_is 1
out_has '^# not ok 2 global.two$'
test_is "the rerun line works"

finish
