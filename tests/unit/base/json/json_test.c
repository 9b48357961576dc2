/* The JSON reader: events, text, paths, refusals. The expected values are
 * those of RFC 8259; the texts of numbers are as written by definition. */
#include "base/deflate.h"
#include "base/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All events as a line: {} [] k(text) s(text) n(text) t f 0. */
static int trace(struct pn_buf *out, struct pn_reader *in, struct pn_error *err)
{
	static const char marks[] = {
		[PN_JSON_END] = '.',	    [PN_JSON_OBJECT] = '{',
		[PN_JSON_OBJECT_END] = '}', [PN_JSON_ARRAY] = '[',
		[PN_JSON_ARRAY_END] = ']',  [PN_JSON_KEY] = 'k',
		[PN_JSON_STRING] = 's',	    [PN_JSON_NUMBER] = 'n',
		[PN_JSON_TRUE] = 't',	    [PN_JSON_FALSE] = 'f',
		[PN_JSON_NULL] = '0',
	};
	struct pn_json *json = pn_json_new(in);
	enum pn_json_event event = PN_JSON_NULL;
	int code = 0;

	while (!code && event != PN_JSON_END) {
		code = pn_json_next(&event, json, err);
		if (code)
			break;
		pn_buf_add_byte(out, (unsigned char)marks[event]);
		if (event != PN_JSON_KEY && event != PN_JSON_STRING &&
		    event != PN_JSON_NUMBER)
			continue;
		assert_int_equal(strnlen(pn_json_text(json), pn_json_len(json)),
				 strlen(pn_json_text(json)));
		pn_buf_add_byte(out, '(');
		pn_buf_add(out, pn_json_text(json), pn_json_len(json));
		pn_buf_add_byte(out, ')');
	}
	pn_json_free(json);
	return code;
}

static int trace_text(struct pn_buf *out, const char *text, size_t len,
		      struct pn_error *err)
{
	struct pn_reader *in;
	int code;

	pn_reader_memory(&in, text, len, "m", 0, NULL);
	code = trace(out, in, err);
	pn_reader_free(in);
	return code;
}

static void check(const char *text, const char *want)
{
	struct pn_buf out = {0};
	struct pn_error err;

	if (trace_text(&out, text, strlen(text), &err))
		fail_msg("%s: %s", text, err.message);
	assert_string_equal(pn_buf_text(&out), want);
	pn_buf_release(&out);
}

static void check_refused_n(const char *text, size_t len, const char *message)
{
	struct pn_buf out = {0};
	struct pn_error err = {0};

	assert_int_equal(trace_text(&out, text, len, &err), PN_EINVAL);
	assert_string_equal(err.message, message);
	pn_buf_release(&out);
}

static void check_refused(const char *text, const char *message)
{
	check_refused_n(text, strlen(text), message);
}

static void reads_every_kind_of_value(void **state)
{
	(void)state;
	check("{\"a\": [1, -2.5e+3, \"x\"], \"b\": {}, \"c\":[],\r\n\t\"\":"
	      "[true,false,null]}",
	      "{k(a)[n(1)n(-2.5e+3)s(x)]k(b){}k(c)[]k()[tf0]}.");
	check(" 0 ", "n(0).");
	check("\"\"", "s().");
	check("[NaN, Infinity, -Infinity]", "[n(NaN)n(Infinity)n(-Infinity)].");
	check("\xef\xbb\xbf[]", "[].");
	check("[9007199254740993, 0.1E-7]", "[n(9007199254740993)n(0.1E-7)].");
}

static void unescapes_strings(void **state)
{
	struct pn_buf out = {0};

	(void)state;
	check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s(\"\\/\b\f\n\r\t).");
	check("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"",
	      "s(A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80).");
	check("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 long enough text\"",
	      "s(\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 long enough text).");
	check("{\"k\\u0065y\":1}", "{k(key)n(1)}.");
	assert_int_equal(trace_text(&out, "\"a\\u0000b\"", 10, NULL), 0);
	assert_int_equal(out.len, 7);
	assert_memory_equal(out.data, "s(a\0b).", 7);
	pn_buf_release(&out);
}

static void refuses_what_rfc_8259_does_not_allow(void **state)
{
	(void)state;
	check_refused("", "line 1, column 1: expected a value, have the end");
	check_refused("[1,]", "line 1, column 4, in [1]: expected a value");
	check_refused("[1 2]", "line 1, column 4, in [0]: expected ',' or ']'");
	check_refused("{\"a\":1,}",
		      "line 1, column 8, in a: expected a key in quotes");
	check_refused("{a:1}",
		      "line 1, column 2: expected a key in quotes or '}'");
	check_refused("{\"a\" 1}", "line 1, column 6, in a: expected ':'");
	check_refused("{\"a\":1]",
		      "line 1, column 7, in a: expected ',' or '}'");
	check_refused("[1] x", "line 1, column 5: expected the end");
	check_refused("nul", "line 1, column 1: expected a value, have 'nul'");
	check_refused("truex",
		      "line 1, column 1: expected a value, have 'truex'");
	check_refused("'a'", "line 1, column 1: expected a value");
	check_refused("[1\x0b]", "line 1, column 3, in [0]: expected ',' or "
				 "']'");
	check_refused(
		"[",
		"line 1, column 2, in [0]: expected a value, have the end");
	check_refused("{\"a\"", "line 1, column 5, in a: expected ':'");
	check_refused("// c\n1", "line 1, column 1: expected a value");
}

static void refuses_wrong_numbers(void **state)
{
	static const char *const cases[] = {
		"01",	    "-",   "+1",   "1.",   ".5",   "1e",
		"1e+",	    "-01", "1.e5", "0x10", "-Inf", "nan",
		"infinity", "--1", "1-1",  "1.2.3"};
	char want[100];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(want, sizeof(want),
			 "line 1, column 1: expected a value, have '%s'",
			 cases[i]);
		check_refused(cases[i], want);
	}
}

static void refuses_wrong_strings_where_they_are_wrong(void **state)
{
	(void)state;
	check_refused("\"abc", "line 1, column 1: a string is not ended");
	check_refused("\"abc\\", "line 1, column 5: a string is not ended");
	check_refused("\"a\nb\"", "line 1, column 3: a control in a string");
	check_refused("\"a\\x\"", "line 1, column 3: no such escape");
	check_refused("\"\\u12g4\"", "line 1, column 2: expected four hex "
				     "digits behind '\\u'");
	check_refused("\"\\ud800\"", "line 1, column 2: a surrogate without "
				     "its other half");
	check_refused("\"\\ud800\\u0041\"",
		      "line 1, column 2: a surrogate without its other half");
	check_refused("\"\\udc00\"", "line 1, column 2: a surrogate without "
				     "its other half");
	check_refused("\"ab\xff\"", "line 1, column 4: a byte that is not "
				    "UTF-8");
	check_refused("\"\xc3\"", "line 1, column 2: a byte that is not UTF-8");
	check_refused("\"\xed\xa0\x80\"",
		      "line 1, column 2: a byte that is not UTF-8");
	check_refused("\"\xc0\xaf\"",
		      "line 1, column 2: a byte that is not UTF-8");
	check_refused_n("\"a\0b\"", 5,
			"line 1, column 3: a control in a string");
}

static void names_line_column_and_path(void **state)
{
	(void)state;
	check_refused("{\"header\": {\n  \"units\": {\"t\": ms}\n}}",
		      "line 2, column 18, in header.units.t: expected a value, "
		      "have 'ms'");
	check_refused("{\"a.b\": [[], [0, x]]}",
		      "line 1, column 18, in [\"a.b\"][1][1]: expected a "
		      "value, have 'x'");
	check_refused("\xef\xbb\xbfx",
		      "line 1, column 1: expected a value, have 'x'");
}

static void nests_up_to_the_limit(void **state)
{
	struct pn_buf in = {0}, out = {0};
	struct pn_error err;
	int i;

	(void)state;
	for (i = 0; i < PN_JSON_MAX_DEPTH; i++)
		pn_buf_add_byte(&in, '[');
	for (i = 0; i < PN_JSON_MAX_DEPTH; i++)
		pn_buf_add_byte(&in, ']');
	assert_int_equal(trace_text(&out, pn_buf_text(&in), in.len, &err), 0);
	assert_int_equal(out.len, 2 * PN_JSON_MAX_DEPTH + 1);
	in.data[PN_JSON_MAX_DEPTH] = '[';
	assert_int_equal(trace_text(&out, pn_buf_text(&in), in.len, &err),
			 PN_ELIMIT);
	/* a path of 512 indexes would hide what is wrong */
	assert_string_equal(err.message, "line 1, column 513: "
					 "nested deeper than 512");
	pn_buf_release(&in);
	pn_buf_release(&out);
}

/* Blanks in front put the end of the reader's window, which gzip fills, at
 * each byte in turn. */
static void reads_tokens_however_they_are_cut(void **state)
{
	static const char text[] =
		"{\"k\\u00e9y\": [1.5e3, \"a\\ud83d\\ude00\xe2\x82\xac\xf0\x9f"
		"\x98\x80z\\n\", true, -Infinity]}";
	size_t len = sizeof(text) - 1, cut;

	(void)state;
	for (cut = 0; cut <= len; cut++) {
		struct pn_buf in = {0}, gz = {0}, out = {0};
		struct pn_reader *reader;

		pn_buf_reserve(&in, PN_READER_WINDOW + len);
		in.len = PN_READER_WINDOW - cut;
		memset(in.data, ' ', in.len);
		pn_buf_add(&in, text, len);
		pn_deflate_gzip(&gz, in.data, in.len, 1);
		pn_reader_memory(&reader, gz.data, gz.len, "m", 0, NULL);
		assert_int_equal(trace(&out, reader, NULL), 0);
		assert_string_equal(
			pn_buf_text(&out),
			"{k(k\xc3\xa9y)[n(1.5e3)s(a\xf0\x9f\x98\x80\xe2\x82\xac"
			"\xf0\x9f\x98\x80z\n)tn(-Infinity)]}.");
		pn_reader_free(reader);
		pn_buf_release(&in);
		pn_buf_release(&gz);
		pn_buf_release(&out);
	}
}

static struct pn_json *open_text(struct pn_reader **in, const char *text)
{
	pn_reader_memory(in, text, strlen(text), "m", 0, NULL);
	return pn_json_new(*in);
}

static void says_the_path_of_an_unexpected_value(void **state)
{
	enum pn_json_event event;
	struct pn_buf path = {0};
	struct pn_error err;
	struct pn_reader *in;
	struct pn_json *json =
		open_text(&in, "{\"header\":{\"units\":\"ms\"}}");

	(void)state;
	assert_int_equal(pn_json_expect(json, PN_JSON_OBJECT, &err), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_KEY, &err), 0);
	assert_string_equal(pn_json_text(json), "header");
	assert_int_equal(pn_json_expect(json, PN_JSON_OBJECT, &err), 0);
	pn_json_path(&path, json);
	assert_string_equal(pn_buf_text(&path), "header");
	assert_int_equal(pn_json_expect(json, PN_JSON_KEY, &err), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_OBJECT, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "header.units: expected an object, have a string");
	assert_int_equal(pn_json_next(&event, json, &err), 0);
	assert_int_equal(event, PN_JSON_OBJECT_END);
	pn_buf_clear(&path);
	pn_json_path(&path, json);
	assert_string_equal(pn_buf_text(&path), "header");
	pn_buf_release(&path);
	pn_json_free(json);
	pn_reader_free(in);
}

static void skips_and_copies_values(void **state)
{
	struct pn_reader *in;
	struct pn_buf out = {0};
	struct pn_json *json = open_text(
		&in,
		"[ {\"a\" : [ {} , 1 ] } , {\"b\" : [ 1.50 , \"\\u00e9\\n\""
		" , null , {}, [] ] } , 7 ]");

	(void)state;
	assert_int_equal(pn_json_expect(json, PN_JSON_ARRAY, NULL), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_OBJECT, NULL), 0);
	assert_int_equal(pn_json_skip(json, PN_JSON_OBJECT, NULL), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_OBJECT, NULL), 0);
	assert_int_equal(pn_json_copy(&out, json, PN_JSON_OBJECT, NULL), 0);
	assert_string_equal(pn_buf_text(&out),
			    "{\"b\":[1.50,\"\xc3\xa9\\n\",null,{},[]]}");
	assert_int_equal(pn_json_expect(json, PN_JSON_NUMBER, NULL), 0);
	assert_int_equal(pn_json_skip(json, PN_JSON_NUMBER, NULL), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_ARRAY_END, NULL), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_END, NULL), 0);
	pn_buf_release(&out);
	pn_json_free(json);
	pn_reader_free(in);
}

static void gives_numbers_as_doubles(void **state)
{
	struct pn_reader *in;
	struct pn_json *json = open_text(&in, "[0.1, NaN, -Infinity, 1e999]");
	double value;

	(void)state;
	assert_int_equal(pn_json_expect(json, PN_JSON_ARRAY, NULL), 0);
	assert_int_equal(pn_json_expect(json, PN_JSON_NUMBER, NULL), 0);
	assert_true(pn_json_number(&value, json) && value == 0.1);
	assert_int_equal(pn_json_expect(json, PN_JSON_NUMBER, NULL), 0);
	assert_true(pn_json_number(&value, json) && isnan(value));
	assert_int_equal(pn_json_expect(json, PN_JSON_NUMBER, NULL), 0);
	assert_true(pn_json_number(&value, json) && value == -INFINITY);
	assert_int_equal(pn_json_expect(json, PN_JSON_NUMBER, NULL), 0);
	assert_false(pn_json_number(&value, json));
	pn_json_free(json);
	pn_reader_free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_kind_of_value),
		cmocka_unit_test(unescapes_strings),
		cmocka_unit_test(refuses_what_rfc_8259_does_not_allow),
		cmocka_unit_test(refuses_wrong_numbers),
		cmocka_unit_test(refuses_wrong_strings_where_they_are_wrong),
		cmocka_unit_test(names_line_column_and_path),
		cmocka_unit_test(nests_up_to_the_limit),
		cmocka_unit_test(reads_tokens_however_they_are_cut),
		cmocka_unit_test(says_the_path_of_an_unexpected_value),
		cmocka_unit_test(skips_and_copies_values),
		cmocka_unit_test(gives_numbers_as_doubles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
