/* Names that are alike, and what is said of them. */
#include "base/buf.h"
#include "base/error.h"
#include "base/text/similar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Damerau's four errors: one wrong, one missing, one more, two swapped. */
static void each_error_costs_one(void **state)
{
	(void)state;
	assert_int_equal(pn_edit_distance("table", "tabla"), 1);
	assert_int_equal(pn_edit_distance("table", "tale"), 1);
	assert_int_equal(pn_edit_distance("table", "tabble"), 1);
	assert_int_equal(pn_edit_distance("table", "atble"), 1);
	assert_int_equal(pn_edit_distance("table", "table"), 0);
	assert_int_equal(pn_edit_distance("", "abc"), 3);
}

static const char *said(struct pn_buf *buf, const char *names,
			const char *typed)
{
	pn_buf_clear(buf);
	pn_buf_add_text(buf, names);
	pn_similar_say(buf, typed, strlen(typed));
	return pn_buf_text(buf) + strlen(names);
}

static void the_nearest_is_named(void **state)
{
	struct pn_buf buf = {0};

	(void)state;
	assert_string_equal(said(&buf, "top, tree, peek", "trea"),
			    "; did you mean 'tree'?");
	assert_string_equal(said(&buf, "top, tree, peek", "pek"),
			    "; did you mean 'peek'?");
	assert_string_equal(said(&buf, "top, tree, peek", "zzzzzz"), "");
	assert_string_equal(said(&buf, "top, tree", ""), "");
	assert_string_equal(said(&buf, "", "top"), "");
	/* in the quotes of a shell, which stand there for the blank */
	assert_string_equal(said(&buf, "'fib a', 'fib b'", "fib@b"),
			    "; did you mean 'fib b'?");
	assert_string_equal(said(&buf, "'fib a', tree", "trea"),
			    "; did you mean 'tree'?");
	assert_string_equal(said(&buf, "it'\\''s, 'x, top", "tpo"),
			    "; did you mean 'top'?");
	/* the first of equal ones */
	assert_string_equal(said(&buf, "bars, cars", "ars"),
			    "; did you mean 'bars'?");
	/* 32 bytes are too many to be compared */
	assert_string_equal(said(&buf, "top, 0123456789abcdef0123456789abcdef",
				 "0123456789abcdef0123456789abcdef"),
			    "");
	pn_buf_release(&buf);
}

static void names_of_colours(struct pn_buf *out, const char *between)
{
	pn_buf_printf(out, "red%sgreen%sblue", between, between);
}

static void what_is_unknown_is_told(void **state)
{
	struct pn_error err;

	(void)state;
	assert_int_equal(
		pn_unknown_name("colour", "gren", names_of_colours, &err),
		PN_ENOTFOUND);
	assert_string_equal(err.message,
			    "no colour 'gren': there are red, green, blue; "
			    "did you mean 'green'?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_error_costs_one),
		cmocka_unit_test(the_nearest_is_named),
		cmocka_unit_test(what_is_unknown_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
