/* Times as text. Expected values are those of `date -u -d @<seconds>`. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct {
	int64_t ns;
	const char *text;
} times[] = {
	{0, "1970-01-01T00:00:00.000000000Z"},
	{-1, "1969-12-31T23:59:59.999999999Z"},
	{951782400000000001, "2000-02-29T00:00:00.000000001Z"},
	{1709251199123456789, "2024-02-29T23:59:59.123456789Z"},
	{1795168800000000000, "2026-11-20T10:00:00.000000000Z"},
	{4107542400000000000, "2100-03-01T00:00:00.000000000Z"},
	{-2203891200000000000, "1900-03-01T00:00:00.000000000Z"},
	{INT64_MAX, "2262-04-11T23:47:16.854775807Z"},
	{INT64_MIN, "1677-09-21T00:12:43.145224192Z"},
};

static void writes_times(void **state)
{
	char text[PN_TIME_TEXT];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		pn_time_write(text, times[i].ns);
		assert_string_equal(text, times[i].text);
	}
}

static void writes_seconds(void **state)
{
	static const struct {
		int64_t s;
		const char *text;
	} cases[] = {
		{-1, "1969-12-31T23:59:59.000000000Z"},
		{99999999999, "5138-11-16T09:46:39.000000000Z"},
		{-62167219200, "0000-01-01T00:00:00.000000000Z"},
		{INT64_MIN, "0000-01-01T00:00:00.000000000Z"},
		{253402300799, "9999-12-31T23:59:59.000000000Z"},
		{INT64_MAX, "9999-12-31T23:59:59.000000000Z"},
	};
	char text[PN_TIME_TEXT];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pn_time_write_s(text, cases[i].s);
		assert_string_equal(text, cases[i].text);
	}
}

static void reads_them_back(void **state)
{
	int64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		assert_int_equal(pn_time_parse(&ns, times[i].text, 30), 0);
		assert_true(ns == times[i].ns);
	}
}

static void refuses_what_is_no_time(void **state)
{
	static const char *const cases[] = {
		"2026-11-20T10:00:00Z",
		"2026-11-20T10:00:00.000000000",
		"2026-11-20 10:00:00.000000000Z",
		"2026-13-20T10:00:00.000000000Z",
		"2026-00-20T10:00:00.000000000Z",
		"2026-02-29T10:00:00.000000000Z",
		"2100-02-29T10:00:00.000000000Z",
		"2026-11-00T10:00:00.000000000Z",
		"2026-11-20T24:00:00.000000000Z",
		"2026-11-20T10:60:00.000000000Z",
		"2026-11-20T10:00:60.000000000Z",
		"2026-11-20T10:00:00.00000000-Z",
		"2026-11-2aT10:00:00.000000000Z",
		"2026-11-20T10:00:00.000000000ZZ",
		"",
	};
	int64_t ns = 7;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(pn_time_parse(&ns, cases[i], strlen(cases[i])),
				 PN_EINVAL);
	assert_true(ns == 7);
}

static void refuses_years_that_64_bits_do_not_hold(void **state)
{
	int64_t ns = 7;

	(void)state;
	assert_int_equal(
		pn_time_parse(&ns, "2262-04-11T23:47:16.854775808Z", 30),
		PN_ERANGE);
	assert_int_equal(
		pn_time_parse(&ns, "1677-09-21T00:12:43.145224191Z", 30),
		PN_ERANGE);
	assert_int_equal(
		pn_time_parse(&ns, "9999-12-31T23:59:59.999999999Z", 30),
		PN_ERANGE);
	assert_true(ns == 7);
}

static void the_clock_is_after_this_was_written(void **state)
{
	(void)state;
	assert_true(pn_time_now_ns() > 1700000000000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_times),
		cmocka_unit_test(writes_seconds),
		cmocka_unit_test(reads_them_back),
		cmocka_unit_test(refuses_what_is_no_time),
		cmocka_unit_test(refuses_years_that_64_bits_do_not_hold),
		cmocka_unit_test(the_clock_is_after_this_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
