# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034 # variables are for the other parts
#
# Command line of run_all.sh: sets opt_* and the lists of what (not) to run.

usage()
{
	cat <<-'END'
	usage: run_all.sh [OPTION]... [WHAT]...

	Runs the tests on this kernel and judges them. WHAT is a suite (pidns), a
	program (timens/offsets_test) or a test (timens/offsets_test:write.zero);
	shell patterns are fine. Without WHAT, everything.

	  -l, --list           list what would run, test by test; run nothing
	  -n, --dry-run        show what would be done; run nothing
	  -v, --verbose        show all output of the tests as it comes
	  -q, --quiet          show the summary only
	  -x, --exclude WHAT   leave this out (may be repeated)
	  --no-perf            leave out the measurements of costs
	  --perf-only          only those
	  --perf-report-only   measure, but let no cost fail
	  --perf-null          measure outside against outside
	  --perf-inject PCT    make the inside slower by so many percent
	  --limit OP=+2%       limit of a cost, instead of its own; patterns are fine;
	                       with --against or several kernels, of its change
	                       (may be repeated)
	  --save FILE          add the costs to FILE
	  --against FILE       compare them with those (may be repeated)
	  --history FILE       run nothing: show how costs went (may be repeated)
	  --profile OP         sample this cost as those over their limit: what takes
	                       longer inside (may be repeated)
	  --timeout SECONDS    limit per program, instead of its directory's setting
	  --slow FACTOR        this machine is slow: multiply all limits
	  --repeat N           do everything N times
	  --until-fail         repeat until something fails, or Ctrl-C
	  --flavour NAME       in other surroundings: userns (root of a user
	                       namespace), pidns, deeppid (near the limit), timens,
	                       user (an ordinary one), onecpu, plain; may be
	                       repeated; names of results begin with it
	  --shuffle[=SEED]     run programs in another order; SEED brings it again
	  --retry N            run what failed up to N times again; what passes then
	                       is flaky, and failed unless ...
	  --flaky-ok           ... flaky tests may pass
	  --shard I/N          only the Ith of N parts that take equally long
	  --known FILE         failures listed there do not count (lib/known.list);
	                       may be repeated
	  --no-skip            a skipped test counts as failed ...
	  --allow-skip FILE    ... unless FILE lists the test, or the reason; shell
	                       patterns, one a line
	  --junit --kcidb      write junit.xml, kcidb.json, bench.txt (benchstat),
	  --bench --markdown   summary.md as well
	  --html[=FILE]        and a page for people, report.html (pictures of costs
	                       want gnuplot)
	  --from DIR           run nothing: write those from the results in DIR
	  --expect WHAT        only the results of WHAT decide about the exit status
	  -o, --output DIR     put results there, instead of .results/<date>, of
	                       which the last 20 are kept
	  --suite DIR          run the programs in DIR instead (may be repeated)
	  --kernel IMAGE       run them in a virtual machine booted from IMAGE
	  --build TREE         the same with a kernel made from TREE; either may be
	                       repeated: then with each, and a table says what
	                       tests and costs differ; with both,
	    --smp N            N processors (2)
	    --memory MIB       so much memory (1536)
	    --append TEXT      TEXT on the kernel's command line
	    --arch ARCH        for this architecture (that of IMAGE)
	    --icount           count instructions instead of time: costs that are
	                       the same every time
	  --promises           what is promised by whom, and which tests check it
	  -h, --help           this text

	Exit status: 0 all judged and good; 1 something failed; 125 nothing could be
	judged; 129 wrong usage or surroundings; 130 interrupted. So it can be given
	to "git bisect run" as it is.
	END
}

set_defaults()
{
	opt_list='' opt_dry='' opt_verbose='' opt_quiet='' opt_perf=all
	opt_report_only='' opt_timeout=${kselftest_override_timeout:-}
	opt_slow='' opt_repeat='' opt_until_fail='' opt_known='' opt_output=''
	opt_promises='' opt_formats='' opt_from='' opt_page=''
	opt_kernel='' opt_smp=2 opt_memory=1536 opt_append='' opt_arch=''
	opt_build='' opt_kernels='' opt_builds='' opt_icount='' smp_given=''
	opt_expect='' vm_options='' slow_given='' opt_flavours=''
	opt_null='' opt_inject='' opt_measure='' opt_limits='' opt_profile=''
	opt_save='' opt_against='' opt_history='' saved=''
	opt_allow_skip='' opt_shuffle='' opt_retry='' opt_flaky_ok='' opt_shard=''
	given_suites='' selectors='' excludes='' rerun_options=''
}

add_line() # LIST LINE: prints LIST with LINE added
{
	printf '%s%s%s' "$1" "${1:+$newline}" "$2"
}

is_number() # TEXT: digits, with a fraction perhaps, and not zero
{
	case $1 in
	'' | *[!0-9.]* | *.*.* | .*) return 1 ;;
	*[1-9]*) return 0 ;;
	*) return 1 ;;
	esac
}

is_count() # TEXT: digits only, and not zero
{
	case $1 in
	*.*) return 1 ;;
	*) is_number "$1" ;;
	esac
}

is_seed() # TEXT: up to nine digits, and no shell may take them for octal
{
	case $1 in
	'' | *[!0-9]* | 0?* | ??????????*) return 1 ;;
	esac
}

is_shard() # TEXT
{
	case $1 in
	*/*) is_count "${1%%/*}" && is_count "${1#*/}" &&
		[ "${1%%/*}" -le "${1#*/}" ] ;;
	*) return 1 ;;
	esac
}

# Both "--name VALUE" and "--name=VALUE" are understood; takes_value tells which
# options have one.
takes_value()
{
	case $1 in
	-x | --exclude | --timeout | --slow | --repeat | --known) return 0 ;;
	-o | --output | --suite | --from | --allow-skip) return 0 ;;
	--kernel | --smp | --memory | --append | --arch) return 0 ;;
	--perf-inject | --limit | --profile | --save | --against | --history) return 0 ;;
	--build | --expect) return 0 ;;
	--retry | --shard | --flavour) return 0 ;;
	*) return 1 ;;
	esac
}

parse_args()
{
	set_defaults
	while [ $# -gt 0 ]; do
		case $1 in
		--) shift; break ;;
		--shuffle=*) # the one whose value may be missing
			is_seed "${1#*=}" ||
				usage_error "--shuffle wants a number, not \"${1#*=}\""
			opt_shuffle=${1#*=}
			shift
			continue ;;
		--html=*)
			[ -n "${1#*=}" ] || usage_error "--html= wants a name"
			[ ! -d "${1#*=}" ] || usage_error "${1#*=} is a directory"
			[ -d "$(dirname "${1#*=}")" ] ||
				usage_error "there is no directory for ${1#*=}"
			opt_page=$(absolute "${1#*=}")
			shift
			set -- --html "$@" ;;
		--*=*)
			name=${1%%=*} value=${1#*=}
			takes_value "$name" || usage_error "unknown option $1"
			shift
			set -- "$name" "$value" "$@" ;;
		esac
		case $1 in
		-?*) ;;
		*)
			select_what "$1"
			shift
			continue ;;
		esac
		if takes_value "$1"; then
			[ $# -gt 1 ] || usage_error "$1 needs a value"
			value_option "$1" "$2"
			shift
		else
			flag_option "$1"
		fi
		shift
	done
	for what; do
		select_what "$what"
	done
	check_options
}

select_what() # NAME
{
	[ -n "$1" ] || usage_error "an empty name selects nothing"
	selectors=$(add_line "$selectors" "$(tidy_name "$1")")
}

check_list() # FILE
{
	if [ ! -r "$1" ] || [ -d "$1" ]; then
		usage_error "cannot read the list $1"
	fi
}

choose_perf() # CHOICE OTHER
{
	[ "$opt_perf" != "$2" ] ||
		usage_error "--no-perf and --perf-only exclude each other"
	opt_perf=$1
}

flag_option()
{
	case $1 in
	-l | --list) opt_list=1 ;;
	-n | --dry-run) opt_dry=1 ;;
	-v | --verbose) opt_verbose=1 ;;
	-q | --quiet) opt_quiet=1 ;;
	--no-perf) choose_perf no only ;;
	--perf-only) choose_perf only no ;;
	--perf-report-only)
		opt_report_only=1
		for_rerun "$1" ;;
	--perf-null)
		opt_null=1 opt_measure=$1
		for_rerun "$1" ;;
	--until-fail) opt_until_fail=1 ;;
	--promises) opt_promises=1 ;;
	--shuffle) opt_shuffle=any ;;
	--flaky-ok) opt_flaky_ok=1 ;;
	--icount)
		opt_icount=1
		for_rerun "$1" ;;
	--no-skip)
		opt_allow_skip=${opt_allow_skip:-/dev/null}
		for_rerun "$1" ;;
	--junit | --kcidb | --bench | --markdown | --html)
		opt_formats="$opt_formats ${1#--}" ;;
	-h | --help)
		usage || output_lost
		quit 0 ;;
	-[lnvqh]?*) # several letters in one word
		flag_option "-${1#-?}"
		rest=${1#-}
		flag_option "-${rest%"${rest#?}"}" ;;
	*) usage_error "unknown option $1" ;;
	esac
}

value_option()
{
	case $1 in
	--perf-inject | --limit | --profile | --save | --against | --history)
		cost_option "$1" "$2" ;;
	--retry)
		is_count "$2" || usage_error "--retry wants a count, not \"$2\""
		opt_retry=$2 ;;
	--flavour)
		case $2 in
		plain | userns | pidns | deeppid | timens | user | onecpu) ;;
		*) usage_error "there is no flavour \"$2\"" ;;
		esac
		opt_flavours="$opt_flavours $2"
		for_rerun "$1" "$2" ;;
	--shard)
		is_shard "$2" ||
			usage_error "--shard wants I/N as in 2/5, not \"$2\""
		opt_shard=$2 ;;
	--allow-skip)
		check_list "$2"
		opt_allow_skip=$(absolute "$2")
		for_rerun "$1" "$2" ;;
	-x | --exclude)
		excludes=$(add_line "$excludes" "$(tidy_name "$2")") ;;
	--timeout)
		is_number "$2" || usage_error "--timeout wants seconds, not \"$2\""
		opt_timeout=$2 ;;
	--slow)
		is_number "$2" || usage_error "--slow wants a factor, not \"$2\""
		opt_slow=$2 ;;
	--repeat)
		is_count "$2" || usage_error "--repeat wants a count, not \"$2\""
		opt_repeat=$2 ;;
	--known)
		check_list "$2"
		opt_known=$(add_line "$opt_known" "$(absolute "$2")")
		for_rerun --known "$2" ;;
	--from)
		[ -r "$2/results.ndjson" ] ||
			usage_error "no results in $2 (results.ndjson)"
		opt_from=$(absolute "${2%/}") ;;
	-o | --output)
		[ -n "$2" ] || usage_error "$1 wants a directory"
		opt_output=$(absolute "$2") ;;
	--suite)
		[ -d "$2" ] || usage_error "no directory $2"
		case $(absolute "$2") in
		*[[:blank:]]*) usage_error "the path of a suite must not hold blanks: $2" ;;
		esac
		given_suites=$(add_line "$given_suites" "$(absolute "${2%/}")")
		for_rerun --suite "$2" ;;
	--expect)
		opt_expect=$(tidy_name "$2")
		[ -n "$opt_expect" ] || usage_error "--expect wants a name" ;;
	--kernel | --build | --smp | --memory | --append | --arch)
		vm_option "$1" "$2" ;;
	esac
}

# What follows from these is in vm.sh.
vm_option()
{
	case $1 in
	--kernel)
		opt_kernel=$(absolute "$2")
		opt_kernels=$(add_line "$opt_kernels" "$opt_kernel") ;;
	--build)
		[ -d "$2" ] || usage_error "there is no tree $2"
		opt_build=$(cd "$2" && pwd -P)
		opt_builds=$(add_line "$opt_builds" "$opt_build") ;;
	--smp)
		is_count "$2" || usage_error "--smp wants a count, not \"$2\""
		opt_smp=$2 smp_given=1 ;;
	--memory)
		is_count "${2%[mM]}" || usage_error "--memory wants MiB, not \"$2\""
		opt_memory=${2%[mM]} ;;
	--append) opt_append=$2 ;;
	--arch) opt_arch=$2 ;;
	esac
	vm_options="$vm_options${vm_options:+ }$1"
	for_rerun "$1" "$2"
}

# Without this option a single test would not end as it did.
for_rerun() # OPTION [VALUE]
{
	rerun_options="$rerun_options $1"
	case ${2-} in
	'') ;;
	*[!A-Za-z0-9_./=,+:%-]*) rerun_options="$rerun_options '$2'" ;;
	*) rerun_options="$rerun_options $2" ;;
	esac
}

check_options()
{
	[ -z "$opt_kernel$opt_build" ] || [ -z "$opt_flavours" ] ||
		usage_error "--flavour is not to be had with --kernel or --build"
	[ -n "$opt_kernel$opt_build" ] || [ -z "$vm_options" ] ||
		usage_error "${vm_options%% *} is for --kernel only"
	[ -z "$opt_kernel" ] || [ -z "$opt_build" ] ||
		usage_error "--kernel and --build exclude each other"
	selectors=${selectors:-$opt_expect}
	slow_given=$opt_slow
	check_icount_options
	check_cost_options
	[ -z "$opt_verbose" ] || [ -z "$opt_quiet" ] ||
		usage_error "-v and -q exclude each other"
	[ -z "$opt_timeout" ] || is_number "$opt_timeout" ||
		usage_error "kselftest_override_timeout is \"$opt_timeout\""
	if [ -z "$opt_slow" ]; then
		# What the netdev CI sets on machines with debug kernels.
		case ${KSFT_MACHINE_SLOW:-no} in
		'' | no | 0) opt_slow=1 ;;
		*) opt_slow=3 ;;
		esac
	elif [ "$opt_slow" != 1 ]; then
		for_rerun --slow "$opt_slow"
	fi
	[ -z "$opt_timeout" ] || [ -n "${kselftest_override_timeout:-}" ] ||
		for_rerun --timeout "$opt_timeout"
}

absolute() # PATH
{
	case $1 in
	/*) printf '%s' "$1" ;;
	*) printf '%s/%s' "$PWD" "${1#./}" ;;
	esac
}

# However people write a name: ./pidns/, pidns/identity_test.c, or the dotted
# path of results.ndjson.
tidy_name() # NAME
{
	name=${1#"$top/"}
	name=${name#./}
	name=${name%/}
	name=${name%.c}
	name=${name%.sh}
	case $name in
	*/* | *:*) ;;
	*.*)
		suite=${name%%.*} rest=${name#*.}
		name=$suite/${rest%%.*}
		case $rest in
		*.*) name=$name:${rest#*.} ;;
		esac ;;
	esac
	printf '%s' "$name"
}
