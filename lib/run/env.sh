# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Facts about this machine that qualify a result.

# Not with read: a shell reads byte by byte, and files of /proc/sys give all at
# once or nothing.
first_line() # FILE
{
	fact=$(sed 1q "$1" 2>/dev/null)
	printf '%s' "${fact:-unknown}"
}

# The machine; for what runs on it, see container.
virtualisation()
{
	if command -v systemd-detect-virt >/dev/null 2>&1; then
		systemd-detect-virt --vm 2>/dev/null
	elif grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null; then
		first_line /sys/class/dmi/id/product_name
	elif [ -r /proc/cpuinfo ]; then
		echo none
	else
		echo unknown
	fi
}

container()
{
	if command -v systemd-detect-virt >/dev/null 2>&1; then
		systemd-detect-virt --container 2>/dev/null
	else
		echo unknown
	fi
}

# A short name for the configuration of the kernel, to compare two of them.
config_hash()
{
	if [ -r /proc/config.gz ]; then
		gzip -dc /proc/config.gz | cksum
	elif [ -r "/boot/config-$kernel_release" ]; then
		cksum <"/boot/config-$kernel_release"
	else
		echo unknown
	fi | cut -d ' ' -f 1
}

suite_commit()
{
	commit=$(git -C "$top" describe --always --dirty --abbrev=12 \
		--exclude '*' 2>/dev/null)
	printf '%s' "${commit:-unknown}"
}

# Sets what the first lines of the output need.
read_environment()
{
	kernel_release=$(uname -r)
	machine=$(uname -m)
	cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc 2>/dev/null)
	clock_source=$(first_line \
		/sys/devices/system/clocksource/clocksource0/current_clocksource)
	virtual=$(virtualisation)
	contained=$(container)
	old_taint=$(first_line /proc/sys/kernel/tainted)
	commit=$(suite_commit)
}

one_line_environment()
{
	printf 'kernel %s %s, %s cpus, %s, clocksource %s, taint %s, suite %s' \
		"$kernel_release" "$machine" "${cpus:-unknown}" \
		"$(one_line_place)" "$clock_source" "$old_taint" "$commit"
}

one_line_place()
{
	printf '%s' "${virtual:-unknown}"
	case $contained in
	none | unknown | '') ;;
	*) printf ', in %s' "$contained" ;;
	esac
}

namespace_links()
{
	for name in cgroup ipc mnt net pid time user uts; do
		printf ' %s' "$(readlink "/proc/self/ns/$name" 2>/dev/null ||
			echo "$name:none")"
	done
}

# The contents of env.txt: one "name: value" a line.
print_environment()
{
	if [ -n "${opt_kernel:-}" ]; then
		print_guest_environment
		return
	fi
	echo "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
	echo "command: $command_line"
	echo "suite: $commit"
	echo "kernel: $kernel_release"
	echo "version: $(uname -v)"
	echo "machine: $machine"
	echo "config: $(config_hash)"
	echo "cmdline: $(first_line /proc/cmdline)"
	echo "cpus: ${cpus:-unknown}"
	echo "virtualisation: ${virtual:-unknown}"
	echo "container: ${contained:-unknown}"
	echo "clocksource: $clock_source"
	echo "governor: $(first_line \
		/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)"
	echo "load: $(first_line /proc/loadavg)"
	echo "taint: $old_taint"
	echo "boot: $(first_line /proc/sys/kernel/random/boot_id)"
	echo "uid: $(id -u)"
	echo "namespaces:$(namespace_links)"
	echo "pid_max: $(first_line /proc/sys/kernel/pid_max)"
	echo "limit_processes: $(sed -n 's/^Max processes *\([^ ]*\).*/\1/p' \
		/proc/self/limits 2>/dev/null)"
	echo "room_processes: $room"
	echo "slow: $opt_slow"
	[ -z "$opt_shard" ] || echo "shard: $opt_shard"
	[ -z "$opt_flavours" ] || echo "flavours:$opt_flavours"
	[ -z "$seed" ] || echo "seed: $seed"
}

# Is there a /proc, and does it show this pid namespace?
proc_is_ours()
{
	pid=''
	{ read -r pid _ </proc/self/stat; } 2>/dev/null
	[ "$pid" = $$ ]
}

proc_is_writable()
{
	! awk '$2 == "/proc" { options = $4 }
		END { exit options !~ /^ro(,|$)/ }' /proc/self/mounts 2>/dev/null
}

# Milliseconds since mark_start, as well as a shell can tell.
mark_start() { started_cs=$(centiseconds); }
elapsed_ms() { echo $((($(centiseconds) - started_cs) * 10)); }

centiseconds()
{
	up=''
	{ read -r up _ </proc/uptime; } 2>/dev/null
	if [ -n "$up" ]; then
		echo "${up%.*}${up#*.}"
	else
		date +%s00
	fi
}
