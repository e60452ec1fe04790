# SPDX-License-Identifier: GPL-2.0
#
# Read a list of known failures (format: see known.list) and print it as lines
# of "pattern TAB fix TAB since TAB why TAB applies". The last is 0 if RELEASE
# (uname -r) is a release that has the fix. Complains with file and line.

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
	if (value["fix"] == "" || value["since"] == "" || value["why"] == "")
		complain("the entry above needs fix:, since: and why:")
	for (i = 1; i <= patterns; i++)
		print pattern[i] "\t" value["fix"] "\t" value["since"] "\t" \
		      value["why"] "\t" !has_release(value["since"])
	patterns = 0
	for (key in value)
		delete value[key]
	last = ""
}

# Is the running kernel this release, or a later one? 7.3.0-rc1 is before 7.3.
function has_release(since,	i, want, have)
{
	if (since !~ /^v?[0-9]+\.[0-9]+/)
		return 0
	for (i = 1; i <= 3; i++) {
		want = part_of_release(since, i)
		have = part_of_release(ENVIRON["RELEASE"], i)
		if (want != have)
			return have > want
	}
	return ENVIRON["RELEASE"] !~ /^[0-9.]+-rc[0-9]/
}

# The i-th number of "v6.12.117 ..."; 0 if it has fewer.
function part_of_release(text, i,	part)
{
	sub(/^v/, "", text)
	sub(/[^0-9.].*/, "", text)
	return split(text, part, ".") < i ? 0 : part[i] + 0
}

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

/^ +(fix|since|why): / {
	last = $1
	sub(/:$/, "", last)
	sub(/^ +[a-z]+: +/, "")
	value[last] = $0
	next
}

/^ +[a-z]+:/ && last != "why" { complain("unknown key " $1) }

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
