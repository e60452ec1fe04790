# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Which part of the programs runs here (--shard), and in which order (--shuffle).

# Leaves in programs the share of this machine. All machines must come to the
# same division, so only what comes with the collection may decide about it.
take_shard()
{
	[ -n "$opt_shard" ] || return 0
	programs=$(printf '%s\n' "$programs" |
		SHARD=$opt_shard DURATIONS=$top/lib/durations.list LC_ALL=C \
		awk -f "$here/shard.awk")
	[ -n "$programs" ] || usage_error \
		"nothing is left for shard $opt_shard: there are fewer programs"
}

# Sets seed.
choose_seed()
{
	seed=''
	[ -n "$opt_shuffle" ] || return 0
	seed=$opt_shuffle
	[ "$seed" = any ] || return 0
	seed=$(od -An -N3 -tu4 /dev/urandom 2>/dev/null | tr -d ' ')
	seed=${seed:-$(date +%s)}
}

# Prints programs in the order of this round: that of seed in the first, of
# seed + 1 in the second.
ordered_programs()
{
	if [ -z "$seed" ]; then
		printf '%s\n' "$programs"
	else
		printf '%s\n' "$programs" |
			SEED=$((seed + round - 1)) awk -f "$here/shuffle.awk"
	fi
}
