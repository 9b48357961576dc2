/*
 * longjmp leaves calls without an exit. Where the C library tells where it
 * goes to, they end here and now; elsewhere the next call finds them.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "runtime/trace/trace_state.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
_Noreturn void __longjmp_chk(struct __jmp_buf_tag env[1], int value);
#pragma GCC visibility pop

/* Frames of our hooks lie below the stack of the function that calls them: a
 * return address and a frame pointer. */
#define HOOK (2 * sizeof(uintptr_t))

#if defined(__x86_64__) && defined(__GLIBC__)
#define STACK_SLOT 6 /* JB_RSP of glibc's jmpbuf-offsets.h */

/* glibc hides the pointer: sysdeps/unix/sysv/linux/x86_64/pointer_guard.h. */
static uintptr_t target_of(const struct __jmp_buf_tag *env)
{
	uintptr_t stack = (uintptr_t)env->__jmpbuf[STACK_SLOT];

	__asm__("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(stack));
	return stack;
}
#else
static uintptr_t target_of(const struct __jmp_buf_tag *env)
{
	(void)env;
	return 0;
}
#endif

static _Noreturn void jump(const char *name, struct __jmp_buf_tag *env,
			   int value)
{
	struct pn_trace_thread *t = pn_trace_self;
	void (*next)(struct __jmp_buf_tag *, int);
	void *found = dlsym(RTLD_NEXT, name);
	uintptr_t stack = target_of(env);

	if (t && *pn_trace_is_ours && stack > HOOK)
		pn_trace_unwind(t, 0, stack - HOOK);
	if (!found)
		abort();
	memcpy(&next, &found, sizeof(next));
	next(env, value);
	abort(); /* it does not come back */
}

#undef longjmp
#undef siglongjmp
#pragma GCC visibility push(default)

_Noreturn void longjmp(struct __jmp_buf_tag env[1], int value)
{
	jump("longjmp", env, value);
}

_Noreturn void _longjmp(struct __jmp_buf_tag env[1], int value)
{
	jump("_longjmp", env, value);
}

_Noreturn void siglongjmp(struct __jmp_buf_tag env[1], int value)
{
	jump("siglongjmp", env, value);
}

_Noreturn void __longjmp_chk(struct __jmp_buf_tag env[1], int value)
{
	jump("__longjmp_chk", env, value);
}

#pragma GCC visibility pop
