# SPDX-License-Identifier: GPL-2.0
#
# The programs in which something failed, as "pidns/identity_test".

function each_record(	program)
{
	if (!is_failure())
		return
	program = selector()
	sub(/:.*/, "", program)
	if (program ~ /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/ && !seen[program]++)
		print program
}

function the_end() {}
