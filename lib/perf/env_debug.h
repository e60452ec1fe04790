/* SPDX-License-Identifier: GPL-2.0 */
/* What makes a verdict impossible, and where to look for it; for env*.c only. */
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

/**
 * env_boot_option - an option of the command line of the kernel
 * @name: with "=" when it has a value
 * @value, @size: the value; may be NULL, 0
 *
 * Returns whether it is there.
 */
int env_boot_option(const char *name, char *value, size_t size);

/**
 * env_config_has - is an option of the configuration set?
 * @option: without CONFIG_
 *
 * Returns 1 when it is "y", else 0; also where no configuration can be read.
 */
int env_config_has(const char *option);

#endif /* LIB_ENV_DEBUG_H */
