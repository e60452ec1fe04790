#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# However a run of run_all.sh ends: are the results valid, and is nothing left?

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

make_suite slow slow_test pass_test
make_suite hang hang_test
tag=selftests-$$

# Everything that the run started inherits the tag.
survivors()
{
	grep -ls "RUN_TAG=$tag" /proc/[0-9]*/environ 2>/dev/null |
		while read -r file; do
			file=${file%/environ}
			# A zombie of a killed shell is its parent's business.
			grep -qs '^State:	[^Z]' "$file/status" &&
				printf '%s ' "$(cat "$file/comm" 2>/dev/null)"
		done
}

nothing_left() # SECONDS
{
	tenths=$(($1 * 10))
	while :; do
		left=$(survivors)
		[ -n "$left" ] || return
		[ $tenths -gt 0 ] || break
		tenths=$((tenths - 1))
		sleep 0.1
	done
	problem "left: $left"
}

# Starts a run as a terminal would; sets pid, which leads the process group.
start() # ARGUMENT...
{
	rm -rf "$tmp/results"
	# shellcheck disable=SC2086 # words of RUN_SH are a command
	env RUN_TAG="$tag" "$ROLES" interruptible $RUN_SH "$top/run_all.sh" \
		-o "$tmp/results" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
}

# Until the program says something.
wait_for_log() # PROGRAM TEXT
{
	tenths=100
	until grep -qs "$2" "$tmp/results/logs/$1.log"; do
		tenths=$((tenths - 1))
		[ $tenths -gt 0 ] || return
		sleep 0.1
	done
}

end_of_run()
{
	wait "$pid"
	rc=$?
}

records_are_whole()
{
	while read -r record; do
		case $record in
		'{"path":'*'}') ;;
		*) problem "broken record: $record" ;;
		esac
	done <"$tmp/results/results.ndjson"
}

# --- interrupted --------------------------------------------------------------

start --suite "$tmp/slow" slow_test pass_test --repeat 3
wait_for_log slow.slow_test 'RUN *global.two'
kill -INT -"$pid"
end_of_run
rc_is 130
ktap_has '^ok 2 slow.slow_test # time='
is "results" 4 "$(grep -c . "$tmp/results/results.ndjson")"
err_has '^run_all.sh: finishing the running program'
out_has '^# interrupted: of 4 tests in 2 program runs'
nothing_left 2
test_is "Ctrl-C once: the program finishes, then the run stops"

start --suite "$tmp/hang" --suite "$tmp/slow" hang_test slow_test
wait_for_log hang.hang_test global.two
kill -INT -"$pid"
sleep 0.3
kill -INT -"$pid"
end_of_run
rc_is 130
ktap_has '^not ok 1 hang.hang_test # ERROR stopped before it ended$'
ktap_has '^  not ok 2 global.two # ERROR stopped before it ended$'
json_has '"path":"hang.hang_test.global.two","status":"ERROR"'
nothing_left 2
test_is "Ctrl-C twice: the program is killed and marked, and the run stops"

start --suite "$tmp/hang"
wait_for_log hang.hang_test global.two
kill -TERM "$pid"
end_of_run
rc_is 130
ktap_has '^not ok 1 hang.hang_test # ERROR stopped before it ended$'
nothing_left 2
test_is "SIGTERM is like Ctrl-C twice"

# --- killed -------------------------------------------------------------------

start --suite "$tmp/slow" --suite "$tmp/hang" slow/pass_test hang_test
wait_for_log hang.hang_test global.two
kill -KILL "$pid"
nothing_left 2
wait "$pid" 2>/dev/null
is "results" 2 "$(grep -c . "$tmp/results/results.ndjson")"
records_are_whole
ktap_has '^1..2$'
has_not "$tmp/results/results.ktap" '^ok 1 hang'
has "$tmp/results/logs/hang.hang_test.log" '^ok 1 global.one$'
test_is "kill -9: results so far are valid, nothing is left after 2 seconds"

start --suite "$tmp/hang"
wait_for_log hang.hang_test global.two
kill -KILL -"$pid"
nothing_left 2
wait "$pid" 2>/dev/null
test_is "kill -9 of the process group: nothing is left after 2 seconds"

start --suite "$tmp/hang" --suite "$tmp/slow" hang_test slow/pass_test
wait_for_log hang.hang_test global.two
# shellcheck disable=SC2046 # a list
kill -KILL $(pgrep -P "$pid" supervise 2>/dev/null) 2>/dev/null ||
	problem "no supervise to kill"
end_of_run
rc_is 129
# Its other half may have lived to tell.
ktap_has '^not ok 1 hang.hang_test # ERROR .*\(killed\|stopped before it ended\)$'
ktap_has '^ok 2 slow.pass_test'
nothing_left 2
test_is "kill -9 of the helper: no verdict, nothing is left, the run goes on"

# --- out of time, in bad surroundings -----------------------------------------

start --suite "$tmp/hang" --timeout 1
end_of_run
rc_is 1
nothing_left 0
test_is "a time-out leaves nothing, whatever its session or namespace"

if unshare -m true 2>/dev/null; then
	cat >"$tmp/no_proc" <<-END
		mount -t tmpfs none /proc || exit 99
		exec $RUN_SH "$top/run_all.sh" -o "$tmp/results" --timeout 1 \
			--suite "$tmp/hang" --suite "$tmp/slow" hang slow/pass_test
	END
	env RUN_TAG="$tag" unshare -m sh "$tmp/no_proc" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 1
	ktap_has '^not ok 1 hang.hang_test # TIMEOUT 1 seconds$'
	ktap_has '^ok 2 slow.pass_test'
	out_has 'note: /proc is not mounted for this pid namespace'
	nothing_left 0
	test_is "the same without /proc, which is said"

	# shellcheck disable=SC2086 # words of RUN_SH are a command
	env RUN_TAG="$tag" unshare -pf $RUN_SH "$top/run_all.sh" \
		-o "$tmp/results" --timeout 1 --suite "$tmp/hang" \
		>"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 1
	ktap_has '^not ok 1 hang.hang_test # TIMEOUT 1 seconds$'
	out_has 'note: /proc is not mounted for this pid namespace'
	nothing_left 0
	test_is "the same with the /proc of another pid namespace"
else
	skip_test "the same without /proc, which is said" "needs root"
fi

# An ordinary user that may have few processes.
if [ "$(id -u)" = 0 ] && have setpriv && have prlimit; then
	mkdir "$tmp/theirs"
	chmod 777 "$tmp/theirs"
	# Somebody of whom there is no other process.
	uid=$((100000 + $$ % 50000))
	as_nobody="setpriv --reuid=$uid --regid=$uid --clear-groups"
	as_nobody="$as_nobody $RUN_SH $top/run_all.sh -o $tmp/theirs/results"
	as_nobody="$as_nobody --suite $tmp/slow slow/pass_test"
	# shellcheck disable=SC2086 # a command
	prlimit --nproc=20 $as_nobody >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 129
	err_has '^run_all.sh: only [0-9]* more processes can be created'
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	test_is "too few processes allowed is said, and is not a verdict"
	# shellcheck disable=SC2086 # a command
	prlimit --nproc=1 $as_nobody >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 129
	err_has '^run_all.sh: gave up'
	test_is "not a single process allowed is no verdict either"
	# shellcheck disable=SC2086 # a command
	$as_nobody >"$tmp/out" 2>"$tmp/err"
	rc=$?
	rc_is 0
	[ -r /dev/kmsg ] && out_has 'note: the kernel log cannot be read here'
	is "notes" 1 "$(grep -c 'the kernel log cannot be read' "$tmp/out")"
	test_is "an ordinary user is told once that the kernel log is closed"
else
	skip_test "too few processes allowed is said" "needs root and util-linux"
fi

finish
