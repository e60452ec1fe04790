# SPDX-License-Identifier: GPL-2.0
#
# With glob.awk: of the names on stdin, those that $WANT and $EXCLUDE leave.

BEGIN { filter_tests() }
