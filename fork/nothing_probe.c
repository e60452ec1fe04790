// SPDX-License-Identifier: GPL-2.0
/* A program that does nothing, for tests that measure what exec costs. */

int main(void)
{
	return 0;
}
