#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Another order, a part of the programs, and another attempt.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

for i in a b c d e f g h; do
	mkdir "$tmp/$i"
	ln -s "$ROLES" "$tmp/$i/pass_test"
	suites="${suites:-} --suite $tmp/$i"
done
order() { sed -n 's/^ok [0-9]* \(.*\)\.pass_test #.*/\1/p' "$1/results.ktap" | tr -d '\n'; }

# shellcheck disable=SC2086 # words of suites are options
run_into_results --shuffle=42 $suites
rc_is 0
first=$(order "$tmp/results")
[ "$first" != abcdefgh ] || problem "nothing was shuffled"
is "programs" "abcdefgh" "$(echo "$first" | fold -w 1 | sort | tr -d '\n')"
out_has '^# running 8 programs, shuffled (--shuffle=42); results in '
has "$tmp/results/env.txt" '^seed: 42$'
# shellcheck disable=SC2086
run_into_results --shuffle=42 --repeat 2 $suites
both=$(order "$tmp/results")
is "the order of the same seed" "$first" "${both%????????}"
# shellcheck disable=SC2086
run_into_results --shuffle=43 $suites
is "the second round" "${both#????????}" "$(order "$tmp/results")"
test_is "--shuffle=SEED brings an order again"

# shellcheck disable=SC2086
run_into_results --shuffle $suites
seed=$(sed -n 's/^seed: //p' "$tmp/results/env.txt")
first=$(order "$tmp/results")
[ -n "$seed" ] || problem "no seed in env.txt"
# shellcheck disable=SC2086
run_into_results --shuffle="$seed" $suites
is "the order of the seed it chose" "$first" "$(order "$tmp/results")"
for bad in x 010 -1 1234567890 ''; do
	run --shuffle="$bad" --suite "$tmp/a"
	rc_is 129
	err_has '--shuffle wants a number'
done
test_is "--shuffle chooses a seed and tells it"

for awk in mawk gawk 'busybox awk'; do
	have "${awk%% *}" || continue
	# shellcheck disable=SC2086 # words of awk are a command
	got=$(seq 20 | SEED=7 $awk -f "$top/lib/run/shuffle.awk" | tr '\n' ' ')
	is "the order of $awk" "${want:-$got}" "$got"
	want=$got
done
test_is "a seed means the same to every awk"

# --- shards -------------------------------------------------------------------

mkdir -p "$tmp/own/lib"
cp "$top/run_all.sh" "$tmp/own"
cp -r "$top/lib/run" "$tmp/own/lib"
printf '%s\n' '# comment' 'a/pass_test 900' 'b/pass_test 500' \
	'c/pass_test 400' 'd/pass_test 100' 'e/pass_test 100' \
	>"$tmp/own/lib/durations.list"
shard() # I/N
{
	# shellcheck disable=SC2086 # words of RUN_SH and suites
	$RUN_SH "$tmp/own/run_all.sh" --shard "$1" -l $suites 2>"$tmp/err" |
		cut -d / -f 1 | tr -d '\n'
}
# f, g, h count as the median, 400: 900 400 400 to one, 500 400 400 100 100
# to the other.
is "shard 1 of 2" "afh" "$(shard 1/2)"
is "all of 2" "abcdefgh" "$( (shard 1/2; shard 2/2) | fold -w 1 | sort |
	tr -d '\n')"
is "all of 3" "abcdefgh" "$( (shard 1/3; shard 2/3; shard 3/3) | fold -w 1 |
	sort | tr -d '\n')"
is "all of 1" "abcdefgh" "$(shard 1/1)"
is "shard 9 of 9" "" "$(shard 9/9)"
err_has 'nothing is left for shard 9/9'
for bad in 3/2 0/2 2 1/0 a/b 1/2/3; do
	run --shard $bad --suite "$tmp/a"
	rc_is 129
	err_has '--shard wants I/N'
done
test_is "--shard divides all programs, by what they take"

if [ -x "$top/pidns/identity_test" ]; then
	for i in 1 2 3 4 5; do
		run --shard $i/5 -l
		sed 's/:.*//' "$tmp/out" | uniq | awk -v "list=$top/lib/durations.list" '
			BEGIN { while ((getline line < list) > 0) {
				split(line, f, " "); ms[f[1]] = f[2] } }
			{ sum += ms[$1] + 1 }
			END { print sum }'
	done >"$tmp/sums"
	is "whether the shards are even" 1 "$(awk '
		{ sum += $1; max = $1 > max ? $1 : max }
		END { print max <= 1.1 * sum / NR }' "$tmp/sums")"
	test_is "five shards of the collection differ by less than a tenth"
else
	skip_test "five shards differ by less than a tenth" "needs built tests"
fi

# --- another attempt ----------------------------------------------------------

# One program with three tests. Each says how often it ran, and two of them fail
# at their first attempt ("always" at every one).
mkdir "$tmp/z"
flaky() # FILE WHAT_COMES_AT_THE_END
{
	cat >"$1" <<-'END'
		#!/bin/sh
		# "-r: run specified test" is what a harness that can filter says
		dir=$STATE
		if [ "$1" = -l ]; then
			printf '# FIXTURE             VARIANT             TEST\n' >&2
			for t in one two always; do
				printf 'global%-36s%s\n' '' $t >&2
			done
			exit
		fi
		tests=$(echo "$*" | sed 's/-r//g')
		set -- ${tests:-global.one global.two global.always}
		echo "$*" >>"$dir/calls"
		echo "TAP version 13"
		echo "1..$#"
		n=0 rc=0
		for t; do
			n=$((n + 1)) good=''
			echo "#  RUN           $t ..."
			echo x >>"$dir/$t"
			case $t in
			*.one) ;;
			*.two) [ $(wc -l <"$dir/$t") -ge 3 ] || good='not ' ;;
			*.always) good=$ALWAYS ;;
			esac
			[ -z "$good" ] || { rc=1; echo "# x.c:9:$t:Expected 1 (1) == x (2)"; }
			echo "${good}ok $n $t"
		done
	END
	echo "$2" >>"$1"
	chmod 755 "$1"
}
export STATE ALWAYS
# shellcheck disable=SC2016 # for the program
flaky "$tmp/z/flaky_test.sh" 'exit $rc'

attempt() # ARGUMENT...
{
	STATE=$tmp/state
	rm -rf "$STATE"
	mkdir "$STATE"
	run_into_results --suite "$tmp/z" "$@"
}

ALWAYS='not '
attempt --retry 3
rc_is 1
is "calls" "global.one global.two global.always+global.two global.always+global.two global.always+global.always+" \
	"$(tr '\n' + <"$STATE/calls")"
ktap_has '^  ok 1 global.one$'
ktap_has '^  # flaky, passed at attempt 3, before: x.c:9: Expected'
ktap_has '^  not ok 2 global.two$'
ktap_has '^  not ok 3 global.always$'
json_has '"path":"z.flaky_test.global.two","status":"FAIL",.*"flaky":3'
is "records" 3 "$(wc -l <"$tmp/results/results.ndjson")"
out_has '^#     flaky, passed at attempt 3, before: x.c:9: Expected 1 (1) == x (2)$'
is "logs" "z.flaky_test.log z.flaky_test.retry2.log z.flaky_test.retry3.log z.flaky_test.retry4.log" \
	"$(find "$tmp/results/logs" -type f | sed 's|.*/||' | sort | tr '\n' ' ' |
		sed 's/ $//')"
test_is "--retry runs what failed, and only that, again; flaky is failed"

ALWAYS=''
attempt --retry 3 --flaky-ok --junit
rc_is 0
ktap_has '^  # flaky, passed at attempt 3, before: '
ktap_has '^  ok 2 global.two$'
json_has '"path":"z.flaky_test.global.two","status":"PASS",.*"flaky":3'
out_has '^# flaky: z/flaky_test:global.two$'
has "$tmp/results/junit.xml" '<system-out>flaky, passed at attempt 3, before: '
attempt --retry 1 --flaky-ok
rc_is 1
json_has '"path":"z.flaky_test.global.two","status":"FAIL",.*"reason":"x.c:9'
test_is "with --flaky-ok it is good, but named"

# Dies in the first two calls: what came after must be seen as well.
rm "$tmp/z/flaky_test.sh"
# shellcheck disable=SC2016 # for the program
flaky "$tmp/z/flaky_test.sh" 'exit $rc'
# shellcheck disable=SC2016 # for the program
sed 's/^.*echo x >>.*/&; [ $t != global.one ] || [ $(wc -l <"$dir\/$t") -ge 2 ] || kill -SEGV $$/' \
	"$tmp/z/flaky_test.sh" >"$tmp/z/dies_test.sh"
chmod 755 "$tmp/z/dies_test.sh"
attempt --retry 3 dies_test
rc_is 1
json_has '"path":"z.dies_test.global.one","status":"FAIL",.*"reason":"flaky, passed at attempt 2, before: killed by signal 11","flaky":2'
json_has '"path":"z.dies_test.global.always","status":"PASS"'
json_has '"path":"z.dies_test.global.two",'
test_is "a program that was cut short runs again whole"

# A bad end of the whole program.
# shellcheck disable=SC2016 # for the program
flaky "$tmp/z/ends_test.sh" '[ $(wc -l <"$dir/calls") -ge 2 ] && exit 0; exit 9'
sed 's/-ge 3/-ge 1/' "$tmp/z/ends_test.sh" >"$tmp/new"
cat "$tmp/new" >"$tmp/z/ends_test.sh"
attempt --retry 1 ends_test
rc_is 1
json_has '"path":"z.ends_test.runner.exit","status":"FAIL",.*"reason":"flaky, passed at attempt 2, before: exit code 9'
attempt --retry 1 --flaky-ok ends_test
rc_is 0
test_is "so does one whose end was bad"

ALWAYS='not '
attempt -v --retry 1 flaky_test
rc_is 1
out_has '^# attempt 2: z/flaky_test$'
run --retry 0 --suite "$tmp/z"
rc_is 129
test_is "-v tells of each attempt"

finish
