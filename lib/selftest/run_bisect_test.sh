#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does "git bisect run run_all.sh ..." decide right? In a toy repository, where
# every commit says how its one test behaves.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

if ! have git; then
	skip_test "git bisect run decides right" "needs git"
	finish
fi

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost
export GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost

# A history of commits that play the given roles, one after the other.
make_history() # ROLE...
{
	rm -rf "$tmp/toy"
	mkdir -p "$tmp/toy/timens"
	git init -q "$tmp/toy"
	n=0
	for role; do
		n=$((n + 1))
		ln -sf "$ROLES" "$tmp/toy/timens/${role}_test"
		cat >"$tmp/toy/timens/read_clocks_test" <<-END
			#!/bin/sh
			exec ./${role}_test
		END
		chmod +x "$tmp/toy/timens/read_clocks_test"
		echo $n >"$tmp/toy/number"
		git -C "$tmp/toy" add -A
		git -C "$tmp/toy" commit -q -m "$n $role"
	done
}

# Sets rc and out: what git said.
bisect() # WHAT_TO_RUN...
{
	(
		cd "$tmp/toy" || exit
		git bisect start HEAD "$(git rev-list --max-parents=0 HEAD)"
		# shellcheck disable=SC2086 # words of RUN_SH are a command
		git bisect run $RUN_SH "$top/run_all.sh" -q --timeout 3 \
			-o "$tmp/results" --suite "$tmp/toy/timens" "$@"
	) >"$tmp/out" 2>&1
	rc=$?
}

first_bad_is() # NUMBER
{
	out_has 'is the first bad commit'
	is "the first bad commit" "$1" \
		"$(git -C "$tmp/toy" log -1 --format=%s refs/bisect/bad | cut -d ' ' -f 1)"
}

make_history pass pass pass pass fail fail fail fail
bisect timens/read_clocks_test
rc_is 0
first_bad_is 5
test_is "a failure is found"

make_history pass pass pass hang hang die hang fail
bisect timens/read_clocks_test
rc_is 0
first_bad_is 4
test_is "time-outs and crashes are bad"

make_history pass pass pass all_skip whole_skip fail fail fail
bisect timens/read_clocks_test
out_has "We cannot bisect more"
rc_is 2
test_is "what cannot be judged is skipped"

make_history pass all_skip pass pass fail whole_skip fail fail
bisect timens/read_clocks_test
rc_is 0
first_bad_is 5
test_is "skips elsewhere do not hinder"

make_history pass pass fail fail
bisect timens/read_clocks_tset
[ "$rc" -ne 0 ] || problem "no error"
out_has 'nothing is called "timens/read_clocks_tset"'
out_has_not 'is the first bad commit'
has "$tmp/toy/.git/BISECT_LOG" '^git bisect start'
has_not "$tmp/toy/.git/BISECT_LOG" '^git bisect bad'
test_is "a typing error stops the bisection and blames nothing"

finish
