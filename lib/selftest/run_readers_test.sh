#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two CI systems read the output of kselftests by rules of their own, which have
# made nonsense of other suites' results. Here are those rules, applied to what
# a few real tests print.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

for program in pidns/gaps_test timens/read_unmoved_test timens/timer_perf; do
	[ -x "$top/$program" ] || {
		skip_test "CI systems read real output" "needs built tests"
		finish
	}
done
real='pidns/gaps_test timens/read_unmoved_test timens/offsets_file_test'
# shellcheck disable=SC2086 # words of real are names
run_into_results $real
cp "$tmp/out" "$tmp/shown"
results=$tmp/results/results.ndjson
grep -v '"number":' "$results" >"$tmp/tests"
sed -n 's/^{"path":"\([^"]*\)".*/\1/p' "$tmp/tests" >"$tmp/names"
[ "$(wc -l <"$tmp/tests")" -gt 50 ] || problem "too few results to tell"
test_is "real tests ran"

# --- LKFT, KernelCI -----------------------------------------------------------

# Results are looked for at every depth of comments; the name of a result is
# that of its parents and its own, squeezed, and the reason of a skip is part of
# it. Whatever looks like a result is one. (So a program that is skipped whole
# gives its reason to all names in it, as with any kselftest.)
cat >"$tmp/lkft.awk" <<'END'
function squeeze(text)
{
	gsub(/\[[0-9]+\]/, "", text)
	gsub(/[^A-Za-z0-9_-]+/, "_", text)
	gsub(/^_|_$/, "", text)
	return text
}
{
	line = $0
	while (sub(/^# */, "", line))
		;
	if (line !~ /^(not )?ok /)
		next
	depth = $0 ~ /^#/
	good = line !~ /^not /
	sub(/^(not )?ok +[0-9]+ */, "", line)
	at = index(line "#", "#")
	name = substr(line, 1, at - 1)
	directive = substr(line, at)
	skip = good && directive ~ /^# *SKIP/
	sub(/^selftests:/, "", name)
	sub(/^# *SKIP/, "", directive)
	name = squeeze(name (skip ? directive : ""))
	state = good ? (skip ? "skip" : "pass") : "fail"
	if (depth) {
		child[++children] = name " " state
		next
	}
	for (i = 1; i <= children; i++)
		print name "_" child[i]
	children = 0
}
END
awk -f "$tmp/lkft.awk" "$tmp/shown" >"$tmp/lkft"
# The same from our own records.
sed -e 's/.*"path":"\([^"]*\)","status":"\([A-Z]*\)".*"reason":"\([^"]*\)".*/\1 \2 \3/' \
    -e 's/.*"path":"\([^"]*\)","status":"\([A-Z]*\)".*/\1 \2/' "$tmp/tests" |
	awk '{
		name = $1
		state = $2
		reason = ""
		if (state == "SKIP")
			for (i = 3; i <= NF; i++)
				reason = reason " " $i
		gsub(/[^A-Za-z0-9_-]+/, "_", name)
		gsub(/[^A-Za-z0-9_-]+/, "_", reason)
		print name reason, state ~ /^(PASS|XFAIL)$/ ? "pass" : \
			state == "SKIP" ? "skip" : "fail"
	}' | sort >"$tmp/ours"
sort "$tmp/lkft" >"$tmp/theirs"
cmp -s "$tmp/ours" "$tmp/theirs" ||
	problem "$(diff "$tmp/ours" "$tmp/theirs" | sed -n 2,4p)"
test_is "LKFT sees every result under its name, and nothing else"

is "names that get _dup" "" "$(sed 's/ [a-z]*$//' "$tmp/lkft" | sort | uniq -d)"
test_is "names stay unique as LKFT squeezes them"

# The numbers of a skipped test would make its name another one every day.
sed -n 's/^#define [A-Z0-9_]* "\(.*\)"$/\1/p' "$top/lib/needs.h" |
	sort -u >"$tmp/fixed"
sed -n 's/.*"status":"SKIP".*"reason":"\([^"]*\)".*/\1/p' "$tmp/tests" |
	sort -u >"$tmp/reasons"
is "reasons that are not in lib/needs.h" "" \
	"$(grep -v -x -F -f "$tmp/fixed" "$tmp/reasons")"
test_is "reasons of skips are constant"

# --- the CI of netdev ---------------------------------------------------------

# One program at a time; from a comment that begins a TAP version on, every
# comment with a result must have a name before any "#".
cat >"$tmp/netdev.awk" <<'END'
/^# TAP version / { nested = 1; next }
!nested { next }
!/^# / { nested = 0; next }
{ line = substr($0, 3) }
line ~ /^(not )?ok / {
	if (line !~ /^(not )?ok [0-9]+( -)? [^#]*[^ #]( +# +[^ ].*)?$/) {
		print "cannot be read: " line
		next
	}
	good = line ~ /^ok/
	skip = good && line ~ /# +[Ss][Kk][Ii][Pp]/
	sub(/^(not )?ok [0-9]+ /, "", line)
	sub(/ *#.*/, "", line)
	gsub(/[^A-Za-z0-9]+/, "-", line)
	print line, good ? (skip ? "skip" : "pass") : "fail"
}
END
check_program()
{
	dotted=$(echo "$program" | tr / .)
	awk -v "want=selftests: ${program%/*}: ${program#*/}" '
		/^# selftests: / { mine = substr($0, 3) == want }
		mine' "$tmp/shown" >"$tmp/alone"
	awk -f "$tmp/netdev.awk" "$tmp/alone" >"$tmp/theirs"
	is "lines that cannot be read" "" "$(grep '^cannot' "$tmp/theirs")"
	is "results of $program" "$(grep -c "^$dotted\." "$tmp/names")" \
		"$(wc -l <"$tmp/theirs")"
	is "names used twice" "" "$(sed 's/ [a-z]*$//' "$tmp/theirs" | sort |
		uniq -d)"
	is "failures" "$(grep -c "\"path\":\"$dotted\..*\"status\":\"\(FAIL\|ERROR\)\"" \
		"$tmp/tests")" "$(grep -c ' fail$' "$tmp/theirs")"
	is "skips" "$(grep -c "\"path\":\"$dotted\..*\"status\":\"SKIP\"" \
		"$tmp/tests")" "$(grep -c ' skip$' "$tmp/theirs")"
}
for program in $real; do
	check_program
done
program=timens/timer_perf
run_into_results --perf-report-only $program
cp "$tmp/out" "$tmp/shown"
grep -v '"number":' "$results" >"$tmp/tests"
sed -n 's/^{"path":"\([^"]*\)".*/\1/p' "$tmp/tests" >"$tmp/names"
check_program
test_is "the CI of netdev reads every result of a program"

for word in ' FAIL:' '\[FAIL\]' 'SKIP:' '\[OK\]'; do
	has_not "$tmp/shown" "$word"
done
test_is "no word that it takes for a verdict"

finish
