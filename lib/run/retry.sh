# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Run again what failed (--retry), to tell what always fails from what is flaky.
# What the kernel said about itself is never taken back: it warns only once.

# Leaves in $work/recovered what passed in a later attempt, as lines of "test
# TAB attempt TAB reason of the failure before", and in $work/record, status the
# attempt that counts for all others: the first that came to its end.
retry_failures()
{
	: >"$work/recovered"
	[ -n "$opt_retry" ] || return 0
	judge_record "$work/try." "$want" || return
	still_failing "$work/try.leaves" >"$work/failing"
	attempt=1
	while [ -s "$work/failing" ] && [ $attempt -le "$opt_retry" ] &&
	      [ -z "$stopping" ]; do
		attempt=$((attempt + 1))
		try_again
	done
}

# Lines of "test TAB reason".
still_failing() # FILE
{
	awk -F '\t' '$1 ~ /^(FAIL|ERROR)$/ {
		sub(/^[^:]*:/, "", $2)
		if ($2 !~ /^runner\.(kernel_log|taint|immortal|missing|start)$/)
			print $2 "\t" $3
	}' "$1"
}

try_again()
{
	say_again
	mv "$work/record" "$work/record.before"
	mv "$status" "$work/before.status"
	: >"$work/record"
	again=$want filter=$first_filter all_again=1
	if may_filter; then
		again=$(cut -f 1 "$work/failing") all_again=''
		# shellcheck disable=SC2086 # names have no blanks
		filter=$(printf ' -r %s' $again)
	fi
	log=${first_log%.log}.retry$attempt.log
	start_program
	wait_for_program
	[ -z "$opt_kernel" ] || look_after_vm
	log=$first_log
	judge_record "$work/try." "$again" || return
	sort_out_recovered
	if [ -z "$all_again" ]; then
		mv "$work/record.before" "$work/record"
		mv "$work/before.status" "$status"
	fi
}

# What is wrong with a program as a whole has recovered when nobody says it.
sort_out_recovered()
{
	ATTEMPT=$attempt awk -F '\t' -v "recovered=$work/recovered" '
		FILENAME ~ /leaves$/ {
			sub(/^[^:]*:/, "", $2)
			verdict[$2] = $1
			next
		}
		verdict[$1] == "PASS" || $1 ~ /^runner\./ && verdict[$1] == "" {
			print $1 "\t" ENVIRON["ATTEMPT"] "\t" $2 >>recovered
			next
		}
		{ print }' "$work/try.leaves" "$work/failing" >"$work/left"
	mv "$work/left" "$work/failing"
}

# One test can be run again by itself if the program came to its end, so that
# all others have a result, and nothing is wrong with the program as a whole.
may_filter()
{
	can_filter "$name" &&
		grep -q '^end=exit' "$work/before.status" &&
		! grep -q '^\(runner\.\|unnamed_\)' "$work/failing"
}

say_again()
{
	[ -n "$opt_verbose" ] || return 0
	echo "# attempt $attempt: $name"
}
