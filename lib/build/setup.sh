#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
exec "$top/lib/build/harness.sh" "${KSRC:?}" "$top/.harness"
