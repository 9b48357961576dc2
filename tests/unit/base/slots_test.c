/* The hash table: rows are found, and no input can choose where they go. */
#include "base/slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT 40000

static bool find(uint32_t *out, const struct pn_slots *slots, uint32_t hash,
		 const uint64_t *words, uint64_t word)
{
	size_t at = pn_slots_first(slots, hash);

	while (pn_slots_row(out, slots, &at, hash))
		if (words[*out] == word)
			return true;
	return false;
}

static void rows_are_found_by_what_they_hold(void **state)
{
	static uint64_t words[COUNT];
	struct pn_slots slots = {0};
	uint32_t i, row, hash;

	(void)state;
	for (i = 0; i < COUNT; i++) {
		words[i] = (uint64_t)i * i;
		hash = pn_slots_hash(&slots, &words[i], 1);
		assert_false(find(&row, &slots, hash, words, words[i]));
		pn_slots_add(&slots, hash, i);
	}
	for (i = 0; i < COUNT; i++) {
		hash = pn_slots_hash(&slots, &words[i], 1);
		assert_true(find(&row, &slots, hash, words, words[i]));
		assert_int_equal(row, i);
	}
	pn_slots_release(&slots);
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Words that share 32 bits of h = w * K, h ^ h >> 32 with K of 2^64 / phi, as
 * one who knows the hash would choose them. Of 40,000 random hashes of 32 bits
 * 0.2 pairs are equal on average; more than 20 do not happen.
 */
static void chosen_words_do_not_collide(void **state)
{
	static const uint64_t inverse = UINT64_C(0xf1de83e19937733d);
	static uint32_t hashes[COUNT];
	struct pn_slots slots = {0};
	size_t i, equal = 0;

	(void)state;
	assert_true(inverse * UINT64_C(0x9e3779b97f4a7c15) == 1);
	for (i = 0; i < COUNT; i++) {
		uint64_t word = ((uint64_t)i << 32 | (i ^ 7)) * inverse;

		hashes[i] = pn_slots_hash(&slots, &word, 1);
	}
	qsort(hashes, COUNT, sizeof(*hashes), by_value);
	for (i = 1; i < COUNT; i++)
		equal += hashes[i] == hashes[i - 1];
	assert_in_range(equal, 0, 20);
}

/* One word under two keys: equal by chance once in 2^32. */
static void each_table_has_a_key_of_its_own(void **state)
{
	struct pn_slots a = {0}, b = {0};
	const uint64_t words[] = {1, 2, 3, 4};

	(void)state;
	assert_int_not_equal(pn_slots_hash(&a, words, 4),
			     pn_slots_hash(&b, words, 4));
	assert_int_not_equal(pn_slots_hash_bytes(&a, words, sizeof(words)),
			     pn_slots_hash_bytes(&b, words, sizeof(words)));
	assert_int_equal(pn_slots_hash(&a, words, 4),
			 pn_slots_hash(&a, words, 4));
}

static void a_word_has_one_hash_however_it_is_made(void **state)
{
	struct pn_slots slots = {0}, other = {0};
	uint64_t word;

	(void)state;
	for (word = 0; word < 1000; word++)
		assert_int_equal(
			pn_slots_hash_word(&slots, word * word),
			pn_slots_hash(&slots, &(uint64_t){word * word}, 1));
	assert_int_equal(pn_slots_hash_word(&other, 7),
			 pn_slots_hash(&other, &(uint64_t){7}, 1));
	pn_slots_release(&slots);
	pn_slots_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_what_they_hold),
		cmocka_unit_test(chosen_words_do_not_collide),
		cmocka_unit_test(each_table_has_a_key_of_its_own),
		cmocka_unit_test(a_word_has_one_hash_however_it_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
