#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Put run_all.sh and its parts beside installed programs, so that it runs there
# without sources, make or compiler:
#
#     install.sh DIRECTORY COMPILER [FLAGS...]

dir=$1
shift
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1

set -e
mkdir -p "$dir/lib/run/formats" "$dir/lib/run/costs"
cp "$top/run_all.sh" "$dir/"
cp "$top/lib/known.list" "$top/lib/durations.list" "$dir/lib/"
cp "$top"/lib/run/*.sh "$top"/lib/run/*.awk "$dir/lib/run/"
cp "$top"/lib/run/formats/*.awk "$top"/lib/run/formats/page.* \
	"$dir/lib/run/formats/"
cp "$top"/lib/run/costs/*.awk "$dir/lib/run/costs/"
"$@" -std=gnu11 -O2 -D_GNU_SOURCE= -o "$dir/lib/run/supervise" "$top"/lib/run/*.c
