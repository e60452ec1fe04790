# SPDX-License-Identifier: GPL-2.0
#
# Names of tests from what a harness program prints with -l: three columns,
# where variants and tests of a fixture stand side by side but are meant as
# every combination.

# A test name can only begin beyond the columns of the other two.
function take_row(line,	n, f)
{
	n = split(line, f, " ")
	if (new_fixture) {
		new_fixture = 0
		fixture = f[1]
		if (n == 3)
			variant[++nv] = f[2]
		test[++nt] = f[n]
	} else if (n == 2) {
		variant[++nv] = f[1]
		test[++nt] = f[2]
	} else if (line ~ /^                      /) {
		test[++nt] = f[1]
	} else if (n == 1) {
		variant[++nv] = f[1]
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
