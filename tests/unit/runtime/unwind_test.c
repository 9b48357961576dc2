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
static int lasts; /* how often a stack was that of the last call */
static volatile uintptr_t sink; /* so that calls are no jumps */

/* A walk by the last stack has the same frames, and what is said to be the last
 * stack is. */
static void compare_again(const struct pn_unwind_at *at,
			  const struct pn_unwind_window *window,
			  const uintptr_t *frames, size_t count)
{
	static struct pn_unwind_last last;
	static uintptr_t kept[DEPTH];
	static size_t kept_count;
	uintptr_t again[DEPTH];
	bool is_last = pn_unwind_is_last(at, window, &last);

	lasts += is_last;
	if (is_last)
		differs += kept_count != count ||
			   memcmp(kept, frames, count * sizeof(*frames)) != 0;
	kept_count = pn_unwind_again(again, DEPTH, at, window, &last);
	differs += kept_count != count ||
		   memcmp(again, frames, count * sizeof(*frames)) != 0;
	memcpy(kept, again, kept_count * sizeof(*again));
}

/* Both see the same frames from the caller of this on. */
static __attribute__((noinline)) int compare(const void *a, const void *b)
{
	struct pn_unwind_at at = PN_UNWIND_CALLER();
	struct pn_unwind_window window = {.low = at.sp,
					  .high = (uintptr_t)__libc_stack_end};
	uintptr_t ours[DEPTH];
	void *theirs[DEPTH + 8];
	size_t n = pn_unwind(ours, DEPTH, &at, &window), m, i, skip;

	compare_again(&at, &window, ours, n);
	compare_again(&at, &window, ours, n);
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

static uint32_t drawn = 1;

static unsigned draw(void)
{
	drawn = drawn * 1664525u + 1013904223u;
	return drawn >> 24;
}

/* Three with frames of one size, so that a caller changes and nothing else
 * does, one with a frame pointer and a size that is drawn. */
static int go(int depth);

#define FUNCTION(name, add)                                                    \
	static __attribute__((noinline)) int name(int depth)                   \
	{                                                                      \
		int got = go(depth) + (add);                                   \
                                                                               \
		sink = (uintptr_t)got;                                         \
		return got;                                                    \
	}
FUNCTION(red, 1)
FUNCTION(green, 2)
FUNCTION(blue, 3)

static __attribute__((noinline)) int wide(int depth)
{
	char *space = __builtin_alloca(16 + draw());
	int got;

	*space = 1;
	sink = (uintptr_t)space;
	got = go(depth);
	sink = (uintptr_t)got;
	return got;
}

static __attribute__((noinline)) int go(int depth)
{
	static int (*const next[])(int) = {red, green, blue, wide};
	int got = 0, i, calls = 1 + (draw() < 60);

	for (i = 0; i < calls; i++)
		got += depth ? next[draw() % 4](depth - 1) : call();
	sink = (uintptr_t)got;
	return got;
}

static void stacks_are_told_from_the_last_one(void **state)
{
	int i;

	(void)state;
	if (!&__libc_stack_end) {
		skip();
		return;
	}
	for (i = 0; i < 3000; i++) {
		go((int)(draw() % 10));
		if (draw() < 3)
			recurse(20 + (int)draw());
		if (draw() < 2)
			pn_unwind_forget();
	}
	assert_true(compared > 3000);
	assert_true(lasts >= 3000);
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
		cmocka_unit_test(stacks_are_told_from_the_last_one),
		cmocka_unit_test(reads_nothing_outside_of_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
