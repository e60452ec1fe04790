#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What other programs read: junit.xml, kcidb.json, bench.txt, summary.md, and
# what GitHub shows. The same names and counts in all, and valid each.
#
# shellcheck disable=SC2016 # Markdown, not the shell
#
# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

results=$tmp/first
all='--junit --kcidb --bench --markdown'
make_suite all pass_test fail_test skip_test all_skip_test xfail_test die_test \
	hang_test garbage_test silent_test within_perf over_perf unsure_perf
cat >"$tmp/list" <<'END'
all/silent_test
    fix:    none
    since:  never
    why:    says <nothing> & "more"
END
# shellcheck disable=SC2086 # words of all are options
run -o "$results" --timeout 1 --known "$tmp/list" $all --suite "$tmp/all"
rc_is 1
is "files" "bench.txt costs.save env.txt junit.xml kcidb.json kernel.log logs results.ktap results.ndjson summary.md" \
	"$(find "$results" -mindepth 1 -maxdepth 1 | sed 's|.*/||' | sort |
		tr '\n' ' ' | sed 's/ $//')"
test_is "each form is a file beside the results"

# --- junit.xml ----------------------------------------------------------------

grep -v '"number":' "$results/results.ndjson" >"$tmp/tests"
grep '"number":' "$results/results.ndjson" >"$tmp/costs"
count() { grep -c "$1" "$2"; }
names() { sed -n 's/^{"path":"\([^"]*\)".*/\1/p' "$1" | sort; }

sed -n 's/.*<testcase classname="\([^"]*\)" name="\([^"]*\)".*/\1.\2/p' \
	"$results/junit.xml" | sort >"$tmp/in_junit"
is "names in junit.xml" "$(names "$tmp/tests")" "$(cat "$tmp/in_junit")"
is "failures and errors" "$(count '"status":"\(FAIL\|ERROR\)"' "$tmp/tests")" \
	"$(count '<\(failure\|error\) ' "$results/junit.xml")"
is "skips" "$(count '"status":"\(SKIP\|XFAIL\)"' "$tmp/tests")" \
	"$(count '<skipped ' "$results/junit.xml")"
has "$results/junit.xml" '^<testsuites name="selftests" tests="21" failures="3" errors="2" '
has "$results/junit.xml" '<skipped type="known" message="says &lt;nothing&gt; &amp; &quot;more&quot;"/>'
has "$results/junit.xml" '<error type="FAIL" message="TIMEOUT 1 seconds">'
has "$results/junit.xml" '<failure type="FAIL" message="fail_test.c:12: Expected 1 (1) == x (2)"># fail_test.c:12:two:Expected'
has "$results/junit.xml" '<system-out>all.over_perf.roles.one: 20.0 -&gt; 21.0 ns/op, ratio 1.05 \[1.04,1.06\], limit 1.10: over'
has "$results/junit.xml" '<property name="kernel" value="'"$(uname -r)"'"/>'
test_is "junit.xml has the same names and counts"

# What GitLab and Jenkins (its schema for the form) both know, and no more.
cat >"$tmp/junit.rng" <<'END'
<grammar xmlns="http://relaxng.org/ns/structure/1.0"
 datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
<start><element name="testsuites"><attribute name="name"/><ref name="counts"/>
 <zeroOrMore><element name="testsuite"><attribute name="name"/>
  <ref name="counts"/>
  <attribute name="skipped"><data type="unsignedInt"/></attribute>
  <attribute name="timestamp"><data type="dateTime"/></attribute>
  <element name="properties"><zeroOrMore><element name="property">
   <attribute name="name"/><attribute name="value"/></element></zeroOrMore>
  </element>
  <oneOrMore><element name="testcase"><attribute name="classname"/>
   <attribute name="name"><data type="token">
    <param name="pattern">[A-Za-z0-9_.\-]+</param></data></attribute>
   <attribute name="time"><data type="decimal"/></attribute>
   <optional><choice><ref name="skipped"/><ref name="bad"/></choice></optional>
   <optional><element name="system-out"><text/></element></optional>
  </element></oneOrMore>
 </element></zeroOrMore></element></start>
<define name="counts">
 <attribute name="tests"><data type="unsignedInt"/></attribute>
 <attribute name="failures"><data type="unsignedInt"/></attribute>
 <attribute name="errors"><data type="unsignedInt"/></attribute>
 <attribute name="time"><data type="decimal"/></attribute></define>
<define name="skipped"><element name="skipped"><attribute name="message"/>
 <optional><attribute name="type"/></optional></element></define>
<define name="bad"><element><choice><name>failure</name><name>error</name>
 </choice><attribute name="type"/><attribute name="message"/><text/></element>
</define></grammar>
END
if have xmllint; then
	xmllint --noout --relaxng "$tmp/junit.rng" "$results/junit.xml" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 0
	test_is "junit.xml is valid"
else
	skip_test "junit.xml is valid" "needs xmllint"
fi

# --- kcidb.json ---------------------------------------------------------------

if have python3; then
	python3 - "$results/kcidb.json" "$results/results.ndjson" \
		>"$tmp/out" 2>"$tmp/err" <<-'END'
		import json, re, sys
		data = json.load(open(sys.argv[1], encoding="ascii"))
		records = [json.loads(line) for line in open(sys.argv[2])]
		allowed = {
		    "checkouts": "id origin git_commit_name",
		    "builds": "id checkout_id origin architecture comment misc",
		    "tests": "id build_id origin path status start_time duration "
		             "number comment log_excerpt environment misc",
		    "issues": "id version origin culprit comment report_url",
		    "incidents": "id origin issue_id issue_version test_id present",
		}
		assert data.pop("version") == {"major": 5, "minor": 3}
		assert set(data) == set(allowed), data.keys()
		ids = {}
		for kind, things in data.items():
		    ids[kind] = {thing["id"] for thing in things}
		    assert len(ids[kind]) == len(things), kind
		    for thing in things:
		        assert set(thing) <= set(allowed[kind].split()), thing
		        assert re.fullmatch("[a-z0-9_]+", thing["origin"]), thing
		        assert thing["id"].startswith(thing["origin"] + ":"), thing
		states = {"FAIL", "ERROR", "MISS", "PASS", "DONE", "SKIP"}
		for test in data["tests"]:
		    assert test["build_id"] in ids["builds"], test
		    assert test["status"] in states, test
		    assert re.fullmatch("[A-Za-z0-9_.-]+", test["path"]), test
		    assert len(test.get("log_excerpt", "")) <= 16384
		    assert isinstance(test.get("duration", 0.0), float), test
		    assert isinstance(test.get("number", {"value": 0.0})["value"], float)
		assert [t["path"] for t in data["tests"]] == [r["path"] for r in records]
		for test, record in zip(data["tests"], records):
		    want = record["status"].replace("XFAIL", "FAIL")
		    assert test["status"] == want, (test, record)
		    assert test.get("log_excerpt") == record.get("log_excerpt")
		for incident in data["incidents"]:
		    assert incident["issue_id"] in ids["issues"], incident
		    assert incident["test_id"] in ids["tests"], incident
		known = sum(r["status"] == "XFAIL" for r in records)
		assert len(data["incidents"]) == known > 0
	END
	rc=$?
	rc_is 0
	test_is "kcidb.json keeps to the schema and refers to what is there"
else
	skip_test "kcidb.json keeps to the schema" "needs python3"
fi

# --- bench.txt ----------------------------------------------------------------

# As benchstat reads it: keys begin with a lower-case letter and hold no blank;
# a result has a count, then pairs of value and unit.
awk '
/^Benchmark/ {
	results++
	if (NF < 4 || NF % 2 || $2 !~ /^[0-9]+$/)
		print "not a result: " $0
	for (i = 3; i < NF; i += 2)
		if ($i !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ || $(i + 1) ~ /^[0-9]/)
			print "not a value and a unit: " $0
	next
}
/^[a-z][^A-Z \t]*:[ \t]+[^ \t]/ { keys++; next }
!/^# / { print "nothing known: " $0 }
END { print results + 0, (keys > 3) }' "$results/bench.txt" >"$tmp/out"
is "results, and whether there are keys" "6 1" "$(cat "$tmp/out")"
is "names in bench.txt" "$(names "$tmp/costs")" "$(sed -n \
	's|^Benchmark\(.*\)/place=inside .*|\1|p' "$results/bench.txt" | sort)"
has "$results/bench.txt" '^Benchmarkall.over_perf.roles.one/place=outside 101 20.0 ns/op$'
has "$results/bench.txt" '^# not judged (unsure):$'
test_is "bench.txt is what benchstat reads, with the same names"

# --- summary.md and GitHub ----------------------------------------------------

has "$results/summary.md" '^### selftests: 5 failed on Linux '
has "$results/summary.md" '^21 tests: 10 passed, 5 failed, 4 skipped, 2 failed as known\.$'
has "$results/summary.md" '^| `all.fail_test.global.two` | fail\\_test.c:12: Expected 1 (1) == x (2) | `.*run_all.sh --known .* -v all/fail_test:global.two` |$'
has "$results/summary.md" '^| says \\<nothing\\> & "more" | 1 |$'
has "$results/summary.md" '^| needs root | 2 |$'
has "$results/summary.md" '^| `all.over_perf.roles.one` | 20.0 | 21.0 ns/op | 1.05 | '
is "columns" "$(grep -c '^|' "$results/summary.md")" \
	"$(grep -c '^|.*|$' "$results/summary.md")"
test_is "summary.md tells the run"

GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$tmp/page GITHUB_WORKSPACE=${top%/*}
export GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
echo "mine" >"$tmp/page"
run_into_results --suite "$tmp/all" fail_test pass_test die_test
rc_is 1
out_has "^::error file=${top##*/}/all/fail_test.c,line=1,title=all.fail_test.global.two::fail_test.c:12: Expected 1 (1) == x (2)\$"
out_has '^::error file=.*,title=all.die_test.global.two::killed by signal 11$'
is "annotations" 2 "$(grep -c '^::' "$tmp/out")"
has "$tmp/page" '^mine$'
has "$tmp/page" '^### selftests: 2 failed on Linux '
[ ! -e "$tmp/results/summary.md" ] || problem "summary.md although not asked for"
test_is "in a job of GitHub, failures are marked and a page is written"

mkdir "$tmp/many"
for i in a b c d e f g h i j k l; do
	mkdir "$tmp/many/$i"
	ln -s "$ROLES" "$tmp/many/$i/modest_test"
done
# shellcheck disable=SC2046 # words are options
run_into_results $(for i in a b c d e f g h i j k l; do
	echo "--suite $tmp/many/$i"
done)
is "annotations" 10 "$(grep -c '^::error' "$tmp/out")"
out_has '^::error title=selftests::and 3 more failures$'
test_is "GitHub shows ten, so the tenth tells of the rest"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE

# --- at any time --------------------------------------------------------------

mkdir "$tmp/died"
cp "$results/env.txt" "$tmp/died"
cat "$results/results.ndjson" >"$tmp/died/results.ndjson"
printf '{"path":"all.pass_test.gl' >>"$tmp/died/results.ndjson"
# shellcheck disable=SC2086 # words of all are options
run --from "$tmp/died" $all --suite "$tmp/all"
rc_is 0
is "what it says" 4 "$(wc -l <"$tmp/out")"
for file in junit.xml kcidb.json bench.txt; do
	cmp -s "$results/$file" "$tmp/died/$file" || problem "$file differs"
done
[ ! -e "$tmp/died/results.ktap" ] || problem "something was run"
test_is "--from makes them of a run that was cut off"

run --from "$tmp/died"
rc_is 129
err_has 'wants a form'
run --from "$tmp/none" --junit
rc_is 129
err_has 'no results in'
test_is "--from says what is missing"

compared=0
for awk in mawk gawk 'busybox awk'; do
	have "${awk%% *}" || continue
	mkdir -p "$tmp/path"
	printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$tmp/path/awk"
	chmod 755 "$tmp/path/awk"
	rm -f "$tmp/died"/*.xml "$tmp/died"/*.json "$tmp/died"/*.txt.*
	# shellcheck disable=SC2086 # words of all are options
	PATH=$tmp/path:$PATH run --from "$tmp/died" $all --suite "$tmp/all"
	rc_is 0
	for file in junit.xml bench.txt summary.md; do
		sed '/^| .* | `.*run_all.sh/d' "$results/$file" >"$tmp/want"
		sed '/^| .* | `.*run_all.sh/d' "$tmp/died/$file" >"$tmp/got"
		cmp -s "$tmp/want" "$tmp/got" ||
			problem "$file differs with $awk"
	done
	compared=$((compared + 1))
done
[ $compared -gt 0 ] || problem "no awk was tried"
test_is "every awk makes the same of it"

finish
