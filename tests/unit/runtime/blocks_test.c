/* The allocation tracer's table of live blocks. */
#define _GNU_SOURCE
#include "runtime/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT 20000

static uint64_t next(uint64_t *state)
{
	/* xorshift64: Marsaglia, J. Statistical Software 8 (2003) */
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static void finds_what_was_added_and_not_taken(void **state)
{
	struct pn_blocks blocks = {0};
	struct pn_block old, got;
	static uint64_t sizes[COUNT]; /* by address / 16; 0: not there */
	uint64_t seed = 88172645463325252u;
	size_t i, live = 0;

	(void)state;
	for (i = 0; i < 20 * COUNT; i++) {
		size_t at = next(&seed) % COUNT;
		struct pn_block block = {.address = 16 * (at + 1),
					 .size = next(&seed) % 1000000 + 1,
					 .stack = (uint32_t)at + 1};

		if (next(&seed) % 2) {
			assert_true(pn_blocks_add(&blocks, &block, &old));
			assert_int_equal(old.stack, sizes[at] ? at + 1 : 0);
			assert_int_equal(old.stack ? old.size : 0, sizes[at]);
			live += !sizes[at];
			sizes[at] = block.size;
		} else {
			got = pn_blocks_take(&blocks, block.address);
			assert_int_equal(got.stack, sizes[at] ? at + 1 : 0);
			assert_int_equal(got.stack ? got.size : 0, sizes[at]);
			live -= sizes[at] != 0;
			sizes[at] = 0;
		}
		assert_int_equal(blocks.count, live);
	}
	pn_blocks_release(&blocks);
}

static void keeps_48_bits_of_address_and_size(void **state)
{
	const uint64_t top = (UINT64_C(1) << 48) - 1;
	struct pn_block block = {.address = top, .size = top, .stack = 7};
	struct pn_blocks blocks = {0};
	struct pn_block old, got;

	(void)state;
	assert_true(pn_blocks_add(&blocks, &block, &old));
	got = pn_blocks_take(&blocks, top);
	assert_int_equal(got.address, top);
	assert_int_equal(got.size, top);
	assert_int_equal(got.stack, 7);
	block.address = top + 1;
	assert_false(pn_blocks_add(&blocks, &block, &old));
	block.address = 16;
	block.size = top + 1;
	assert_false(pn_blocks_add(&blocks, &block, &old));
	assert_int_equal(pn_blocks_take(&blocks, 0).stack, 0);
	pn_blocks_release(&blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_added_and_not_taken),
		cmocka_unit_test(keeps_48_bits_of_address_and_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
