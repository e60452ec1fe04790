#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Costs: what programs are told about them, what is kept, and whether kernels
# are compared right. The program plays a measurement; how dear it is, how fast
# its CPU and where it runs stand in $tmp/play.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

mkdir "$tmp/some"
cat >"$tmp/some/toy_perf.sh" <<'END'
#!/bin/sh
# shellcheck disable=SC1091 # written by the test
. "$PLAY"
env | sed -n 's/^SELFTESTS_PERF_/# with /p'
printf 'name\tlaunch\tnull\tpairs\tratio\toutside_ns\tinside_ns\treference_ns\n' \
	>"$SELFTESTS_PERF_RAW/launches.tsv"
i=0
while [ $i -lt 6 ]; do
	awk -v "i=$i" -v "dear=$dear" -v "slow=$slow" -v "noise=$noise" 'BEGIN {
		f = slow * (1 + i % 3 * noise / 2)
		printf "some.toy\t%d\t0\t32\t1.05\t%.5g\t%.5g\t%.5g\n", i,
			100 * f, 105 * dear * f, 1.5 * slow }'
	i=$((i + 1))
done >>"$SELFTESTS_PERF_RAW/launches.tsv"
echo "TAP version 13"
echo "1..1"
echo "# perf name=some.toy unit=ns/op outside=100 inside=105 ratio=1.05" \
	"lo=1.04 hi=1.06 limit=1.1 n=192 verdict=$verdict$reason spread=0.0001" \
	"clocksource=$clock virt=kvm debug=$debug model=$model cpus=2 load=$load"
case $verdict in
over) echo "not ok 1 toy.one"; exit 1 ;;
report) echo "ok 1 toy.one # SKIP slow machine" ;;
*) echo "ok 1 toy.one" ;;
esac
END
chmod +x "$tmp/some/toy_perf.sh"
export PLAY="$tmp/play"

play() # ASSIGNMENT...
{
	cat >"$tmp/play" <<-'END'
		dear=1 slow=1 noise=0.001 clock=tsc model=Toy debug=none
		verdict=within reason='' load=0.5
	END
	for word; do
		printf "%s='%s'\n" "${word%%=*}" "${word#*=}" >>"$tmp/play"
	done
}

toy()
{
	run_into_results --suite "$tmp/some" "$@"
}

log=$tmp/results/logs/some.toy_perf.log

# --- options ------------------------------------------------------------------

play
toy --perf-null --limit 'some.*=+2%' --limit some.toy=1.5
has "$log" '^# with NULL=1$'
has "$log" '^# with LIMIT=some\.\*=+2%,some\.toy=1\.5$'
has "$log" "^# with RAW=$tmp/results/pairs\$"
toy --perf-inject 12.5
has "$log" '^# with INJECT=12\.5$'
test_is "programs are told how to measure"

for options in "--limit x" "--limit some.toy=2%" "--limit =+2%" \
	       "--perf-inject ten" "--perf-null --save $tmp/x" \
	       "--no-perf --perf-null" "--no-perf --limit +2%" \
	       "--against $tmp/play" "--history $tmp/none" \
	       "--save $tmp/none/x" "--save $tmp/play"; do
	# shellcheck disable=SC2086 # several words
	toy $options
	rc_is 129
done
toy --limit 'some.other=+2%'
rc_is 129
err_has 'no measured cost is called "some.other"'
test_is "options that make no sense are refused"

# --- what is kept -------------------------------------------------------------

toy --save "$tmp/saved"
rc_is 0
toy --save "$tmp/saved"
is "lines" "# run cost run cost" \
	"$(cut -d ' ' -f 1 "$tmp/saved" | tr '\n' ' ' | sed 's/ $//')"
has "$tmp/saved" "^run date=.* kernel=$(uname -r) .* clocksource=tsc .*model=Toy"
has "$tmp/saved" '^cost name=some.toy .* outside=100,100.05,100.1,100,100.05,100.1 .* reference=1.5,'
has "$tmp/results/pairs/launches.tsv" '^some.toy'
has "$tmp/results/env.txt" '^costs: clocksource=tsc '
out_has 'costs were measured with clocksource=tsc .*model=Toy cpus=2 load=0.5$'
test_is "costs are saved, one run after the other, facts are said once"

toy --repeat 2
is "files" "pairs pairs.2" "$(cd "$tmp/results" && echo pairs*)"
toy --flavour plain --flavour onecpu
is "files" "pairs pairs.onecpu" "$(cd "$tmp/results" && echo pairs*)"
toy
is "files" "pairs" "$(cd "$tmp/results" && echo pairs*)"
test_is "every round and flavour has its pairs, and an older run leaves none"

# --- between kernels ----------------------------------------------------------

compared() # STATUS WORDS NAME ASSIGNMENT...
{
	status=$1 words=$2 what=$3
	shift 3
	play "$@"
	toy --against "$tmp/base" --limit 'some.*=+2%'
	rc_is "$status"
	out_has "$words"
	test_is "$what"
}

head -n 3 "$tmp/saved" >"$tmp/base"
compared 0 'inside .* +0.0 .*limit +2%: within' "the same is within"
compared 1 'inside .* +5.0 .*limit +2%: over' "dearer is over" dear=1.05
compared 0 'inside .* +1.0 .*limit +2%: within' "a little dearer is within" dear=1.01
compared 0 'outside .* +0.0 .*: within' "a slower CPU is no dearer kernel" slow=1.3
compared 125 'inside .*limit +2%: unsure (interval' "noise is unsure" noise=0.2
compared 125 'cannot be compared: clocksource was tsc, is hpet' \
	"another clock source is unsure" dear=1.05 clock=hpet
compared 125 'cannot be compared: model was Toy, is Other' \
	"another CPU is unsure" dear=1.05 model=Other
compared 125 'cannot be compared: debug was none, is kasan' \
	"a debug kernel is unsure" dear=1.05 debug=kasan
compared 125 'unsure (others were at work: load average 9)' \
	"a busy machine is unsure" dear=1.05 load=9
compared 1 'inside .*: within' "a limit within a kernel counts as well" verdict=over
sed -i 's/ boot=[^ ]*/ boot=other/' "$tmp/base"
compared 125 'inside .* +2.5 .*: unsure' "two boots differ by themselves" dear=1.025
compared 1 'inside .* +5.0 .*: over' "but not by that much" dear=1.05
sed 's/ kernel=[^ ]*/ kernel=9.9/' "$tmp/base" >"$tmp/older"
play dear=1.05
toy --against "$tmp/older" --against "$tmp/base"
rc_is 0
is "rows" 3 "$(grep -c '^# .* inside ' "$tmp/out")"
out_has '^#   9.9  *inside .* +0.0 '
out_has_not 'limit +2'
has "$tmp/results/costs.txt" '^some.toy  *avg  diff %  *stdev %'
test_is "without a limit there is a table only"

# One cost of 20 is the kernel's doing, all of them are not.
many() # FACTOR FACTOR_OF_THE_LAST
{
	echo "# costs 1"
	awk -v "one=$1" -v "last=$2" 'BEGIN {
		print "run kernel=1 boot=b model=m debug=none"
		for (i = 1; i <= 20; i++) {
			v = 100 * (i < 20 ? one : last)
			line = "X,X,X,X,X,X"
			gsub(/X/, v, line)
			print "cost name=c" i " unit=ns/op spread=0 outside=" \
				line " inside=" line " reference=1,1,1,1,1,1"
		}
	}'
}
between_many() # FACTOR FACTOR_OF_THE_LAST
{
	many 1 1 >"$tmp/before"
	many "$1" "$2" >"$tmp/after"
	LIMITS='*=+2%' VERDICT=$tmp/compared awk -f "$top/lib/run/glob.awk" \
		-f "$top/lib/run/costs/series.awk" \
		-f "$top/lib/run/costs/groups.awk" \
		-f "$top/lib/run/costs/table.awk" "$tmp/before" "$tmp/after" \
		>"$tmp/out"
	cat "$tmp/compared"
}
is "one of many" "2 0 38" "$(between_many 1 1.1)"
is "all of many" "0 40 0" "$(between_many 1.1 1.1)"
out_has '^note: half of all costs differ by more than 10.0 %'
test_is "what differs in all costs is not held against one"

play verdict=report reason=' reason=debug-kernel' debug=kasan
toy
rc_is 125
out_has '^# note: 1 costs were measured but not judged: debug-kernel (kasan)$'
test_is "why costs are not judged is said"

{
	cat "$tmp/saved"
	sed -n '2,3s/inside=[^ ]*/inside=120,120,120,120,120,120/p; 2p' "$tmp/saved"
} >"$tmp/many"
run --history "$tmp/many"
rc_is 0
out_has '^some.toy  *inside  *00.*9'
out_has 'last +14.2% of first$'
test_is "--history draws a line per cost"

# --- profiles -----------------------------------------------------------------

printf '%s |%s\n' 5000 '[k] same' 900 '[k] dearer' 400 '[k] cheaper' 100 \
	'[k] chance' >"$tmp/outside"
printf '%s |%s\n' 5000 '[k] same' 1400 '[k] dearer' 100 '[k] cheaper' 110 \
	'[k] chance' 77 '[.] added' >"$tmp/inside"
OPERATION=x COUNT=10 awk -f "$top/lib/run/costs/profile.awk" \
	"$tmp/outside" "$tmp/inside" >"$tmp/out"
is "list" "287 4.5% total|500 55.6% [k] dearer|77 new [.] added|-300 -75.0% [k] cheaper|" \
	"$(sed -e '1,2d' -e '$d' "$tmp/out" | awk -v ORS='|' '{ $1 = $1; print }')"
test_is "a difference of profiles is listed without what chance explains"

if have perf; then
	skip_test "profiles say what they need" "needs to lack perf"
else
	play verdict=over
	toy
	out_has '^# note: no profiles of costs: needs perf'
	test_is "profiles say what they need"
fi

finish
