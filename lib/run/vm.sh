# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# run_all.sh --kernel IMAGE: the programs run in a virtual machine booted from
# that image, everything else as ever on the host. vm/wire.h tells how the two
# talk, vm_arch.sh what differs by architecture, vm_image.sh what the machine
# finds in it.

vm_boot_limit=90

# --- before anything is built -------------------------------------------------

# Checks what can be checked without a kernel. Sets build_dir, vm_image ...
prepare_vm()
{
	check_machine "$opt_kernel"
	find_cache
	build_dir=$cache/static-$vm_arch-$(printf %s "$top" | cksum | tr ' ' -)
	mkdir -p "$build_dir" 2>/dev/null ||
		environment_error "cannot write $build_dir: set XDG_CACHE_HOME"
	{ true 9>"$build_dir/lock"; } 2>/dev/null ||
		environment_error "cannot write $build_dir: set XDG_CACHE_HOME"
	exec 9>"$build_dir/lock"
	lock_directory 9 "$build_dir"
	touch "$build_dir"
	forget_oldest "$cache/static-*" 8
}

check_machine() # IMAGE: sets vm_image, vm_program and what follows from these
{
	[ -d "$here/vm" ] || environment_error \
		"--kernel needs the sources: it is not possible with an installed copy"
	vm_image=$1
	check_image
	vm_program=$(command -v "${QEMU:-$vm_qemu}") || environment_error \
		"${QEMU:-$vm_qemu} is not installed: package $vm_package"
	if is_foreign && ! command -v "${vm_cross}gcc" >/dev/null; then
		environment_error \
			"there is no ${vm_cross}gcc: run make setup ARCHS=$vm_arch, or set CROSS_COMPILE"
	fi
	[ -z "$opt_icount" ] || [ "$vm_arch" = x86_64 ] || usage_error \
		"--icount is to be had for x86_64 only, not for $vm_arch"
	find_busybox
}

check_image()
{
	[ -e "$vm_image" ] || usage_error "there is no kernel $vm_image"
	if [ ! -f "$vm_image" ] || [ ! -r "$vm_image" ]; then
		usage_error "cannot read the kernel $vm_image"
	fi
	arch=$(image_arch "$vm_image")
	[ -n "$arch" ] || usage_error \
		"$vm_image is not a bootable kernel (an arch/x86/boot/bzImage or vmlinuz is)"
	set_arch "${opt_arch:-$arch}" || usage_error \
		"cannot run a kernel for ${opt_arch:-$arch} yet, only for: $known_archs"
	[ "$vm_arch" = "$arch" ] ||
		usage_error "$vm_image is a kernel for $arch, not for $vm_arch"
}

find_cache()
{
	cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
	[ -n "$cache" ] || environment_error "set HOME or XDG_CACHE_HOME"
	cache=$cache/selftests
	case $cache in
	*[[:blank:]]*) environment_error \
		"make cannot work in \"$cache\": set XDG_CACHE_HOME to a path without blanks" ;;
	esac
}

# Two runs at once must not build in the same place.
lock_directory() # DESCRIPTOR DIR
{
	command -v flock >/dev/null 2>&1 || return 0
	if ! flock -w "$patience" "$1" 2>/dev/null; then
		complain "waiting for another run, which uses $2"
		flock "$1"
	fi
}

# Builds of work trees that are gone, or not used any more.
forget_oldest() # PATTERN COUNT: all but so many
{
	# shellcheck disable=SC2012,SC2086 # names of ours
	ls -td $1 2>/dev/null | tail -n +$(($2 + 1)) |
		while read -r old; do
			rm -rf "$old"
		done
}

vm_build_words()
{
	printf '%s' "USERLDFLAGS=-static -s"
}

# --- the machine --------------------------------------------------------------

# Prints what to start for the accelerator $1.
qemu_words()
{
	cpu=$vm_cpu
	[ "$1" = kvm ] && cpu=host
	words="-accel $1${2:+,$2} -cpu $cpu -M $vm_machine -smp $opt_smp
		-m $opt_memory -nodefaults -no-user-config -display none
		-no-reboot"
	printf '%s' "$words$(icount_words)"
}

vm_append()
{
	printf '%s' "console=$vm_console panic=-1 $vm_early"
	if [ "$vm_accel" = tcg ]; then
		khz=$(guest_khz)
		printf ' %s%s%s' "$vm_clock" "${khz:+ tsc_early_khz=$khz}" \
			"$(icount_append)"
	fi
	printf '%s -- %s' "${opt_append:+ $opt_append}" "$vm_wire"
}

start_qemu()
{
	rm -f "$work/vm/gone" "$work/vm/wire"
	console_start=$(wc -c <"$console")
	escaped=$(printf '%s' "$console" | sed 's/,/,,/g')
	threads=''
	[ "$vm_accel" = kvm ] || [ -n "$opt_icount" ] || threads=thread=multi
	# Words of these lists hold no blanks.
	# shellcheck disable=SC2046,SC2086
	"$supervise" -p $$ -C "$work/vm" -l "$work/vm/qemu.log" -r /dev/null \
		-k /dev/null -s "$work/vm/gone" \
		"$vm_program" $(qemu_words $vm_accel $threads) \
		-chardev "file,id=console,path=$escaped,append=on" \
		-chardev socket,id=wire,path=wire,server=on,wait=off \
		$vm_console_device $vm_wire_device \
		-kernel "$vm_image" -initrd "$work/vm/initramfs" \
		-append "$(vm_append)" &
	vm_pid=$!
}

stop_qemu()
{
	[ -n "${vm_pid:-}" ] || return 0
	kill -TERM "$vm_pid" 2>/dev/null
	wait "$vm_pid" 2>/dev/null
	vm_pid=''
}

# Sets rc as ask does, vm_said to what it printed.
try_boot() # SECONDS [CONSOLE]
{
	start_qemu
	(
		cd "$work/vm" && exec "$ask" -w wire -g gone -b "$1" \
			${2:+-c "$2"} ${opt_icount:+-n}
	) >"$work/vm/said" &
	running_pid=$!
	wait_for_program
	vm_said=$(cat "$work/vm/said")
	if [ "$rc" -eq 3 ]; then
		wait "$vm_pid"
		vm_pid=''
	elif [ "$rc" -ne 0 ]; then
		stop_qemu
	fi
}

# Whether /dev/kvm is worth anything shows only when a kernel runs on it: on some
# machines the processor stops dead, before it says anything. What is known of
# that holds until the host boots again.
choose_accel()
{
	vm_accel=tcg
	kvm_verdict=$cache/no-kvm-$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
	[ -z "$opt_icount" ] && ! is_foreign && [ -w /dev/kvm ] &&
		[ ! -e "$kvm_verdict" ] || return 0
	vm_accel=kvm
	try_boot 10 "$console"
	[ "$rc" -ne 0 ] && [ -z "$stopping" ] || return 0
	vm_accel=tcg
	: >"$console"
	: >"$kvm_verdict"
}

# Sets vm_problem and vm_status: what to say and how to end if it did not work.
boot_machine()
{
	vm_problem=''
	if [ -z "${vm_accel:-}" ]; then
		choose_accel
		[ -z "$vm_pid" ] || return 0
		[ -z "$stopping" ] || return 0
	fi
	try_boot $vm_boot_limit
	case $rc in
	0) ;;
	3) explain_gone ;;
	5) vm_status=129
	   vm_problem="the clock of the virtual machine is unusable: it runs $vm_said times as fast as it should" ;;
	*) vm_status=125
	   vm_problem="the kernel did not boot within $vm_boot_limit s; $(last_words)" ;;
	esac
}

explain_gone()
{
	how=$(gone_how)
	vm_status=129
	case $how in
	'exit 0')
		vm_status=125
		vm_problem="the kernel did not boot: $(why_crashed)" ;;
	signal*) vm_problem="the virtual machine was killed (${how% *} ${how#* })" ;;
	*) vm_problem="$vm_qemu: $(sed -n '$s/^[^:]*: //p' "$work/vm/qemu.log")" ;;
	esac
}

# "exit 0", "signal 9"
gone_how()
{
	sed -n 's/^end=//p; s/^code=//p' "$work/vm/gone" | tr '\n' ' ' |
		sed 's/ $//'
}

# Console output since the machine or the program was started.
console_news()
{
	tail -c +$((console_start + 1)) "$console" | tr -d '\r' |
		tr -c ' -~\n\t' '?'
}

last_words()
{
	words=$(console_news | grep -v '^ *$' | tail -n 1 | cut -c 1-200)
	if [ -n "$words" ]; then
		printf 'the last line on its console: %s' "$words"
	else
		printf 'nothing on its console'
	fi
}

why_crashed()
{
	words=$(console_news | sed 's/^\[[^]]*\] *//' |
		grep -m 1 -e '^Kernel panic' -e '^BUG: ' -e '^Oops' \
			-e '^Unable to handle' -e 'No working init' | cut -c 1-200)
	if [ -n "$words" ]; then
		printf '%s' "$words"
	else
		printf 'the machine was reset; %s' "$(last_words)"
	fi
}

# The first boot of a run; also sets the facts that head the results.
start_machine()
{
	console=$results/console.log
	: >"$console"
	stopping='' running_pid='' vm_pid=''
	mkdir -p "$work/vm"
	build_vm_programs
	make_initramfs
	exec 9>&- # the programs are in there now
	trap 'stopping=1; kill -TERM "$running_pid" 2>/dev/null' INT TERM HUP
	boot_machine
	[ -z "$stopping" ] || quit 130
	if [ -n "$vm_problem" ]; then
		complain "$vm_problem"
		complain "console: $console"
		quit "$vm_status"
	fi
	if [ "$vm_accel" = tcg ] && [ -z "$slow_given" ]; then
		opt_slow=3
		[ -z "$opt_icount" ] || opt_slow=30
	fi
	read_guest_environment
}

# --- facts --------------------------------------------------------------------

# Has the machine run something; what that prints comes out.
ask_machine() # WORD...
{
	(cd "$work/vm" && exec "$ask" -w wire -t 60 ${opt_icount:+-n} - "$@")
}

one_line() # TEXT
{
	printf '%s' "$1" | tr '\t\n' '  '
}

read_guest_environment()
{
	virtual="qemu $vm_accel"
	contained=none
	commit=$(suite_commit)
	ask_machine "COMMAND=$(one_line "$command_line")" "COMMIT=$commit" \
		"VIRTUAL=$virtual" "SLOW=$opt_slow" /selftests/facts.sh \
		>"$work/vm/env" || environment_error \
		"the virtual machine does not work: $(last_words)"
	kernel_release=$(guest_fact kernel)
	machine=$(guest_fact machine)
	cpus=$(guest_fact cpus)
	clock_source=$(guest_fact clocksource)
	old_taint=$(guest_fact taint)
	room=$(guest_fact room_processes)
	load_known
	printf '%s\n' "$known_lines" >"$work/known"
}

guest_fact() # NAME
{
	sed -n "s/^$1: //p" "$work/vm/env" | sed 1q
}

print_guest_environment()
{
	cat "$work/vm/env"
	echo "image: $vm_image"
	echo "vm: $("$vm_program" --version | sed -n '1s/^QEMU emulator //p')," \
		"$vm_accel, $opt_smp cpus, $opt_memory MiB"
	echo "append: $(vm_append)"
}

# --- one program --------------------------------------------------------------

# Words for the environment of a program there.
vm_environment()
{
	env | grep -E '^(SELFTESTS|KSFT)_[A-Z_]*=[^[:blank:]]*$'
}

start_program_in_vm()
{
	if [ -z "$vm_pid" ]; then
		boot_machine
		if [ -n "$vm_problem" ]; then
			printf 'end=error\ncode=%s\n' "$vm_problem" >"$status"
			return
		fi
	fi
	console_start=$(wc -c <"$console")
	vm_started=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
	vm_started_cs=$(centiseconds)
	# Words of these are without blanks.
	# shellcheck disable=SC2086,SC2046
	(
		cd "$work/vm" && exec "$ask" -w wire -t "$limit" \
			${opt_verbose:+-e} ${vm_go_on:+-a} ${opt_icount:+-n} \
			-l "$results/$log" \
			-r "$work/record" -k "$work/klog" -s "$status" \
			"$name" SELFTESTS_VM=1 $(vm_environment) \
			/selftests/supervise -f -t "$limit" \
			-C "/selftests/$suite" -l /dev/null \
			-r /proc/self/fd/5 -k /proc/self/fd/6 \
			-s /proc/self/fd/7 "./${path##*/}" $filter
	) &
	running_pid=$!
}

# After the program, with rc of ask. One test that brings the machine down must
# not keep the others of the program from running.
finish_in_vm()
{
	look_after_vm
	crashes=0
	while is_down && [ $crashes -lt $max_crashes ] && find_suspect; do
		crashes=$((crashes + 1))
		[ "$end" = hang ] || convict_suspect
		if [ -n "$stopping" ] || [ -z "$tests_left" ]; then
			break
		fi
		is_down && end_part "$suspect"
		run_part "$tests_left"
	done
	# shellcheck disable=SC2086 # names have no blanks
	! is_down || [ $crashes -lt $max_crashes ] || ! find_suspect ||
		note_crash "$crashes times; so these did not run:" $tests_left
}

max_crashes=10 # of one program: then it is clear enough

is_down()
{
	[ -z "$stopping" ] && grep -q '^end=\(crash\|hang\)$' "$status"
}

# Sets suspect: the test that ran, or was due, and tests_left: those after it.
find_suspect()
{
	can_filter "$name" || return 1
	selected_tests "$name" >"$work/order"
	judge_record "$work/try." "$want" || return 1
	suspect=$(tail -n 1 "$work/try.suspect" 2>/dev/null)
	tests_left=$(awk -F '\t' 'FNR == NR { sub(/^[^:]*:/, "", $2); had[$2]; next }
		!($0 in had)' "$work/try.leaves" "$work/order")
	[ -n "$suspect" ] && [ -n "$tests_left" ]
}

# The last lines before a crash may be lost, so it may also have been one of the
# next tests: who crashes when alone is it. Otherwise it is the program's fault.
convict_suspect()
{
	end_part ''
	first_reason=$code first_suspect=$suspect
	# shellcheck disable=SC2086 # names have no blanks
	for suspect in $suspect $(printf '%s\n' $tests_left | head -n 2); do
		tests_left=$(printf '%s\n' "$tests_left" | grep -v -x -F "$suspect")
		run_part "$suspect"
		! is_down && [ -z "$stopping" ] || return 0
		end_part "$suspect"
	done
	note_crash "$first_reason (at $first_suspect, but not when that runs alone)"
}

note_crash() # TEXT
{
	printf 'cut\tapart\t0\t%s\t\n' "$*" >>"$work/record"
}

# What follows in the record is from another run of the program.
end_part() # TEST: who is to blame, if anybody is
{
	{
		printf 'cut'
		for key in end duration_ms code; do
			printf '\t%s' "$(sed -n "s/^$key=//p" "$status" |
				tail -n 1 | tr '\t' ' ')"
		done
		printf '\t%s\n' "$1"
	} >>"$work/record"
	cat "$work/klog" >>"$work/klog.before"
	: >"$work/klog"
}

run_part() # TESTS
{
	rm -f "$status"
	all_filter=$filter
	# shellcheck disable=SC2086 # names have no blanks
	filter=$(printf ' -r %s' $1)
	echo begin >>"$work/record"
	vm_go_on=1
	start_program_in_vm
	wait_for_program
	look_after_vm
	vm_go_on='' filter=$all_filter
}

# What became of the machine?
look_after_vm()
{
	[ -n "$vm_pid" ] || return 0
	case $rc in
	0)
		if grep -q '^immortal=1' "$status"; then stop_qemu; fi
		return 0 ;;
	3)
		wait "$vm_pid"
		vm_pid=''
		if [ "$(gone_how)" = 'exit 0' ]; then
			end=crash code=$(why_crashed)
		else
			end=error
			code="the virtual machine was killed ($(gone_how))"
		fi ;;
	4)
		stop_qemu
		end=hang code=$(last_words) ;;
	*)
		stop_qemu
		end=error code="the virtual machine could not run it" ;;
	esac
	[ -z "$stopping" ] || [ "$end" = crash ] || end=stopped
	{
		echo "start=$vm_started"
		echo "duration_ms=$((($(centiseconds) - vm_started_cs) * 10))"
		echo "end=$end"
		echo "code=$code"
	} >>"$status"
	console_news >"$work/klog"
}
