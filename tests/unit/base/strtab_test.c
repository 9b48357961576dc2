/* The string table: ids, equality, growth. */
#include "base/strtab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void gives_the_empty_string_id_zero(void **state)
{
	struct pn_strtab tab = {0};

	(void)state;
	assert_int_equal(pn_strtab_add_text(&tab, "a"), 1);
	assert_int_equal(pn_strtab_add_text(&tab, ""), 0);
	assert_string_equal(pn_strtab_text(&tab, 0), "");
	pn_strtab_release(&tab);
}

static void keeps_ids_dense_and_equal_strings_one(void **state)
{
	struct pn_strtab tab = {0};
	char text[16];
	uint32_t i, round;

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 1; i <= 5000; i++) {
			snprintf(text, sizeof(text), "name%u", i);
			assert_int_equal(pn_strtab_add_text(&tab, text), i);
		}
	assert_int_equal(tab.count, 5001);
	assert_string_equal(pn_strtab_text(&tab, 4711), "name4711");
	pn_strtab_release(&tab);
}

static void tells_strings_with_nul_bytes_apart(void **state)
{
	struct pn_strtab tab = {0};
	uint32_t id;

	(void)state;
	assert_int_equal(pn_strtab_add(&tab, "a\0b", 3), 1);
	assert_int_equal(pn_strtab_add(&tab, "a\0c", 3), 2);
	assert_true(pn_strtab_find(&id, &tab, "a\0c", 3));
	assert_int_equal(id, 2);
	assert_false(pn_strtab_find(&id, &tab, "a", 1));
	pn_strtab_release(&tab);
}

static void finds_what_was_appended_unseen(void **state)
{
	struct pn_strtab tab = {0};
	char text[16];
	uint32_t i, id;

	(void)state;
	assert_int_equal(pn_strtab_append(&tab, "", 0), 0);
	for (i = 1; i <= 300; i++) {
		snprintf(text, sizeof(text), "name%u", i);
		assert_int_equal(pn_strtab_append(&tab, text, strlen(text)), i);
	}
	assert_true(pn_strtab_find(&id, &tab, "name200", 7));
	assert_int_equal(id, 200);
	assert_false(pn_strtab_find(&id, &tab, "name0", 5));
	/* from here on it is hashed */
	assert_int_equal(pn_strtab_add_text(&tab, "name300"), 300);
	assert_int_equal(pn_strtab_add_text(&tab, "other"), 301);
	assert_int_equal(pn_strtab_append(&tab, "more", 4), 302);
	assert_true(pn_strtab_find(&id, &tab, "more", 4));
	assert_int_equal(id, 302);
	assert_int_equal(pn_strtab_add_text(&tab, ""), 0);
	pn_strtab_release(&tab);
}

static void adds_the_strings_of_other_tables(void **state)
{
	struct pn_strtab seen = {0}, unseen = {0}, out = {0};
	uint32_t id;

	(void)state;
	assert_int_equal(pn_strtab_add_text(&seen, "main"), 1);
	assert_int_equal(pn_strtab_add(&seen, "a\0b", 3), 2);
	assert_int_equal(pn_strtab_append(&unseen, "", 0), 0);
	assert_int_equal(pn_strtab_append(&unseen, "a\0b", 3), 1);
	assert_int_equal(pn_strtab_append(&unseen, "leaf", 4), 2);

	assert_int_equal(pn_strtab_add_from(&out, &seen, 2), 1);
	assert_int_equal(pn_strtab_add_from(&out, &unseen, 1), 1);
	assert_int_equal(pn_strtab_add_from(&out, &unseen, 2), 2);
	assert_int_equal(pn_strtab_add_from(&out, &seen, 1), 3);
	assert_int_equal(pn_strtab_add_from(&out, &seen, 0), 0);
	assert_int_equal(pn_strtab_add_from(&out, &seen, 99), 0);
	assert_true(pn_strtab_find(&id, &out, "leaf", 4));
	assert_int_equal(id, 2);
	assert_int_equal(out.count, 4);
	pn_strtab_release(&seen);
	pn_strtab_release(&unseen);
	pn_strtab_release(&out);
}

/* The arena that the strings lie in, by itself. */
static void clears_an_arena_for_the_next_ones(void **state)
{
	struct pn_arena arena = {0};
	uint64_t *first, *large;
	size_t i;

	(void)state;
	first = pn_arena_array(&arena, 8, sizeof(*first));
	assert_int_equal((uintptr_t)first % 8, 0);
	pn_arena_clear(&arena);
	assert_ptr_equal(pn_arena_array(&arena, 8, sizeof(*first)), first);
	large = pn_arena_array(&arena, 100000, sizeof(*large));
	for (i = 0; i < 100000; i++)
		large[i] = i;
	pn_arena_clear(&arena);
	assert_ptr_equal(pn_arena_array(&arena, 8, sizeof(*first)), first);
	pn_arena_release(&arena);
	/* nothing large is held on to */
	large = pn_arena_array(&arena, 100000, sizeof(*large));
	large[99999] = 1;
	pn_arena_clear(&arena);
	assert_null(arena.blocks);
	assert_non_null(pn_arena_array(&arena, 0, 8));
	pn_arena_release(&arena);
	pn_arena_clear(&arena);
	assert_null(arena.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_empty_string_id_zero),
		cmocka_unit_test(keeps_ids_dense_and_equal_strings_one),
		cmocka_unit_test(tells_strings_with_nul_bytes_apart),
		cmocka_unit_test(finds_what_was_appended_unseen),
		cmocka_unit_test(adds_the_strings_of_other_tables),
		cmocka_unit_test(clears_an_arena_for_the_next_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
