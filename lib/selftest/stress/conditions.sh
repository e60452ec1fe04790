#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run a command under a condition:
#
#     conditions.sh NAME COMMAND...
#
# The caller is in a mount namespace of its own (check.sh makes one): nothing
# that is mounted here is seen by others. Exit status 77: this condition is not
# to be had here; the output says why.
#
# From the environment: top (the collection), scratch (a directory that is not
# below /tmp), filter (the program of filter.c), limit (seconds).
#
# shellcheck disable=SC2154 # see above
# shellcheck disable=SC3045 # dash, busybox and bash know these limits
# shellcheck disable=SC2016,SC2317 # inner shells; functions called by name

cannot() # TEXT
{
	echo "$*"
	exit 77
}

needs_command() # COMMAND...
{
	for command; do
		command -v "$command" >/dev/null 2>&1 || cannot "needs $command"
	done
}

needs_root()
{
	[ "$(id -u)" = 0 ] || cannot "needs root"
}

# --- company ------------------------------------------------------------------

# The command beside a program that makes the machine busy; it ends with us.
beside() # COMPANY... -- COMMAND...
{
	company=''
	while [ "$1" != -- ]; do
		company="$company $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	$company >/dev/null 2>&1 </dev/null &
	beside=$!
	trap 'kill $beside 2>/dev/null; wait $beside' EXIT
	trap 'exit 1' HUP INT TERM
	"$@"
	exit
}

in_load()
{
	needs_command stress-ng
	beside stress-ng --cpu 3 --fork 2 --timeout "$limit" -- "$@"
}

# Makes a cgroup with a limit. Sets group.
make_cgroup() # CONTROLLER FILE_V1 FILE_V2 VALUE
{
	needs_root
	for mount in "/sys/fs/cgroup/$1" /sys/fs/cgroup /sys/fs/cgroup/unified; do
		group=$mount/selftests_stress.$$
		mkdir "$group" 2>/dev/null || continue
		for file in "$2" "$3"; do
			[ -e "$group/$file" ] || continue
			(echo "$4" >"$group/$file") 2>/dev/null || continue
			trap remove_cgroup EXIT
			trap 'exit 1' HUP INT TERM
			return
		done
		rmdir "$group"
	done
	cannot "needs the cgroup controller $1"
}

# A process that was collected just now still counts for a moment.
remove_cgroup()
{
	if [ -n "${beside:-}" ]; then
		kill "$beside" 2>/dev/null
		wait "$beside"
	fi
	for _ in 1 2 3 4 5; do
		rmdir "$group" 2>/dev/null && return
		sleep 1
	done
	echo "cannot remove $group"
}

enter='echo $$ >"$0/cgroup.procs" && exec "$@"'

in_cgroup() # COMMAND...
{
	sh -c "$enter" "$group" "$@"
}

# Reclaim all the time: others take most of what may be in memory.
in_memory_pressure()
{
	needs_command stress-ng
	make_cgroup memory memory.limit_in_bytes memory.max 700M
	# Not a function: $! would be a shell, and who kills that kills no more.
	sh -c "$enter" "$group" stress-ng --vm 1 --vm-bytes 400M --vm-keep --hdd 1 \
		--hdd-bytes 300M --temp-path "$scratch" --timeout "$limit" \
		>/dev/null 2>&1 </dev/null &
	beside=$!
	in_cgroup "$@"
	exit
}

# --- limits -------------------------------------------------------------------

in_pids_100()
{
	make_cgroup pids pids.max pids.max 100
	in_cgroup "$@"
	exit
}

in_pids_30()
{
	make_cgroup pids pids.max pids.max 30
	in_cgroup "$@"
	exit
}

in_nproc()
{
	needs_command prlimit
	exec prlimit --nproc=80 "$@"
}

in_nofile()
{
	ulimit -n 40
	exec "$@"
}

in_stack()
{
	ulimit -s 128
	exec "$@"
}

in_stack_unlimited()
{
	ulimit -s unlimited 2>/dev/null || cannot "needs a higher hard limit"
	exec "$@"
}

in_virtual_memory()
{
	ulimit -v 200000
	exec "$@"
}

# --- file systems -------------------------------------------------------------

# Another /tmp; if the collection lies below the old one, it is in the new, too.
cover_tmp() # OPTIONS
{
	needs_root
	exec 3<"$top"
	mount -t tmpfs -o mode=1777 none /tmp || exit 1
	case $top in
	/tmp/*)
		mkdir -p "$top"
		mount --no-canonicalize --bind "/proc/self/fd/3" "$top" ||
			exit 1 ;;
	esac
	exec 3<&-
	mount -o "remount,$1" none /tmp || exit 1
	cd "$top" || exit 1
}

in_private_tmp() # what check.sh puts itself into
{
	cover_tmp rw
	for dir in /dev/shm /var/tmp; do
		[ ! -d $dir ] || mount -t tmpfs -o mode=1777 none $dir || exit 1
	done
	exec "$@"
}

in_tmp_read_only()
{
	cover_tmp ro
	exec "$@"
}

in_tmp_noexec()
{
	cover_tmp noexec
	exec "$@"
}

# The results go there: see check.sh.
in_disk_full()
{
	needs_root
	mkdir -p "$scratch/disk"
	mount -t tmpfs -o size=32k none "$scratch/disk" || exit 1
	exec "$@"
}

in_disk_full_later()
{
	needs_root
	mkdir -p "$scratch/disk"
	mount -t tmpfs -o size=4m none "$scratch/disk" || exit 1
	while [ ! -s "$scratch/disk/results.ndjson" ]; do
		sleep 0.1
	done && cat /dev/zero >"$scratch/disk/filler" 2>/dev/null &
	beside=$!
	trap 'kill $beside 2>/dev/null' EXIT
	"$@"
	exit
}

in_no_proc()
{
	needs_root
	mount -t tmpfs -o ro none /proc || exit 1
	exec "$@"
}

in_no_sys()
{
	needs_root
	mount -t tmpfs -o ro none /sys || exit 1
	exec "$@"
}

# Options of procfs are those of the mount since 5.8, before of all of them.
in_hidepid()
{
	needs_root
	case $(uname -r) in
	[1-4].* | 5.[0-7].*) cannot "needs procfs with options per mount" ;;
	esac
	mount -t proc -o hidepid=2 none /proc || exit 1
	exec "$@"
}

# --- system calls -------------------------------------------------------------

in_clone3_enosys() { exec "$filter" clone3=ENOSYS -- "$@"; }
in_clone3_eperm() { exec "$filter" clone3=EPERM -- "$@"; }
in_unshare_eperm() { exec "$filter" unshare=EPERM -- "$@"; }
in_setns_eperm() { exec "$filter" setns=EPERM -- "$@"; }
in_userns_eacces() { exec "$filter" userns=EACCES -- "$@"; }

in_container()
{
	exec "$filter" clone3=ENOSYS unshare=EPERM setns=EPERM clone=EPERM -- "$@"
}

in_no_userns()
{
	needs_command unshare
	exec unshare --user --map-root-user sh -c \
		'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
}

# --- programs and settings ----------------------------------------------------

# All programs but those; the first of a name in PATH is the one.
link_programs_but() # PATTERN
{
	mkdir -p "$scratch/bin"
	echo "$PATH" | tr : '\n' | while read -r dir; do
		for program in "$dir"/*; do
			name=${program##*/}
			# shellcheck disable=SC2254 # patterns
			case $name in
			perl* | python* | pypy* | gnuplot*) continue ;;
			esac
			[ -e "$scratch/bin/$name" ] || [ ! -x "$program" ] ||
				ln -s "$program" "$scratch/bin/$name"
		done
	done
}

in_no_perl()
{
	link_programs_but
	PATH=$scratch/bin exec "$@"
}

# Also for scripts that say #!/bin/sh.
in_busybox()
{
	needs_command busybox
	needs_root
	mkdir -p "$scratch/busybox"
	busybox --install -s "$scratch/busybox"
	mount --bind "$(command -v busybox)" "$(readlink -f /bin/sh)" || exit 1
	# make and gcc look at what they use themselves.
	PATH=$scratch/busybox:$PATH exec "$@"
}

in_locale()
{
	needs_command localedef
	for name in tr_TR de_DE; do
		localedef -i "$name" -f UTF-8 "$scratch/$name.UTF-8" \
			>/dev/null 2>&1 || cannot "needs the locale $name"
	done
	LOCPATH=$scratch LC_ALL=tr_TR.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de exec "$@"
}

in_time_zone()
{
	TZ='XXX-13:37:42YYY,J60/0,J300/0' exec "$@"
}

# --- moments ------------------------------------------------------------------

# As with Ctrl-Z and fg: what belongs to the process group stands still.
in_stopped()
{
	needs_command setsid
	setsid "$@" &
	run=$!
	while sleep 2 && kill -STOP -$run; do
		sleep 1
		kill -CONT -$run
	done 2>/dev/null &
	beside=$!
	trap 'kill $beside; kill -CONT -$run; kill -TERM -$run; exit 1' HUP INT TERM
	wait $run
	rc=$?
	kill $beside
	exit $rc
}

# As when a container is paused: everything stands still.
in_frozen()
{
	make_cgroup freezer cgroup.freeze cgroup.freeze 0
	# Shorter and longer than what tests wait for.
	while :; do
		for still in 0.01 0.1 0.01 1; do
			sleep 0.2 && echo 1 >"$group/cgroup.freeze" || exit
			sleep $still
			echo 0 >"$group/cgroup.freeze"
		done
	done 2>/dev/null &
	beside=$!
	in_cgroup "$@"
	exit
}

in_clock_stepped()
{
	[ "${SELFTESTS_VM:-}" = 1 ] || cannot "needs a machine that may be disturbed"
	needs_root
	offset=5
	while date -s "@$(($(date +%s) + offset))" >/dev/null; do
		offset=$((-offset))
		sleep 1
	done &
	beside=$!
	trap 'kill $beside 2>/dev/null; wait $beside' EXIT
	"$@"
	exit
}

in_plain() { exec "$@"; }

name=$1
shift
"in_$name" "$@"
