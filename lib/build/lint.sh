#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a reviewer should not have to look for. Prints TAP, one result a check.
#
#     lint.sh KERNEL      KERNEL has scripts/checkpatch.pl (the harness copy has)
#
# Exit status: 0 nothing found, 1 something; a tool that is not installed makes
# its check a skip.
#
# shellcheck disable=SC2317 # the checks are called by check()
# shellcheck disable=SC2016 # awk and inner shells expand for themselves

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
cd "$top" || exit 1
kernel=$1
tests='_\(test\|perf\)\.c$'
formatter=14	# the clang-format that judges; others break lines elsewhere

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

count=0
failed=0

# check NAME COMMAND...: silence and 0 is good; 77 is a skip, the output says why
check()
{
	name=$1
	shift
	count=$((count + 1))
	"$@" >"$tmp/out" 2>&1
	ret=$?
	if [ "$ret" -eq 77 ]; then
		echo "ok $count $name # SKIP $(cat "$tmp/out")"
	elif [ "$ret" -eq 0 ] && [ ! -s "$tmp/out" ]; then
		echo "ok $count $name"
	else
		sed 's/^/# /' "$tmp/out"
		echo "not ok $count $name"
		failed=1
	fi
}

installed()
{
	command -v "$1" >/dev/null && return
	echo "$1 is not installed"
	return 1
}

sources()
{
	find . -name '.?*' -prune -o -path ./kselftest_install -prune -o \
		-path ./results -prune -o -type f "$@" -print | sort
}

c_files()
{
	sources -name '*.c'
}

c_and_h_files()
{
	sources -name '*.[ch]'
}

test_files()
{
	ls pidns/*_test.c pidns/*_perf.c timens/*_test.c timens/*_perf.c \
		fork/*_test.c fork/*_perf.c 2>/dev/null
}

sh_files()
{
	sources -name '*.sh'
	find . -path './.git' -prune -o -path './.harness*' -prune -o -type f \
		! -name '*.sh' -size -200k -exec awk '
			FNR == 1 && /^#!.*\/(ba|da)?sh( |$)/ { print FILENAME }
			FNR > 1 { nextfile }' {} +
}

# Gives COMMAND its files in portions of N, one portion to each processor.
shared() # N COMMAND... <FILES
{
	portion=$1
	shift
	xargs -n "$portion" -P "$(nproc)" "$@"
}

# --- programs that judge ------------------------------------------------------

# Advice that holds only inside the kernel: its own types and macros, no libc
# names such as ElfW, no signal handlers, whose flags are volatile sig_atomic_t, and
# no use for ENOSYS but as the answer of a system call.
kernel_only=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,PREFER_ALIGNED
kernel_only=$kernel_only,PREFER_PRINTF,BIT_MACRO,ARRAY_SIZE,SSCANF_TO_KSTRTO
kernel_only=$kernel_only,ARCH_DEFINES,CAMELCASE,ENOSYS,VOLATILE

checkpatch()
{
	installed perl || return 77
	[ -f "$kernel/scripts/checkpatch.pl" ] || {
		echo "checkpatch.pl is not in $kernel"
		return 77
	}
	perl -MTerm::ANSIColor -e 1 2>/dev/null || {
		echo "perl has no Term::ANSIColor"
		return 77
	}
	c_and_h_files | shared 30 perl "$kernel/scripts/checkpatch.pl" --no-tree \
		--strict --terse --quiet --no-summary --show-types \
		--ignore "$kernel_only" -f 2>&1 | grep -v 'git: not found'
	return 0
}

formatted()
{
	installed clang-format || return 77
	version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
	if [ "$version" != "$formatter" ]; then
		echo "clang-format is $version, not $formatter"
		return 77
	fi
	c_and_h_files | xargs clang-format --dry-run -Werror
}

shellchecked()
{
	installed shellcheck || return 77
	sh_files | xargs shellcheck
}

shells_agree()
{
	for shell in dash "busybox ash"; do
		command -v "${shell%% *}" >/dev/null || continue
		for f in $(sources -name '*.sh'); do
			head -n 1 "$f" | grep -q bash && continue
			$shell -n "$f"
		done
	done
}

# Each file alone, at the optimisation of the build: some warnings of gcc need
# it. Two warnings are off as in the kernel: callbacks need not use all they are
# given, rows of a table need not fill the columns at their end.
compiles() # COMPILER [FLAGS...] <FILES
{
	installed "$1" || return 77
	export flags="$* -std=gnu11 -O2 -Wall -Wextra -Wshadow -Wstrict-prototypes
		-Wno-unused-parameter -Wno-missing-field-initializers -Werror -D_GNU_SOURCE=
		-Ilib -Ilib/perf -isystem $kernel/tools/testing/selftests"
	xargs -P "$(nproc)" -I FILE sh -c \
		'$flags -I"$(dirname FILE)" -c FILE -o /dev/null || exit 1' 2>&1
}

# Everything is static or declared, but for functions that the harness of some
# releases makes.
with_gcc()
{
	c_files | grep -v "$tests" | compiles gcc -Wmissing-prototypes
	c_files | grep "$tests" | compiles gcc
}

# What is also built for 32 bits: probes and what they are linked with.
with_gcc_32()
{
	if ! "$top/lib/build/toolchain.sh" -try gcc -m32; then
		echo "gcc -m32 makes no programs here"
		return 77
	fi
	c_files | grep -v -e '^./lib/run/' -e '^./lib/selftest/' -e "$tests" |
		compiles gcc -m32
}

with_clang()
{
	c_files | compiles clang -fsyntax-only
}

# --- our own rules ------------------------------------------------------------

# A skip names a constant of lib/needs.h; "%s" hands on the reason of a child.
skip_reasons()
{
	c_and_h_files | grep -v '^./lib/needs.h$' | xargs awk '
		FNR == 1 { while ((getline line < "lib/needs.h") > 0)
				if (split(line, w, " ") > 1 && w[1] == "#define")
					need[w[2]] = 1 }
		/"needs / { print FILENAME ":" FNR ": a reason not in lib/needs.h" }
		/(^|[^A-Z_])SKIP\(/ { open = $0; start = FNR }
		open != "" && FNR > start { open = open $0 }
		open != "" && /\)[ ;{]*$/ {
			if (split(open, arg, /SKIP\([^,]*,[ \t]*/) > 1) {
				word = arg[2]
				sub(/[),].*/, "", word)
				if (!(word in need) && word != "\"%s\"")
					print FILENAME ":" start ": SKIP " word
			}
			open = ""
		}'
}

# run_all.sh reads these words, and so do people.
headers()
{
	for f in $(test_files); do
		for word in Promises Needs; do
			head -n 60 "$f" | grep -q "^ \* $word: *[^ ]" ||
				echo "$f: no \"$word:\" in the comment at its head"
		done
	done
}

# Some CI systems search the whole output for these.
forbidden_words()
{
	c_and_h_files | xargs grep -nE '"[^"]*(FAIL:|\[FAIL\]|SKIP:|\[OK\])'
	sh_files | xargs grep -nE '(echo|printf) .*(FAIL:|\[FAIL\]|SKIP:|\[OK\])'
	return 0
}

# lib/ knows no harness, save its expect headers.
lib_is_apart()
{
	grep -nE 'include .*kselftest|include .*expect\.h|_metadata' lib/*.c lib/perf/*.c
	return 0
}

# The top config is the union, and says what each option is for.
config_union()
{
	for f in pidns timens fork; do
		grep -h '^CONFIG_' "$f/config"
	done | sort -u >"$tmp/parts"
	grep '^CONFIG_' config | sort -u >"$tmp/union"
	comm -23 "$tmp/parts" "$tmp/union" | sed 's/$/ is not in config/'
}

clean_text()
{
	sources ! -name COPYING ! -name '*.o' ! -name '*.a' -size -200k |
		xargs grep -InE '[ 	]+$'
	return 0
}

# Sizes are advice, not a verdict.
sizes()
{
	c_and_h_files | xargs wc -l | awk '$1 > 250 && $2 != "total" {
		print "# long: " $2 " has " $1 " lines, advised are 250" }'
	c_files | xargs awk '
		FNR == 1 { start = 0 }
		/^{/ { start = FNR; name = before }
		/^}/ && start { if (FNR - start - 1 > 40)
			print "# long: " FILENAME ": " name " has " FNR - start - 1 \
				" lines, advised are 40"
			start = 0 }
		{ before = $0 }'
}

echo "TAP version 13"
check "checkpatch.pl --strict" checkpatch
check "clang-format" formatted
check "shellcheck" shellchecked
check "dash and busybox can parse the scripts" shells_agree
check "gcc, no warnings" with_gcc
check "gcc -m32, no warnings" with_gcc_32
check "clang, no warnings" with_clang
check "skips name a constant of lib/needs.h" skip_reasons
check "tests say what they promise and need" headers
check "no words that CI systems search for" forbidden_words
check "lib/*.c knows no harness" lib_is_apart
check "config has what the directories need" config_union
check "no blanks at the ends of lines" clean_text
sizes
echo "1..$count"
exit "$failed"
