/* Measured values as people read them: expected texts by arithmetic. */
#include "render/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

static void expect(const char *wanted, double value, double spread,
		   const char *unit)
{
	struct pn_buf text = {0};

	pn_quantity_spread_text(&text, value, spread, unit);
	assert_string_equal(pn_buf_text(&text), wanted);
	pn_buf_release(&text);
}

static void has_two_digits_of_the_spread(void **state)
{
	(void)state;
	expect("81.3 ms \xc2\xb1 2.1", 81.34e6, 2.1e6, "ns");
	expect("81.30 ms \xc2\xb1 0.12", 81.3e6, .12e6, "ns");
	expect("1 ms \xc2\xb1 23", 1000000, 23e6, "ns");
	expect("5 s \xc2\xb1 20", 5.2, 20, "s");
	expect("1.07 ms \xc2\xb1 0.22", 1073420, 217470, "ns");
	expect("123,500 \xc2\xb1 5,000", 123456, 5000, "count");
	expect("194.12 M \xc2\xb1 0.13", 194123456, 130000, "count");
	expect("0.0 ms \xc2\xb1 1.2", 0, 1.2e6, "ns");
	expect("87.50 \xc2\xb1 0.96", 87.5, .957, "count");
}

/* A spread below the last digit that is shown says that all are known. */
static void leaves_out_a_spread_that_would_be_nothing(void **state)
{
	(void)state;
	expect("0", 0, 0, "count");
	expect("0", 0, 0, "ns");
	expect("373", 373, 0, "count");
	expect("1 s", 1, 1e-9, "s");
	expect("2.293 MB", 2404352, 0, "bytes");
}

static void has_four_digits_where_no_spread_is_known(void **state)
{
	(void)state;
	expect("1.422 ms", 1422060, NAN, "ns");
	expect("3.5 s", 3500000000, NAN, "ns");
	expect("993 us", 993000, NAN, "ns");
	expect("0.0001234", .00012341, NAN, "count");
	expect("0.25 ipc", .25, NAN, "ipc");
	expect("-1.5 s", -1.5, NAN, "s");
	expect("4 kB", 4096, NAN, "bytes");
}

static void groups_or_scales_thousands(void **state)
{
	(void)state;
	expect("373", 373, NAN, "count");
	expect("8,123", 8123, NAN, "");
	expect("356,400", 356400, NAN, "count");
	expect("999,999", 999999, NAN, "samples");
	expect("1 M", 1000000, NAN, "count");
	expect("194.1 M", 194123456, NAN, "count");
	expect("2.5 G", 2500000000, NAN, "count");
	expect("-7.001 T", -7.0011e12, NAN, "count");
	expect("12,345 frames", 12345, NAN, "frames");
}

static void keeps_numbers_that_no_digits_suit(void **state)
{
	(void)state;
	expect("1e+300 \\x1b[31m", 1e300, NAN, "\033[31m");
	expect("inf", INFINITY, NAN, "count");
	expect("nan s", NAN, NAN, "s");
}

static void change(const char *wanted, double old, double now)
{
	struct pn_buf text = {0};

	pn_change_text(&text, old, now);
	assert_string_equal(pn_buf_text(&text), wanted);
	pn_buf_release(&text);
}

static void writes_changes_with_two_digits(void **state)
{
	(void)state;
	change("=", 5, 5);
	change("+2.3%", 1000, 1023);
	change("-12.3%", 1000, 877);
	change("+0.20%", 1000, 1002);
	change("-0.040%", 100000, 99960);
	change("+0.0001%", 1e6, 1e6 + 1);
	change("+<0.0001%", 1e8, 1e8 + 1);
	change("+200%", 1, 3);
	change("x12.5", 2, 25);
	change("x250", 2, 500);
	change("-100%", 7, 0);
	change("", 0, 7);
	change("", -5, 7);
	change("", 7, -5);
	change("", -5, -10);
	change("=", -5, -5);
	change("", NAN, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_two_digits_of_the_spread),
		cmocka_unit_test(leaves_out_a_spread_that_would_be_nothing),
		cmocka_unit_test(has_four_digits_where_no_spread_is_known),
		cmocka_unit_test(groups_or_scales_thousands),
		cmocka_unit_test(keeps_numbers_that_no_digits_suit),
		cmocka_unit_test(writes_changes_with_two_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
