#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Other surroundings: are programs really in them, and do names tell it?

# shellcheck disable=SC2016 # for the programs
# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

# A program that tells where it is.
mkdir "$tmp/where"
cat >"$tmp/where/here_test.sh" <<'END'
#!/bin/sh
printf 'TAP version 13\n1..1\n'
echo "# uid $(id -u) map $(wc -l </proc/self/uid_map) \
pid1 $(tr '\0' ' ' </proc/1/cmdline | cut -c 1-5) \
cpus $(nproc) up $(cut -d . -f 1 /proc/uptime) \
user $(readlink /proc/self/ns/user) pidns $(readlink /proc/self/ns/pid)"
echo "not ok 1 global.here"
exit 1
END
chmod 755 "$tmp/where/here_test.sh"

# Sets told, or returns 1 and says so where the flavour cannot be had.
in_flavour() # NAME
{
	if ! "$top/lib/run/flavour.sh" "$1" true 2>/dev/null; then
		skip_test "the flavour $1" "needs root or more namespaces"
		return 1
	fi
	run_into_results --flavour "$1" --suite "$tmp/where"
	rc_is 1
	told=$(sed -n 's/^  # uid /uid /p' "$tmp/results/results.ktap")
	ktap_has "^not ok 1 $1.where.here_test # exit=1\$"
	json_has "\"path\":\"$1.where.here_test.global.here\",.*\"flavour\":\"$1\""
	out_has "^not ok 1 selftests: $1.where: here_test # exit=1\$"
	out_has "^# rerun: .* --flavour $1 .*-v where/here_test:global.here\$"
	[ -e "$tmp/results/logs/$1.where.here_test.log" ] || problem "no log"
}
told_like() # PATTERN
{
	# shellcheck disable=SC2254 # it is a pattern
	case $told in
	$1) ;;
	*) problem "it is in: $told" ;;
	esac
}

if in_flavour userns; then
	told_like "uid 0 *"
	case $told in
	*"$(readlink /proc/self/ns/user)"*) problem "no new namespace" ;;
	esac
	test_is "the flavour userns"
fi
if in_flavour pidns; then
	told_like "* pid1 sh -c *"
	test_is "the flavour pidns"
fi
if in_flavour deeppid; then
	told_like "* pid1 sh -c *"
	test_is "the flavour deeppid"
fi
if in_flavour timens; then
	up=$(cut -d . -f 1 /proc/uptime)
	inside=${told#* up }
	inside=${inside%% *}
	[ "$inside" -gt $((up + 604000)) ] || problem "up $inside"
	test_is "the flavour timens"
fi
if in_flavour user; then
	told_like "uid 65534 *"
	test_is "the flavour user"
fi
if in_flavour onecpu; then
	told_like "* cpus 1 *"
	test_is "the flavour onecpu"
fi

run_into_results --flavour plain --flavour onecpu --repeat 2 \
	--suite "$tmp/where"
ktap_has '^1..4$'
ktap_has '^not ok 1 where.here_test'
ktap_has '^not ok 2 onecpu.where.here_test'
ktap_has '^not ok 4 onecpu.where.here_test'
has "$tmp/results/env.txt" '^flavours: plain onecpu$'
out_has '^# failed: onecpu.where/here_test:global.here (2 of 2 times)$'
test_is "--flavour may be repeated"

# The list of known failures means a test in all surroundings.
printf 'where/here_test:global.here\n  fix: none\n  since: never\n  why: so\n' \
	>"$tmp/list"
run_into_results --flavour onecpu --known "$tmp/list" --suite "$tmp/where"
rc_is 0
ktap_has '^  ok 1 global.here # XFAIL so$'
test_is "known failures are known in every flavour"

run --flavour strawberry --suite "$tmp/where"
rc_is 129
err_has 'there is no flavour "strawberry"'
mkdir "$tmp/path"
for tool in unshare taskset setpriv; do
	printf '#!/bin/sh\necho "no %s today" >&2\nexit 1\n' $tool \
		>"$tmp/path/$tool"
	chmod 755 "$tmp/path/$tool"
done
PATH=$tmp/path:$PATH run --flavour onecpu --suite "$tmp/where"
rc_is 129
err_has 'the flavour onecpu is not to be had here: no taskset today'
test_is "a flavour that cannot be had is said, and is not a verdict"

finish
