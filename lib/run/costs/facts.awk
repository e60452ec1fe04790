# SPDX-License-Identifier: GPL-2.0
#
# What the measurements in $work/costs say about the machine. By -v what=
#   all     every fact, as " key=value"; values that changed are joined by "+"
#   unfit   why costs were not judged, a line each; nothing if they were

BEGIN { n = split("clocksource vdso virt debug governor turbo preempt thp " \
		"quota model cpus smt nodes cpu node sched load steal", key, " ") }

{
	k = split($3, part, " ")
	reason = verdict = debug = ""
	for (i = 3; i <= k; i++) {
		at = index(part[i], "=")
		name = substr(part[i], 1, at - 1)
		value = substr(part[i], at + 1)
		if (name == "reason")
			reason = value
		if (name == "verdict")
			verdict = value
		if (name == "debug")
			debug = value
		if (name == "load" || name == "steal") {
			if (!(name in most) || value + 0 > most[name] + 0)
				most[name] = value
		} else if (!((name, value) in seen)) {
			seen[name, value] = 1
			plus = name in fact ? fact[name] "+" : ""
			fact[name] = plus value
		}
	}
	if (verdict == "report")
		unfit[reason == "debug-kernel" ? reason " (" debug ")" : reason]++
}

END {
	for (name in most)
		fact[name] = most[name]
	for (i = 1; i <= n; i++)
		if (what != "unfit" && key[i] in fact)
			printf " %s=%s", key[i], fact[key[i]]
	for (reason in unfit)
		if (what == "unfit")
			print "note: " unfit[reason] " costs were measured but" \
				" not judged: " reason
}
