# SPDX-License-Identifier: GPL-2.0
#
# Names of tests from what a harness program prints with -l: three columns,
# where variants and tests of a fixture stand side by side but are meant as
# every combination.

# A name in the third column only has blanks before it, also where a long name
# in the first column has moved the others.
function take_row(line,	n, f, wide, first, second)
{
	n = split(line, f, " ")
	wide = 20
	if (new_fixture) {
		fixture = f[1]
		if (length(fixture) > wide)
			wide = length(fixture)
		n--
		first = f[2]
		second = f[3]
	} else {
		first = f[1]
		second = f[2]
	}
	new_fixture = 0
	if (n == 2) {
		variant[++nv] = first
		test[++nt] = second
	} else if (n == 1 && substr(line, wide + 2, 1) == " ") {
		test[++nt] = first
	} else if (n == 1) {
		variant[++nv] = first
	}
}

function flush_fixture(	i, j)
{
	for (i = 1; i <= (nv ? nv : 1); i++)
		for (j = 1; j <= nt; j++)
			print fixture "." (nv ? variant[i] "." : "") test[j]
	nv = nt = 0
	new_fixture = 1
}

/^# FIXTURE +VARIANT +TEST/ { new_fixture = 1; listing = 1; next }
/^-----/ { flush_fixture(); next }
listing && NF { take_row($0) }
END { flush_fixture() }
