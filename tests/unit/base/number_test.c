/* Numbers as text. Expected texts are Python 3's repr() and C's strtod. */
#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void writes_doubles_as_python_does(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{0.1, "0.1"},
		{1e-5, "1e-05"},
		{0.0001, "0.0001"},
		{0.00012345, "0.00012345"},
		{123456789.0, "123456789.0"},
		{1e15, "1000000000000000.0"},
		{1234567890123456.0, "1234567890123456.0"},
		{9007199254740993.0, "9007199254740992.0"},
		{1e16, "1e+16"},
		{12345678901234567890.0, "1.2345678901234567e+19"},
		{1.5e300, "1.5e+300"},
		{-0.0, "-0.0"},
		{-2.5, "-2.5"},
		{1.0 / 3, "0.3333333333333333"},
		{5e-324, "5e-324"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		/* 2^-44: 16 digits do, yet not the nearest 16 */
		{0x1p-44, "5.684341886080802e-14"},
		{9.5367431640625e-07, "9.5367431640625e-07"},
		{5.0, "5.0"},
	};
	char text[PN_NUMBER_TEXT];
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		len = pn_number_write(text, cases[i].value, true);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(len, strlen(text));
	}
}

static void writes_whole_numbers_without_a_point_unless_asked(void **state)
{
	char text[PN_NUMBER_TEXT];

	(void)state;
	pn_number_write(text, 5, false);
	assert_string_equal(text, "5");
	pn_number_write(text, 4503599627370496, false);
	assert_string_equal(text, "4503599627370496");
	pn_number_write(text, 0.5, false);
	assert_string_equal(text, "0.5");
}

static void writes_what_is_no_number_by_name(void **state)
{
	char text[PN_NUMBER_TEXT];

	(void)state;
	pn_number_write(text, NAN, true);
	assert_string_equal(text, "nan");
	pn_number_write(text, INFINITY, true);
	assert_string_equal(text, "inf");
	pn_number_write(text, -INFINITY, false);
	assert_string_equal(text, "-inf");
}

static void reads_doubles_as_strtod_does(void **state)
{
	static const char *const cases[] = {
		"0",
		"-0",
		"1",
		"+1.5",
		".5",
		"5.",
		"0.000123",
		"1e22",
		"1e23",
		"123456789012345678901234567890",
		"9007199254740993",
		"9007199254740993e1",
		"562949953421312.0625", /* halfway: 2^49 + 2^-4 */
		"562949953421312.0624",
		"562949953421312.0626",
		"9999999999999999999e-19",
		"2.2250738585072011e-308",
		"4.9e-324",
		"2.4703282292062327e-324", /* just below half of 4.9e-324 */
		"2.4703282292062328e-324",
		"1e-400",
		"1.7976931348623158e308",
		"0.1e1",
		"00012.5E-03",
		"1e-1000000000000000000000",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double want = strtod(cases[i], NULL), have = 42;

		assert_true(
			pn_number_double(&have, cases[i], strlen(cases[i])));
		assert_memory_equal(&have, &want, sizeof(have));
	}
}

/* 2^53 + 1 lies between two doubles; one far digit decides, however far. */
static void reads_every_digit_of_a_long_number(void **state)
{
	char text[3000];
	double value;

	(void)state;
	memset(text, '0', sizeof(text));
	memcpy(text, "9007199254740993.", 17);
	assert_true(pn_number_double(&value, text, sizeof(text)));
	assert_true(value == 9007199254740992.0);
	text[sizeof(text) - 1] = '1';
	assert_true(pn_number_double(&value, text, sizeof(text)));
	assert_true(value == 9007199254740994.0);
}

static void refuses_text_that_is_no_decimal(void **state)
{
	static const char *const cases[] = {
		"",	 "-",	   "+",	      ".",     "e5",	"1e",
		"1e+",	 "1.2.3",  "0x1",     "1 ",    " 1",	"nan",
		"inf",	 "1,5",	   "--1",     "1e5.0", "1_0",	"1e9",
		"1e999", "-1e309", "1.8e308", "1f",    "1e-+5",
	};
	size_t i, good = 0;
	double value = 7;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		good += pn_number_double(&value, cases[i], strlen(cases[i]));
	assert_int_equal(good, 1); /* 1e9 */
	assert_true(value == 1e9);
	assert_false(pn_number_double(&value,
				      "1\0"
				      "2",
				      3));
}

static void reads_integers_up_to_their_ends(void **state)
{
	uint64_t u;
	int64_t i;

	(void)state;
	assert_true(pn_number_int(&i, "-9223372036854775808", 20));
	assert_true(i == INT64_MIN);
	assert_true(pn_number_int(&i, "+9223372036854775807", 20));
	assert_true(i == INT64_MAX);
	assert_true(pn_number_uint(&u, "18446744073709551615", 20));
	assert_true(u == UINT64_MAX);
	assert_true(pn_number_int(&i, "-0", 2));
	assert_true(i == 0);
}

static void refuses_integers_beyond_their_ends(void **state)
{
	uint64_t u = 3;
	int64_t i = 3;

	(void)state;
	assert_false(pn_number_int(&i, "-9223372036854775809", 20));
	assert_false(pn_number_int(&i, "9223372036854775808", 19));
	assert_false(pn_number_uint(&u, "18446744073709551616", 20));
	assert_false(pn_number_uint(&u, "99999999999999999999", 20));
	assert_false(pn_number_uint(&u, "-1", 2));
	assert_false(pn_number_int(&i, "-+1", 3));
	assert_false(pn_number_int(&i, "-", 1));
	assert_false(pn_number_int(&i, "", 0));
	assert_false(pn_number_int(&i, "1.0", 3));
	assert_true(i == 3 && u == 3);
}

static void writes_whole_numbers_by_digits(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{0, "0"},
		{9, "9"},
		{10, "10"},
		{99, "99"},
		{100, "100"},
		{1234567, "1234567"},
		{90807060, "90807060"},
		{99999999, "99999999"},
		{100000000, "100000000"},
		{100000001, "100000001"},
		{UINT64_C(9999999999999999), "9999999999999999"},
		{UINT64_C(10000000000000000), "10000000000000000"},
		{UINT64_C(10200000003000000), "10200000003000000"},
		{UINT64_C(9999999999999999999), "9999999999999999999"},
		{UINT64_C(10000000000000000000), "10000000000000000000"},
		{UINT64_MAX, "18446744073709551615"},
	};
	char text[PN_NUMBER_UINT_TEXT];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(pn_number_write_uint(text, cases[i].value),
				 strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
	}
}

/* Each number of up to four digits, alone and as the end of longer ones: as
 * printf has it. */
static void writes_whole_numbers_as_printf_does(void **state)
{
	static const uint64_t before[] = {0,
					  90000,
					  12340000,
					  UINT64_C(700000000),
					  UINT64_C(5000000000000),
					  UINT64_C(1000000000000000000)};
	char text[PN_NUMBER_UINT_TEXT], expected[PN_NUMBER_UINT_TEXT];
	size_t i;
	uint64_t last;

	(void)state;
	for (i = 0; i < sizeof(before) / sizeof(*before); i++)
		for (last = 0; last < 10000; last++) {
			snprintf(expected, sizeof(expected), "%" PRIu64,
				 before[i] + last);
			assert_int_equal(
				pn_number_write_uint(text, before[i] + last),
				strlen(expected));
			assert_string_equal(text, expected);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_doubles_as_python_does),
		cmocka_unit_test(writes_whole_numbers_by_digits),
		cmocka_unit_test(writes_whole_numbers_as_printf_does),
		cmocka_unit_test(
			writes_whole_numbers_without_a_point_unless_asked),
		cmocka_unit_test(writes_what_is_no_number_by_name),
		cmocka_unit_test(reads_doubles_as_strtod_does),
		cmocka_unit_test(reads_every_digit_of_a_long_number),
		cmocka_unit_test(refuses_text_that_is_no_decimal),
		cmocka_unit_test(reads_integers_up_to_their_ends),
		cmocka_unit_test(refuses_integers_beyond_their_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
