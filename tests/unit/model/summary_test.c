/* Summary statistics against arithmetic and Python's statistics module. */
#include "model/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

/* Like times in ms, one of them late. */
static const double ten[] = {12.5, 11.0, 14.0, 11.5, 12.0,
			     13.0, 11.0, 19.0, 12.5, 11.5};

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

static void agrees_with_python_on_ten_values(void **state)
{
	struct pn_summary s;

	(void)state;
	assert_int_equal(pn_summary_of(&s, ten, 10, NULL), 0);
	assert_int_equal(s.n, 10);
	assert_true(s.min == 11 && s.max == 19);
	/* statistics.quantiles(v, n=4, method='inclusive') is
	 * [11.5, 12.25, 12.875] */
	assert_true(s.q1 == 11.5 && s.median == 12.25 && s.q3 == 12.875);
	/* sum 128; statistics.stdev(v) is 2.3711225658371653 */
	assert_near(s.mean, 12.8, 1e-14);
	assert_near(s.sd, 2.3711225658371653, 1e-13);
}

static void interpolates_between_order_statistics(void **state)
{
	const double v[] = {10, 20, 40, 80};

	(void)state;
	/* (n - 1) p = 3 * 0.25 = 0.75: 10 + 0.75 * (20 - 10) */
	assert_near(pn_summary_quantile(v, 4, 0.25), 17.5, 1e-12);
	assert_near(pn_summary_quantile(v, 4, 0.5), 30, 1e-12);
	/* 3 * 0.9 = 2.7: 40 + 0.7 * (80 - 40) */
	assert_near(pn_summary_quantile(v, 4, 0.9), 68, 1e-12);
	assert_true(pn_summary_quantile(v, 4, 0) == 10);
	assert_true(pn_summary_quantile(v, 4, 1) == 80);
	assert_true(pn_summary_quantile(v, 1, 0.75) == 10);
}

static void spreads_as_the_middle_half_does(void **state)
{
	const double equal[] = {5, 5, 5, 5, 5, 5, 5, 50};
	struct pn_summary s;

	(void)state;
	/* 12.875 - 11.5 = 1.375; normal.inv_cdf(.75) of Python's statistics is
	 * 0.6744897501960817: 1.375 / (2 * that). The late one of 19 does not
	 * count: with 1,900 in its place it is the same. */
	pn_summary_of(&s, ten, 10, NULL);
	assert_near(pn_summary_spread(&s), 1.0192890252, 1e-9);
	/* 17.5 and 50 (see above) over 1.349 are 24.09; of four values sd:
	 * mean 37.5, squares 756.25 + 306.25 + 6.25 + 1806.25 over 3 */
	pn_summary_of(&s, (const double[]){10, 20, 40, 80}, 4, NULL);
	assert_near(pn_summary_spread(&s), sqrt(2875. / 3), 1e-9);
	/* half of them equal: mean 10.625, sd 45 / sqrt(8) */
	pn_summary_of(&s, equal, 8, NULL);
	assert_near(pn_summary_spread(&s), 45 / sqrt(8), 1e-9);
	pn_summary_of(&s, equal, 1, NULL);
	assert_true(isnan(pn_summary_spread(&s)));
}

static void has_no_deviation_with_one_value(void **state)
{
	const double v = 0.1;
	struct pn_summary s;

	(void)state;
	assert_int_equal(pn_summary_of(&s, &v, 1, NULL), 0);
	assert_true(s.min == v && s.q1 == v && s.median == v && s.q3 == v);
	assert_true(s.max == v && s.mean == v);
	assert_true(isnan(s.sd));
}

static void keeps_digits_on_a_large_offset(void **state)
{
	/* 2^53 - 5 + {0, 1, 2, 3, 4}: mean + 2, variance 10 / 4 */
	const double base = 9007199254740987.0;
	const double v[] = {base, base + 3, base + 1, base + 4, base + 2};
	const double same[] = {0.1, 0.1, 0.1};
	struct pn_summary s;

	(void)state;
	assert_int_equal(pn_summary_of(&s, v, 5, NULL), 0);
	assert_true(s.mean == base + 2);
	assert_near(s.sd, sqrt(2.5), 1e-15);
	assert_int_equal(pn_summary_of(&s, same, 3, NULL), 0);
	assert_true(s.mean == 0.1 && s.sd == 0 && s.q1 == 0.1);
}

static void does_not_overflow_in_the_mean(void **state)
{
	const double v[] = {1.5e308, 1.5e308, 1.5e308};
	struct pn_summary s;

	(void)state;
	assert_int_equal(pn_summary_of(&s, v, 3, NULL), 0);
	assert_true(s.mean == 1.5e308 && s.median == 1.5e308);
}

static void refuses_no_values_and_values_that_are_not_finite(void **state)
{
	const double v[] = {1, NAN}, w[] = {1, 2, INFINITY};
	struct pn_summary s = {.n = 77};
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_summary_of(&s, v, 0, &err), PN_ERANGE);
	assert_int_equal(pn_summary_of(&s, v, 2, &err), PN_ERANGE);
	assert_string_equal(err.message, "value 2 is not finite");
	assert_int_equal(pn_summary_of(&s, w, 3, &err), PN_ERANGE);
	assert_string_equal(err.message, "value 3 is not finite");
	assert_int_equal(s.n, 77);
}

static void finds_the_ranks_of_the_binomial_table(void **state)
{
	double v[2000];
	struct pn_interval in;
	size_t i;

	(void)state;
	for (i = 0; i < 2000; i++)
		v[i] = (double)(i + 1);
	/* 2^-5 = 0.031 is above 0.025, 2^-6 = 0.016 is not */
	assert_int_equal(pn_summary_median_interval(&in, v, 5, 0.95, NULL),
			 PN_ERANGE);
	assert_int_equal(pn_summary_median_interval(&in, v, 6, 0.95, NULL), 0);
	assert_true(in.low == 1 && in.high == 6);
	/* n = 10: (1 + 10) / 1024 = 0.0107, with 45 more 0.0547 */
	assert_int_equal(pn_summary_median_interval(&in, v, 10, 0.95, NULL), 0);
	assert_true(in.low == 2 && in.high == 9);
	/* scipy.stats.binom.ppf(0.025, 100, 0.5) is 40, and
	 * cdf(39) = 0.0176, cdf(40) = 0.0284: k = 40 */
	assert_int_equal(pn_summary_median_interval(&in, v, 100, 0.95, NULL),
			 0);
	assert_true(in.low == 40 && in.high == 61);
	/* 1000 - 1.96 * sqrt(2000) / 2 = 956.2, where 2^-2000 is no double */
	assert_int_equal(pn_summary_median_interval(&in, v, 2000, 0.95, NULL),
			 0);
	assert_true(in.low == 956 && in.high == 1045);
}

static void marks_only_what_is_far_beyond_doubt(void **state)
{
	/* median 12, deviations 2 1 0 1 2 x: MAD 1.5 with x = 100; the limit
	 * is 12.5 + 14.826 * 1.5 = 34.7 */
	const double far[] = {10, 11, 12, 13, 14, 100};
	const double near[] = {10, 11, 12, 13, 14, 30};
	bool flags[6];
	size_t i;

	(void)state;
	assert_int_equal(pn_summary_outliers(flags, far, 6), 1);
	for (i = 0; i < 6; i++)
		assert_int_equal(flags[i], i == 5);
	assert_int_equal(pn_summary_outliers(NULL, near, 6), 0);
	assert_int_equal(pn_summary_outliers(NULL, near, 0), 0);
}

static void judges_by_the_mean_deviation_when_most_are_equal(void **state)
{
	/* one of n differs by d: d / (1.2533 d / n) > 10 from n = 13 on */
	double v[20];
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++)
		v[i] = 5;
	assert_int_equal(pn_summary_outliers(NULL, v, 20), 0);
	v[3] = 6;
	assert_int_equal(pn_summary_outliers(NULL, v, 12), 0);
	assert_int_equal(pn_summary_outliers(NULL, v, 13), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_python_on_ten_values),
		cmocka_unit_test(interpolates_between_order_statistics),
		cmocka_unit_test(spreads_as_the_middle_half_does),
		cmocka_unit_test(has_no_deviation_with_one_value),
		cmocka_unit_test(keeps_digits_on_a_large_offset),
		cmocka_unit_test(does_not_overflow_in_the_mean),
		cmocka_unit_test(
			refuses_no_values_and_values_that_are_not_finite),
		cmocka_unit_test(finds_the_ranks_of_the_binomial_table),
		cmocka_unit_test(marks_only_what_is_far_beyond_doubt),
		cmocka_unit_test(
			judges_by_the_mean_deviation_when_most_are_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
