#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Make this machine ready to build and run the collection. Safe to repeat.
#
#     setup.sh [-c] [-k] [-p] [-a ARCHS] [-t KSFT] [KSRC]
#
# -c       also what `make check` needs
# -k       also what `make check-kernels` needs
# -a ARCHS also what run_all.sh --kernel needs for these architectures
# -p       only the packages, not the harness
# -t KSFT  the harness is there already, in this kernel tree
# KSRC     take the harness from this kernel tree or archive
#
# Exit status: 0 everything that must be there is, 1 not (one line says what).

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
build=$top/lib/build
dest=$top/.harness
check=
packages_only=
tree=
archs=

say()
{
	echo "setup: $*"
}

# --- packages -----------------------------------------------------------------

package_manager()
{
	for m in apt-get dnf zypper pacman apk; do
		command -v "$m" >/dev/null || continue
		echo "$m"
		return
	done
}

have()
{
	case $1 in
	/*)	  [ -e "$1" ] ;;
	perl::*)  perl -M"${1#perl::}" -e 1 2>/dev/null ;;
	-m32)	  [ "$(uname -m)" != x86_64 ] ||
			"$build/toolchain.sh" -try "${CC:-gcc}" -m32 ;;
	-static)  "$build/toolchain.sh" -try "${CC:-gcc}" -static ;;
	*)	  command -v "$1" >/dev/null ;;
	esac
}

# missing WHEN...: the packages that bring what is not there
missing()
{
	case $manager in
	dnf)	column=4 ;;
	zypper)	column=5 ;;
	pacman)	column=6 ;;
	apk)	column=7 ;;
	*)	column=3 ;;
	esac
	for when in "$@"; do
		grep "^$when	" "$build/packages" | while read -r row; do
			# shellcheck disable=SC2086 # the columns of the table
			set -- $row
			have "$2" && continue
			shift $((column - 1))
			[ "$1" = - ] || echo "$1"
		done
	done | sort -u | tr '\n' ' ' | sed 's/ $//'
}

apt_install()
{
	DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends \
		--no-remove -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		install "$@" </dev/null
}

# install PACKAGE...: the lists may be absent or out of date at first
install()
{
	log=$(mktemp) || return 1
	apt_install "$@" >"$log" 2>&1 ||
		{ apt-get -q update && apt_install "$@"; } >"$log" 2>&1
	status=$?
	[ "$status" -eq 0 ] || grep '^E:' "$log" >&2
	rm -f "$log"
	return "$status"
}

how_to_install()
{
	case $manager in
	apt-get | dnf | zypper)	echo "$manager install $*" ;;
	pacman)			echo "pacman -S $*" ;;
	apk)			echo "apk add $*" ;;
	*)			echo "(names as in Debian) $*" ;;
	esac
}

# packages WORDS WHEN...: install them, or say how to, in these words
packages()
{
	words=$1
	shift
	list=$(missing "$@")
	[ -n "$list" ] || return 0
	if [ "$manager" = apt-get ] && [ "$(id -u)" -eq 0 ]; then
		say "installing $list"
		# shellcheck disable=SC2086 # a list of names
		install $list
		list=$(missing "$@")
		[ -n "$list" ] || return 0
	fi
	say "$words; as root: $(how_to_install "$list")"
}

# --- the kernel's harness -----------------------------------------------------

# Newest first: packed by the distribution, then unpacked for this kernel.
local_sources()
{
	for f in /usr/src/linux-source-*.tar.* /usr/src/linux-source-*/linux-source-*.tar.*; do
		[ -f "$f" ] && echo "$f"
	done | sort -rV
	for d in "/lib/modules/$(uname -r)/source" /usr/src/linux /usr/src/linux-*; do
		[ -f "$d/tools/testing/selftests/kselftest_harness.h" ] && echo "$d"
	done
}

newest_package()
{
	apt-cache search --names-only '^linux-source-[0-9.]+$' 2>/dev/null |
		cut -d' ' -f1 | sort -V | tail -n 1
}

from_package()
{
	package=
	[ "$manager" != apt-get ] || package=$(newest_package)
	if [ -z "$package" ] && [ "$manager" = apt-get ] && [ "$(id -u)" -eq 0 ]; then
		apt-get -q update >/dev/null 2>&1
		package=$(newest_package)
	fi
	if [ -z "$package" ]; then
		say "no kselftest harness here: give a kernel tree or a" \
			"linux-source archive, make setup KSRC=<path>" >&2
		return 1
	fi

	dir=$(mktemp -d) || return 1
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' HUP INT TERM
	say "fetching $package for the kselftest harness (some 150 MB, kept: 400 kB)"
	if ! (cd "$dir" && apt-get -qq -o APT::Sandbox::User=root download \
			"$package" 2>/dev/null); then
		say "cannot download $package: give a kernel tree or a" \
			"linux-source archive, make setup KSRC=<path>" >&2
		return 1
	fi
	"$build/harness.sh" "$dir"/*.deb "$dest" &&
		(cd "$dir" && echo *.deb) >"$dest/origin"
}

from_here()
{
	local_sources | while read -r src; do
		"$build/harness.sh" "$src" "$dest" && echo "$src" && break
	done | grep -q .
}

harness()
{
	if [ ! -w "$top" ]; then
		say "cannot write to $top" >&2
		return 1
	elif [ -n "$ksrc" ]; then
		"$build/harness.sh" "$ksrc" "$dest"
	elif [ -f "$dest/origin" ]; then
		# Copying it onto itself links new directories.
		"$build/harness.sh" "$dest" "$dest"
	else
		from_here || from_package
	fi
}

# cross ARCH...: what builds for them, and the programs that emulate them
cross()
{
	# shellcheck disable=SC2046 # words
	packages "missing" vm $(printf 'vm-%s ' "$@")
	"$build/cross.sh" "$@" || ret=1
}

while getopts a:ckpt: o; do
	case $o in
	a)	archs=$OPTARG ;;
	c)	check="$check check" ;;
	k)	check="$check vm" ;;
	p)	packages_only=1 ;;
	t)	tree=$OPTARG ;;
	*)	exit 1 ;;
	esac
done
shift $((OPTIND - 1))
ksrc=$1
manager=$(package_manager)
ret=0

# shellcheck disable=SC2086 # words, or empty
packages "missing" build run $check
packages "some tests will be skipped" more
[ -z "$(missing build)" ] || ret=1
# shellcheck disable=SC2086 # words
[ -z "$archs" ] || cross $archs
[ -z "$packages_only" ] || exit "$ret"

if [ -n "$tree" ]; then
	say "the harness is that of the kernel tree, $tree"
elif harness; then
	say "the harness is from $(cat "$dest/origin")"
else
	ret=1
fi
exit "$ret"
