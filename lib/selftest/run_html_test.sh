#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The page for people: does it say what the results say, can it be read without
# gnuplot, and can no text of a test become a part of it?
#
# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

results=$tmp/results page=$tmp/results/report.html
make_suite all pass_test fail_test skip_test all_skip_test xfail_test die_test \
	garbage_test silent_test within_perf over_perf unsure_perf
cat >"$tmp/list" <<'END'
all/silent_test
    fix:    none
    since:  never
    link:   https://example.org/?a=1&b=2
    why:    says <nothing> & "more"
END
# Not only roles: what a page must not take over, and a promise to be told.
cat >"$tmp/all/evil_test.sh" <<'END'
#!/bin/sh
echo "TAP version 13"
echo "1..1"
echo "# evil.c:1:one:Expected <script>alert('1')</script> (0) == \"&\" (1)"
echo "not ok 1 global.one"
exit 1
END
cat >"$tmp/all/late_test.sh" <<'END'
#!/bin/sh
echo "TAP version 13"
echo "1..2"
echo "# late.c:7:one:Expected start (8487646446236) == now (8487646446999)"
echo "not ok 1 global.one"
echo "# late.c:8:two:Expected 0 (0) == unshare(CLONE_NEWTIME) (-38)"
echo "not ok 2 global.two"
exit 1
END
chmod +x "$tmp/all"/*_test.sh
run_into_results --known "$tmp/list" --html --suite "$tmp/all"
rc_is 1
totals=$(sed -n 's/^# Totals: //p' "$tmp/out")
cp "$page" "$tmp/first.html"
# Where there are sources, only programs that have one are run: so it comes now.
cat >"$tmp/all/fail_test.c" <<'END'
/*
 * Fails.
 *
 * Promises: someone(7), "A <promise>".
 * Guards:   0123456789ab ("some: fix & more")
 */
END
run --from "$results" --known "$tmp/list" --html --suite "$tmp/all"
rc_is 0
is "lines that differ without a source" 2 "$(diff "$page" "$tmp/first.html" |
	grep -c '^<.*promise\|^<.*guards')"
grep -v '"number":' "$results/results.ndjson" >"$tmp/tests"
grep '"number":' "$results/results.ndjson" >"$tmp/costs"

# --- the same as elsewhere ----------------------------------------------------

names() { sed -n 's/^{"path":"\([^"]*\)".*/\1/p' "$1"; }
count() { grep -c "$1" "$2"; }
rows() # TABLE
{
	sed -n "/ id=\"$1\"/,/<\/table>/s/^<tr class=\"//p" "$page"
}

rows all >"$tmp/rows"
is "names" "$(names "$tmp/tests")" \
	"$(sed 's/.*<td class="text"><code>\([^<]*\).*/\1/' "$tmp/rows")"
rows cost_table >"$tmp/cost_rows"
is "names of costs" "$(names "$tmp/costs")" \
	"$(sed 's/.*<td class="text"><code>\([^<]*\).*/\1/' "$tmp/cost_rows")"
is "failures" "$(count '"status":"\(FAIL\|ERROR\)"' "$tmp/tests")" \
	"$(count '^fail"' "$tmp/rows")"
is "failures told" "$(count '^fail"' "$tmp/rows")" \
	"$(count '^<article ' "$page")"
tile() { sed -n "s/^<li>.* data-status=\"$1\"><b>\([0-9]*\)<.*/\1/p" "$page"; }
is "totals" "$totals" "pass:$(tile pass) fail:$(tile fail) xfail:$(tile known) xpass:0 skip:$(tile skip) error:0"
is "tests" "$(grep -c . "$tmp/tests")" "$(tile '')"
has "$page" "<h1>$(tile fail) failed</h1>"
has "$page" "on Linux <b>$(uname -r)</b>"
test_is "the page has the same names and counts"

has "$page" '<dt>promised by</dt><dd>someone(7), &quot;A &lt;promise&gt;&quot;</dd>'
has "$page" '<dt>guards</dt><dd>0123456789ab (&quot;some: fix &amp; more&quot;)</dd>'
has "$page" '<dt>run it again</dt><dd><code>.*run_all.sh --known .* -v all/fail_test:global.two</code>'
has "$page" '<dt>expected</dt><dd>1</dd>'
has "$page" '<dt>got</dt><dd>8487646446999 (as ns: 2 h 21 min 27.646 s)</dd>'
has "$page" '<dt>difference</dt><dd>+763 (as ns: +763 ns)</dd>'
has "$page" '<dt>got</dt><dd>-38 (-ENOSYS)</dd>'
has "$page" '<dt>expected</dt><dd>at most +10.0 % inside</dd>'
has "$page" '<dt>got</dt><dd>+5.0 %: 20 ns outside, 21 ns inside, interval +4.0 % to +6.0 %, 101 pairs</dd>'
has "$page" 'says &lt;nothing&gt; &amp; &quot;more&quot;<br/><a href="https://example.org/?a=1&amp;b=2">'
test_is "a failure says what was promised, expected and seen"

# --- nothing gets in, nothing is fetched --------------------------------------

has "$page" '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;'
is "scripts" 1 "$(count '<script' "$page")"
is "attributes that run or fetch" "" \
	"$(grep -oE ' (on[a-z]+|src|href)="[^"#]*"' "$page" |
	grep -v -e '^ href="https://example.org/' -e '^ href="data:,"$')"
has_not "$page" 'url(\|@import'
test_is "no text of a test becomes a part of the page"

if have xmllint; then
	xmllint --noout "$page" >"$tmp/out" 2>&1
	rc=$?
	rc_is 0
	test_is "the page is well-formed"
else
	skip_test "the page is well-formed" "needs xmllint"
fi

# --- pictures -----------------------------------------------------------------

cat >>"$results/results.ndjson" <<'END'
{"path":"all.deep_perf.op.pidns1","status":"PASS","start":"2026-01-01T00:00:00.000Z","test":"deep.one","number":{"value":1.05,"unit":"ratio"},"interval":[1.04,1.06],"unit":"ns/op","outside":20.0,"inside":21.0,"limit":1.10,"n":6,"verdict":"within","log":"logs/x"}
{"path":"all.deep_perf.op.pidns8","status":"PASS","start":"2026-01-01T00:00:00.000Z","test":"deep.two","number":{"value":1.25,"unit":"ratio"},"interval":[1.24,1.26],"unit":"ns/op","outside":20.0,"inside":25.0,"limit":1.40,"n":6,"verdict":"within","log":"logs/x"}
END
mkdir -p "$results/pairs"
for depth in 1 8; do
	awk -v depth=$depth 'BEGIN {
		OFS = "\t"
		print "launch", "null", "pair", "outside_ns", "inside_ns"
		for (i = 0; i < 99; i++)
			print 0, i % 3 == 2, i, 20, 20 * \
				(1 + (i % 3 < 2) * depth / 30 + i % 7 / 1000)
	}' >"$results/pairs/all.op.pidns$depth.tsv"
done

# All programs but this one.
mkdir "$tmp/without"
old_ifs=$IFS IFS=:
for directory in $PATH; do
	for file in "$directory"/*; do
		case ${file##*/} in
		gnuplot*) ;;
		*) [ -e "$tmp/without/${file##*/}" ] ||
			ln -s "$file" "$tmp/without/${file##*/}" 2>/dev/null ;;
		esac
	done
done
IFS=$old_ifs
PATH=$tmp/without run --from "$results" --html="$tmp/plain.html" \
	--suite "$tmp/all"
rc_is 0
is "what it says" "$tmp/plain.html" "$(cat "$tmp/out")"
has "$tmp/plain.html" '<p id="no_pictures">No pictures: gnuplot is not installed'
has_not "$tmp/plain.html" '<svg'
page=$tmp/plain.html
is "rows" "$(cat "$tmp/rows")" "$(rows all)"
is "rows of costs" "$(($(grep -c . "$tmp/cost_rows") + 2))" \
	"$(rows cost_table | grep -c .)"
test_is "without gnuplot the page has all tables, and says so"

mkdir "$tmp/broken"
printf '#!/bin/sh\necho "no <terminal>" >&2\nexit 1\n' >"$tmp/broken/gnuplot"
chmod +x "$tmp/broken/gnuplot"
PATH=$tmp/broken:$PATH run --from "$results" --html --suite "$tmp/all"
rc_is 0
has "$results/report.html" 'No pictures: gnuplot failed: no &lt;terminal&gt;\.<'
test_is "a gnuplot that fails costs the pictures only"

if have gnuplot; then
	run --from "$results" --html --suite "$tmp/all"
	rc_is 0
	page=$results/report.html
	has_not "$page" 'No pictures'
	is "pictures" 3 "$(count '^<svg ' "$page")"
	has "$page" 'aria-label="all.op against depth"'
	is "colours of gnuplot" 0 "$(grep -c 'rgb(' "$page")"
	is "identifiers used twice" "" "$(grep -o ' id="[^"]*"' "$page" |
		sort | uniq -d)"
	if have xmllint; then
		xmllint --noout "$page" >"$tmp/out" 2>&1 ||
			problem "not well-formed"
	fi
	test_is "pictures are a part of the page"
else
	skip_test "pictures are a part of the page" "needs gnuplot"
fi

# --- at any time --------------------------------------------------------------

mkdir "$tmp/died"
cp "$results/env.txt" "$tmp/died"
sed 5q "$results/results.ndjson" >"$tmp/died/results.ndjson"
printf '{"path":"all.pass_test.gl' >>"$tmp/died/results.ndjson"
printf 'KTAP version 1\n1..9\nok 1 all.x\nnot ok 2 all.y\n' \
	>"$tmp/died/results.ktap"
run --from "$tmp/died" --html --suite "$tmp/all"
rc_is 0
has "$tmp/died/report.html" 'Not complete: 2 of 9 programs ran'
test_is "a run that was cut off says so"

run --from "$tmp/died" --html="$tmp/none/x" --suite "$tmp/all"
rc_is 129
err_has 'no directory for'
test_is "a page that cannot be written is refused"

compared=0
for awk in mawk gawk 'busybox awk'; do
	have "${awk%% *}" || continue
	mkdir -p "$tmp/path"
	printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$tmp/path/awk"
	chmod 755 "$tmp/path/awk"
	PATH=$tmp/path:$PATH run --from "$results" --html="$tmp/$compared.html" \
		--suite "$tmp/all"
	rc_is 0
	sed '/<dt>run it again/d' "$tmp/$compared.html" >"$tmp/page.$compared"
	cmp -s "$tmp/page.0" "$tmp/page.$compared" ||
		problem "the page differs with $awk"
	compared=$((compared + 1))
done
[ $compared -gt 0 ] || problem "no awk was tried"
test_is "every awk makes the same of it"

finish
