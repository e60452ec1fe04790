# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # shared with the scripts that include this
#
# For tests of run_all.sh in shell: run it, look at it, print TAP.
#
#     . ./tap.sh
#     run --suite "$tmp/x"       sets rc, $tmp/out and $tmp/err
#     rc_is 1
#     out_has 'rerun: .*'        a basic regular expression
#     test_is "what was shown"   one result: all checks since the one before
#     finish
#
# From the environment: RUN_SH (the shell that runs run_all.sh), ROLES (the
# program of roles.c).

selftest=$(cd "$(dirname "$0")" && pwd -P)
top=$(cd "$selftest/../.." && pwd -P)
RUN_SH=${RUN_SH:-sh}
tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$tmp" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$tmp"
tests=0 failures=0 problems=''

# Nothing of the caller's may decide what is tested here.
unset KSFT_MACHINE_SLOW kselftest_override_timeout O KBUILD_OUTPUT
unset NO_COLOR GITHUB_ACTIONS

# A suite whose programs play the given roles.
make_suite() # NAME ROLE_KIND...
{
	suite=$1
	shift
	mkdir -p "$tmp/$suite"
	for role; do
		ln -sf "$ROLES" "$tmp/$suite/$role"
	done
}

# Words of RUN_SH are a command.
run() # ARGUMENT...
{
	# shellcheck disable=SC2086
	$RUN_SH "$top/run_all.sh" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

# The same, with results in $tmp/results.
run_into_results() # ARGUMENT...
{
	run -o "$tmp/results" "$@"
}

problem() # TEXT
{
	problems="$problems# $*
"
}

rc_is() # STATUS
{
	[ "$rc" -eq "$1" ] || problem "exit status $rc, not $1"
}

has() # FILE REGEX
{
	grep -q -e "$2" "$1" || problem "nothing like \"$2\" in ${1##*/}"
}

has_not() # FILE REGEX
{
	grep -q -e "$2" "$1" && problem "$(grep -e "$2" "$1" | sed 1q) in ${1##*/}"
}

out_has() { has "$tmp/out" "$1"; }
out_has_not() { has_not "$tmp/out" "$1"; }
err_has() { has "$tmp/err" "$1"; }
ktap_has() { has "$tmp/results/results.ktap" "$1"; }
json_has() { has "$tmp/results/results.ndjson" "$1"; }

is() # WHAT WANT GOT
{
	[ "$2" = "$3" ] || problem "$1 is $3, not $2"
}

test_is() # NAME
{
	tests=$((tests + 1))
	if [ -z "$problems" ]; then
		echo "ok $tests $1"
		return
	fi
	failures=$((failures + 1))
	printf '%s' "$problems"
	sed 's/^/# out: /' "$tmp/out" 2>/dev/null | tail -n 15
	sed 's/^/# err: /' "$tmp/err" 2>/dev/null | tail -n 5
	echo "not ok $tests $1"
	problems=''
}

# One role alone: exit status, the line of the program in results.ktap (and, in
# kselftest's words, on stdout) and one result in it.
graded() # NAME ROLE STATUS LINE LEAF
{
	make_suite "$2" "$2"
	# Only who hangs is waited for in vain: a busy machine gets its time.
	seconds=30
	[ "$2" != hang_test ] || seconds=1
	run_into_results --timeout $seconds --suite "$tmp/$2"
	rc_is "$3"
	ktap_has "^$4"
	ktap_has "^  $5\$"
	out_has "^$(echo "$4" | sed 's/ 1 [a-z_]*\./ 1 selftests: [a-z_]*: /')"
	[ ! -e "$tmp/results/.work" ] || problem "work files are left"
	test_is "$1"
}

skip_test() # NAME REASON
{
	tests=$((tests + 1))
	echo "ok $tests $1 # SKIP $2"
}

have() # COMMAND
{
	command -v "$1" >/dev/null 2>&1
}

# Sets kernel: the image of one to boot, or nothing.
find_kernel()
{
	for kernel in ${SELFTESTS_KERNEL:-} "/boot/vmlinuz-$(uname -r)" \
		      /boot/vmlinuz-* /boot/vmlinuz; do
		[ ! -r "$kernel" ] || return 0
	done
	kernel=''
}

finish()
{
	echo "1..$tests"
	[ $failures -eq 0 ]
	exit
}
