// SPDX-License-Identifier: GPL-2.0
/* A program that looks at its clocks; started by witness_exec(). */
#include "witness.h"

int main(void)
{
	witness_main();
	return 2;
}
