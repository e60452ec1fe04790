# SPDX-License-Identifier: GPL-2.0
#
# Read lists of known failures (format: see known.list) and print them as lines
#
#   pattern  fix  since  why  applies  says  may-pass  link  expired
#
# with tabs between. "applies" is 0 if RELEASE (uname -r) is a release that has
# the fix, or TODAY (2026-11-30) is after the entry's last day, which "expired"
# then is. "says" holds patterns, " | " between. An entry for another kernel is
# not printed. Complains with file and line.

function complain(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	bad = 1
	exit 1
}

function end_of_entry(	i, key)
{
	if (!patterns)
		return
	if (value["why"] == "" || !("link" in value) &&
	    (value["fix"] == "" || value["since"] == ""))
		complain("the entry above needs fix:, since: and why:, or link: and why:")
	if (is_meant())
		for (i = 1; i <= patterns; i++)
			print_entry(pattern[i])
	patterns = 0
	for (key in value)
		delete value[key]
	last = ""
}

function print_entry(glob,	expired)
{
	if (value["expires"] != "" && ENVIRON["TODAY"] > value["expires"])
		expired = value["expires"]
	if (value["fix"] == "")
		value["fix"] = "none"
	print glob "\t" value["fix"] "\t" value["since"] "\t" value["why"] \
	      "\t" (expired == "" && !has_fix(value["since"])) "\t" \
	      value["says"] "\t" value["may-pass"] "\t" value["link"] "\t" \
	      expired
}

# Is the entry about a kernel like this one?
function is_meant(	range, part, n)
{
	range = value["kernel"]
	if (range != "") {
		n = split(range, part, / *\.\. */)
		if (n != 2 || !(is_release(part[1]) || is_release(part[2])))
			complain("the entry above: kernel: wants \"v5.15 .. v6.17\"")
		if (part[1] != "" && !has_release(part[1]) ||
		    part[2] != "" && is_after(part[2]))
			return 0
	}
	return value["probe"] == "" ||
	       !system("(" value["probe"] ") >/dev/null 2>&1 </dev/null")
}

function is_release(text) { return text ~ /^v?[0-9]+\.[0-9]+/ }

# In "v7.3 (v6.12.117, v6.18.44)" the first is a release of mainline, and the
# others are what repaired their own stable series.
function has_fix(since,	n, part, i)
{
	n = split(since, part, /[ (),]+/)
	for (i = 1; i <= n; i++)
		if (is_release(part[i]) && (i == 1 || same_series(part[i])) &&
		    has_release(part[i]))
			return 1
	return 0
}

function same_series(text)
{
	return part_of_release(text, 1) == part_of_release(ENVIRON["RELEASE"], 1) &&
	       part_of_release(text, 2) == part_of_release(ENVIRON["RELEASE"], 2)
}

# Is the running kernel this release, or a later one? 7.3.0-rc1 is before 7.3.
function has_release(since,	i, want, have)
{
	for (i = 1; i <= 3; i++) {
		want = part_of_release(since, i)
		have = part_of_release(ENVIRON["RELEASE"], i)
		if (want != have)
			return have > want
	}
	return ENVIRON["RELEASE"] !~ /^[0-9.]+-rc[0-9]/
}

# Is it later than all that this means? v6.17 means v6.17.9 as well.
function is_after(until,	i, n, part, want, have)
{
	n = split(until, part, ".")
	for (i = 1; i <= n; i++) {
		want = part_of_release(until, i)
		have = part_of_release(ENVIRON["RELEASE"], i)
		if (want != have)
			return have > want
	}
	return 0
}

# The i-th number of "v6.12.117 ..."; 0 if it has fewer.
function part_of_release(text, i,	part)
{
	sub(/^v/, "", text)
	sub(/[^0-9.].*/, "", text)
	return split(text, part, ".") < i ? 0 : part[i] + 0
}

FNR == 1 { end_of_entry() }

{ gsub(/\t/, " "); sub(/ +$/, "") }

/^ *#/ { next }

/^$/ { end_of_entry(); next }

/^[^ ]/ {
	if (last != "")
		end_of_entry()
	if ($0 !~ /^[^ \/:]+\/[^ \/:]+(:[^ ]+)?$/)
		complain("want suite/program or suite/program:test, not \"" $0 "\"")
	pattern[++patterns] = $0
	next
}

!patterns { complain("a value without a test above it") }

/^ +(fix|since|why|says|may-pass|kernel|probe|link|expires): / {
	again = last == "says" && /^ +says:/
	last = $1
	sub(/:$/, "", last)
	sub(/^ +[a-z-]+: +/, "")
	if (last == "expires" && $0 !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/)
		complain("expires: wants a date such as 2027-06-30")
	value[last] = again ? value[last] " | " $0 : $0
	next
}

/^ +[a-z-]+:/ && last != "why" { complain("unknown key " $1) }

last != "" {
	sub(/^ +/, "")
	value[last] = value[last] " " $0
	next
}

{ complain("not understood: " $0) }

END {
	if (!bad)
		end_of_entry()
}
