/* SPDX-License-Identifier: GPL-2.0 */
/* The two facts of env.h that make a verdict impossible; for env.c only. */
#ifndef LIB_ENV_DEBUG_H
#define LIB_ENV_DEBUG_H

#include <stddef.h>

/**
 * env_debug - options of the running kernel that distort costs
 * @buf, @size: their names, lower case, joined by "+"; "none" without any
 */
void env_debug(char *buf, size_t size);

/**
 * env_virt - what this machine runs on
 * @buf, @size: "none", "kvm", "tcg" (QEMU without hardware support), "xen",
 *              "vmware", "hyperv" or "other"
 */
void env_virt(char *buf, size_t size);

#endif /* LIB_ENV_DEBUG_H */
