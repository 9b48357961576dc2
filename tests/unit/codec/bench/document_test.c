/* Small JSON documents: bounds, types, paths, and numbers that a double rounds.
 */
#include "base/buf.h"
#include "codec/bench/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int read_bytes(struct pn_document *out, const void *bytes, size_t len,
		      struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code = pn_reader_memory(&in, bytes, len, "test", 0, err);

	memset(out, 0, sizeof(*out));
	if (!code)
		code = pn_document_read(out, in, err);
	pn_reader_free(in);
	return code;
}

static void reads(struct pn_document *out, const char *text)
{
	struct pn_error err = {0};

	if (read_bytes(out, text, strlen(text), &err))
		fail_msg("%s", err.message);
}

static void refuses(const char *text, size_t len, int code, const char *message)
{
	struct pn_document root;
	struct pn_error err = {0};

	assert_int_equal(read_bytes(&root, text, len, &err), code);
	assert_string_equal(err.message, message);
	assert_null(root.json);
	pn_document_release(&root);
}

static void refuses_text(const char *text, int code, const char *message)
{
	refuses(text, strlen(text), code, message);
}

static void grammar_is_checked_before_cjson_sees_it(void **state)
{
	(void)state;
	refuses_text("{\"a\": 01}", PN_EINVAL,
		     "line 1, column 7, in a: expected a value, have '01'");
	refuses_text("{\"a\":\n\"\xff\"}", PN_EINVAL,
		     "line 2, column 2, in a: a byte that is not UTF-8");
	refuses_text("{} {}", PN_EINVAL, "line 1, column 4: expected the end");
	refuses_text("[]", PN_EINVAL, "expected an object, have an array");
	refuses_text("", PN_EINVAL,
		     "line 1, column 1: expected a value, have the end");
}

/* {"a":[[[...]]]}: the object and 511 arrays may be open at once. */
static void depth_is_bounded(void **state)
{
	struct pn_buf text = {0};
	struct pn_document root;
	size_t i, depth;

	(void)state;
	for (depth = 511; depth <= 512; depth++) {
		pn_buf_clear(&text);
		pn_buf_add_text(&text, "{\"a\":");
		for (i = 0; i < depth; i++)
			pn_buf_add_byte(&text, '[');
		for (i = 0; i < depth; i++)
			pn_buf_add_byte(&text, ']');
		pn_buf_add_byte(&text, '}');
		if (depth == 511) {
			reads(&root, pn_buf_text(&text));
			pn_document_release(&root);
		} else {
			struct pn_error err = {0};

			assert_int_equal(
				read_bytes(&root, text.data, text.len, &err),
				PN_ELIMIT);
			assert_non_null(
				strstr(err.message, "nested deeper than 512"));
		}
	}
	pn_buf_release(&text);
}

/* "{", "a", "[", n numbers, "]" and "}" are n + 5 events. */
static void values_and_names_are_counted(void **state)
{
	const size_t most = PN_DOCUMENT_MAX_EVENTS - 5;
	struct pn_buf text = {0};
	struct pn_document root;
	size_t i;

	(void)state;
	pn_buf_add_text(&text, "{\"a\":[0");
	for (i = 1; i < most; i++)
		pn_buf_add_text(&text, ",0");
	pn_buf_add_text(&text, "]}");
	reads(&root, pn_buf_text(&text));
	pn_document_release(&root);
	text.len -= 2;
	pn_buf_add_text(&text, ",0]}");
	refuses((const char *)text.data, text.len, PN_ELIMIT,
		"more than 2097152 values and names");
	pn_buf_release(&text);
}

static void size_is_bounded(void **state)
{
	struct pn_error err = {0};
	struct pn_document root;
	char *text = malloc(PN_DOCUMENT_MAX + 1);

	(void)state;
	assert_non_null(text);
	memset(text, ' ', PN_DOCUMENT_MAX + 1);
	memcpy(text, "{}", 2);
	assert_int_equal(read_bytes(&root, text, PN_DOCUMENT_MAX + 1, &err),
			 PN_ELIMIT);
	assert_int_equal(read_bytes(&root, text, PN_DOCUMENT_MAX, &err), 0);
	pn_document_release(&root);
	free(text);
}

/* 2^53 + 1 is no double; 2^53 could be what became of it. */
static void whole_numbers_that_a_double_rounds_are_refused(void **state)
{
	struct pn_error err = {0};
	struct pn_document root;
	int64_t n = 7;

	(void)state;
	reads(&root, "{\"a\": 9007199254740991, \"b\": 9007199254740993,"
		     "\"c\": -9007199254740991, \"d\": 1.5, \"e\": 12.0}");
	assert_int_equal(pn_document_int(&n, &root, "a", &err), 0);
	assert_true(n == INT64_C(9007199254740991));
	assert_int_equal(pn_document_int(&n, &root, "c", &err), 0);
	assert_true(n == -INT64_C(9007199254740991));
	assert_int_equal(pn_document_int(&n, &root, "b", &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "b: expected a whole number below 2^53");
	assert_int_equal(pn_document_int(&n, &root, "d", &err), PN_EINVAL);
	assert_true(n == -INT64_C(9007199254740991));
	assert_int_equal(pn_document_int(&n, &root, "e", &err), 0);
	assert_true(n == 12);
	pn_document_release(&root);
}

/* cJSON reads at most 63 bytes as one number, and knows no NaN. */
static void numbers_that_cjson_does_not_read_are_read(void **state)
{
	struct pn_error err = {0};
	struct pn_document root;
	double value = 7;

	(void)state;
	reads(&root,
	      "{\"long\": 0.25000000000000000000000000000000000000000000000000"
	      "0000000000000000000000000000000000, \"nan\": NaN,"
	      "\"low\": -Infinity, \"high\": 1e400, \"last\": 3}");
	assert_int_equal(pn_document_number(&value, &root, "long", &err), 0);
	assert_true(value == 0.25);
	assert_int_equal(pn_document_number(&value, &root, "nan", &err),
			 PN_EINVAL);
	assert_string_equal(err.message, "nan: expected a finite number");
	assert_int_equal(pn_document_number(&value, &root, "low", &err),
			 PN_EINVAL);
	assert_int_equal(pn_document_number(&value, &root, "high", &err),
			 PN_EINVAL);
	assert_true(value == 0.25);
	assert_int_equal(pn_document_number(&value, &root, "last", &err), 0);
	assert_true(value == 3);
	pn_document_release(&root);
}

static void a_wrong_type_is_named_with_its_path(void **state)
{
	struct pn_document root, list, item = {0}, object = {0};
	struct pn_error err = {0};
	const char *text = NULL;
	double value = 0;

	(void)state;
	reads(&root, "{\"list\":[{\"x\":1},{\"x y\":{\"z\":\"text\"}}]}");
	assert_int_equal(pn_document_array(&list, &root, "list", &err), 0);
	assert_true(pn_document_next(&item, &list));
	assert_int_equal(pn_document_text(&text, &item, "x", &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "list[0].x: expected a string, have a number");
	assert_true(pn_document_next(&item, &list));
	assert_int_equal(pn_document_object(&object, &item, "x y", &err), 0);
	assert_int_equal(pn_document_number(&value, &object, "z", &err),
			 PN_EINVAL);
	assert_string_equal(err.message, "list[1][\"x y\"].z: expected a "
					 "number, have a string");
	assert_int_equal(pn_document_array(&list, &root, "list", &err), 0);
	assert_int_equal(pn_document_number(&value, &list, "z", &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "list: expected an object, have an array");
	pn_document_release(&root);
}

static void absent_null_and_the_last_of_a_name(void **state)
{
	struct pn_document root, item = {0}, none = {.at = 9};
	struct pn_error err = {0};
	const char *text = "";
	double value = 7, *values = NULL;
	size_t count = 0;

	(void)state;
	reads(&root, "\xef\xbb\xbf{\"a\":null,\"t\":false,\"b\":1,\"b\":2,"
		     "\"n\":[1,2.5],\"\":[]}");
	assert_int_equal(pn_document_number(&value, &root, "a", &err), 0);
	assert_int_equal(pn_document_number(&value, &root, "c", &err), 0);
	assert_true(value == 7);
	assert_int_equal(pn_document_number(&value, &root, "b", &err), 0);
	assert_true(value == 2);
	assert_int_equal(pn_document_text(&text, &root, "t", &err), 0);
	assert_string_equal(text, "");
	assert_int_equal(pn_document_array(&none, &root, "c", &err), 0);
	assert_null(none.json);
	assert_false(pn_document_next(&item, &none));
	assert_int_equal(pn_document_numbers(&values, &count, &root, "n", &err),
			 0);
	assert_int_equal(count, 2);
	assert_true(values[0] == 1 && values[1] == 2.5);
	free(values);
	while (pn_document_next(&item, &root))
		text = pn_document_name(&item);
	assert_string_equal(text, "");
	assert_int_equal(item.at, 6);
	pn_document_release(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grammar_is_checked_before_cjson_sees_it),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(values_and_names_are_counted),
		cmocka_unit_test(size_is_bounded),
		cmocka_unit_test(
			whole_numbers_that_a_double_rounds_are_refused),
		cmocka_unit_test(numbers_that_cjson_does_not_read_are_read),
		cmocka_unit_test(a_wrong_type_is_named_with_its_path),
		cmocka_unit_test(absent_null_and_the_last_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
