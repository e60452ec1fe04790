// SPDX-License-Identifier: GPL-2.0
/* Reads a clock once, as a program that was just executed. */
#include <time.h>

int main(void)
{
	struct timespec t;

	return clock_gettime(CLOCK_MONOTONIC, &t) != 0;
}
