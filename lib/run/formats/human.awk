# SPDX-License-Identifier: GPL-2.0
#
# Values in the units that people use, and what a failed assertion says.

BEGIN {
	n_errors = split("EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC " \
		"EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY " \
		"EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE " \
		"ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM " \
		"ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP", \
		error_name, " ")
	error_name[61] = "ENODATA"
	error_name[62] = "ETIME"
	error_name[75] = "EOVERFLOW"
	error_name[87] = "EUSERS"
	error_name[95] = "EOPNOTSUPP"
	error_name[110] = "ETIMEDOUT"
	error_name[111] = "ECONNREFUSED"
	error_name[125] = "ECANCELED"
}

# "2 h 21 min 27.646 s", "3.2 ms"
function duration(ns,	sign, text, s, h, m)
{
	if (ns < 0) {
		sign = "-"
		ns = -ns
	}
	if (ns < 1e3)
		return sign sprintf("%.4g ns", ns)
	if (ns < 1e6)
		return sign sprintf("%.4g us", ns / 1e3)
	if (ns < 1e9)
		return sign sprintf("%.4g ms", ns / 1e6)
	s = ns / 1e9
	h = int(s / 3600)
	m = int((s - h * 3600) / 60)
	if (h >= 48) {
		text = int(h / 24) " d "
		h %= 24
		s -= int(s / 86400) * 86400
	}
	if (h || text != "")
		text = text h " h "
	if (m || text != "")
		text = text m " min "
	return sign text sprintf("%.3f s", s - h * 3600 - m * 60)
}

# A cost, in "ns/op" or any other unit.
function cost(value, unit)
{
	if (value !~ /^[0-9.]+(e[-+]?[0-9]+)?$/)
		return value
	return unit == "ns/op" ? duration(value + 0) : value " " unit
}

function percents(factor,	text)
{
	if (factor !~ /^[0-9.]+(e[-+]?[0-9]+)?$/)
		return factor
	text = sprintf("%+.1f %%", 100 * (factor - 1))
	return text ~ /^[-+]0\.0 / ? "0.0 %" : text
}

function is_integer(text) { return text ~ /^-?[0-9]+$/ && length(text) < 20 }

# What a number of a test is likely to mean. Big ones are nanoseconds in most
# tests, which the page says; small negative ones are errors of system calls.
function explained(text,	v)
{
	if (!is_integer(text))
		return text
	v = text + 0
	if (v < -1 && -v in error_name)
		return text " (-" error_name[-v] ")"
	if (v >= 1e6 || v <= -1e6)
		return text " (as ns: " duration(v) ")"
	return text
}

function in_words(op)
{
	return op == "<=" ? "at most" : op == ">=" ? "at least" : \
		op == "<" ? "less than" : op == ">" ? "more than" : \
		op == "!=" ? "anything but" : op
}

# Takes a reason apart: sets promise, want, got and how far these are apart.
# Returns 0 if it is of no known form. The forms are those of kselftest_harness.h and of lib/expect.h.
function take_apart(text,	at, op, left, right)
{
	promise = want = got = apart = ""
	sub(/^[^ ]*:[0-9]+: /, "", text)
	sub(/[ \n]+$/, "", text)
	if (text ~ /^in child, [^ ]*:[0-9]+: .* is -?[0-9]+, expected /) {
		sub(/^in child, [^ ]*:[0-9]+: /, "", text)
		at = index(text, ", expected ")
		left = substr(text, 1, at - 1)
		right = substr(text, at + 11)
		match(left, / is -?[0-9]+$/)
		got_number = substr(left, RSTART + 4)
		got = explained(got_number)
		promise = substr(left, 1, RSTART - 1)
		match(right, /-?[0-9]+/)
		want_number = substr(right, RSTART, RLENGTH)
		op = substr(right, 1, RSTART - 2)
		want = (op == "==" ? "" : in_words(op) " ") \
			explained(want_number) substr(right, RSTART + RLENGTH)
		promise = promise " " right
		note_difference()
		return 1
	}
	if (text ~ /^Expected .*\) (==|!=|<=|>=|<|>) .*\)$/) {
		sub(/^Expected /, "", text)
		match(text, /\) (==|!=|<=|>=|<|>) /)
		left = substr(text, 1, RSTART)
		right = substr(text, RSTART + RLENGTH)
		op = substr(text, RSTART + 2, RLENGTH - 3)
		want_number = value_of(left)
		got_number = value_of(right)
		left = expression_of(left)
		right = expression_of(right)
		promise = left " " op " " right
		if (op == "==") {
			want = explained(want_number)
			got = explained(got_number)
			note_difference()
			return 1
		}
		want = promise
		got = explained(want_number) " " op " " \
			explained(got_number) " does not hold"
		note_difference()
		return 1
	}
	if (text ~ /^.* is -?[0-9]+, that is -?[0-9]+ (below the least|above the most), -?[0-9]+$/) {
		match(text, / is -?[0-9]+, that is /)
		promise = substr(text, 1, RSTART - 1) " is within its bounds"
		got_number = substr(text, RSTART + 4, RLENGTH - 14)
		match(text, /-?[0-9]+$/)
		want_number = substr(text, RSTART)
		want = (text ~ /below the least/ ? "at least " : "at most ") \
			explained(want_number)
		got = explained(got_number)
		note_difference()
		return 1
	}
	return 0
}

function value_of(side)
{
	match(side, /\([^()]*\)$/)
	return substr(side, RSTART + 1, RLENGTH - 2)
}

function expression_of(side)
{
	sub(/ *\([^()]*\)$/, "", side)
	return side
}

# Between times, the difference says more than the two.
function note_difference(	d)
{
	if (!is_integer(want_number) || !is_integer(got_number))
		return
	d = got_number - want_number
	if (want_number + 0 < 1e6 && want_number + 0 > -1e6 || !d)
		return
	apart = sprintf("%+.0f", d) " (as ns: " (d > 0 ? "+" : "") \
		duration(d) ")"
}
