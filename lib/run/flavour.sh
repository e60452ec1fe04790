#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run a command in other surroundings:
#
#     flavour.sh NAME COMMAND...
#
#   userns   as root of a new user namespace, which has no other user
#   pidns    in a new pid namespace
#   deeppid  in the 27th of nested pid namespaces; the kernel allows 32
#   timens   in a time namespace, a day ahead, and a week since the boot
#   user     as an ordinary user
#   onecpu   on one CPU only

# The first process of a pid namespace is not killed by its own signals, so it is
# not the command: it only waits.
in_pid_namespace() # COMMAND...
{
	# shellcheck disable=SC2016 # for the inner shell
	exec unshare --pid --fork --kill-child --mount-proc \
		sh -c '"$@"; exit $?' sh "$@"
}

nest() # LEVELS COMMAND...
{
	levels=$(($1 - 1))
	shift
	[ "$levels" -gt 0 ] || in_pid_namespace "$@"
	exec unshare --pid --fork --kill-child sh "$0" nest "$levels" "$@"
}

name=$1
shift
case $name in
userns)
	exec unshare --user --map-root-user "$@" ;;
pidns)
	in_pid_namespace "$@" ;;
deeppid)
	nest 27 "$@" ;;
nest) # of ourselves only
	nest "$@" ;;
timens)
	exec unshare --time --fork --kill-child --monotonic 86400 \
		--boottime 604800 "$@" ;;
user)
	exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@" ;;
onecpu)
	cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
		/proc/self/status)
	exec taskset -c "$cpu" "$@" ;;
*)
	echo "no flavour $name" >&2
	exit 99 ;;
esac
