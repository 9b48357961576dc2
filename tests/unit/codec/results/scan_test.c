/* Lines from their beginning: words, texts, numbers. */
#include "codec/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static struct pn_scan of(const char *text)
{
	return pn_scan_of(text, strlen(text));
}

static void is(struct pn_scan s, const char *text)
{
	if (!pn_scan_is(&s, text))
		fail_msg("'%.*s', expected '%s'", (int)pn_scan_left(&s), s.at,
			 text);
}

static void texts_are_found_and_taken(void **state)
{
	struct pn_scan s = of("a, b, c"), part;

	(void)state;
	assert_true(pn_scan_until(&part, &s, ", "));
	is(part, "a");
	is(s, "b, c");
	assert_true(pn_scan_until_last(&part, &s, ' '));
	is(part, "b,");
	is(s, "c");
	assert_false(pn_scan_until(&part, &s, "cd"));
	assert_false(pn_scan_until_last(&part, &s, 'x'));
	is(s, "c");
	s = of("aab");
	assert_true(pn_scan_until(&part, &s, "ab"));
	is(part, "a");
	assert_int_equal(pn_scan_left(&s), 0);
	assert_false(pn_scan_until(&part, &s, "ab"));
}

static void numbers_end_where_they_are_none(void **state)
{
	static const struct {
		const char *text, *rest;
		double value;
	} rows[] = {
		{"12 ns", " ns", 12},
		{" 1,234,567.5%", "%", 1234567.5},
		{"1.5e3ms", "ms", 1500},
		{"12em", "em", 12},
		{"-0.25", "", -0.25},
		{"1-2", "-2", 1},
		/* a comma that is no thousands' one may be a point */
		{"12,5", ",5", 12},
		{"12.5,7", ",7", 12.5},
		{"1,25", ",25", 1},
		{"1,2345", ",2345", 1},
		{"1234,567", ",567", 1234},
		{"1.5,000", ",000", 1.5},
		{"1e2,000", ",000", 100},
		{"0,125", ",125", 0},
		{"-1,250", "", -1250},
		{"12,345,67", ",67", 12345},
		{"123,456.75 x", " x", 123456.75},
		{"1,", ",", 1},
		{"1,234e1", "", 12340},
		{"1-2,345", "-2,345", 1},
		{"1,,234", ",,234", 1},
	};
	struct pn_scan s;
	double value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		s = of(rows[i].text);
		assert_true(pn_scan_number(&value, &s));
		assert_true(value == rows[i].value);
		is(s, rows[i].rest);
	}
	s = of("ms 12");
	assert_false(pn_scan_number(&value, &s));
	is(s, "ms 12");
	s = of(",1");
	assert_false(pn_scan_number(&value, &s));
}

static void lines_and_words_are_without_what_ends_them(void **state)
{
	struct pn_scan bytes = of("one  two\r\n\nlast"), line, word;

	(void)state;
	assert_true(pn_scan_line(&line, &bytes));
	is(line, "one  two");
	assert_true(pn_scan_word(&word, &line));
	is(word, "one");
	assert_true(pn_scan_word(&word, &line));
	is(word, "two");
	assert_false(pn_scan_word(&word, &line));
	assert_true(pn_scan_line(&line, &bytes));
	is(line, "");
	assert_true(pn_scan_line(&line, &bytes));
	is(line, "last");
	assert_false(pn_scan_line(&line, &bytes));
	line = of(" \ta b ");
	pn_scan_trim(&line);
	is(line, "a b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_found_and_taken),
		cmocka_unit_test(numbers_end_where_they_are_none),
		cmocka_unit_test(lines_and_words_are_without_what_ends_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
