// SPDX-License-Identifier: GPL-2.0
/* The image that the tests of exec execute: static where that is possible. */
#include "image.h"

int main(void)
{
	image_take_over();
	return 2; /* executed by hand */
}
