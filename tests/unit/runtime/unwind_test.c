/* Stacks of the tracers beside those of the compiler's own unwinder. */
#define _GNU_SOURCE
#include "runtime/unwind.h"

#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DEPTH 64

extern void *__libc_stack_end __attribute__((weak));

static int differs; /* how often they did not agree */
static int compared;
static volatile uintptr_t sink; /* so that calls are no jumps */

/* Both see the same frames from the caller of this on. */
static __attribute__((noinline)) int compare(const void *a, const void *b)
{
	struct pn_unwind_at at = PN_UNWIND_CALLER();
	struct pn_unwind_window window = {.low = at.sp,
					  .high = (uintptr_t)__libc_stack_end};
	uintptr_t ours[DEPTH];
	void *theirs[DEPTH + 8];
	size_t n = pn_unwind(ours, DEPTH, &at, &window), m, i, skip;

	m = (size_t)backtrace(theirs, DEPTH + 8);
	for (skip = 0; skip < m && (uintptr_t)theirs[skip] != at.pc; skip++)
		;
	compared++;
	differs += m - skip < n || n < 3;
	for (i = 0; i < n && skip + i < m; i++)
		differs += ours[i] != (uintptr_t)theirs[skip + i];
	/* they may stop one before us, where the kernel's frame begins */
	differs += n < DEPTH && n + skip + 1 < m;
	return *(const int *)a - *(const int *)b;
}

static int call(void)
{
	int a = 1, b = 2;

	return compare(&a, &b);
}

static __attribute__((noinline)) int recurse(int depth)
{
	int got = depth ? recurse(depth - 1) : call();

	sink = (uintptr_t)got;
	return got;
}

static __attribute__((noinline)) int in_aligned_frame(size_t size)
{
	char aligned[64] __attribute__((aligned(256)));
	char *space = __builtin_alloca(size);
	int got;

	memset(space, 1, size);
	memset(aligned, 2, sizeof(aligned));
	sink = (uintptr_t)space;
	sink = (uintptr_t)aligned;
	got = recurse(2);
	sink = (uintptr_t)got;
	return got;
}

static void handle(int signal)
{
	(void)signal;
	call();
}

static void agrees_with_backtrace(void **state)
{
	int numbers[] = {5, 3, 9, 1, 7, 2};

	(void)state;
	if (!&__libc_stack_end) {
		skip();
		return;
	}
	call();
	recurse(20);
	recurse(200); /* cut */
	in_aligned_frame(100);
	qsort(numbers, 6, sizeof(*numbers), compare); /* through libc */
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	pn_unwind_forget();
	recurse(20);
	assert_true(compared > 10);
#ifdef __x86_64__
	assert_int_equal(differs, 0);
#endif
}

static void reads_nothing_outside_of_the_window(void **state)
{
	uintptr_t stack[4] = {1, 2, 3, 4}, out[8];
	struct pn_unwind_window window = {.low = (uintptr_t)stack,
					  .high = (uintptr_t)(stack + 4)};
	struct pn_unwind_at at = {12345, (uintptr_t)stack, 0};

	(void)state;
	at.fp = (uintptr_t)(stack + 3); /* its return address is outside */
	assert_int_equal(pn_unwind(out, 8, &at, &window), 1);
	at.fp = UINTPTR_MAX - 7;
	assert_int_equal(pn_unwind(out, 8, &at, &window), 1);
	at.fp = (uintptr_t)stack + 1; /* not aligned */
	assert_int_equal(pn_unwind(out, 8, &at, &window), 1);
	at.fp = (uintptr_t)stack; /* 2 is the caller, and 1 no stack */
	assert_int_equal(pn_unwind(out, 8, &at, &window), 2);
	assert_int_equal(out[1], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_backtrace),
		cmocka_unit_test(reads_nothing_outside_of_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
