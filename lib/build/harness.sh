#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Copy the kernel's kselftest harness (100 kB), and checkpatch.pl for `make lint`
# (280 kB), out of a kernel source into a small tree:
#
#     harness.sh SOURCE DEST
#
# SOURCE: a kernel tree, or linux-source-*.tar.{xz,bz2,gz,zst}, or a
#         linux-source-*.deb. Packed sources are streamed: nothing but the
#         files below reaches the disk.
# DEST:   replaced as a whole when everything was found, else left as it was.
#         The test directories beside it are linked into it, so that it looks
#         like a kernel tree that has them in tools/testing/selftests.
# Exit status: 0 done (or DEST already holds the same files), 1 not possible;
# the one line on stderr says why.

st=tools/testing/selftests

# Without these nothing can be built or run.
needed="$st/lib.mk $st/Makefile $st/kselftest.h $st/kselftest_harness.h
$st/run_kselftest.sh $st/kselftest/runner.sh $st/kselftest/prefix.pl
$st/kselftest/module.sh scripts/subarch.include"

# Not in every release, or only for lint.
wanted="$st/kselftest/ktap_helpers.sh $st/kselftest/ksft.py
$st/kselftest_install.sh $st/gen_kselftest_tar.sh
scripts/checkpatch.pl scripts/spelling.txt scripts/const_structs.checkpatch"

die()
{
	echo "harness: $*" >&2
	exit 1
}

unpack_command()
{
	case $1 in
	*.xz)	echo "xz -dc" ;;
	*.bz2)	echo "bzip2 -dc" ;;
	*.gz)	echo "gzip -dc" ;;
	*.zst)	echo "zstd -dc" ;;
	*)	return 1 ;;
	esac
}

# stdin: a tar archive whose members lie below one directory. tar complains
# about the files this release does not have; what counts is checked later.
pick_from_tar()
{
	set --
	for f in $needed $wanted; do
		set -- "$@" "*/$f"
	done
	tar -x -f - -C "$new" --strip-components=1 --no-same-owner \
		--wildcards --no-wildcards-match-slash "$@" 2>/dev/null
}

from_tree()
{
	for f in $needed $wanted; do
		[ -f "$src/$f" ] || continue
		mkdir -p "$new/${f%/*}"
		cp -L "$src/$f" "$new/$f" || return 1
	done
}

from_tar()
{
	unpack=$(unpack_command "$src") || die "$src: unknown compression"
	command -v "${unpack%% *}" >/dev/null ||
		die "$src: needs the program ${unpack%% *}"
	$unpack <"$src" 2>/dev/null | pick_from_tar
}

from_deb()
{
	command -v dpkg-deb >/dev/null || die "$src: needs the program dpkg-deb"
	member=$(dpkg-deb --fsys-tarfile "$src" 2>/dev/null | tar -t -f - 2>/dev/null |
		grep -m1 -E '/linux-source-[^/]*\.tar\.[a-z0-9]+$')
	[ -n "$member" ] || die "$src: holds no linux-source-*.tar.*"
	unpack=$(unpack_command "$member") || die "$member: unknown compression"
	command -v "${unpack%% *}" >/dev/null ||
		die "$src: needs the program ${unpack%% *}"
	dpkg-deb --fsys-tarfile "$src" | tar -x -O -f - "$member" |
		$unpack 2>/dev/null | pick_from_tar
}

# The driver of 5.10 insists on `make headers_install`, and lib.mk of 7.3 has a
# target `headers`. The collection brings its own fallbacks (lib/uapi.h).
add_stub()
{
	printf '%s\n' 'headers headers_install:' '	@:' \
		'.PHONY: headers headers_install' >"$new/Makefile"
}

link_directories()
{
	for m in "$parent"/*/Makefile; do
		grep -q lib/build/collection.mk "$m" || continue
		d=${m%/Makefile}
		ln -sfn "../../../../${d##*/}" "$1/$st/${d##*/}" || return 1
	done
}

same_files()
{
	for f in $needed $wanted; do
		if [ -e "$new/$f" ] || [ -e "$dest/$f" ]; then
			cmp -s "$new/$f" "$dest/$f" || return 1
		fi
	done
	cmp -s "$new/Makefile" "$dest/Makefile"
}

[ $# -eq 2 ] || die "usage: harness.sh SOURCE DEST"
src=$1
dest=$2
[ -e "$src" ] || die "$src: no such kernel tree or archive"

parent=$(dirname "$dest")
new=$(mktemp -d "$parent/.harness.XXXXXX" 2>/dev/null) ||
	die "cannot write below $parent"
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# A packed source takes ten seconds: not again for the same one.
if [ -f "$src" ] && [ "$(cat "$dest/origin" 2>/dev/null)" = "$src" ] &&
   [ -n "$(find "$dest/origin" -newer "$src")" ]; then
	exit 0
fi

case $src in
*.deb)		from_deb ;;
*.tar.*)	from_tar ;;
*)		from_tree ;;
esac

for f in $needed; do
	[ -f "$new/$f" ] || die "$src: not a kernel source, it lacks $f"
done
# Everything built with an earlier harness is older than these files.
find "$new" -type f -exec touch {} +
add_stub
echo "$src" >"$new/origin"
chmod 755 "$new"

if same_files; then
	link_directories "$dest" || die "cannot write $dest"
	exit 0
fi
{ link_directories "$new" && rm -rf "$dest" && mv "$new" "$dest"; } ||
	die "cannot write $dest"
