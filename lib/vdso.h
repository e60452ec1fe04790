/* SPDX-License-Identifier: GPL-2.0 */
/* Calling the vDSO directly, past the C library. */
#ifndef LIB_VDSO_H
#define LIB_VDSO_H

/**
 * vdso_base - where the vDSO is mapped in the caller
 *
 * Returns its address (AT_SYSINFO_EHDR of getauxval(3)), 0 without a vDSO.
 */
unsigned long vdso_base(void);

/**
 * vdso_find - look a function up by the purpose in its name
 * @name: without prefix: "clock_gettime", "gettimeofday", "time",
 *        "clock_getres", "getcpu", "clock_gettime64"
 *
 * Tries the prefixes of vdso(7): "__vdso_", "__kernel_".
 * Returns its address, NULL when the vDSO of this architecture has none.
 */
void *vdso_find(const char *name);

/**
 * vdso_error - what a function of the vDSO returned, the same everywhere
 * @ret: returned by the function
 *
 * Most architectures return a negative errno as the kernel does; powerpc returns
 * a positive one, and says in a bit of the condition register, which C does not
 * see, that it is one (arch/powerpc/include/asm/vdso/gettimeofday.h).
 * Returns 0 or -errno.
 */
static inline int vdso_error(int ret)
{
	return ret < 0 ? ret : -ret;
}

#endif /* LIB_VDSO_H */
