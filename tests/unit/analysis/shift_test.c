/* The interval of a shift, against what can be counted by hand. */
#include "analysis/diff/shift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* 2 / C(n + m, n) is what the least order alone takes: at most 0.05 from 4 and
 * 4 (70 orders), 3 and 5 (56), 2 and 8 (45) on, not at 3 and 4 (35). */
static void too_few_values_have_no_interval(void **state)
{
	(void)state;
	assert_int_equal(pn_shift_order(3, 3), 0);
	assert_int_equal(pn_shift_order(3, 4), 0);
	assert_int_equal(pn_shift_order(2, 7), 0);
	assert_int_equal(pn_shift_order(1, 30), 0);
	assert_int_equal(pn_shift_order(0, 9), 0);
	assert_int_equal(pn_shift_order(4, 4), 1);
	assert_int_equal(pn_shift_order(3, 5), 1);
	assert_int_equal(pn_shift_order(5, 3), 1);
	assert_int_equal(pn_shift_order(2, 8), 1);
}

/*
 * 5 and 5: 252 orders, of which 1, 1, 2, 3 have 0, 1, 2, 3 pairs the wrong way
 * round: 2 * 4 / 252 is .032, 2 * 7 / 252 is .056. 6 and 6: 924, and 1, 1, 2,
 * 3, 5, 7: 2 * 19 / 924 is .041 up to 5, and 11 more have 6. 10 and 10: R's
 * qwilcox(.025, 10, 10) is 24.
 */
static void the_order_is_that_of_exact_tables(void **state)
{
	(void)state;
	assert_int_equal(pn_shift_order(5, 5), 3);
	assert_int_equal(pn_shift_order(6, 6), 6);
	assert_int_equal(pn_shift_order(10, 10), 24);
	/* the normal approximation takes over without a step */
	assert_in_range(pn_shift_order(50, 51), pn_shift_order(50, 50) + 10,
			pn_shift_order(50, 50) + 40);
}

static void the_interval_is_of_ratios(void **state)
{
	const double before[] = {4, 1, 3, 2}, after[] = {10, 40, 20, 30};
	const double equal[] = {7, 7, 7, 7}, zero[] = {1, 2, 3, 0};
	struct pn_interval ratio;

	(void)state;
	/* of 16 ratios the least, 10 / 4, and the greatest, 40 / 1 */
	assert_true(pn_shift_ratio(&ratio, before, 4, after, 4));
	assert_true(ratio.low == 2.5);
	assert_true(ratio.high == 40);
	assert_true(pn_shift_ratio(&ratio, equal, 4, equal, 4));
	assert_true(ratio.low == 1 && ratio.high == 1);
	assert_false(pn_shift_ratio(&ratio, before, 4, zero, 4));
	assert_false(pn_shift_ratio(&ratio, before, 3, after, 4));
	assert_false(pn_shift_ratio(&ratio, NULL, 0, after, 4));
}

/* 1, 1.1, ... 1.4 and the double of them: of 25 ratios the third, which are
 * 2 / 1.4, 2 / 1.3, 2.2 / 1.4 in order, and the third from above, 2.8 / 1,
 * 2.8 / 1.1, 2.6 / 1 in order 2.8, 2.6, 2.545. */
static void outer_ratios_are_left_out(void **state)
{
	const double before[] = {1, 1.1, 1.2, 1.3, 1.4};
	const double after[] = {2, 2.2, 2.4, 2.6, 2.8};
	struct pn_interval ratio;

	(void)state;
	assert_true(pn_shift_ratio(&ratio, before, 5, after, 5));
	assert_true(ratio.low == 2.2 / 1.4);
	assert_true(ratio.high == 2.8 / 1.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few_values_have_no_interval),
		cmocka_unit_test(the_order_is_that_of_exact_tables),
		cmocka_unit_test(the_interval_is_of_ratios),
		cmocka_unit_test(outer_ratios_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
