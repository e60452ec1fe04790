#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a list of known failures excuses, what it does not, and when; and skips
# that do not count as harmless.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite a pass_test fail_test skip_test die_test all_skip_test

# An entry with more lines, for fail_test:global.two, which says
# "fail_test.c:12: Expected 1 (1) == x (2)".
entry() # LINE...
{
	printf 'a/fail_test:global.two\n'
	printf '    %s\n' 'why: told' "$@"
	echo
}
known() # LINE...
{
	entry "$@" >"$tmp/list"
	run_into_results --known "$tmp/list" --suite "$tmp/a" fail_test
}
link='link: https://example.org/1'

known "$link" 'says: Expected 1 (?) == x*'
rc_is 0
ktap_has '^  ok 2 global.two # XFAIL told$'
json_has '"status":"XFAIL".*"fix":"none","link":"https://example.org/1"'
out_has '^# known bug, no fix yet: told (https://example.org/1)$'
known "$link" 'says: nothing alike' 'says: Expected 1 *'
rc_is 0
test_is "a failure that says what the entry says is excused"

known "$link" 'says: Expected 0 *' 'says: in child*'
rc_is 1
out_has '^# failed: a/fail_test:global.two$'
out_has '^#     known to fail, but saying: Expected 0 \* | in child\*$'
printf 'a/die_test:global.two\n  why: told\n  %s\n  says: Expected *\n' \
	"$link" >"$tmp/list"
run_into_results --known "$tmp/list" --suite "$tmp/a" die_test
rc_is 1
test_is "a failure of another kind, as in its set-up, is not"

known "$link" 'expires: 2001-01-01'
rc_is 1
out_has '^# expired on 2001-01-01, excuses nothing: a/fail_test:global.two (https://example.org/1)$'
out_has '^#     known until 2001-01-01: told (https://example.org/1)$'
known "$link" 'expires: 2999-12-31'
rc_is 0
out_has_not 'expired'
test_is "an entry that has expired excuses nothing, and that is said"

known "$link" "probe: test -d '$tmp/none'"
rc_is 1
known "$link" "probe: test -d '$tmp'; echo noise; echo noise >&2"
rc_is 0
out_has_not 'noise'
test_is "an entry with a probe is only for where that succeeds"

known "$link" 'kernel: v2.6 .. v3.0'
rc_is 1
out_has_not 'broken again'
known "$link" 'kernel: v2.6 ..'
rc_is 0
while read -r release range want; do
	entry "$link" "kernel: $(echo "$range" | sed 's/-/ .. /')" \
		>"$tmp/one"
	got=$(RELEASE=$release awk -f "$top/lib/run/known.awk" "$tmp/one" |
		wc -l)
	is "entries of $range in $release" "$want" "$got"
done <<'END'
6.18.44-abc v5.15-v6.18 1
6.18.44-abc v5.15-v6.18.43 0
6.18.44-abc v6.18.44-v6.18.44 1
6.18.44-abc v6.18.45- 0
6.18.44-abc -v7.0 1
7.3.0-rc2+ v7.3- 0
10.0.1 v9.20-v10.0 1
END
test_is "an entry with a range is only for those kernels"

while read -r release since want; do
	entry 'fix: x' "since: $(echo "$since" | tr _ ' ')" >"$tmp/one"
	got=$(RELEASE=$release awk -f "$top/lib/run/known.awk" "$tmp/one" |
		cut -f 5)
	is "whether $since in $release excuses" "$want" "$got"
done <<'END'
6.12.92-abc v7.3_(v6.12.92,_v6.18.44) 0
6.12.91-abc v7.3_(v6.12.92,_v6.18.44) 1
6.12.117 v7.3_(v6.12.92,_v6.18.44) 0
6.13.99 v7.3_(v6.12.92,_v6.18.44) 1
6.18.44 v7.3_(v6.12.92,_v6.18.44) 0
7.4.0 v7.3_(v6.12.92,_v6.18.44) 0
END
test_is "a stable series has the fix from its own release on"

printf 'a/pass_test\n  why: told\n  %s\n  may-pass: by luck\n' "$link" \
	>"$tmp/list"
run_into_results --known "$tmp/list" --suite "$tmp/a" pass_test
rc_is 0
out_has_not 'passes although'
sed '/may-pass/d' "$tmp/list" >"$tmp/list2"
run_into_results --known "$tmp/list2" --suite "$tmp/a" pass_test
rc_is 0
out_has '^# passes although known to fail: a/pass_test (https://example.org/1)$'
test_is "a pass is mentioned, unless the entry tells why it may be"

entry "$link" >"$tmp/list"
printf 'a/die_test\n  fix: none\n  since: never\n  why: dies\n' >"$tmp/list2"
run_into_results --known "$tmp/list" --known "$tmp/list2" --suite "$tmp/a" \
	fail_test die_test
rc_is 0
out_has '2 failed as known'
printf 'a/die_test\n  colour: red\n' >"$tmp/list2"
run_into_results --known "$tmp/list" --known "$tmp/list2" --suite "$tmp/a" \
	fail_test
rc_is 129
err_has "list2:2: unknown key colour:"
test_is "--known may be given twice"

known 'fix: x'
rc_is 129
err_has 'the entry above needs fix:, since: and why:, or link: and why:'
while IFS='|' read -r line message; do
	known "$link" "$line"
	rc_is 129
	err_has "$message"
done <<'END'
expires: soon|:4: expires: wants a date
kernel: v5.15|kernel: wants "v5.15 .. v6.17"
END
test_is "an entry that cannot be meant is refused"

# --- skips --------------------------------------------------------------------

run_into_results --no-skip --suite "$tmp/a" pass_test skip_test
rc_is 1
ktap_has '^  not ok 2 global.two$'
json_has '"path":"a.skip_test.global.two","status":"FAIL",.*"reason":"a skip that is not allowed: needs root"'
out_has '^#     a skip that is not allowed: needs root$'
out_has '^# rerun: .* --no-skip .*-v a/skip_test:global.two$'
run_into_results --no-skip --suite "$tmp/a" pass_test
rc_is 0
test_is "with --no-skip a skip counts as failed"

allowed() # STATUS LINE...
{
	want=$1
	shift
	printf '%s\n' "# comment" "" "$@" >"$tmp/allowed"
	run_into_results --allow-skip "$tmp/allowed" --suite "$tmp/a" \
		pass_test skip_test all_skip_test
	rc_is "$want"
}
allowed 0 'needs root' 'slow machine'
allowed 1 'needs root'
out_has '^# 1 failure: of 6 tests in 3 programs'
allowed 0 'a/skip_test' 'a/all_skip_test:global.*'
allowed 1 'a/skip_test' 'a/all_skip_test:global.one'
allowed 0 'needs *' 'a/*:global.two'
test_is "--allow-skip lists tests or reasons that may be skipped"

entry "$link" | sed 's/fail_test/skip_test/' >"$tmp/list"
run_into_results --no-skip --known "$tmp/list" --suite "$tmp/a" skip_test
rc_is 1
test_is "a known failure is no excuse for a skip"

finish
