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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_empty_string_id_zero),
		cmocka_unit_test(keeps_ids_dense_and_equal_strings_one),
		cmocka_unit_test(tells_strings_with_nul_bytes_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
