# SPDX-License-Identifier: GPL-2.0
#
# Names of the tests in a C file that uses kselftest_harness.h, in the order in
# which they run: for programs that cannot list them (harness before 6.10).

/^(TEST|TEST_SIGNAL|TEST_F|TEST_F_SIGNAL|TEST_F_TIMEOUT|FIXTURE_VARIANT_ADD)\(/ {
	macro = $0
	sub(/\(.*/, "", macro)
	args = $0
	sub(/^[A-Z_]*\(/, "", args)
	sub(/\).*/, "", args)
	gsub(/[ \t]/, "", args)
	split(args, arg, ",")

	if (macro == "FIXTURE_VARIANT_ADD")
		variants[arg[1]] = variants[arg[1]] " " arg[2]
	else if (macro ~ /^TEST_F/)
		add_test(arg[1], arg[2])
	else
		print "global." arg[1]
}

function add_test(fixture, test)
{
	if (!(fixture in tests))
		order[++fixtures] = fixture
	tests[fixture] = tests[fixture] " " test
}

function print_fixture(fixture,	nv, v, nt, t, i, j)
{
	nv = split(variants[fixture], v, " ")
	nt = split(tests[fixture], t, " ")
	for (i = 1; i <= (nv ? nv : 1); i++)
		for (j = 1; j <= nt; j++)
			print fixture "." (nv ? v[i] "." : "") t[j]
}

END {
	for (k = 1; k <= fixtures; k++)
		print_fixture(order[k])
}
