#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Say in one line why the collection cannot be built here, or say nothing:
#
#     toolchain.sh COMPILER [FLAGS...]
#     toolchain.sh -try COMPILER [FLAGS...]    says nothing, leaves out libcap
#
# Exit status: 0 all there, 1 something is missing.

die()
{
	echo "build: $*; \"make setup\" installs what is missing" >&2
	exit 1
}

# links PROGRAM COMPILER FLAGS...: -lcap only counts after the source
links()
{
	program=$1
	shift
	printf '%b\n' "$program" |
		"$@" -x c - -o /dev/null $libs 2>/dev/null
}

plain='#include <stdio.h>\n#include <linux/types.h>\nint main(void) { return 0; }'
libcap='#include <sys/capability.h>\nint main(void) { return cap_free(cap_get_proc()); }'
libs=

if [ "$1" = -try ]; then
	shift
	links "$plain" "$@"
	exit
fi

command -v "$1" >/dev/null || die "no compiler ($1)"
links "$plain" "$@" || die "$* cannot make programs: install libc6-dev (apt)," \
	"glibc-devel (dnf, zypper), glibc linux-api-headers (pacman)" \
	"or musl-dev linux-headers (apk)"
libs=-lcap
links "$libcap" "$@" || die "$* finds no libcap: install libcap-dev (apt, apk)," \
	"libcap-devel (dnf, zypper) or libcap (pacman)"
exit 0
