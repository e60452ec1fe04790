#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The directory with results: complete, kept in number, refused when it cannot
# be written. And run_all.sh away from the sources, as "make install" leaves it.

# shellcheck disable=SC2012 # names in results are plain
# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite some pass_test fail_test flood_test skip_test
run_into_results --suite "$tmp/some"

is "files" "env.txt kernel.log logs results.ktap results.ndjson" \
	"$(ls -A "$tmp/results" | tr '\n' ' ' | sed 's/ $//')"
is "logs" "some.fail_test.log some.flood_test.log some.pass_test.log some.skip_test.log" \
	"$(ls "$tmp/results/logs" | tr '\n' ' ' | sed 's/ $//')"
has "$tmp/results/logs/some.fail_test.log" '^# fail_test.c:12:two:Expected 1 (1) == x (2)$'
size=$(wc -c <"$tmp/results/logs/some.flood_test.log")
[ "$size" -lt 5000000 ] || problem "a log of $size bytes"
has "$tmp/results/logs/some.flood_test.log" '^# ([0-9]* more lines not kept)$'
has "$tmp/results/logs/some.flood_test.log" '^ok 2 global.two$'
test_is "one log per program, with its stderr, of bounded size"

for fact in date command suite kernel version machine config cmdline cpus \
	    virtualisation clocksource governor load taint uid namespaces \
	    pid_max limit_processes room_processes slow; do
	has "$tmp/results/env.txt" "^$fact: *[^ ]"
done
test_is "env.txt has the facts that qualify a result"

# shellcheck disable=SC2086 # words of RUN_SH are a command
$RUN_SH "$top/run_all.sh" --suite "$tmp/some" >&- 2>"$tmp/err"
rc=$?
rc_is 129
is "explanation" "run_all.sh: the standard output is closed" \
	"$(cat "$tmp/err")"
test_is "a closed stdout is said, and is not a verdict"

# --- away from the sources ----------------------------------------------------

copy=$tmp/installed
mkdir -p "$copy/lib" "$copy/area" "$copy/other"
cp "$top/run_all.sh" "$copy"
cp -r "$top/lib/run" "$top/lib/known.list" "$copy/lib"
ln -s "$ROLES" "$copy/area/pass_test"
ln -s "$ROLES" "$copy/area/within_perf"
ln -s "$ROLES" "$copy/other/skip_test"
printf '%s\n' area:pass_test area:within_perf other:skip_test other:gone_test \
	>"$copy/kselftest-list.txt"

run_copy()
{
	# shellcheck disable=SC2086 # words of RUN_SH are a command
	(cd "$copy" && $RUN_SH ./run_all.sh "$@") >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

run_copy
rc_is 1
out_has '^not ok [0-9] selftests: other: gone_test # ERROR the program is not there'
out_has '^# 1 failure: of 6 tests in 4 programs .*; results in \.results/2'
[ -e "$copy/.results/latest/results.ktap" ] || problem "no .results/latest"
test_is "installed: binaries are found, and what the list has is missed"

run_copy -q -x gone_test
rc_is 0
is "lines" 3 "$(wc -l <"$tmp/out")"
out_has '^all good: of 5 tests in 3 programs'
test_is "-q says little"

i=1
while [ $i -le 25 ]; do
	mkdir "$copy/.results/20000101-0000$i"
	i=$((i + 1))
done
run_copy -q area/pass_test
run_copy -q area/pass_test
is "kept runs" 20 "$(ls -d "$copy"/.results/2* | wc -l)"
latest=$(readlink "$copy/.results/latest")
is "the latest run" "$(basename "$(ls -d "$copy"/.results/2* | sort | tail -n 1)")" \
	"$latest"
test_is "twenty runs are kept, and latest points to the last"

# The same directory again: old logs do not mix with new ones.
run_into_results --suite "$tmp/some" pass_test
is "logs" "some.pass_test.log" "$(ls "$tmp/results/logs")"
ktap_has '^1..1$'
test_is "-o DIR again replaces the older run"

# Nobody loses anything to a wrong -o.
echo mine >"$tmp/results/notes.txt"
echo mine >"$tmp/results/logs/notes.log"
run_into_results --suite "$tmp/some" pass_test
rc_is 0
has "$tmp/results/notes.txt" mine
has "$tmp/results/logs/notes.log" mine
test_is "-o DIR again keeps what is not ours"

mkdir -p "$tmp/other/logs"
for file in logs/some.pass_test.log env.txt kernel.log; do
	echo mine >"$tmp/other/$file"
	run -o "$tmp/other" --suite "$tmp/some" pass_test
	rc_is 129
	err_has '^run_all.sh: .*/other has other things in it'
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	has "$tmp/other/$file" mine
done
echo mine >"$tmp/other/results.ndjson"
run -o "$tmp/other" --suite "$tmp/some" pass_test
rc_is 129
is "files" "env.txt kernel.log logs results.ndjson" \
	"$(ls -A "$tmp/other" | tr '\n' ' ' | sed 's/ $//')"
test_is "-o DIR refuses a directory of somebody else"
mkdir "$tmp/empty"
run -o "$tmp/empty" --suite "$tmp/some" pass_test
rc_is 0
test_is "-o DIR takes an empty directory"

if [ "$(id -u)" = 0 ] && have mount && unshare -m true 2>/dev/null; then
	cat >"$tmp/full" <<-END
		mount -t tmpfs -o size=64k none "$tmp/small" || exit 99
		dd if=/dev/zero of="$tmp/small/filler" bs=1k count=48 2>/dev/null
		exec $RUN_SH "$top/run_all.sh" -o "$tmp/small/results" \
			--known "$tmp/none" --suite "$tmp/some"
	END
	mkdir "$tmp/small"
	echo '# a short list, or it alone could fill the disk' >"$tmp/none"
	unshare -m sh "$tmp/full" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 129
	err_has '^run_all.sh: cannot store results in .* (disk full?)$'
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	test_is "a full disk is said, and is not a verdict"

	cat >"$tmp/readonly" <<-END
		mount --bind "$copy" "$copy" && mount -o remount,bind,ro "$copy" ||
			exit 99
		exec $RUN_SH "$copy/run_all.sh" -q
	END
	unshare -m sh "$tmp/readonly" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 129
	err_has '^run_all.sh: cannot write to .*: choose with -o DIR$'
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	test_is "a read-only place is said, with what to do"
else
	skip_test "a full disk is said, and is not a verdict" "needs root"
fi

finish
