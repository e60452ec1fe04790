# SPDX-License-Identifier: GPL-2.0
#
# Failures as commands that GitHub turns into annotations, beside the line of
# the source where there is one. It shows ten of a step. $TOP is where the
# collection is, $ROOT the directory of the repository.

function value(text)
{
	gsub(/%/, "%25", text)
	gsub(/\n/, "%0A", text)
	return text
}

function property(text)
{
	text = value(text)
	gsub(/:/, "%3A", text)
	gsub(/,/, "%2C", text)
	return text
}

function is_file(path,	line, found)
{
	found = (getline line < path) >= 0
	close(path)
	return found
}

# The file of the assertion: the suite's, or one of lib/.
function place(	suite, dir, dirs, i, n, file, line)
{
	suite = selector()
	sub(/:.*/, "", suite)
	file = suite ".c"
	line = 1
	sub(/\/.*/, "", suite)
	if (match(rec["reason"], /[A-Za-z0-9_.-]+\.(c|h|sh):[0-9]+/)) {
		n = split(suite " lib lib/perf", dirs, " ")
		dir = substr(rec["reason"], RSTART, RLENGTH)
		for (i = 1; i <= n; i++) {
			if (!is_file(ENVIRON["TOP"] "/" dirs[i] "/" \
				     substr(dir, 1, index(dir, ":") - 1)))
				continue
			file = dirs[i] "/" substr(dir, 1, index(dir, ":") - 1)
			line = substr(dir, index(dir, ":") + 1)
			break
		}
	}
	file = ENVIRON["TOP"] "/" file
	if (index(file, ENVIRON["ROOT"] "/") == 1)
		file = substr(file, length(ENVIRON["ROOT"]) + 2)
	return "file=" property(file) ",line=" line
}

function each_record()
{
	if (is_cost || !is_failure() || ++failures > 10)
		return
	if (failures == 10)
		tenth = "::error " place() ",title=" property(rec["path"]) \
			"::" value(rec["reason"])
	else
		print "::error " place() ",title=" property(rec["path"]) "::" \
			value(rec["reason"])
}

function the_end()
{
	if (failures > 10)
		print "::error title=selftests::and " failures - 9 \
			" more failures"
	else if (failures == 10)
		print tenth
}
