/* Columns of texts on a terminal. */
#include "base/text/width.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void fits(const char *wanted, const char *text, size_t width)
{
	struct pn_buf out = {0};
	size_t taken = pn_text_fit(&out, text, strlen(text), width);

	assert_string_equal(pn_buf_text(&out), wanted);
	assert_int_equal(taken, pn_text_width(wanted, strlen(wanted)));
	assert_true(taken <= width);
	pn_buf_release(&out);
}

static void counts_columns_not_bytes(void **state)
{
	(void)state;
	assert_int_equal(pn_text_width("abc", 3), 3);
	assert_int_equal(pn_text_width("\xc2\xb1", 2), 1);
	/* U+4E2D is wide, U+0301 stands on the letter before it */
	assert_int_equal(pn_text_width("\xe4\xb8\xad", 3), 2);
	assert_int_equal(pn_text_width("e\xcc\x81", 3), 1);
	/* behind eight and more of ASCII, and among them */
	assert_int_equal(pn_text_width("12345678\xe4\xb8\xad", 11), 10);
	assert_int_equal(pn_text_width("1234e\xcc\x81"
				       "678",
				       10),
			 8);
	/* no UTF-8: a column a byte */
	assert_int_equal(pn_text_width("\xff\xfe", 2), 2);
}

static void wraps(const char *wanted, const char *text, size_t width)
{
	struct pn_buf out = {0};

	pn_text_wrap(&out, text, strlen(text), width, 2);
	assert_string_equal(pn_buf_text(&out), wanted);
	pn_buf_release(&out);
}

static void wraps_between_words(void **state)
{
	(void)state;
	wraps("one two\n  three", "one two three", 9);
	wraps("one two three", "one two three", 13);
	wraps("one two three", "one two three", 0);
	/* a word is never parted, and there is no empty line before one */
	wraps("abcdefghijkl\n  b\n  abcdefghijkl",
	      "abcdefghijkl b abcdefghijkl", 6);
	wraps("  aa\n  bb\n  cc", "  aa bb\n  cc", 6);
	/* columns, not bytes */
	wraps("\xc2\xb1\xc2\xb1 \xc2\xb1\n  b", "\xc2\xb1\xc2\xb1 \xc2\xb1 b",
	      5);
}

/* What is longer than a line keeps both ends: 4 + 3 + 4 columns of 11, and
 * 3 + 3 + 3 behind two blanks. */
static void cuts_names_longer_than_a_line(void **state)
{
	const char *text = "abcdefghijklmnop b abcdefghijklmnop";
	struct pn_buf out = {0};

	(void)state;
	pn_text_wrap_names(&out, text, strlen(text), 11, 2);
	assert_string_equal(pn_buf_text(&out), "abcd...mnop\n  b\n  abc...nop");
	pn_buf_clear(&out);
	pn_text_wrap_names(&out, text, strlen(text), 0, 2);
	assert_string_equal(pn_buf_text(&out), text);
	pn_buf_release(&out);
}

static void cuts_at_columns_and_says_so(void **state)
{
	(void)state;
	fits("abcdef", "abcdef", 6);
	fits("ab...", "abcdef", 5);
	fits("abc", "abcdef", 3);
	fits("", "abcdef", 0);
	/* three wide ones are six columns; half of one is not shown */
	fits("\xe4\xb8\xad...", "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 5);
	fits("...", "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 4);
	/* what combines stays with its letter */
	fits("e\xcc\x81...",
	     "e\xcc\x81"
	     "abcd",
	     4);
}

static void fits_name(const char *wanted, const char *text, size_t width)
{
	struct pn_buf out = {0};
	size_t taken = pn_text_fit_name(&out, text, strlen(text), width);

	assert_string_equal(pn_buf_text(&out), wanted);
	assert_int_equal(taken, pn_text_width(wanted, strlen(wanted)));
	assert_true(taken <= width);
	pn_buf_release(&out);
}

/* 10 columns are four of the head, the dots and three of the end. */
static void cuts_names_in_their_middle(void **state)
{
	(void)state;
	fits_name("count/time", "count/time", 10);
	fits_name("co...g.txt", "count/callgrind@big.txt", 10);
	fits_name("coun...ind", "count/callgrind", 10);
	/* 10 of the collector, 9 and 8 of what is around it */
	fits_name("cou...rds/callgrind@bi...xt",
		  "count-all-the-words/callgrind@big-texts.txt", 27);
	fits_name("count/time@big-....txt", "count/time@big-texts.txt", 22);
	fits_name("coun...rds/time@b.txt", "count-all-words/time@b.txt", 21);
	/* the collector and 8 columns of the job */
	fits_name("cou...ds/callgrind", "count-all-the-words/callgrind", 18);
	/* too little for both ends */
	fits_name("coun...", "count/time", 7);
	/* six wide ones: half of one is not shown at either end */
	fits_name("\xe4\xb8\xad\xe4\xb8\xad...\xe4\xb8\xad",
		  "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
		  "\xe4\xb8\xad",
		  10);
	/* what combines is not parted from its letter */
	fits_name("abcd...xyz", "abcdefghie\xcc\x81xyz", 10);
}

static void fills_with_blanks(void **state)
{
	struct pn_buf out = {0};

	(void)state;
	pn_text_pad(&out, "\xe4\xb8\xad", 4);
	assert_string_equal(pn_buf_text(&out), "\xe4\xb8\xad  ");
	pn_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_columns_not_bytes),
		cmocka_unit_test(wraps_between_words),
		cmocka_unit_test(cuts_names_longer_than_a_line),
		cmocka_unit_test(cuts_at_columns_and_says_so),
		cmocka_unit_test(cuts_names_in_their_middle),
		cmocka_unit_test(fills_with_blanks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
