/* The JSON writer. Expected texts are those of Python's json.dumps with
 * ensure_ascii=False where Python has the same choice. */
#include "base/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void write_sample(struct pn_json_writer *w)
{
	pn_json_open(w, '{');
	pn_json_member(w, "name", "a\"b");
	pn_json_key(w, "list");
	pn_json_open(w, '[');
	pn_json_int(w, -1);
	pn_json_uint(w, UINT64_MAX);
	pn_json_double(w, 5);
	pn_json_double(w, 0.1);
	pn_json_bool(w, true);
	pn_json_raw(w, "null", 4);
	pn_json_close(w, ']');
	pn_json_key(w, "none");
	pn_json_open(w, '{');
	pn_json_close(w, '}');
	pn_json_close(w, '}');
}

static void check_sample(int indent, bool python, const char *want)
{
	struct pn_json_writer w;
	struct pn_buf out = {0};

	pn_json_writer_init(&w, &out, indent);
	w.python = python;
	write_sample(&w);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void writes_compact(void **state)
{
	(void)state;
	check_sample(0, false,
		     "{\"name\":\"a\\\"b\",\"list\":[-1,18446744073709551615,5,"
		     "0.1,true,null],\"none\":{}}");
}

static void writes_as_python_does(void **state)
{
	(void)state;
	check_sample(0, true,
		     "{\"name\": \"a\\\"b\", \"list\": [-1, "
		     "18446744073709551615, 5.0, 0.1, true, null], \"none\": "
		     "{}}");
}

static void writes_indented(void **state)
{
	(void)state;
	check_sample(2, true,
		     "{\n  \"name\": \"a\\\"b\",\n  \"list\": [\n    -1,\n"
		     "    18446744073709551615,\n    5.0,\n    0.1,\n"
		     "    true,\n    null\n  ],\n  \"none\": {}\n}");
}

static void leaves_out_what_is_absent(void **state)
{
	struct pn_json_writer w;
	struct pn_buf out = {0};

	(void)state;
	pn_json_writer_init(&w, &out, 0);
	pn_json_open(&w, '{');
	pn_json_member_double(&w, "a", NAN);
	pn_json_member(&w, "b", NULL);
	pn_json_member(&w, "c", "");
	pn_json_member_int(&w, "d", 1);
	pn_json_member_double(&w, "e", INFINITY);
	pn_json_key(&w, "f");
	pn_json_open(&w, '[');
	pn_json_double(&w, NAN);
	pn_json_double(&w, 2);
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	assert_string_equal(pn_buf_text(&out), "{\"d\":1,\"f\":[null,2]}");
	pn_buf_release(&out);
}

static void check_string(const char *text, size_t len, const char *want)
{
	struct pn_json_writer w;
	struct pn_buf out = {0};

	pn_json_writer_init(&w, &out, 0);
	pn_json_string_n(&w, text, len);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void escapes_strings(void **state)
{
	(void)state;
	check_string("\b\f\n\r\t\\\"/\x01\x1f\x7f", 11,
		     "\"\\b\\f\\n\\r\\t\\\\\\\"/\\u0001\\u001f\\u007f\"");
	/* U+009B begins a terminal's command, U+202E turns its text round */
	check_string("\xc2\x9b\xc2\xa0\xe2\x80\xae", 7,
		     "\"\\u009b\xc2\xa0\\u202e\"");
	check_string("a\0b", 3, "\"a\\u0000b\"");
	check_string("\xc3\xa9\xf0\x9f\x98\x80", 6,
		     "\"\xc3\xa9\xf0\x9f\x98\x80\"");
	check_string("\xff\xc3", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void check_time(int64_t ns, const char *want)
{
	struct pn_json_writer w;
	struct pn_buf out = {0};

	pn_json_writer_init(&w, &out, 0);
	pn_json_open(&w, '{');
	pn_json_member_time(&w, "t", ns);
	pn_json_close(&w, '}');
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void writes_times_with_the_fraction_they_have(void **state)
{
	(void)state;
	check_time(0, "{\"t\":\"1970-01-01T00:00:00Z\"}");
	check_time(1500000000, "{\"t\":\"1970-01-01T00:00:01.5Z\"}");
	check_time(10000000001, "{\"t\":\"1970-01-01T00:00:10.000000001Z\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_compact),
		cmocka_unit_test(writes_as_python_does),
		cmocka_unit_test(writes_indented),
		cmocka_unit_test(leaves_out_what_is_absent),
		cmocka_unit_test(escapes_strings),
		cmocka_unit_test(writes_times_with_the_fraction_they_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
