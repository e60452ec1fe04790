#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2034,SC2153 # variables are for env.sh
#
# Runs in the virtual machine: prints what env.sh finds there, as env.txt. The
# host tells what only it knows: COMMAND, COMMIT, VIRTUAL, SLOW.

here=/selftests
top=$here
# shellcheck source=lib/run/env.sh
. "$here/env.sh"
read_environment
command_line=$COMMAND commit=$COMMIT virtual=$VIRTUAL opt_slow=$SLOW
room=$("$here/supervise" -n 64)
print_environment
