# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# run_all.sh --build TREE: make a small kernel from that tree, with what the
# "config" files of the collection name, and leave the rest to --kernel.
#
# It is built in the cache, so that git sees a clean tree, and what one commit
# does not change need not be compiled again for it.

keep_kernels=3

# Sets opt_kernel.
build_kernel()
{
	if [ ! -f "$opt_build/Makefile" ] || [ ! -f "$opt_build/Kconfig" ]; then
		usage_error "$opt_build is not the tree of a kernel"
	fi
	set_arch "${opt_arch:-$(uname -m)}" || usage_error \
		"cannot run a kernel for ${opt_arch:-$(uname -m)} yet, only for: $known_archs"
	for tool in make flex bison bc; do
		command -v $tool >/dev/null 2>&1 || environment_error \
			"$tool is not installed, which building a kernel needs"
	done
	find_cache
	kernel_dir=$cache/kernel-$vm_arch-$(printf %s "$opt_build" | cksum | tr ' ' -)
	kernel_log=$kernel_dir/build.log
	mkdir -p "$kernel_dir" 2>/dev/null ||
		environment_error "cannot write $kernel_dir: set XDG_CACHE_HOME"
	# Until we end: the machine may have to boot from it again.
	{ true 8>"$kernel_dir/lock"; } 2>/dev/null ||
		environment_error "cannot write $kernel_dir: set XDG_CACHE_HOME"
	exec 8>"$kernel_dir/lock"
	lock_directory 8 "$kernel_dir"
	: >"$kernel_log"
	touch "$kernel_dir"
	forget_oldest "$cache/kernel-*" $keep_kernels
	kernel_cross=${CROSS_COMPILE:-}
	! is_foreign || kernel_cross=$vm_cross
	ccache=''
	! command -v ccache >/dev/null 2>&1 || ccache='ccache '
	[ -n "$opt_quiet" ] ||
		complain "building $opt_build in $kernel_dir${ccache:+ with ccache}"
	configure_kernel
	make_kernel "${vm_built##*/}"
	[ -n "$opt_quiet" ] || tell_unset_options
	opt_kernel=$kernel_dir/$vm_built
	[ -f "$opt_kernel" ] || cannot_build
}

make_kernel() # TARGET
{
	run_stoppable env LC_ALL=C make -C "$opt_build" O="$kernel_dir" \
		ARCH="$vm_make_arch" \
		${kernel_cross:+CROSS_COMPILE="$kernel_cross"} \
		${ccache:+CC="ccache ${kernel_cross}gcc"} \
		-j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" "$1" \
		>>"$kernel_log" 2>&1
	[ "$rc" -eq 0 ] || cannot_build
}

# The tree is good for nothing, or not fit to be built outside of it.
cannot_build()
{
	if grep -q 'source tree is not clean' "$kernel_log"; then
		environment_error \
			"$opt_build has been built in place: run \"make mrproper\" there"
	fi
	grep -m 3 -e 'error: ' -e 'Error [0-9]' -e '^\*\*\*' \
		"$kernel_log" >&2 || tail -n 3 "$kernel_log" >&2
	complain "this kernel does not build, so nothing can be judged; all of it: $kernel_log"
	quit 125
}

wanted_options()
{
	sed -n 's/^\(CONFIG_[A-Z0-9_]*=.*\)/\1/p' "$top"/config "$top"/*/config |
		sort -u
}

# tinyconfig has names of its own for nothing that we ask for: the last line about
# an option is the one that counts.
configure_kernel()
{
	make_kernel tinyconfig
	wanted_options >>"$kernel_dir/.config"
	make_kernel olddefconfig
}

# Tests may be skipped for want of these.
tell_unset_options()
{
	wanted_options | grep -v -x -F -f "$kernel_dir/.config" |
		sed 's/^CONFIG_//; s/=.*//' >"$kernel_dir/unset"
	[ -s "$kernel_dir/unset" ] || return 0
	# Those this release does not know are no news.
	unset_options=$(find "$opt_build" -name 'Kconfig*' -exec cat {} + |
		sed -n 's/^[	 ]*\(menu\)*config \([A-Z0-9_]*\)$/\2/p' |
		grep -x -F -f "$kernel_dir/unset" | sort -u | tr '\n' ' ')
	[ -z "$unset_options" ] ||
		complain "options that this kernel does not let us set: $unset_options"
}
