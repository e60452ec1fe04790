#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does "git bisect run run_all.sh --build ." name the commit that broke a kernel?
#
#     check_bisect.sh [VARIANT]...    wrong panic hang gap; all without arguments
#
# Makes histories of sixteen harmless changes and one fault, the same place for
# none two of them, and lets git look for it. "gap" has commits, too, that do not
# build. From the environment: KSRC (a kernel tree that nothing was built in, or
# linux-source-*.tar.*), TREE (where to work, instead of the cache). Prints TAP;
# exit status 0 if every fault was found.

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/selftests
tree=${TREE:-$cache/bisect}
victim=kernel/sys.c
harmless=kernel/utsname.c
program=pidns/identity_test
number=0 failed=0

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

die()
{
	echo "Bail out! $*"
	exit 1
}

# Files that git replaces may be links to those of the tree: nothing is written
# through them.
prepare_tree()
{
	[ ! -f "$tree/$victim" ] || return 0
	[ -n "${KSRC:-}" ] || fetch_source
	mkdir -p "$tree" || die "cannot write $tree"
	if [ -d "$KSRC" ]; then
		cp -al "$KSRC/." "$tree" 2>/dev/null ||
			cp -a "$KSRC/." "$tree" || die "cannot copy $KSRC"
	else
		tar -x -f "$KSRC" -C "$tree" --strip-components=1 ||
			die "cannot unpack $KSRC"
	fi
	[ -f "$tree/$victim" ] || die "$KSRC is not the source of a kernel"
}

fetch_source()
{
	package=$(apt-cache search --names-only '^linux-source-[0-9.]+$' |
		cut -d ' ' -f 1 | sort -V | tail -n 1)
	[ -n "$package" ] || die "give a kernel tree or archive: KSRC=<path>"
	(cd "$tmp" && apt-get -qq -o APT::Sandbox::User=root download \
		"$package") >/dev/null 2>&1 || die "cannot download $package"
	dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -x -f - -C "$tmp" &&
		rm "$tmp"/*.deb
	for KSRC in "$tmp"/usr/src/linux-source-*.tar.*; do
		:
	done
}

in_tree()
{
	git -C "$tree" -c user.name=selftests -c user.email=selftests \
		-c commit.gpgsign=false -c advice.detachedHead=false "$@"
}

# Only what changes is in the history: the rest of a kernel takes minutes to add.
begin_history()
{
	rm -rf "$tree/.git"
	for file in $victim $harmless; do
		[ -f "$tmp/${file##*/}" ] || cp "$tree/$file" "$tmp/"
		rm "$tree/$file"
		cp "$tmp/${file##*/}" "$tree/$file"
	done
	in_tree init -q -b main
	in_tree add -f $victim $harmless
	in_tree commit -q -m 'as released'
	in_tree tag good
}

change_nothing() # NUMBER
{
	file=$victim
	[ $(($1 % 3)) -eq 0 ] || file=$harmless
	echo "/* change $1 */" >>"$tree/$file"
}

# getppid(2), in another pid namespace than the first.
break_kernel() # VARIANT
{
	case $1 in
	wrong | gap) fault='pid += task_active_pid_ns(current)->level;' ;;
	panic) fault='if (task_active_pid_ns(current)->level) panic("bisect me");' ;;
	hang) fault='while (task_active_pid_ns(current)->level) cpu_relax();' ;;
	esac
	FAULT=$fault awk '/^SYSCALL_DEFINE0\(getppid\)/ { inside = 1 }
		inside && /return pid;/ { print "\t" ENVIRON["FAULT"]; inside = 0 }
		{ print }' "$tree/$victim" >"$tmp/broken"
	cmp -s "$tmp/broken" "$tree/$victim" && die "cannot break $victim"
	cp "$tmp/broken" "$tree/$victim"
}

make_history() # VARIANT CULPRIT: sets culprit
{
	i=0
	while [ $i -lt 17 ]; do
		i=$((i + 1))
		text="change $i"
		if [ $i -eq "$2" ]; then
			break_kernel "$1"
		else
			change_nothing $i
		fi
		# Some commits in the second half of what git tries do not build.
		case $1:$((i - $2)) in
		gap:3) echo '#error half a change' >>"$tree/$victim" ;;
		gap:5) sed -i '/^#error half/d' "$tree/$victim" ;;
		esac
		in_tree commit -q -a -m "$text"
		[ $i -ne "$2" ] || culprit=$(in_tree rev-parse HEAD)
	done
}

bisect() # VARIANT CULPRIT
{
	number=$((number + 1))
	begin_history
	make_history "$1" "$2"
	start=$(date +%s)
	in_tree bisect start HEAD good >"$tmp/log" 2>&1
	(cd "$tree" && git bisect run "$top/run_all.sh" -o "$tmp/results" \
		--build . --timeout 30 --slow 1 -q $program) >>"$tmp/log" 2>&1
	took="$(($(date +%s) - start)) s"
	if grep -q "^$culprit is the first bad commit" "$tmp/log"; then
		echo "ok $number $1: commit $2 of 17 was found"
	else
		failed=1
		tail -n 60 "$tmp/log" | awk '{ print "# " $0 }'
		echo "not ok $number $1: commit $2 of 17 was not found"
	fi
	echo "# $1: $took, $(grep -c '^running ' "$tmp/log") kernels"
}

[ $# -gt 0 ] || set -- wrong panic hang gap
echo "TAP version 13"
echo "1..$#"
command -v git >/dev/null || die "needs git"
prepare_tree
for variant; do
	case $variant in
	wrong) bisect wrong 11 ;;
	panic) bisect panic 6 ;;
	hang) bisect hang 14 ;;
	gap) bisect gap 5 ;;
	*) die "there is no variant $variant, only: wrong panic hang gap" ;;
	esac
done
[ "$failed" -eq 0 ]
