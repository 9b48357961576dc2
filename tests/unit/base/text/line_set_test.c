/* Lines, each kept once. */
#include "base/error.h"
#include "base/text/line_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MANY ((size_t)1 << 20)

static int add(struct pn_line_set *set, const char *text)
{
	return pn_line_set_add(set, text, strlen(text), MANY, MANY);
}

static void keeps_each_line_once_in_its_order(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(add(&set, "b\na\nb\n"), 0);
	assert_int_equal(add(&set, "c\na\nab\n"), 0);
	assert_string_equal(pn_buf_text(&set.text), "b\na\nc\nab\n");
	assert_int_equal(set.count, 4);
	assert_int_equal(set.repeated, 2);
	pn_line_set_release(&set);
}

static void ends_the_last_line(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(add(&set, "a\nb"), 0);
	assert_int_equal(add(&set, "b\nc"), 0);
	assert_string_equal(pn_buf_text(&set.text), "a\nb\nc\n");
	pn_line_set_release(&set);
}

static void keeps_blank_lines_between_others_only(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(add(&set, "\n\na\n\n\nb\n\na\n\n"), 0);
	assert_string_equal(pn_buf_text(&set.text), "a\n\nb\n");
	assert_int_equal(set.repeated, 1);
	assert_int_equal(add(&set, "c"), 0);
	assert_string_equal(pn_buf_text(&set.text), "a\n\nb\n\nc\n");
	pn_line_set_release(&set);
}

static void stops_growing_when_a_text_is_doubled_again_and_again(void **state)
{
	struct pn_line_set set = {0};
	char before[64];
	int round;

	(void)state;
	assert_int_equal(add(&set, "one\n\ntwo\n"), 0);
	snprintf(before, sizeof(before), "%s", pn_buf_text(&set.text));
	for (round = 0; round < 20; round++) {
		assert_int_equal(add(&set, "\n"), 0);
		assert_int_equal(add(&set, before), 0);
	}
	assert_string_equal(pn_buf_text(&set.text), before);
	assert_int_equal(set.repeated, 40);
	pn_line_set_release(&set);
}

static void finds_lines_among_many(void **state)
{
	struct pn_line_set set = {0};
	char line[32];
	int round, i;

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 0; i < 5000; i++) {
			snprintf(line, sizeof(line), "line %d\n", i);
			assert_int_equal(add(&set, line), 0);
		}
	assert_int_equal(set.count, 5000);
	assert_int_equal(set.repeated, 5000);
	pn_line_set_release(&set);
}

static void refuses_more_bytes_than_are_allowed(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(pn_line_set_add(&set, "abc\nabc\nde", 10, 7, MANY), 0);
	assert_int_equal(set.text.len, 7);
	assert_int_equal(pn_line_set_add(&set, "abc\n", 4, 7, MANY), 0);
	assert_int_equal(pn_line_set_add(&set, "f", 1, 8, MANY), PN_ELIMIT);
	assert_int_equal(pn_line_set_add(&set, "f", 1, 9, MANY), 0);
	assert_int_equal(pn_line_set_add(&set, "\ng", 2, 11, MANY), PN_ELIMIT);
	pn_line_set_release(&set);
}

static void refuses_more_lines_than_are_allowed(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(pn_line_set_add(&set, "a\nb\na\nb\n", 8, MANY, 2), 0);
	assert_int_equal(pn_line_set_add(&set, "c\n", 2, MANY, 2), PN_ELIMIT);
	assert_string_equal(pn_buf_text(&set.text), "a\nb\n");
	pn_line_set_release(&set);
}

static void takes_nothing_and_lines_with_zero_bytes(void **state)
{
	struct pn_line_set set = {0};

	(void)state;
	assert_int_equal(pn_line_set_add(&set, NULL, 0, MANY, MANY), 0);
	assert_int_equal(set.text.len, 0);
	assert_int_equal(pn_line_set_add(&set, "\0\n\0x\n\0\n", 7, MANY, MANY),
			 0);
	assert_int_equal(set.count, 2);
	assert_memory_equal(set.text.data, "\0\n\0x\n", 5);
	pn_line_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_each_line_once_in_its_order),
		cmocka_unit_test(ends_the_last_line),
		cmocka_unit_test(keeps_blank_lines_between_others_only),
		cmocka_unit_test(
			stops_growing_when_a_text_is_doubled_again_and_again),
		cmocka_unit_test(finds_lines_among_many),
		cmocka_unit_test(refuses_more_bytes_than_are_allowed),
		cmocka_unit_test(refuses_more_lines_than_are_allowed),
		cmocka_unit_test(takes_nothing_and_lines_with_zero_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
