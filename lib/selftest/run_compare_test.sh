#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Several kernels, and --icount: what is refused, what the tables say of results
# that are made up here, and one kernel against itself, where there is one to
# boot: $SELFTESTS_KERNEL, else one that is installed.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

export XDG_CACHE_HOME="${KSFT_OUT:-$tmp}/cache"
unset QEMU BUSYBOX
find_kernel
head -c 514 /dev/zero >"$tmp/x86"
printf HdrS >>"$tmp/x86"

# --- what makes no sense ------------------------------------------------------

refused() # NAME REGEX ARGUMENT...
{
	regex=$2 name=$1
	shift 2
	run -o "$tmp/results" "$@"
	rc_is 129
	err_has "$regex"
	is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
	test_is "$name is refused"
}

refused "a second kernel that is not there" "there is no kernel $tmp/none" \
	--kernel "$tmp/x86" --kernel "$tmp/none"
export QEMU="$tmp/no-qemu"
refused "to compare without qemu" "no-qemu is not installed: package" \
	--kernel "$tmp/x86" --kernel "$tmp/x86"
unset QEMU
refused "a tree that is none" "is not the tree of a kernel" \
	--build "$selftest" --build "$tmp"
refused "to count without a virtual machine" '\-\-icount is for --kernel' --icount
refused "to count on two processors" '\-\-icount counts .* no --smp 2' \
	--icount --kernel "$tmp/x86" --smp 2
refused "to count what is left out" '\-\-icount counts what --no-perf' \
	--icount --kernel "$tmp/x86" --no-perf
rm -rf "$tmp/results"
mkdir "$tmp/results"
: >"$tmp/results/mine"
have qemu-system-x86_64 && have busybox &&
	refused "a directory with other things" "has other things in it" \
		--kernel "$tmp/x86" --kernel "$tmp/x86"
rm -r "$tmp/results"

# --- tables -------------------------------------------------------------------

record() # PATH STATUS [MORE]
{
	printf '{"path":"some.%s","status":"%s"%s}\n' "$1" "$2" "${3:-}"
}

mkdir "$tmp/A" "$tmp/B"
{
	record a_test.same PASS
	record a_test.broken PASS
	record a_test.gone SKIP ',"reason":"needs root"'
} >"$tmp/A/results.ndjson"
{
	record a_test.same PASS
	record a_test.broken FAIL \
		',"log_excerpt":"#  said\n# a_test.c:7:broken:Expected 1 (1) == \"x\" (2)"'
} >"$tmp/B/results.ndjson"
export LETTERS='A B' RECORDS="$tmp/records" FACTS=/dev/null
awk -f "$top/lib/run/formats/record.awk" -f "$top/lib/run/compare.awk" \
	"$tmp/A/results.ndjson" "$tmp/B/results.ndjson" >"$tmp/out"
out_has '^tests that differ, 2 of 3:$'
out_has '^  PASS   FAIL   some/a_test:broken$'
out_has '^    B: a_test.c:7:broken:Expected 1 (1) == "x" (2)$'
out_has '^  SKIP   none   some/a_test:gone$'
out_has_not 'same'
has "$RECORDS" '^{"test":"some/a_test:broken","status":{"A":"PASS","B":"FAIL"},"reason":{"B":"a_test.c:7:'
test_is "tests that differ are told with what they said"

save() # LETTER VIRT INSIDE...
{
	echo "# costs 1"
	echo "run kernel=$1 build=$1 machine=m boot=$1 clocksource=tsc vdso=used virt=$2 debug=none"
	shift 2
	for inside; do
		echo "cost name=some.toy$inside unit=x/op spread=0 outside=100,100,100,100,100,100 inside=$inside,$inside,$inside,$inside,$inside,$inside reference=4,4,4,4,4,4"
	done
}

sides() # writes the table into $tmp/out
{
	: >"$RECORDS"
	LIMITS='some.*=+2%' VERDICT=$tmp/verdict awk \
		-f "$top/lib/run/glob.awk" -f "$top/lib/run/costs/series.awk" \
		-f "$top/lib/run/costs/groups.awk" \
		-f "$top/lib/run/costs/sides.awk" "$tmp/A/save" "$tmp/B/save" \
		>"$tmp/out"
}

save A tcg 120 200 >"$tmp/A/save"
save B tcg 120 200 | sed 's/ inside=200,.*,200 / inside=210,210,210,210,210,210 /' >"$tmp/B/save"
sides
out_has '^some.toy200  *inside  *200  *210  *+5.00  *0.00 .*unsure (emulated)$'
out_has '^note: these cannot be judged: emulated$'
is "verdicts" "0 4 0" "$(cat "$tmp/verdict")"
has "$RECORDS" '^{"cost":"some.toy200","side":"inside",.*"average":210,"difference_percent":5,'
test_is "costs stand side by side, times of emulation are not judged"
sed -i 's/ virt=tcg/ virt=tcg icount=instructions/' "$tmp/A/save" "$tmp/B/save"
sides
out_has '^some.toy120  *inside .* limit +2%: within$'
out_has '^some.toy200  *inside .* limit +2%: over$'
is "verdicts" "1 0 3" "$(cat "$tmp/verdict")"
test_is "instructions are judged"

# --- one kernel against itself ------------------------------------------------

if [ -z "$kernel" ] || ! have qemu-system-x86_64 || ! have busybox ||
   ! cc -std=gnu11 -static -s -D_GNU_SOURCE= -o "$tmp/roles" \
	"$selftest"/roles*.c 2>/dev/null; then
	skip_test "two runs" "needs a kernel in /boot, qemu, busybox and a static C library"
	finish
fi
ROLES=$tmp/roles
make_suite s pass_test skip_test
run_into_results --suite "$tmp/s" --kernel "$kernel" --kernel="$kernel" -q
rc_is 0
out_has "^kernel A: $kernel\$"
out_has "^B  [^ ]*  *exit status 0 "
out_has '^no test differs, of '
has "$tmp/results/compare.ndjson" '^{"kernel":"B","release":"[0-9]'
has "$tmp/results/B/results.ktap" '^ok 1 s.pass_test'
[ ! -e "$tmp/results/.work" ] || problem "work files are left"
test_is "two kernels run one after the other"

finish
