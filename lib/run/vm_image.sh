# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# What the virtual machine is given: an initramfs with the programs, a busybox,
# and what starts and supervises them, all statically linked.

find_busybox()
{
	host_busybox=$(path_of busybox)
	busybox=${BUSYBOX:-$host_busybox}
	[ -n "$busybox" ] ||
		environment_error "busybox is not installed: package busybox-static"
	if is_foreign; then
		busybox=${BUSYBOX:-$vm_tools/busybox}
		[ -x "$busybox" ] || environment_error \
			"there is no $busybox: run make setup ARCHS=$vm_arch, or set BUSYBOX"
	else
		host_busybox=$busybox
	fi
	[ -x "$busybox" ] || environment_error "there is no $busybox (BUSYBOX)"
	if is_dynamic "$busybox"; then
		environment_error \
			"$busybox is not statically linked: install busybox-static, or set BUSYBOX"
	fi
}

# Not "command -v": busybox as the shell has itself built in.
path_of() # PROGRAM
{
	old_ifs=$IFS
	IFS=:
	for dir in $PATH; do
		if [ -x "$dir/$1" ]; then
			printf '%s' "$dir/$1"
			break
		fi
	done
	IFS=$old_ifs
}

# The name of the dynamic linker stands near the beginning of a program.
is_dynamic() # FILE
{
	head -c 8192 "$1" | LC_ALL=C grep -q '/ld[0-9]*[-.][a-z0-9_.-]*'
}

# Sets ask; and vm_guest, the directory with what runs in the machine.
build_vm_programs()
{
	need_compiler
	vm_cc=$cc
	! is_foreign || vm_cc=${vm_cross}gcc
	vm_guest=$build_dir/.vm
	ask=$vm_guest/ask
	mkdir -p "$vm_guest" || environment_error "cannot write $vm_guest"
	set +f
	compile_unless_newer "$ask" '' "$here"/vm/ask.c "$here/vm/wire.h"
	compile_unless_newer "$vm_guest/agent" -static "$here"/vm/agent.c \
		"$here/vm/wire.h"
	compile_unless_newer "$vm_guest/supervise" -static "$here"/*.c \
		"$here/supervise.h"
	set -f
}

compile_unless_newer() # PROGRAM FLAGS SOURCE... HEADER
{
	target=$1 flags=$2
	shift 2
	[ ! -x "$target" ] || [ -n "$(find "$@" -newer "$target")" ] || return 0
	compiler=$cc
	[ -z "$flags" ] || compiler=$vm_cc
	# The header is named for its age only.
	# shellcheck disable=SC2046,SC2086
	$compiler -std=gnu11 -O2 -D_GNU_SOURCE= $flags -o "$target.$$" \
		$(printf '%s\n' "$@" | grep '\.c$') 2>"$work/vm/cc.log" ||
		environment_error "$compiler cannot make ${flags#-}${flags:+ }programs: install the static C library ($(sed 1q "$work/vm/cc.log"))"
	mv "$target.$$" "$target"
}

make_initramfs()
{
	root=$work/vm/root
	mkdir -p "$root/bin" "$root/usr" "$root/proc" "$root/sys" "$root/dev" \
		"$root/tmp" "$root/run" "$root/root" "$root/etc"
	cp "$here/vm/init" "$root/init"
	ln -s ../bin "$root/usr/bin"
	ln -s ../bin "$root/usr/sbin"
	ln -s bin "$root/sbin"
	for applet in $("$host_busybox" --list); do
		ln -s busybox "$root/bin/$applet"
	done
	rm -f "$root/bin/busybox"
	cp "$busybox" "$root/bin/busybox"
	printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' \
		'nobody:x:65534:65534:nobody:/:/bin/sh' >"$root/etc/passwd"
	printf '%s\n' 'root:x:0:' 'nogroup:x:65534:' >"$root/etc/group"
	chmod -R a+rX "$root"
	gather_programs
	chmod a+x "$root/init"
	# The second one is full of links to files that are to be in it.
	{
		archive "$root"
		archive "$root.programs" -L
	} >"$work/vm/initramfs" || environment_error \
		"cannot write $work/vm/initramfs (disk full?)"
	rm -rf "$root" "$root.programs"
	check_memory
}

archive() # DIR [OPTION]
{
	(
		cd "$1" && shift && find . |
			"$host_busybox" cpio -o -H newc -R 0:0 "$@" 2>/dev/null
	)
}

gather_programs()
{
	dest=$root.programs/selftests
	mkdir -p "$dest"
	ln -s "$vm_guest/agent" "$vm_guest/supervise" "$here/vm/facts.sh" \
		"$here/env.sh" "$dest/"
	gathered=' '
	set +f
	for name in $programs; do
		suite=${name%/*}
		path=$(program_path "$name")
		[ -e "$path" ] || continue
		case $gathered in
		*" $suite "*) ;;
		*)
			gathered="$gathered$suite "
			mkdir -p "$dest/$suite"
			check_static "$path"
			for file in "$(binary_dir "$suite")"/*_probe \
				    "$(binary_dir "$suite")"/*_probe32; do
				[ ! -x "$file" ] || ln -s "$file" "$dest/$suite/"
			done ;;
		esac
		ln -s "$path" "$dest/$suite/"
	done
	set -f
}

check_static() # PATH
{
	if is_dynamic "$1"; then
		environment_error \
			"$1 is not statically linked, so it cannot run in a virtual machine"
	fi
}

check_memory()
{
	size=$(($(wc -c <"$work/vm/initramfs") / 1048576))
	least=$((size * 2 + 150))
	[ "$opt_memory" -ge $least ] || usage_error \
		"--memory $opt_memory is too little: these programs need $least (MiB)"
}
