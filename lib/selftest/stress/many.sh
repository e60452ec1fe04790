# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared with check.sh
#
# Many runs, each in another order and in turn in all flavours, without and with
# load; and a file that remembers them, so that this can be cut off and go on.
#
# STATE has one line per run: run=N flavour=F load=0|1 seed=N status=N left=N
# seconds=N and the totals. The first that is not good ends it, and its output
# is in .results/stress.run.out; called again, it begins with that run.
#
# STATE may lie below /tmp, which is another one here: check.sh has opened it,
# as 7 to append and 8 to read.

flavours='plain userns pidns deeppid timens user onecpu'

nth_flavour() # NUMBER
{
	number=$1
	# shellcheck disable=SC2086 # words
	set -- $flavours
	shift $((number % $#))
	echo "$1"
}

one_run() # NUMBER
{
	flavour=$(nth_flavour "$1")
	# Odd many flavours: each of them comes with load and without.
	load=$(($1 % 2))
	condition=plain
	[ "$load" -eq 0 ] || condition=load
	run_under "$condition" "--shuffle=$1" --flavour "$flavour"
	if [ "$rc" -eq 77 ]; then
		load=0
		run_under plain "--shuffle=$1" --flavour "$flavour"
	fi
	line="run=$1 flavour=$flavour load=$load seed=$1 status=$rc"
	line="$line left=$left seconds=$seconds $(totals)"
	echo "$line"
	echo "$line" >&7
}

run_many()
{
	number=$(grep -c ' status=0 left=0 ' <&8)
	while [ "$number" -lt "$RUNS" ]; do
		number=$((number + 1))
		one_run "$number"
		[ "$rc" -eq 0 ] && [ "$left" -eq 0 ] && continue
		cp "$scratch/out" "$top/.results/stress.run.out"
		show_failures
		echo "run $number is not good: .results/stress.run.out"
		exit 1
	done
	echo "$number runs, all good"
	exit 0
}
