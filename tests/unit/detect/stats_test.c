/* Tails, quantiles and ranks against closed forms and Python's math. */
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#define PI 3.14159265358979323846
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%.17g, expected %.17g", value, expected);
}

/* math.erfc(z / sqrt(2)) / 2 and statistics.NormalDist().inv_cdf(p). */
static void the_normal_distribution_is_as_python_has_it(void **state)
{
	(void)state;
	assert_near(pn_stats_normal_upper(0), 0.5);
	assert_near(pn_stats_normal_upper(1), 0.15865525393145707);
	assert_near(pn_stats_normal_upper(-1), 1 - 0.15865525393145707);
	assert_near(pn_stats_normal_upper(10), 7.619853024160593e-24);
	assert_near(pn_stats_normal_quantile(0.975), 1.9599639845400536);
	assert_near(pn_stats_normal_quantile(0.3), -0.5244005127080407);
	assert_near(pn_stats_normal_quantile(1e-9), -5.9978070150076865);
	assert_near(pn_stats_normal_quantile(1e-300), -37.0470962993612);
	assert_true(pn_stats_normal_quantile(0.5) < 1e-15 &&
		    pn_stats_normal_quantile(0.5) > -1e-15);
}

/* Gamma(1/2) is the root of pi, Gamma(n) the factorial of n - 1; the last is
 * math.lgamma(1e6). */
static void log_gamma_gives_factorials(void **state)
{
	double factorial = 1;
	int n;

	(void)state;
	assert_near(pn_stats_log_gamma(0.5), log(PI) / 2);
	for (n = 3; n < 100; n++) {
		factorial *= n - 1;
		assert_near(pn_stats_log_gamma(n), log(factorial));
	}
	assert_near(pn_stats_log_gamma(1e6), 12815504.569147611);
}

/* P(|T| > t): 1 - 2/pi atan t with one degree of freedom, 1 - t/sqrt(2 + t^2)
 * with two; ditto with four, where x = 4/(4 + t^2): the integral of the density
 * is (1 + x/2) sqrt(1 - x). */
/* With one and two degrees of freedom they have formulas. */
static void far_critical_values_are_the_formulas(void **state)
{
	static const double ps[] = {0.9, 0.5, 0.04, 1e-5, 1e-12, 1e-40};
	double p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ps) / sizeof(*ps); i++) {
		p = ps[i];
		assert_near(pn_stats_t_critical(p, 1) * tan(PI / 2 * p), 1);
		assert_near(pn_stats_t_critical(p, 2) /
				    ((1 - p) * sqrt(2 / (p * (2 - p)))),
			    1);
	}
}

static void student_is_as_its_closed_forms(void **state)
{
	const double ts[] = {0.1, 0.5, 1, 2, 3.7, 12};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(ts); i++) {
		double t = ts[i], x = 4 / (4 + t * t);

		assert_near(pn_stats_t_both(t, 1), 1 - 2 / PI * atan(t));
		assert_near(pn_stats_t_both(-t, 2), 1 - t / sqrt(2 + t * t));
		assert_near(pn_stats_t_both(t, 4),
			    1 - (1 + x / 2) * sqrt(1 - x));
		assert_near(pn_stats_t_upper(t, 2),
			    (1 - t / sqrt(2 + t * t)) / 2);
		assert_near(pn_stats_t_upper(-t, 2),
			    (1 + t / sqrt(2 + t * t)) / 2);
	}
	assert_true(pn_stats_t_both(INFINITY, 3) == 0);
	/* tables: 12.706 with one, 2.228 with ten degrees of freedom */
	assert_near(pn_stats_t_critical(0.05, 1), tan(PI / 2 * 0.95));
	assert_true(fabs(pn_stats_t_critical(0.05, 10) - 2.228) < 0.0005);
}

static void beta_of_whole_numbers_is_a_binomial_tail(void **state)
{
	(void)state;
	/* at least 2 of 4 with share .3 */
	assert_near(pn_stats_beta(2, 3, 0.3),
		    6 * .09 * .49 + 4 * .027 * .7 + .0081);
	assert_true(pn_stats_beta(2, 3, 0) == 0 && pn_stats_beta(2, 3, 1) == 1);
}

static void location_and_spread_of_a_sample(void **state)
{
	const double v[] = {5, 1, 3, 100, 4, 2};
	double w[] = {5, 1, 3, 100, 4, 2}, equal[] = {7, 7, 7, 9};

	(void)state;
	assert_near(pn_stats_median(v, 6), 3.5);
	assert_near(pn_stats_mean(v, 6), 115.0 / 6);
	/* deviations 1.5 2.5 .5 96.5 .5 1.5 */
	assert_near(pn_stats_mad(v, 6, 3.5), 1.5);
	/* of squares: 10055 - 115^2 / 6 */
	assert_near(pn_stats_variance(v, 6), (10055 - 13225.0 / 6) / 5);
	assert_true(pn_stats_variance(v, 1) == 0);
	pn_stats_winsorize(w, 6, 5);
	assert_near(w[3], 3.5 + 5 * 1.4826 * 1.5);
	assert_true(w[0] == 5 && w[1] == 1);
	pn_stats_winsorize(equal, 4, 5);
	assert_true(equal[3] == 9);
}

static void equal_values_share_the_mean_of_their_ranks(void **state)
{
	const double v[] = {3, 1, 3, 2, 3, 1};
	const size_t expected[] = {10, 3, 10, 6, 10, 3};
	size_t ranks[6], i;

	(void)state;
	pn_stats_ranks(ranks, v, 6);
	for (i = 0; i < 6; i++)
		assert_int_equal(ranks[i], expected[i]);
}

/* p n / rank from above, never more than the next. */
static void many_tests_are_adjusted_by_their_ranks(void **state)
{
	double p[] = {0.0002, 0.004, 0.2, 0.0009, 1, 0.003}, q[6];
	const double expected[] = {0.0002 * 6,	0.004 * 6 / 4,
				   0.2 * 6 / 5, 0.0009 * 6 / 2,
				   1,		0.003 * 6 / 3};
	size_t i;

	(void)state;
	pn_stats_adjust(q, p, 6);
	for (i = 0; i < 6; i++)
		assert_near(q[i], expected[i]);
	p[5] = 0.0039; /* 6/3 of it is more than 6/4 of the next */
	pn_stats_adjust(p, p, 6);
	assert_near(p[5], 0.004 * 6 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_normal_distribution_is_as_python_has_it),
		cmocka_unit_test(log_gamma_gives_factorials),
		cmocka_unit_test(student_is_as_its_closed_forms),
		cmocka_unit_test(far_critical_values_are_the_formulas),
		cmocka_unit_test(beta_of_whole_numbers_is_a_binomial_tail),
		cmocka_unit_test(location_and_spread_of_a_sample),
		cmocka_unit_test(equal_values_share_the_mean_of_their_ranks),
		cmocka_unit_test(many_tests_are_adjusted_by_their_ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
