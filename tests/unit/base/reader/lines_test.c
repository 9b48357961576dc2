/* Lines over a reader, and rows found by what they hold. */
#include "base/reader/lines.h"
#include "base/slots.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define LONG (PN_LINES_MAX_BYTES + 1)

static void shows(struct pn_lines *lines, const char *want)
{
	const char *text;
	struct pn_error err;
	size_t len;

	if (pn_lines_next(&text, &len, lines, &err))
		fail_msg("%s", err.message);
	if (!want) {
		assert_null(text);
		return;
	}
	assert_int_equal(len, strlen(want));
	assert_memory_equal(text, want, len);
}

static void takes_both_line_ends_off(void **state)
{
	struct pn_lines lines = {0};

	(void)state;
	assert_int_equal(pn_reader_memory(&lines.in, "a\r\n\nb\rc\nlast\r", 13,
					  "x", 0, NULL),
			 0);
	shows(&lines, "a");
	shows(&lines, "");
	shows(&lines, "b\rc");
	shows(&lines, "last");
	assert_int_equal(lines.number, 4);
	shows(&lines, NULL);
	shows(&lines, NULL);
	pn_reader_free(lines.in);
}

static void shows_nothing_of_nothing(void **state)
{
	struct pn_lines lines = {0};

	(void)state;
	assert_int_equal(pn_reader_memory(&lines.in, "", 0, "x", 0, NULL), 0);
	shows(&lines, NULL);
	pn_reader_free(lines.in);
}

/* Lines of all lengths around the window's size, one after the other. */
static void shows_lines_longer_than_the_window(void **state)
{
	struct pn_lines lines = {0};
	struct pn_buf text = {0}, want = {0};
	size_t i, k;

	(void)state;
	for (i = 0; i < 5; i++) {
		for (k = 0; k < PN_READER_WINDOW / 2 * i + i; k++)
			pn_buf_add_byte(&text, (unsigned char)('a' + i));
		pn_buf_add_byte(&text, '\n');
	}
	assert_int_equal(
		pn_reader_memory(&lines.in, text.data, text.len, "x", 0, NULL),
		0);
	for (i = 0; i < 5; i++) {
		pn_buf_clear(&want);
		for (k = 0; k < PN_READER_WINDOW / 2 * i + i; k++)
			pn_buf_add_byte(&want, (unsigned char)('a' + i));
		shows(&lines, pn_buf_text(&want));
	}
	shows(&lines, NULL);
	pn_reader_free(lines.in);
	pn_buf_release(&text);
	pn_buf_release(&want);
}

static void refuses_a_line_without_end(void **state)
{
	struct pn_lines lines = {0};
	struct pn_buf text = {0};
	struct pn_error err;
	const char *at;
	size_t len;

	(void)state;
	pn_buf_add_text(&text, "a\n");
	memset(pn_buf_reserve(&text, LONG), 'x', LONG);
	text.len += LONG;
	pn_buf_add_text(&text, "\nb\n");
	assert_int_equal(
		pn_reader_memory(&lines.in, text.data, text.len, "x", 0, NULL),
		0);
	shows(&lines, "a");
	assert_int_equal(pn_lines_next(&at, &len, &lines, &err), PN_ELIMIT);
	assert_string_equal(err.message, "line 2: more than 16777216 bytes");
	pn_reader_free(lines.in);
	pn_buf_release(&text);
}

static uint32_t find(struct pn_slots *slots, const uint64_t *rows, uint64_t v)
{
	uint32_t hash = pn_slots_hash(slots, &v, 1), row;
	size_t at = pn_slots_first(slots, hash);

	while (pn_slots_row(&row, slots, &at, hash))
		if (rows[row] == v)
			return row;
	return UINT32_MAX;
}

static void finds_rows_by_what_they_hold(void **state)
{
	struct pn_slots slots = {0};
	static uint64_t rows[5000];
	uint32_t i;

	(void)state;
	assert_int_equal(find(&slots, rows, 7), UINT32_MAX);
	for (i = 0; i < 5000; i++) {
		rows[i] = (uint64_t)i << 40 | i % 7;
		pn_slots_add(&slots, pn_slots_hash(&slots, &rows[i], 1), i);
	}
	for (i = 0; i < 5000; i++)
		assert_int_equal(find(&slots, rows, rows[i]), i);
	assert_int_equal(find(&slots, rows, 99), UINT32_MAX);
	pn_slots_release(&slots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_both_line_ends_off),
		cmocka_unit_test(shows_nothing_of_nothing),
		cmocka_unit_test(shows_lines_longer_than_the_window),
		cmocka_unit_test(refuses_a_line_without_end),
		cmocka_unit_test(finds_rows_by_what_they_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
