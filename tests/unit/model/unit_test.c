/* Units and the texts of values. */
#include "model/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The C locale holds in a test, so that printf is a peer. */
static void writes_fixed_numbers_as_printf_does(void **state)
{
	static const double ties[] = {0.125, 0.375,  2.675,    1.005,
				      0.5,   0.005,  0.015,    1e-9,
				      1e15,  99.995, 12345.678};
	struct pn_buf text = {0};
	char expected[64];
	size_t i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		double value =
			i < 11 ? ties[i]
			       : ldexp((double)(i * 2654435761u % 1000003),
				       (int)(i % 60) - 40);
		unsigned int decimals = i % 2 ? 1 : 2;

		if (i % 3 == 0)
			value = -value;
		snprintf(expected, sizeof(expected), "%.*f", (int)decimals,
			 value);
		pn_buf_clear(&text);
		pn_unit_fixed(&text, value, decimals);
		assert_string_equal(pn_buf_text(&text), expected);
	}
	pn_buf_release(&text);
}

/* All that sums of 64 bits can be, and no rounding of theirs. */
static void writes_large_numbers_as_printf_does(void **state)
{
	static const double large[] = {
		9e15,	      9007199254740993.,   1e16,   1e17 - 64,
		1e17,	      733544370765370624., 0x1p63, -0x1p63,
		0x1p64 - 2048};
	struct pn_buf text = {0};
	char expected[64];
	unsigned int decimals;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(large) / sizeof(*large); i++)
		for (decimals = 1; decimals <= 3; decimals++) {
			snprintf(expected, sizeof(expected), "%.*f",
				 (int)decimals, large[i]);
			pn_buf_clear(&text);
			pn_unit_fixed(&text, large[i], decimals);
			assert_string_equal(pn_buf_text(&text), expected);
		}
	pn_buf_release(&text);
}

/* What Go and C write for %5.2f%% and %5.2g%%. */
static void writes_percentages_as_printf_does(void **state)
{
	struct pn_buf text = {0};
	char expected[64];
	size_t i;

	(void)state;
	for (i = 1; i < 20000; i++) {
		double value =
			(double)(i * 40503 % 65537) * pow(2, -(int)(i % 40));
		double ratio = value / 700 * 100;

		if (ratio >= 99.95 && ratio <= 100.05)
			continue;
		snprintf(expected, sizeof(expected),
			 ratio >= 1 ? "%5.2f%%" : "%5.2g%%", ratio);
		pn_buf_clear(&text);
		pn_unit_percentage(&text, i % 2 ? value : -value, 700);
		assert_string_equal(pn_buf_text(&text), expected);
	}
	pn_buf_release(&text);
}

static void writes_a_hundred_percent_and_nothing_of_nothing(void **state)
{
	struct pn_buf text = {0};

	(void)state;
	pn_unit_percentage(&text, 3, 3);
	pn_unit_percentage(&text, 99.96, 100);
	pn_unit_percentage(&text, 0, 0);
	assert_string_equal(pn_buf_text(&text), "  100%  100%    0%");
	pn_buf_release(&text);
}

static void label_is(const char *expected, double value, const char *from,
		     const char *to)
{
	struct pn_buf text = {0};

	pn_unit_label(&text, value, from, to);
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

/* The figures are in pprof's own documentation and tests of measurement. */
static void writes_values_in_their_units(void **state)
{
	(void)state;
	label_is("0", 0, "bytes", "auto");
	label_is("1B", 1, "bytes", "auto");
	label_is("1.50kB", 1536, "bytes", "auto");
	label_is("1kB", 1, "kilobytes", "auto");
	label_is("1024kB", 1, "megabytes", "kb");
	label_is("1024kB", 1, "MiB", "kb");
	label_is("2.50ms", 2500, "\u00b5s", "auto");
	label_is("1s", 1000000000, "ns", "auto");
	label_is("2.29s", 2290000000.0, "nanoseconds", "minimum");
	label_is("-2.50ms", -2500, "us", "auto");
	label_is("1hrs", 3600, "seconds", "auto");
	label_is("1.50s", 1500, "milliseconds", "bytes");
	label_is("90", 90, "count", "auto");
	label_is("90", 90, "count", "count");
	label_is("7apples", 7, "count", "apples");
	label_is("3GCU", 3e9, "nanogcu", "auto");
	label_is("0", 0.001, "bytes", "bytes");
	/* as go tool pprof -unit=ns has it */
	label_is("12195486060000000ns", 12195486060.0, "milliseconds", "ns");
}

static void knows_units_of_one_family(void **state)
{
	(void)state;
	assert_true(pn_unit_comparable("ms", "seconds"));
	assert_true(pn_unit_comparable("bytes", "MB"));
	assert_true(pn_unit_comparable("apples", "apples"));
	assert_true(pn_unit_comparable("ms", "\u03bcs"));
	assert_true(pn_unit_comparable("ms", "\u00b5s"));
	assert_true(pn_unit_comparable("bytes", "KiB"));
	assert_false(pn_unit_comparable("bytes", "Mib")); /* bits */
	assert_false(pn_unit_comparable("ms", "MB"));
	assert_false(pn_unit_comparable("apples", "pears"));
}

/* 1e300 s are 1e309 ns, more than a double has; 1e300 s / 3600 = 2.777e296. */
static void scales_what_its_smallest_unit_cannot_hold(void **state)
{
	const char *unit;

	(void)state;
	assert_true(pn_unit_scale(&unit, 1e300, "s", "s") == 1e300);
	assert_true(pn_unit_scale(&unit, -1e300, "s", "s") == -1e300);
	assert_string_equal(unit, "s");
	assert_true(fabs(pn_unit_scale(&unit, 1e300, "s", PN_UNIT_AUTO) * 3600 /
				 1e300 -
			 1) < 1e-15);
	assert_string_equal(unit, "hrs");
	assert_true(
		fabs(pn_unit_scale(&unit, 1e307, "kB", "MB") * 1024 / 1e307 -
		     1) < 1e-15);
	assert_true(isinf(pn_unit_scale(&unit, INFINITY, "s", "ms")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales_what_its_smallest_unit_cannot_hold),
		cmocka_unit_test(writes_fixed_numbers_as_printf_does),
		cmocka_unit_test(writes_large_numbers_as_printf_does),
		cmocka_unit_test(writes_percentages_as_printf_does),
		cmocka_unit_test(
			writes_a_hundred_percent_and_nothing_of_nothing),
		cmocka_unit_test(writes_values_in_their_units),
		cmocka_unit_test(knows_units_of_one_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
