#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run_all.sh --build: a kernel is made first. With a toy tree, whose "compiler"
# hands out an installed kernel.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

export XDG_CACHE_HOME="${KSFT_OUT:-$tmp}/cache"
unset QEMU BUSYBOX

find_kernel
for tool in qemu-system-x86_64 busybox make flex bison bc; do
	have $tool || missing=$tool
done
[ -n "$kernel" ] || missing="a kernel in /boot"
cc -std=gnu11 -static -s -D_GNU_SOURCE= -o "$tmp/roles" "$selftest"/roles*.c \
	2>/dev/null || missing="a static C library"
if [ -n "${missing:-}" ]; then
	skip_test "a kernel that is built first" "needs $missing"
	finish
fi
ROLES=$tmp/roles
make_suite s pass_test

# A tree whose kernel is ready-made.
make_tree()
{
	mkdir -p "$tmp/tree"
	printf 'config %s\n' PID_NS TIME_NS >"$tmp/tree/Kconfig"
	cat >"$tmp/tree/Makefile" <<-END
		tinyconfig: ; echo '# CONFIG_PID_NS is not set' >\$(O)/.config
		olddefconfig: ; sed -i '/CONFIG_TIME_NS/d' \$(O)/.config
		bzImage: ; mkdir -p \$(O)/arch/x86/boot && cp $kernel \$(O)/arch/x86/boot/bzImage
	END
}

make_tree
run_into_results --suite "$tmp/s" --build "$tmp/tree"
rc_is 0
err_has "building $tmp/tree in "
err_has 'does not let us set: TIME_NS $'
ktap_has '^ok 1 s.pass_test # time='
test_is "a kernel that is built first"
sed -i 's/cp .*/false # error: no way/' "$tmp/tree/Makefile"
run_into_results --suite "$tmp/s" --build "$tmp/tree" -q
rc_is 125
err_has 'this kernel does not build'
test_is "a kernel that does not build gives no verdict"
echo 'tinyconfig: ; echo "*** The source tree is not clean"; false' \
	>"$tmp/tree/Makefile"
run_into_results --suite "$tmp/s" --build "$tmp/tree" -q
rc_is 129
err_has 'run "make mrproper" there'
test_is "a tree that was built in place"

printf 'tinyconfig: ; touch %s; sleep 98.7\n' "$tmp/begun" >"$tmp/tree/Makefile"
# shellcheck disable=SC2086 # words of RUN_SH are a command
$RUN_SH "$top/run_all.sh" -o "$tmp/results" --suite "$tmp/s" \
	--build "$tmp/tree" >"$tmp/out" 2>"$tmp/err" &
pid=$!
n=0
until [ -e "$tmp/begun" ] || [ $n -gt 100 ]; do
	sleep 0.1
	n=$((n + 1))
done
# shellcheck disable=SC2086 # likewise
timeout 5 $RUN_SH "$top/run_all.sh" -o "$tmp/results" --suite "$tmp/s" \
	--build "$tmp/tree" -q 2>"$tmp/second"
has "$tmp/second" 'waiting for another run'
kill -TERM $pid
wait $pid
rc=$?
rc_is 130
sleep 0.2
[ -z "$(pgrep -f "make -C $tmp/tree")" ] || problem "make still runs"
test_is "a signal ends the build, for which another run waits"

finish
