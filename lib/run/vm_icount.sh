# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# run_all.sh --icount: a machine whose clock counts instructions, one a
# nanosecond, so that a cost is a number of instructions and not a time. Nothing
# may depend on chance: no second processor, no random addresses, a fixed date.

check_icount_options()
{
	[ -n "$opt_icount" ] || return 0
	[ -n "$opt_kernel$opt_build" ] ||
		usage_error "--icount is for --kernel or --build only"
	[ -z "$smp_given" ] || [ "$opt_smp" = 1 ] ||
		usage_error "--icount counts the instructions of one processor: no --smp $opt_smp"
	[ "$opt_perf" != no ] ||
		usage_error "--icount counts what --no-perf leaves out"
	opt_smp=1 opt_perf=only
	vm_boot_limit=600 # with eight others on two processors
}

# More words for qemu_words() and vm_append().
icount_words()
{
	[ -z "$opt_icount" ] || printf '%s' \
		" -icount shift=0,sleep=off -seed 1 -rtc base=2026-01-01,clock=vm"
}

icount_append()
{
	[ -z "$opt_icount" ] ||
		printf '%s' " nokaslr norandmaps random.trust_cpu=off"
}

# How many thousand times a second the guest's counter ticks.
guest_khz()
{
	if [ -n "$opt_icount" ]; then
		echo 1000000
	elif [ -n "$vm_clock" ]; then
		"$ask" -T
	fi
}
