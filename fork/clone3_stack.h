/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clone3(2) for a child with a stack of its own, as CLONE_VM needs: no C
 * library offers that, and C cannot say where the child goes on.
 */
#ifndef FORK_CLONE3_STACK_H
#define FORK_CLONE3_STACK_H

#include "uapi.h"

/*
 * clone3_on_stack - let a function run in a child on another stack
 * @args: with stack and stack_size, both multiples of 16
 * @fn: must not return
 * @arg: its argument
 *
 * Returns the child's number or a negative errno of clone3(2); -EOPNOTSUPP on
 * an architecture that has no lines here yet.
 */
static inline long clone3_on_stack(struct uapi_clone_args *args,
				   int (*fn)(void *arg), void *arg)
{
#if defined(__x86_64__) && defined(__LP64__)
	register int (*child)(void *arg) __asm__("r12") = fn;
	register void *what __asm__("r13") = arg;
	long ret = __NR_clone3;

	/* clang-format off */
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "mov %[what], %%rdi\n\t"
			 "call *%[child]\n\t"
			 "ud2\n"
			 "1:"
			 : "+a"(ret)
			 : "D"(args), "S"(sizeof(*args)), [child] "r"(child),
			   [what] "r"(what)
			 : "rcx", "r11", "cc", "memory");
	/* clang-format on */
	return ret;
#elif defined(__aarch64__)
	register long nr __asm__("x8") = __NR_clone3;
	register long ret __asm__("x0") = (long)args;
	register long size __asm__("x1") = sizeof(*args);
	register int (*child)(void *arg) __asm__("x2") = fn;
	register void *what __asm__("x3") = arg;

	__asm__ volatile("svc 0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, xzr\n\t"
			 "mov x0, %[what]\n\t"
			 "blr %[child]\n\t"
			 "brk 0\n"
			 "1:"
			 : "+r"(ret)
			 : "r"(nr),
			   "r"(size), [child] "r"(child), [what] "r"(what)
			 : "cc", "memory", "x30");
	return ret;
#else
	(void)args;
	(void)fn;
	(void)arg;
	return -EOPNOTSUPP;
#endif
}

#endif /* FORK_CLONE3_STACK_H */
