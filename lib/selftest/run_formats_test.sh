#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Can the tools that people have read what run_all.sh writes, and does it say
# the same in every form?

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite good pass_test skip_test xfail_test within_perf
make_suite all pass_test fail_test skip_test all_skip_test whole_skip_test \
	xfail_test die_test silent_test short_test garbage_test orphan_test \
	old_test within_perf over_perf unsure_perf
run -o "$tmp/good_results" --suite "$tmp/good"
run_into_results --suite "$tmp/all"
cp "$tmp/out" "$tmp/shown"

# --- one truth ----------------------------------------------------------------

counts() # OK NOT_OK SKIP, as regular expressions, and FILE
{
	printf '%s %s %s' "$(grep -c "$1" "$4")" "$(grep -c "$2" "$4")" \
		"$(grep -c "$3" "$4")"
}

in_ktap=$(counts '^  ok ' '^  not ok ' '^  ok .* # SKIP ' \
	"$tmp/results/results.ktap")
in_output=$(counts '^# ok ' '^# not ok ' '^# ok .* # SKIP ' "$tmp/shown")
grep -v '"number":' "$tmp/results/results.ndjson" >"$tmp/tests"
in_json=$(counts '"status":"\(PASS\|SKIP\|XFAIL\)"' '"status":"\(FAIL\|ERROR\)"' \
	'"status":"SKIP"' "$tmp/tests")
is "ok, not ok and skips on stdout" "$in_ktap" "$in_output"
is "ok, not ok and skips in results.ndjson" "$in_ktap" "$in_json"
ktap_has "^1..$(grep -c '^[^ ].*ok [0-9]\|^ok ' "$tmp/results/results.ktap")\$"
test_is "results.ktap, results.ndjson and stdout agree"

# Names must survive a CI that rewrites anything unusual, and mean one result.
is "names that a CI would rewrite" "" "$(sed -n 's/^{"path":"\([^"]*\)".*/\1/p' \
	"$tmp/results/results.ndjson" | grep -v '^[A-Za-z0-9_.-]*$')"
is "names used twice" "" "$(sed 's/",.*//' "$tmp/results/results.ndjson" |
	sort | uniq -d)"
test_is "names are plain and unique"

# Words for which one CI searches all output.
for word in 'FAIL:' '\[FAIL\]' 'SKIP:' '\[OK\]'; do
	has_not "$tmp/shown" "$word"
done
test_is "no word on stdout that means something else to a CI"

# --- JSON ---------------------------------------------------------------------

json_has '"path":"all.within_perf.roles.one","status":"PASS"'
json_has '"path":"all.over_perf.roles.one","status":"FAIL"'
json_has '"path":"all.unsure_perf.roles.one","status":"SKIP"'
json_has '"number":{"value":1.05,"unit":"ratio"},"interval":\[1.04,1.06\],"unit":"ns/op","outside":20.0,"inside":21.0,"limit":1.10,"n":101,"host":"\\"quoted\\"","verdict":"over"'
json_has '"path":"all.fail_test.global.two","status":"FAIL",.*"log":"logs/all.fail_test.log","reason":"fail_test.c:12: Expected 1 (1) == x (2)"'
test_is "results.ndjson has costs and reasons"

if have python3; then
	python3 - "$tmp/results/results.ndjson" >"$tmp/out" 2>"$tmp/err" <<-'END'
		import json, re, sys
		for line in open(sys.argv[1], encoding="ascii"):
		    r = json.loads(line)
		    assert set(r) >= {"path", "status", "start", "log"}, r
		    assert r["status"] in ("PASS FAIL ERROR SKIP XFAIL DONE").split()
		    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", r["start"]), r
		    assert "number" in r or r["duration"] >= 0, r
	END
	rc=$?
	rc_is 0
	test_is "every record is JSON with the same keys"
else
	skip_test "every record is JSON with the same keys" "needs python3"
fi

# --- other people's parsers ---------------------------------------------------

# The kernel's own: in KSRC, in the tree around us, or in our copy of it.
for tree in "${KSRC:-}" "$top/../../../.." "$top/.harness"; do
	kunit=$tree/tools/testing/kunit/kunit.py
	[ -n "$tree" ] && [ -r "$kunit" ] && break
	kunit=''
done
parse_with_kunit() # RESULTS
{
	python3 "$kunit" parse "$1/results.ktap" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
if [ -n "$kunit" ] && have python3; then
	parse_with_kunit "$tmp/good_results"
	rc_is 0
	out_has 'Ran 7 tests: passed: 6, skipped: 1'
	test_is "kunit.py reads a good run whole"
	parse_with_kunit "$tmp/results"
	rc_is 1
	out_has_not '\[ERROR\]'
	# It counts XFAIL as a pass.
	out_has "Ran $(grep -c . "$tmp/tests") tests: passed: 14, failed: 8, skipped: 6"
	test_is "kunit.py reads every kind of failure"
else
	skip_test "kunit.py reads results.ktap" "needs KSRC=<kernel tree> and python3"
fi

if have prove; then
	prove --exec cat "$tmp/good_results/results.ktap" >"$tmp/out" 2>&1
	rc=$?
	rc_is 0
	out_has 'Tests=4'
	prove --exec cat "$tmp/results/results.ktap" >"$tmp/out" 2>&1
	rc=$?
	rc_is 1
	out_has 'Tests: 15 Failed: 8'
	out_has_not 'Parse errors'
	test_is "prove reads results.ktap"
	prove --exec cat "$tmp/shown" >"$tmp/out" 2>&1
	out_has 'Tests: 15 Failed: 8'
	out_has_not 'Parse errors'
	test_is "prove reads stdout"
else
	skip_test "prove reads results.ktap" "needs perl"
fi

finish
