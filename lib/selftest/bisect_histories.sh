#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# check_bisect.sh by itself: are its histories such that git finds the fault with
# a run_all.sh that is always right, and with none that is not?

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

if ! have git; then
	skip_test "histories for git bisect" "needs git"
	finish
fi

# It takes run_all.sh from where it is itself.
mkdir -p "$tmp/own/lib/build" "$tmp/source/kernel"
cp "$top/lib/build/check_bisect.sh" "$tmp/own/lib/build/"
cat >"$tmp/source/kernel/sys.c" <<-'END'
	SYSCALL_DEFINE0(getppid)
	{
		return pid;
	}
END
echo >"$tmp/source/kernel/utsname.c"

search() # VARIANT...
{
	KSRC=$tmp/source TREE=$tmp/tree "$tmp/own/lib/build/check_bisect.sh" \
		"$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

cat >"$tmp/own/run_all.sh" <<-'END'
	#!/bin/sh
	! grep -q '^#error' kernel/sys.c || exit 125
	! grep -q task_active_pid_ns kernel/sys.c || exit 1
END
chmod 755 "$tmp/own/run_all.sh"
search
rc_is 0
is "faults that were found" 4 "$(grep -c '^ok .* was found' "$tmp/out")"
test_is "every fault is found"

printf '%s\n' '#!/bin/sh' 'exit 0' >"$tmp/own/run_all.sh"
search wrong
rc_is 1
out_has '^not ok 1 wrong: commit 11 of 17 was not found'
test_is "a verdict that is always good finds nothing"
has_not "$tmp/source/kernel/sys.c" 'task_active_pid_ns'
test_is "the source that was given stays as it was"

finish
