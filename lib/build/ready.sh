#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Say in one line why nothing can be built with the harness in KSFT:
#
#     ready.sh KSFT KSRC DIRECTORY...
#
# KSFT is tools/testing/selftests of the kernel tree we lie in, or of our copy,
# which is made anew from KSRC when that is not empty.

ksft=$1
ksrc=$2
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1

case $ksft in
"$top"/.harness/*)
	[ -z "$ksrc" ] || "$top/lib/build/harness.sh" "$ksrc" "$top/.harness" ||
		exit 1
	;;
esac

if [ ! -f "$ksft/kselftest/runner.sh" ]; then
	echo "build: no kselftest harness yet: run \"make setup\" in $top" >&2
	exit 1
fi

for d in "$@"; do
	[ -f "$ksft/$d/Makefile" ] && continue
	echo "build: no directory of tests called $d" \
		"(TARGETS=; after an update, \"make setup\" again)" >&2
	exit 1
done
