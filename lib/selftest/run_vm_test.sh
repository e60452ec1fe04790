#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run_all.sh --kernel: programs in a virtual machine. What needs a kernel takes
# $SELFTESTS_KERNEL, else one that is installed.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

export XDG_CACHE_HOME="${KSFT_OUT:-$tmp}/cache"
unset QEMU BUSYBOX

# A file that begins like a kernel for x86-64 or arm64, and is none.
make_fake() # FILE OFFSET MAGIC
{
	head -c "$2" /dev/zero >"$1"
	printf '%s' "$3" >>"$1"
	head -c 4096 /dev/zero >>"$1"
}

refused() # NAME REGEX ARGUMENT...
{
	regex=$2 name=$1
	shift 2
	run -o "$tmp/results" --suite "$tmp/s" "$@"
	rc_is 129
	err_has "$regex"
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	test_is "$name"
}

# Processes that run from, or in, our directory.
nobody_left()
{
	[ -z "$(pgrep -f "^[^ ]*qemu-system.*$tmp")" ] ||
		problem "qemu still runs"
	[ ! -e "$tmp/results/.work" ] || problem "work files are left"
}

find_kernel
make_fake "$tmp/x86" 514 HdrS
make_fake "$tmp/arm64" 56 ARMd
make_suite s pass_test
static=''
cc -static -x c - -o "$tmp/true" 2>/dev/null <<-'END' && static=1
	int main(void) { return 0; }
END

# --- wrong usage and surroundings ---------------------------------------------

refused "a kernel that is not there" "there is no kernel $tmp/none" \
	--kernel "$tmp/none"
refused "something else instead of a kernel" "is not a bootable kernel" \
	--kernel "$0"
refused "a directory instead of a kernel" "cannot read the kernel" \
	--kernel "$tmp"
refused "a kernel for something unknown" "cannot run a kernel for vax" \
	--kernel "$tmp/x86" --arch vax
refused "a number of processors that is none" '\-\-smp wants a count' \
	--kernel "$tmp/x86" --smp many
refused "an option without a kernel" '\-\-smp is for --kernel only' --smp 2
export QEMU="$tmp/no-qemu"
refused "no qemu" "no-qemu is not installed: package" --kernel "$tmp/x86"
unset QEMU
export QEMU=true CROSS_COMPILE="$tmp/no-"
refused "no compiler for what the kernel is for" \
	'no-gcc: run make setup ARCHS=arm64' --kernel "$tmp/arm64"
unset QEMU CROSS_COMPILE
refused "--build of no kernel" "is not the tree of a kernel" --build "$tmp/s"
refused "a kernel and a tree" "exclude each other" \
	--kernel "$tmp/x86" --build "$tmp/s"
if [ -z "$static" ]; then
	skip_test "the rest" "needs a static C library"
	finish
elif ! have qemu-system-x86_64 || ! have busybox; then
	skip_test "the rest" "needs qemu-system-x86_64 and busybox"
	finish
fi
export BUSYBOX="$tmp/no-busybox"
refused "no busybox" "there is no $BUSYBOX" --kernel "$tmp/x86"
export BUSYBOX="$ROLES"
refused "a busybox with shared libraries" "is not statically linked" \
	--kernel "$tmp/x86"
unset BUSYBOX
refused "programs with shared libraries" "pass_test is not statically linked" \
	--kernel "$tmp/x86"
cc -std=gnu11 -static -s -D_GNU_SOURCE= -o "$tmp/roles" "$selftest"/roles*.c
dynamic_roles=$ROLES ROLES=$tmp/roles
make_suite s pass_test
refused "too little memory" '\-\-memory 16 is too little' \
	--kernel "$tmp/x86" --memory 16
if [ -z "$kernel" ]; then
	skip_test "a virtual machine" "needs a kernel in /boot"
	finish
fi

# --- virtual machines ---------------------------------------------------------

cat >"$tmp/vm.c" <<-'END'
	#include <fcntl.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>

	int main(void)
	{
		char *vm = getenv("SELFTESTS_VM");

		setvbuf(stdout, NULL, _IOLBF, 0);
		printf("TAP version 13\n1..2\n#  RUN           global.vm ...\n");
		printf("%sok 1 global.vm\n", vm && *vm == '1' ? "" : "not ");
		printf("#  RUN           global.crash ...\n");
		usleep(300000);
		write(open("/proc/sysrq-trigger", O_WRONLY), "c", 1);
		return 0;
	}
END
make_suite vm garbage_test hang_test pass_test skip_test
cc -static -w -o "$tmp/vm/dying_test" "$tmp/vm.c"
run_into_results --suite "$tmp/vm" --kernel "$kernel" --timeout 4 --slow 1
rc_is 1
nobody_left
ktap_has '^not ok 1 vm.dying_test # .*kernel crashed: Kernel panic'
ktap_has '^  ok 1 global.vm$'
ktap_has '^  not ok 2 global.crash$'
test_is "a crash of the kernel is the failure of the test that ran"
ktap_has '^not ok 2 vm.garbage_test # '
ktap_has '^  ok 1 global.one$'
ktap_has '^not ok 3 vm.hang_test # TIMEOUT 4 seconds$'
ktap_has '^ok 4 vm.pass_test # time='
ktap_has '^  ok 2 global.two # SKIP needs root$'
test_is "the others run in a new virtual machine"
has "$tmp/results/console.log" 'Linux version .*'
has "$tmp/results/console.log" 'selftests: vm/pass_test'
has "$tmp/results/env.txt" '^virtualisation: qemu '
has "$tmp/results/env.txt" "^image: $kernel\$"
has_not "$tmp/results/env.txt" "^kernel: $(uname -r)-no\$"
test_is "its console and its facts are kept"

# As the harness does it: -l lists, -r names what to run.
cat >"$tmp/many.c" <<-'END'
	#include <fcntl.h>
	#include <stdio.h>
	#include <string.h>
	#include <unistd.h>

	static const char names[] = "abcdef";

	static int is_wanted(int argc, char **argv, char name)
	{
		int i, any = 0;

		for (i = 1; i < argc; i++) {
			if (strncmp(argv[i], "global.", 7))
				continue;
			any = 1;
			if (argv[i][7] == name)
				return 1;
		}
		return !any;
	}

	int main(int argc, char **argv)
	{
		const char *help = "-r name  run specified test";
		int i, number = 0, all = 0;

		setvbuf(stdout, NULL, _IOLBF, 0);
		if (argc > 1 && !strcmp(argv[1], "-l")) {
			puts("# FIXTURE            VARIANT                   TEST");
			printf("global%40s a\n", "");
			for (i = 1; names[i]; i++)
				printf("%46s %c\n", "", names[i]);
			return help[0] != '-';
		}
		for (i = 0; names[i]; i++)
			all += is_wanted(argc, argv, names[i]);
		printf("TAP version 13\n1..%d\n", all);
		for (i = 0; names[i]; i++) {
			if (!is_wanted(argc, argv, names[i]))
				continue;
			printf("#  RUN           global.%c ...\n", names[i]);
			if (names[i] == 'b' || names[i] == 'e')
				write(open("/proc/sysrq-trigger", O_WRONLY), "c", 1);
			printf("ok %d global.%c\n", ++number, names[i]);
		}
		return 0;
	}
END
mkdir "$tmp/many"
cc -static -w -o "$tmp/many/many_test" "$tmp/many.c"
run_into_results --suite "$tmp/many" --kernel "$kernel" --slow 1 \
	-x many/many_test:global.d
rc_is 1
nobody_left
ktap_has '^not ok 1 many.many_test # .*kernel crashed: Kernel panic'
is "results" "ok 1 global.a,not ok 2 global.b,ok 3 global.c,not ok 4 global.e,ok 5 global.f," \
	"$(sed -n 's/^  \(\(not \)*ok \)/\1/p' "$tmp/results/results.ktap" | tr '\n' ,)"
is "results in its log" 3 "$(grep -c '^ok ' "$tmp/results/logs/many.many_test.log")"
test_is "the other tests of a program run after a crash, and no result is lost"

run_into_results --suite "$tmp/s" --kernel "$kernel" -q \
	--append 'rdinit=/none root=/dev/none'
rc_is 125
err_has 'did not boot: Kernel panic'
nobody_left
test_is "a kernel that does not boot gives no verdict"

make_suite hang hang_test
# shellcheck disable=SC2086 # words of RUN_SH are a command
"$dynamic_roles" interruptible $RUN_SH "$top/run_all.sh" -o "$tmp/results" \
	--suite "$tmp/hang" --kernel "$kernel" >"$tmp/out" 2>"$tmp/err" &
pid=$!
n=0
until [ -s "$tmp/results/logs/hang.hang_test.log" ] || [ $n -gt 300 ]; do
	sleep 0.2
	n=$((n + 1))
done
kill -TERM $pid 2>/dev/null
wait $pid
rc=$?
rc_is 130
nobody_left
ktap_has 'hang.hang_test # .*stopped before it ended'
test_is "a signal ends the machine and leaves nothing"

finish
