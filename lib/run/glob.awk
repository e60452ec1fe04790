# SPDX-License-Identifier: GPL-2.0
#
# Shell patterns and lists of them, for the other awk scripts here.

# The regular expression that matches what the shell pattern matches.
function glob_regex(glob,	i, c, n, out)
{
	out = "^"
	for (i = 1; i <= length(glob); i++) {
		c = substr(glob, i, 1)
		n = c == "[" ? index(substr(glob, i + 2), "]") : 0
		if (n) {
			out = out bracket(substr(glob, i + 1, n))
			i += n + 1
		} else if (c == "*")
			out = out ".*"
		else if (c == "?")
			out = out "."
		else if (index("[.^$+(){}|\\", c))
			out = out "\\" c
		else
			out = out c
	}
	return out "$"
}

# What stands between "[" and "]"; the shell says "not" with "!".
function bracket(set)
{
	if (substr(set, 1, 1) == "!")
		set = "^" substr(set, 2)
	return "[" set "]"
}

# Split lines of patterns into regular expressions; returns how many.
function glob_list(lines, regex,	glob, n, i)
{
	if (lines == "")
		return 0
	n = split(lines, glob, "\n")
	for (i = 1; i <= n; i++)
		regex[i] = glob_regex(glob[i])
	return n
}

function in_list(text, regex, n,	i)
{
	for (i = 1; i <= n; i++)
		if (text ~ regex[i])
			return 1
	return 0
}

# Of the tests on stdin, those that $WANT names (all, if empty) and $EXCLUDE
# does not.
function filter_tests(	want, n_want, not_want, n_not)
{
	n_want = glob_list(ENVIRON["WANT"], want)
	n_not = glob_list(ENVIRON["EXCLUDE"], not_want)
	while ((getline) > 0)
		if ((!n_want || in_list($0, want, n_want)) &&
		    !in_list($0, not_want, n_not))
			print
}
