# SPDX-License-Identifier: GPL-2.0
#
# Grade one run of one test program. With glob.awk, parse.awk and write.awk.
#
# Reads RECORD (argument), and from the environment
#   STATUS    file written by supervise: how the program ended
#   SUITE PROGRAM ROUND FLAVOUR LOG   names for the results; LOG relative to
#             them
#   WANT EXCLUDE   patterns of tests, one a line, that (do not) count
#   LIMIT     the time limit in seconds, for messages
#   KLOG      file: what the kernel logged meanwhile
#   KNOWN     file: known failures as known.awk prints them
#   APPLY     1 if those are forgiven, 0 if only mentioned
#   ALLOWED   file: skips that do not count as failures; "" if none does
#   RECOVERED file: failures that later attempts took back, see retry.sh
#   FLAKY_OK  1 if those are no failures
#   ORDER     file: the tests of the program in their order, if it can begin at
#             any of them
#   OUT       prefix of the files that write.awk makes
#
# Whatever is wrong with the program as a whole becomes a leaf "runner.<what>",
# so that every reader of every format sees it as a failed result.

BEGIN {
	while ((getline text < ENVIRON["STATUS"]) > 0) {
		at = index(text, "=")
		ended[substr(text, 1, at - 1)] = substr(text, at + 1)
	}
	if (!("end" in ended)) {
		ended["end"] = "error"
		ended["code"] = "the supervisor was killed"
	}
	read_known()
	while ((getline text < ENVIRON["ORDER"]) > 0)
		order[++ordered] = text
}

# Entries have the numbers of their lines; about holds those of this program.
function read_known(	text, part, program)
{
	while ((getline text < ENVIRON["KNOWN"]) > 0) {
		split(text, part, "\t")
		known++
		program = part[1]
		sub(/:.*/, "", program)
		if (ENVIRON["SUITE"] "/" ENVIRON["PROGRAM"] ~ glob_regex(program))
			about[++abouts] = known
		known_glob[known] = part[1]
		known_regex[known] = glob_regex(part[1] \
			(index(part[1], ":") ? "" : ":*"))
		known_fix[known] = part[2]
		known_since[known] = part[3]
		known_why[known] = part[4]
		known_applies[known] = part[5]
		known_says[known] = part[6]
		known_link[known] = part[8]
	}
}

function runner_leaf(what, reason)
{
	add_leaf("runner." what, "ERROR", reason)
	began[leaves] = ended["start"]
}

END {
	# A cost measured after the last result belongs to that one.
	for (i = 1; i <= perfs; i++)
		if (perf_leaf[i] > leaves && leaves)
			perf_leaf[i] = leaves
	if (!closed)
		judge_end()
	if (complete)
		judge_plan()
	judge_rest()
	drop_unwanted()
	mark_flaky()
	forgive()
	if (ENVIRON["ALLOWED"] != "")
		forbid_skips()
	ended["duration_ms"] += earlier_ms
	write_all()
}

# Sets complete if the program had its say.
function judge_end()
{
	complete = ended["end"] == "exit"
	if (ended["end"] ~ /^(timeout|signal|stopped|crash|hang)$/)
		cut_short(ended["end"], cut_reason(ended["end"], ended["code"]))
	else if (ended["end"] == "missing")
		runner_leaf("missing", "the program is not there: not built?")
	else if (ended["end"] == "error")
		runner_leaf("start", cut_reason("error", ended["code"]))
	else
		judge_code(ended["code"] + 0)
}

# Nothing that the program could help: no verdict.
function surroundings(reason)
{
	print reason > (ENVIRON["OUT"] "broken")
	return reason
}

# One run of several: the next one has a plan, numbers and times of its own. $5
# is to blame; if nobody is, that is seen later.
function end_part(	whole_ms)
{
	whole_ms = ended["duration_ms"]
	ended["duration_ms"] = $3
	earlier_ms += $3
	if ($2 == "apart")
		runner_leaf("crash" (crashes++ ? crashes : ""),
			    directive = cut_reason("crash", $4))
	else if ($5 != "" && $2 != "exit") {
		running = running == "" ? $5 : running
		cut_short($2, cut_reason($2, $4))
	}
	ended["duration_ms"] = whole_ms
	running = pending = misnumbered = last_when = ""
	results = plans = planned = last_ms = seen_any = 0
	closed = 1
	over = own_failures = own_skips = own_xfails = skipped_whole = 0
}

function cut_reason(what, code)
{
	if (what == "timeout")
		return "TIMEOUT " ENVIRON["LIMIT"] " seconds"
	if (what == "signal")
		return "killed by signal " code
	if (what == "crash")
		return "the kernel crashed: " code
	if (what == "hang")
		return "the virtual machine hung; " code
	return surroundings(what == "stopped" ? "stopped before it ended" : \
		"could not be run: " code)
}

# The test that was running takes the blame. What a test prints at its start may
# be lost when it brings the kernel down at once: then it is the one that was due.
function cut_short(what, reason,	i)
{
	if (directive == "")
		directive = reason
	if (running == "" && what ~ /^(crash|hang)$/) {
		for (i = 1; i <= ordered && order[i] in used; i++)
			;
		running = order[i]
		running_ms = last_ms
		running_when = last_when
	}
	print running > (ENVIRON["OUT"] "suspect")
	if (running == "") {
		runner_leaf(what, reason)
		return
	}
	add_leaf(running, what == "stopped" ? "ERROR" : "FAIL", reason)
	set_time(leaves, running_ms, running_when)
	took[leaves] = ended["duration_ms"] - running_ms
}

# Exit codes of kselftest.h: 0 pass, 1 fail, 2 xfail, 3 xpass, 4 skip.
function judge_code(code)
{
	if (code == 0 || own_failures)
		return
	if (code == 2 && own_xfails || code == 3 || code == 4 && own_skips)
		return
	if (code == 4 && !results) {
		skipped_whole = 1
		if (whole_reason == "")
			whole_reason = first_reason(pending)
		return
	}
	runner_leaf("exit", "exit code " code " although no test failed" \
		(code == 127 && pending != "" ? ": " first_reason(pending) : ""))
}

function judge_plan()
{
	if (skipped_whole && !results) {
		add_leaf("all", "SKIP", whole_reason)
		began[leaves] = ended["start"]
	} else if (!plans && !results) {
		runner_leaf("plan", "printed no result")
	} else if (!plans) {
		runner_leaf("plan", "printed no plan")
	} else if (plans > 1) {
		runner_leaf("plan", "printed " plans " plans")
	} else if (planned == 0 && !results) {
		runner_leaf("plan", "has no tests (1..0)")
	} else if (planned != results) {
		runner_leaf("plan", "planned " planned " results, printed " \
			results)
	} else if (misnumbered != "") {
		runner_leaf("plan", "numbered results wrongly:" misnumbered)
	}
}

function judge_rest()
{
	if (twice != "")
		runner_leaf("names", "used a name twice:" twice)
	if (over && !own_failures)
		runner_leaf("perf", "a cost over its limit, but no test failed")
	if (ended["left"] > 0)
		runner_leaf("leftover", "left behind: " ended["left_names"])
	if (ended["immortal"] > 0)
		runner_leaf("immortal", "a process could not be killed")
	if (ended["end"] != "crash") # that says it already
		judge_kernel_log()
	if (ended["new_taint"] > 0)
		runner_leaf("taint", "the kernel became tainted:" \
			taint_letters(ended["new_taint"]))
}

# As Documentation/admin-guide/tainted-kernels.rst has them.
function taint_letters(bits,	i, text)
{
	for (i = 1; bits >= 1 && i <= 20; i++) {
		if (bits % 2 == 1)
			text = text " " substr("PFSRMBUDAWCIOELKXTNJ", i, 1)
		bits = int(bits / 2)
	}
	return text
}

# Trouble at the start of a message, or after "<subsystem>: ". What a user
# program did to itself ("traps: x[1] general protection fault") is not meant.
function is_trouble(text)
{
	return text ~ /^(rcu: |watchdog: |[A-Za-z0-9_-]+: )?(WARNING|BUG|KASAN|KCSAN|KMSAN|UBSAN|KFENCE): / ||
	       text ~ /^(kernel BUG at |Oops|general protection fault|Unable to handle kernel)/ ||
	       text ~ /^(rcu: )?INFO: (rcu_|task .* blocked for more than|possible )/ ||
	       text ~ /detected( expedited)? stalls? on CPU/ ||
	       text ~ /^(refcount_t: |list_(add|del) corruption|DEBUG_LOCKS_WARN_ON)/ ||
	       text ~ /^unreferenced object 0x|^kmemleak: [0-9]+ new suspected/ ||
	       text ~ /^(Kernel panic|stack segment|double fault)/
}

function judge_kernel_log(	text, first, excused)
{
	while ((getline text < ENVIRON["KLOG"]) > 0) {
		sub(/^\[[ 0-9.]+\] /, "", text)
		# These print a stack as well, and are no fault of the kernel.
		if (text ~ /invoked oom-killer|page allocation (failure|stall)|^sysrq: /)
			excused = 1
		if (is_trouble(text) ||
		    (text ~ /^Call Trace:/ && !excused))
			first = first == "" ? text : first
	}
	if (first != "")
		runner_leaf("kernel_log", first)
}

# Tests that were not asked for: an old harness runs all of them.
function drop_unwanted(	n_want, n_not, i, kept)
{
	n_want = glob_list(ENVIRON["WANT"], want)
	n_not = glob_list(ENVIRON["EXCLUDE"], not_want)
	if (!n_want && !n_not)
		return
	for (i = 1; i <= leaves; i++) {
		if (leaf[i] !~ /^runner\./ && leaf[i] != "all" &&
		    (n_want && !in_list(leaf[i], want, n_want) ||
		     in_list(leaf[i], not_want, n_not)))
			move_leaf(i, 0)
		else
			move_leaf(i, ++kept)
	}
	leaves = kept + 0
}

function move_leaf(from, to,	i)
{
	leaf[to] = leaf[from]
	verdict[to] = verdict[from]
	why[to] = why[from]
	said[to] = said[from]
	took[to] = took[from]
	began[to] = began[from]
	for (i = 1; i <= perfs; i++)
		if (perf_leaf[i] == from)
			perf_leaf[i] = to
}

# Where the attempt that counts is the one that passed, the failure is gone.
function mark_flaky(	text, part, i)
{
	while ((getline text < ENVIRON["RECOVERED"]) > 0) {
		split(text, part, "\t")
		for (i = leaves; i > 0 && leaf[i] != part[1]; i--)
			;
		if (!i) {
			runner_leaf(substr(part[1], 8), "")
			i = leaves
		}
		flaky[i] = part[2]
		verdict[i] = ENVIRON["FLAKY_OK"] ? "PASS" : "FAIL"
		why[i] = "flaky, passed at attempt " part[2] ", before: " \
			part[3]
	}
}

function full_name(i)
{
	return ENVIRON["SUITE"] "/" ENVIRON["PROGRAM"] ":" leaf[i]
}

function forgive(	i, a, k, bad)
{
	for (i = 1; i <= leaves; i++) {
		bad = verdict[i] ~ /^(FAIL|ERROR)$/ && !flaky[i]
		for (a = 1; a <= abouts; a++) {
			k = about[a]
			if (full_name(i) !~ known_regex[k])
				continue
			if (!known_applies[k]) {
				repaired[i] = k
				continue
			}
			if (bad && !says(why[i], known_says[k])) {
				unlike[i] = k
				continue
			}
			entry[i] = k
			if (ENVIRON["APPLY"] && bad) {
				verdict[i] = "XFAIL"
				why[i] = known_why[k]
			}
			break
		}
	}
}

# Is the reason of a failure, wherever in the source it is from, like one of the
# patterns? A known bug is no excuse for what goes wrong before it.
function says(reason, patterns,	n, part, i)
{
	if (patterns == "")
		return 1
	sub(/^in child, /, "", reason)
	sub(/^[^ :]+:[0-9]+: /, "", reason)
	sub(/ +$/, "", reason)
	n = split(patterns, part, / \| /)
	for (i = 1; i <= n; i++)
		if (reason ~ glob_regex(part[i]))
			return 1
	return 0
}

# Lines of ALLOWED are names of tests, or else reasons; shell patterns both.
function forbid_skips(	text, n, regex, i)
{
	while ((getline text < ENVIRON["ALLOWED"]) > 0) {
		sub(/[ \t]+$/, "", text)
		if (text == "" || text ~ /^#/)
			continue
		if (text ~ /^[^ \/:]+\/[^ \/:]+$/)
			text = text ":*"
		regex[++n] = glob_regex(text)
	}
	for (i = 1; i <= leaves; i++)
		if (verdict[i] == "SKIP" && !in_list(why[i], regex, n) &&
		    !in_list(full_name(i), regex, n)) {
			verdict[i] = "FAIL"
			why[i] = "a skip that is not allowed: " why[i]
		}
}
