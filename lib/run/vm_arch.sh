# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034 # variables are for the other parts
#
# What run_all.sh --kernel knows of architectures: everything, in one place.

# Sets vm_*; fails if the architecture is not known.
set_arch() # NAME, as the kernel's make has it or uname -m prints it
{
	vm_early='' vm_clock='' vm_wire_device='-serial chardev:wire'
	case $1 in
	x86_64 | x86 | amd64)
		vm_arch=x86_64
		vm_qemu=qemu-system-x86_64 vm_package=qemu-system-x86
		vm_machine='pc'
		vm_cross=x86_64-linux-gnu-
		vm_console=ttyS0 vm_wire=ttyS1
		vm_early='earlyprintk=serial,ttyS0,115200'
		# Under emulation several clocks disagree on a busy host, and old
		# kernels then take a slow one, or measure a wrong speed.
		vm_clock='tsc=reliable clocksource=tsc no_timer_check'
		vm_make_arch=x86_64
		vm_built=arch/x86/boot/bzImage ;;
	*)
		return 1 ;;
	esac
}

known_archs='x86_64'

# What an image is for, by its first bytes; nothing if it is no kernel.
image_arch() # FILE
{
	if [ "$(bytes_of "$1" 514 4)" = HdrS ]; then
		echo x86_64
	elif [ "$(bytes_of "$1" 56 4)" = ARMd ]; then
		echo arm64
	elif [ "$(bytes_of "$1" 56 4)" = 'RSC?' ]; then
		echo riscv64
	fi
}

bytes_of() # FILE OFFSET COUNT
{
	dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null |
		tr -c '[:alnum:]' '?'
}
