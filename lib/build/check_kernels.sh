#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The collection, without costs, on kernels of the distribution:
#
#     check_kernels.sh [NAME|IMAGE]...
#
# NAME: as in the table "kernels" beside this file; without arguments, all of them
#       that are for no other architecture
# IMAGE: a kernel that is here
#
# Packages come from apt as it is configured here, and stay in the cache. Prints
# TAP, one result per kernel. What known.list explains is no failure. Exit status:
# 0 nothing failed, 1 something did.

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/selftests
keep=8	# images
number=0 failed=0

# shellcheck source=lib/build/deb.sh
. "$top/lib/build/deb.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

# Sets image. Fails with the reason in why.
find_image() # NAME|IMAGE
{
	image=$1
	case $1 in
	*/*) return 0 ;;
	esac
	regex=$(column 2 "$1") deb=$(column 3 "$1")
	[ -n "$regex" ] || return 2
	why="needs apt"
	command -v apt-get >/dev/null || return 1
	package=$(newest_package "$regex")
	why="no such package in the sources that apt has here"
	[ -n "$package" ] || return 1
	image=$cache/image-$package
	[ ! -s "$image" ] || return 0
	why="cannot download $package"
	fetch "$package"
}

column() # NUMBER NAME
{
	awk -F '\t' -v "n=$1" -v "name=$2" '$1 == name { print $n }' \
		"$top/lib/build/kernels"
}

# The signed packages say by their version what they are made from, the others by
# their name: compare those without "-unsigned".
newest_package() # REGEX
{
	deb_apt "$deb" cache pkgnames |
		grep -E -x -e "$1" | sed 's/-unsigned$/ &/' |
		sort -V -k 1,1 | tail -n 1 | tr -d ' '
}

fetch() # PACKAGE
{
	mkdir -p "$cache" "$tmp/deb" || return 1
	(cd "$tmp/deb" && deb_apt "$deb" get \
		download "$1") >/dev/null 2>&1 || return 1
	why="$1 holds no kernel"
	dpkg-deb --fsys-tarfile "$tmp"/deb/*.deb |
		tar -x -O -f - --wildcards '*/vmlinu[xz]*' >"$tmp/image" 2>/dev/null
	rm -rf "$tmp/deb"
	[ -s "$tmp/image" ] && mv "$tmp/image" "$cache/image-$1"
}

# shellcheck disable=SC2012 # names of ours
forget_oldest()
{
	ls -t "$cache"/image-* 2>/dev/null | tail -n +$((keep + 1)) |
		while read -r old; do
			rm -f "$old"
		done
}

cannot_run()
{
	if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
		echo "needs qemu-system-x86_64"
	elif ! command -v "${BUSYBOX:-busybox}" >/dev/null; then
		echo "needs busybox, linked statically"
	elif ! "$top/lib/build/toolchain.sh" -try "${CC:-gcc}" -static; then
		echo "needs a static C library"
	fi
}

result() # TEXT
{
	number=$((number + 1))
	case $1 in
	"not ok"*) failed=$((failed + 1)) ;;
	esac
	printf '%s %s - %s\n' "${1%%|*}" "$number" "${1#*|}"
}

check() # NAME|IMAGE
{
	start=$(date +%s)
	results=$top/.results/kernel-${1##*/}
	# shellcheck disable=SC2086 # words
	"$top/run_all.sh" --kernel "$image" --no-perf -o "$results" \
		--known "$top/lib/known.list" $RUN_ALL >"$tmp/out" 2>&1 </dev/null
	status=$?
	release=$(sed -n 's/^kernel: //p' "$results/env.txt" 2>/dev/null)
	grep '^# [0-9a-z][^:]*: of \|^# all good' "$tmp/out" | tail -n 1
	case $status in
	0)
		result "ok|$1 ($release)" ;;
	*)
		sed 's/^\([^#]\)/# \1/' "$tmp/out" |
			grep -A 1 '^# failed: \|^# run_all.sh: '
		result "not ok|$1 ${release:+($release), }exit status $status"
		echo "# results: $results" ;;
	esac
	echo "# $1: $(($(date +%s) - start)) s"
}

# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(grep -v '^#' "$top/lib/build/kernels" | awk 'NF < 3 { print $1 }')
echo "TAP version 13"
echo "1..$#"
lacking=$(cannot_run)
done=' '
for name; do
	if [ -n "$lacking" ]; then
		result "ok|$name # SKIP $lacking"
		continue
	fi
	find_image "$name"
	case $? in
	0)
		case $done in
		*" $image "*)
			result "ok|$name # SKIP is one of those above"
			continue ;;
		esac
		done="$done$image "
		check "$name" ;;
	1) result "ok|$name # SKIP $why" ;;
	2) result "not ok|$name is not in lib/build/kernels" ;;
	esac
done
forget_oldest
[ "$failed" -eq 0 ]
