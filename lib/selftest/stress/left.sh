# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared with check.sh
#
# What a run leaves behind: processes, mounts, files, settings.

# Counters and what changes by itself; also see noisy.
volatile='/(random|pty|ns_last_pid|.*-nr|.*-state|nr_.*|stat_refresh|drop_caches|compact_memory|hostname|tainted|perf_event_max_sample_rate|perf_cpu_time_max_percent)(/|$)'

settings()
{
	find /proc/sys/kernel /proc/sys/fs /proc/sys/vm /proc/sys/user \
		-type f -perm -400 2>/dev/null | grep -vE "$volatile" | sort |
		xargs -r grep -sH '' /dev/null
}

files()
{
	{
		find /tmp /dev/shm /var/tmp -xdev -path "$top" -prune -o -print
		find /sys/fs/cgroup -type d -name 'selftests*'
	} 2>/dev/null | sort
}

# Every descendant inherits the mark, whoever its parent is now.
processes() # MARK
{
	grep -lzs "^SELFTESTS_STRESS=$1\$" /proc/[0-9]*/environ
}

snapshot() # NAME
{
	settings >"$scratch/$1.settings"
	files >"$scratch/$1.files"
	cut -d ' ' -f 4- /proc/self/mountinfo >"$scratch/$1.mounts"
}

differences()
{
	for what in settings mounts; do
		diff "$scratch/before.$what" "$scratch/after.$what" |
			sed -n "s/^[<>] /$what: &/p"
	done
	# What is gone was not ours.
	diff "$scratch/before.files" "$scratch/after.files" |
		sed -n 's/^> /files: &/p'
	for process in $(processes "$1"); do
		echo "process: $process $(tr '\0' ' ' <"${process%environ}cmdline")"
	done
}

# Sets left: how many; says on stdout what. Others on this machine make cgroups
# and change settings as well, for a moment.
find_left() # MARK
{
	for _ in 1 2 3 4; do
		snapshot after
		differences "$1" >"$scratch/left"
		[ -s "$scratch/left" ] || break
		sleep 1
	done
	left=$(grep -c '' "$scratch/left")
	sed 's/^/# left: /' "$scratch/left" | head -n 20
}
