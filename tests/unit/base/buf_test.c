/* base/buf.h: runs of bytes that grow. */
#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

static void adds_bytes_behind_each_other(void **state)
{
	struct pn_buf b = {0};

	(void)state;
	assert_string_equal(pn_buf_text(&b), "");
	pn_buf_add(&b, "one\0two", 7);
	assert_int_equal(b.len, 7);
	pn_buf_cut(&b, 3);
	pn_buf_add_byte(&b, ' ');
	pn_buf_printf(&b, "%d%s", 2, " three");
	assert_string_equal(pn_buf_text(&b), "one 2 three");
	pn_buf_cut(&b, 100);
	assert_int_equal(b.len, 11);
	pn_buf_release(&b);
}

static void prints_more_than_it_has_room_for(void **state)
{
	struct pn_buf b = {0};

	(void)state;
	pn_buf_printf(&b, "%*d", 5000, 7);
	assert_int_equal(b.len, 5000);
	assert_int_equal(b.data[4998], ' ');
	assert_string_equal(pn_buf_text(&b) + 4999, "7");
	pn_buf_release(&b);
}

static void fills_with_a_byte(void **state)
{
	struct pn_buf b = {0};

	(void)state;
	pn_buf_add_fill(&b, ' ', 0);
	assert_string_equal(pn_buf_text(&b), "");
	pn_buf_add_text(&b, "a");
	pn_buf_add_fill(&b, '=', 3);
	pn_buf_add_text(&b, "b");
	assert_string_equal(pn_buf_text(&b), "a===b");
	pn_buf_add_fill(&b, '.', 10000);
	assert_int_equal(b.len, 10005);
	assert_int_equal(b.data[10004], '.');
	assert_int_equal(b.data[10005], '\0');
	pn_buf_release(&b);
}

static void writes_whole_numbers(void **state)
{
	struct pn_buf buf = {0};

	(void)state;
	pn_buf_add_int(&buf, 0);
	pn_buf_add_byte(&buf, ' ');
	pn_buf_add_int(&buf, -7);
	pn_buf_add_byte(&buf, ' ');
	pn_buf_add_int(&buf, INT64_MAX);
	pn_buf_add_byte(&buf, ' ');
	pn_buf_add_int(&buf, INT64_MIN);
	assert_string_equal(pn_buf_text(&buf),
			    "0 -7 9223372036854775807 -9223372036854775808");
	assert_int_equal(buf.len, strlen(pn_buf_text(&buf)));
	pn_buf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_bytes_behind_each_other),
		cmocka_unit_test(prints_more_than_it_has_room_for),
		cmocka_unit_test(fills_with_a_byte),
		cmocka_unit_test(writes_whole_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
