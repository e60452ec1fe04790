#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Make ready to build for another architecture, and to run that in a virtual
# machine, from packages of Debian:
#
#     cross.sh ARCH...        arm64, riscv64, ppc64le, s390x
#
# Nothing is installed, and no root is needed: a compiler, the static C library,
# libcap and busybox are unpacked into .cross/ARCH. (As packages, these compilers
# would drive out gcc-multilib.) Then CROSS_COMPILE=.cross/ARCH/bin/<prefix> works
# for make, too, and run_all.sh --kernel finds it by itself. Exit status: 0 done,
# 1 not (one line says why).

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
# shellcheck source=lib/build/deb.sh
. "$top/lib/build/deb.sh"

die()
{
	echo "cross: $*" >&2
	exit 1
}

# Sets triplet, debian: what Debian calls it in the names of packages.
name_arch() # ARCH
{
	debian=$1
	case $1 in
	arm64) triplet=aarch64-linux-gnu ;;
	riscv64) triplet=riscv64-linux-gnu ;;
	ppc64le) triplet=powerpc64le-linux-gnu debian=ppc64el ;;
	s390x) triplet=s390x-linux-gnu ;;
	*) die "there is no $1, only: arm64 riscv64 ppc64le s390x" ;;
	esac
}

# The compiler for C and what it cannot do without, by the dependencies.
compiler_packages()
{
	apt-cache depends --recurse --no-recommends --no-suggests \
		--no-conflicts --no-breaks --no-replaces --no-enhances \
		"gcc-$triplet" "libc6-dev-$debian-cross" 2>/dev/null |
		grep -E -x \
			-e "(binutils|(cpp|gcc)-[0-9]+)-$triplet" \
			-e "(libc6|libc6-dev|libgcc-s1|libgcc-[0-9]+-dev|linux-libc-dev)-$debian-cross" |
		sort -u
}

unpack() # DIR PACKAGE...
{
	into=$1
	shift
	(cd "$tmp" && rm -f ./*.deb && deb_apt "$arch_of_packages" get download \
		"$@") >"$tmp/log" 2>&1 ||
		die "cannot download $* ($(grep -m 1 '^E: ' "$tmp/log"))"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$into" || die "cannot unpack $deb"
	done
}

# Programs that find their parts where they are.
make_wrappers()
{
	mkdir "$new/bin"
	host=$(dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null ||
		echo "$(uname -m)-linux-gnu")
	for tool in "$new/usr/bin/$triplet"-*; do
		tool=${tool##*/}
		name=$tool more=''
		case $tool in
		*-gcc-[0-9]*) name=$triplet-gcc more="-isystem \"\$d/include\" -L\"\$d/lib\"" ;;
		*-cpp-[0-9]*) name=$triplet-cpp ;;
		esac
		cat >"$new/bin/$name" <<-END
			#!/bin/sh
			d=\$(cd "\$(dirname "\$0")/.." && pwd)
			PATH=\$d/bin:\$d/usr/bin:\$PATH
			export LD_LIBRARY_PATH="\$d/usr/lib/$host" PATH
			exec "\$d/usr/bin/$tool" "\$@" $more
		END
		chmod 755 "$new/bin/$name"
	done
}

make_ready() # ARCH
{
	name_arch "$1"
	dest=$top/.cross/$1
	[ ! -e "$dest/done" ] || return 0
	new=$top/.cross/$1.new
	rm -rf "$new"
	mkdir -p "$new" "$new/include" "$new/lib" 2>/dev/null ||
		die "cannot write $top/.cross"
	packages=$(compiler_packages)
	case $packages in
	*gcc-*) ;;
	*) die "apt has no compiler for $1 here (gcc-$triplet)" ;;
	esac
	echo "cross: fetching what builds for $1"
	arch_of_packages=$(dpkg --print-architecture)
	# shellcheck disable=SC2086 # a list
	unpack "$new" $packages
	arch_of_packages=$debian
	unpack "$tmp/foreign" libcap-dev busybox-static
	if ! cp -R "$tmp/foreign/usr/include/sys" "$new/include/" ||
	   ! cp "$tmp/foreign/usr/lib/$triplet/libcap.a" "$new/lib/" ||
	   ! cp "$(find "$tmp/foreign" -path '*bin/busybox')" "$new/busybox"; then
		die "the packages for $1 are not as expected"
	fi
	rm -rf "$tmp/foreign"
	make_wrappers
	"$top/lib/build/toolchain.sh" "$new/bin/$triplet-gcc" -static || exit
	: >"$new/done"
	rm -rf "$dest"
	mv "$new" "$dest"
}

command -v apt-get >/dev/null ||
	die "needs apt; elsewhere set CROSS_COMPILE, and BUSYBOX to a static one"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
for arch; do
	make_ready "$arch"
done
