#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does run_all.sh build what it runs, and judge what does not build? In a toy
# collection, whose compiler is make itself.

# shellcheck source=lib/selftest/tap.sh
. "$(dirname "$0")/tap.sh"

toy=$tmp/toy
mkdir -p "$toy/lib" "$toy/area" "$toy/other"
cp "$top/run_all.sh" "$toy"
cp -r "$top/lib/run" "$toy/lib"
touch "$toy/area/pass_test.c" "$toy/other/fail_test.c"
cat >"$toy/Makefile" <<'END'
O := .
out := $(if $(filter .,$(O)),.,$(O)/kselftest)
all: $(TARGETS:%=build-%)
build-%:
	@mkdir -p $(out)/$*
	@for c in $*/*.c; do ln -sf $(ROLES) $(out)/$$(dirname $$c)/$$(basename $$c .c); done
	@echo built $* >>built
	@$(SPOIL)
END

run_toy()
{
	rm -f "$toy/built" "$toy"/*/*_test
	run_built "$@"
}

run_built()
{
	# shellcheck disable=SC2086 # words of RUN_SH are a command
	(cd "$toy" && $RUN_SH ./run_all.sh "$@") >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

run_toy
rc_is 1
has "$toy/built" '^built area$'
has "$toy/built" '^built other$'
out_has '^ok 1 selftests: area: pass_test'
out_has '^not ok 2 selftests: other: fail_test # exit=1$'
test_is "everything is built before it runs"

O=$tmp/objects run_toy
rc_is 1
[ -e "$tmp/objects/kselftest/area/pass_test" ] || problem "not built in O="
[ ! -e "$toy/area/pass_test" ] || problem "built in place"
out_has '^ok 1 selftests: area: pass_test'
test_is "O= says where"

SPOIL='echo "area/x.c:1: error: no such thing" >&2; false' run_toy
rc_is 125
err_has '^area/x.c:1: error: no such thing$'
err_has '^run_all.sh: the tests do not build here, so nothing can be judged$'
[ ! -s "$tmp/out" ] || problem "something on stdout"
test_is "what does not compile cannot be judged"

SPOIL='echo "build: no compiler (cc)" >&2; false' run_toy
rc_is 129
is "explanation" "run_all.sh: no compiler (cc)" "$(tail -n 1 "$tmp/err")"
test_is "what lacks on this machine is said, and is not a verdict"

SPOIL='sleep 3.5' run_toy -q area
rc_is 0
is "what it says" "run_all.sh: building; this takes a while" \
	"$(cat "$tmp/err")"
SPOIL=true run_toy -q area
rc_is 0
is "what it says" "" "$(cat "$tmp/err")"
test_is "with -q, building is told only when it takes long"

SPOIL='echo "  CC       area/pass_test"' run_toy -v area
rc_is 0
err_has '^  CC       area/pass_test$'
test_is "-v shows what make says"

SPOIL='echo "sh: 1: Cannot fork" >&2; false' run_toy
rc_is 129
is "explanation" "run_all.sh: no more processes can be created to build the tests: raise pids.max of this cgroup, or ulimit -u" \
	"$(tail -n 1 "$tmp/err")"
test_is "too few processes to build are said, and are not a verdict"

# As under a filter of system calls that make does not expect.
mkdir "$tmp/stuck"
cat >"$tmp/stuck/make" <<'END'
#!/bin/sh
echo 'make: sh: Operation not permitted' >&2
exit 2
END
chmod +x "$tmp/stuck/make"
run_toy area
PATH=$tmp/stuck:$PATH run_built area
rc_is 0
out_has '^ok 1 selftests: area: pass_test'
err_has '^run_all.sh: make cannot start programs here (make: sh: Operation not permitted): running what was built before$'
is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
test_is "where make can start nothing, what is built runs"
PATH=$tmp/stuck:$PATH run_toy area
rc_is 129
err_has '^run_all.sh: make cannot start programs here .*, and not everything is built$'
test_is "where make can start nothing, what is missing is not a verdict"

# As on a machine without a compiler: only what run_all.sh may need.
mkdir "$tmp/bin"
for command in awk basename cat chmod cksum cut date dirname env find getconf \
	       git grep id ln ls mkdir mv readlink rm sed sh sleep sort tail \
	       tr uname uniq wc dash busybox; do
	path=$(command -v $command) && ln -s "$path" "$tmp/bin/$command"
done
PATH=$tmp/bin run_toy
rc_is 129
err_has '^run_all.sh: no C compiler: install gcc and make, or run "make setup" as root$'
is "lines of explanation" 1 "$(wc -l <"$tmp/err")"
test_is "no compiler is said, with what to do"

finish
