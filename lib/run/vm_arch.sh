# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154 # variables are for, and of, other parts
#
# What run_all.sh --kernel knows of architectures: everything, in one place.

# Sets vm_*; fails if the architecture is not known.
set_arch() # NAME, as the kernel's make has it or uname -m prints it
{
	vm_early='' vm_clock='' vm_cpu=max vm_console_device=''
	vm_wire_device='-serial chardev:wire'
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
	arm64 | aarch64)
		vm_arch=arm64
		vm_qemu=qemu-system-aarch64 vm_package=qemu-system-arm
		vm_machine='virt,gic-version=3'
		# What "max" signs its pointers with is slow to emulate.
		vm_cpu=cortex-a76
		vm_cross=aarch64-linux-gnu-
		vm_console=ttyAMA0 vm_wire=ttyS0
		vm_wire_device='-device pci-serial,chardev=wire'
		vm_early='earlycon'
		vm_make_arch=arm64
		vm_built=arch/arm64/boot/Image ;;
	riscv64 | riscv)
		vm_arch=riscv64
		vm_qemu=qemu-system-riscv64 vm_package=qemu-system-misc
		vm_machine='virt'
		vm_cpu=rv64
		vm_cross=riscv64-linux-gnu-
		vm_console=ttyS0 vm_wire=ttyS1
		vm_wire_device='-device pci-serial,chardev=wire'
		vm_early='earlycon=sbi'
		vm_make_arch=riscv
		vm_built=arch/riscv/boot/Image ;;
	ppc64le | ppc64el | powerpc)
		vm_arch=ppc64le
		vm_qemu=qemu-system-ppc64 vm_package=qemu-system-ppc
		vm_machine='pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken'
		vm_cpu=power9
		vm_cross=powerpc64le-linux-gnu-
		vm_console=hvc0 vm_wire=hvc1
		vm_console_device='-device spapr-vty,chardev=console'
		vm_wire_device='-device spapr-vty,chardev=wire'
		vm_make_arch=powerpc
		vm_built=vmlinux ;;
	s390x | s390)
		vm_arch=s390x
		vm_qemu=qemu-system-s390x vm_package=qemu-system-misc
		vm_machine='s390-ccw-virtio'
		vm_cross=s390x-linux-gnu-
		# The line-mode console cannot carry what we say.
		vm_console=ttyS0 vm_wire=ttysclp0
		vm_early='conmode=sclp'
		vm_console_device='-device sclplmconsole,chardev=console'
		vm_wire_device='-device sclpconsole,chardev=wire'
		vm_make_arch=s390
		vm_built=arch/s390/boot/bzImage ;;
	*)
		return 1 ;;
	esac
	vm_console_device=${vm_console_device:--serial chardev:console}
	find_cross
}

known_archs='x86_64 arm64 riscv64 ppc64le s390x'

# Not what this machine itself runs.
is_foreign()
{
	case $(uname -m):$vm_arch in
	aarch64:arm64 | "$vm_arch:$vm_arch") return 1 ;;
	esac
}

# Sets vm_cross, vm_tools: from "make setup", unless the user has others.
find_cross()
{
	vm_tools=$top/.cross/$vm_arch
	if [ -n "${CROSS_COMPILE:-}" ]; then
		vm_cross=$CROSS_COMPILE
	elif [ -x "$vm_tools/bin/${vm_cross}gcc" ]; then
		vm_cross=$vm_tools/bin/$vm_cross
	fi
}

# What an image is for, by its first bytes; nothing if it is no kernel.
image_arch() # FILE
{
	if [ "$(bytes_of "$1" 514 4)" = HdrS ]; then
		echo x86_64
	elif [ "$(bytes_of "$1" 56 4)" = ARMd ]; then
		echo arm64
	elif [ "$(bytes_of "$1" 56 4)" = 'RSC?' ]; then
		echo riscv64
	elif [ "$(bytes_of "$1" 65544 6)" = S390EP ]; then
		echo s390x
	elif [ "$(bytes_of "$1" 0 4)" = '?ELF' ] &&
	     [ "$(od -A n -t u1 -j 18 -N 2 "$1" | tr -d ' ')" = 210 ]; then
		echo ppc64le
	fi
}

bytes_of() # FILE OFFSET COUNT
{
	dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null |
		tr -c '[:alnum:]' '?'
}
