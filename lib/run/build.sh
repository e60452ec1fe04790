# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154,SC2034 # variables are shared by the parts
#
# Make sure that what is about to run is built from what is in the sources.

# Sets build_dir: where O= or KBUILD_OUTPUT put the programs; "" for in place.
find_build_dir()
{
	build_dir=${O:-${KBUILD_OUTPUT:-}}
	[ -z "$build_dir" ] || build_dir=$(absolute "${build_dir%/}")
}

# Sets supervise: the helper that runs programs, built if need be.
find_supervise()
{
	supervise=$here/supervise
	[ ! -x "$supervise" ] || return 0 # installed
	supervise=${build_dir:-$here}/.lib/supervise
	if [ -x "$supervise" ] && [ -z "$(find "$here" -name '*.[ch]' \
			-newer "$supervise")" ]; then
		return 0
	fi
	need_compiler
	mkdir -p "${supervise%/*}" 2>/dev/null ||
		environment_error "cannot write ${supervise%/*}: build with O=DIR"
	set +f
	set -- "$here"/*.c
	set -f
	# In two steps, so that two runs at once do not meet a half-written one.
	"$cc" -std=gnu11 -O2 -D_GNU_SOURCE= -o "$supervise.$$" "$@" ||
		environment_error "cannot compile the helper in $here"
	mv "$supervise.$$" "$supervise"
}

need_compiler()
{
	cc=${CC:-cc}
	command -v "${cc%% *}" >/dev/null 2>&1 || cc=gcc
	command -v "$cc" >/dev/null 2>&1 || environment_error \
		"no C compiler: install gcc and make, or run \"make setup\" as root"
}

# Builds the suites that take part.
build_programs()
{
	[ -z "$given_suites" ] || return 0
	targets='' missing=''
	for name in $programs; do
		suite=${name%/*}
		[ -e "$(program_path "$name")" ] || missing=1
		case " $targets " in
		*" $suite "*) continue ;;
		esac
		if has_sources "$top/$suite"; then
			targets="$targets${targets:+ }$suite"
		fi
	done
	[ -n "$targets" ] || return 0 # installed
	need_compiler
	command -v make >/dev/null 2>&1 || environment_error \
		"make is not installed: install it, or run \"make setup\" as root"
	say_building
	quiet_make=-s
	[ -z "$opt_verbose" ] || quiet_make=''
	jobs=-j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
	case " ${MAKEFLAGS:-}" in
	*j*) jobs='' ;; # the caller has an opinion
	esac
	cross_words=''
	if [ -n "$opt_kernel" ]; then
		! is_foreign || cross_words=CROSS_COMPILE=$vm_cross
		make_stoppably
	else
		build_log=$(run_make | show_make)
		rc=${build_log##*"make ended "}
		build_log=${build_log%"make ended "*}
	fi
	stop_teller
	[ "$rc" != 0 ] || return 0
	if make_is_stuck; then
		return 0
	fi
	# What lib/build says in one line is about this machine, not the sources.
	case $newline$build_log in
	*"${newline}build: "*)
		environment_error "$(printf '%s\n' "$build_log" |
			sed -n 's/^build: //p' | sed 1q)" ;;
	*"no kselftest harness yet"*)
		environment_error "no kselftest harness yet: run \"make setup\"" ;;
	esac
	for suite in $targets; do
		[ -w "${build_dir:-$top/$suite}" ] || environment_error \
			"not built yet, and $top/$suite cannot be written: build it as its owner, or with O=DIR"
	done
	printf '%s\n' "$build_log" | tail -n 20 >&2
	complain "the tests do not build here, so nothing can be judged"
	quit 125
}

run_make()
{
	call_make 2>&1
	echo "make ended $?"
}

call_make()
{
	${stoppable:-} env LC_ALL=C make --no-print-directory \
		${quiet_make:+"$quiet_make"} ${jobs:+"$jobs"} \
		-C "$top" TARGETS="$targets" ${build_dir:+O="$build_dir"} \
		${opt_kernel:+"$(vm_build_words)"} \
		${cross_words:+"$cross_words"} all
}

# Sets rc and build_log. For builds in a directory of our own, which take minutes.
make_stoppably()
{
	rm -f "$build_dir/make.pipe"
	mkfifo "$build_dir/make.pipe" ||
		environment_error "cannot write $build_dir: set XDG_CACHE_HOME"
	show_make <"$build_dir/make.pipe" >"$build_dir/make.log" &
	shower=$!
	stoppable=run_stoppable
	call_make >"$build_dir/make.pipe" 2>&1
	wait "$shower"
	build_log=$(cat "$build_dir/make.log")
}

# A shell that is told to end would leave behind what it waits for. Sets rc.
run_stoppable() # COMMAND...
{
	stopping=''
	trap 'stopping=1; kill -TERM "$running_pid" 2>/dev/null' INT TERM HUP
	"$@" </dev/null &
	running_pid=$!
	wait_for_program
	trap - INT TERM HUP
	[ -n "$stopping" ] || return 0
	stop_teller
	quit 130
}

stop_teller()
{
	[ -z "${teller:-}" ] || kill -TERM "$teller" 2>/dev/null
}

# Hands on what make says, and with -v shows it as it comes.
show_make()
{
	if [ -z "$opt_verbose" ]; then
		cat
		return
	fi
	while IFS= read -r line; do
		printf '%s\n' "$line"
		case $line in
		"make ended "*) ;;
		*) printf '%s\n' "$line" >&2 ;;
		esac
	done
}

# Is it processes that make lacks, to compile or even to begin with? Where a
# filter of system calls keeps it from starting any, what is built can still run.
make_is_stuck()
{
	case $rc:$build_log in
	:* | *"annot fork"* | *"Resource temporarily unavailable"*)
		environment_error "no more processes can be created to build the tests: raise pids.max of this cgroup, or ulimit -u" ;;
	esac
	if said=$(printf 'all:\n\t@true\n' | LC_ALL=C make -s -f - 2>&1); then
		return 1
	fi
	said=$(printf '%s\n' "$said" | sed 1q)
	[ -z "$missing" ] || environment_error \
		"make cannot start programs here ($said), and not everything is built"
	complain "make cannot start programs here ($said): running what was built before"
}

# Nobody shall look at nothing for minutes. Sets teller: who says it when what
# seemed to be built takes long all the same.
say_building()
{
	if [ -n "$missing" ] && [ -z "$opt_quiet" ]; then
		complain "building; this takes a while the first time"
		teller=''
		return
	fi
	(
		trap 'kill "$sleeper"; exit' TERM
		sleep "$patience" >/dev/null 2>&1 &
		sleeper=$!
		wait "$sleeper" && complain "building; this takes a while"
	) >&2 &
	teller=$!
}
patience=3
