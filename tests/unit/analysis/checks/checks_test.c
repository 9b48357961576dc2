/* Perun's checks by arithmetic; what Perun itself computes wrong is named. */
#include "analysis/checks/checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fmax(1, fmax(fabs(a), fabs(b)));
}

static struct pn_fit fit_of(enum pn_regression model, double b0, double b1,
			    double b2, double from, double to)
{
	return (struct pn_fit){
		.model = model,
		.b = {b0, b1, b2},
		.b_count = model == PN_QUADRATIC  ? 3
			   : model == PN_CONSTANT ? 1
						  : 2,
		.r_square = 1,
		.n = 10,
		.x_start = from,
		.x_end = to,
	};
}

static void average(double before, double after, enum pn_verdict verdict,
		    double rate)
{
	struct pn_check_result check;

	pn_check_average(&check, &before, 1, &after, 1);
	assert_int_equal(check.verdict, verdict);
	assert_true(check.rate == rate || near(check.rate, rate, 1e-12));
}

static void averages_count_from_twice_and_half_on(void **state)
{
	static const double before[] = {1, 2, 3}, after[] = {3, 5};
	struct pn_check_result check;

	(void)state;
	pn_check_average(&check, before, 3, after, 2);
	assert_int_equal(check.verdict, PN_VERDICT_DEGRADATION);
	assert_true(near(check.rate, 2, 1e-12));
	average(10, 19.9, PN_VERDICT_NO_CHANGE, 1.99);
	average(10, 5, PN_VERDICT_OPTIMIZATION, 0.5);
	average(10, 5.1, PN_VERDICT_NO_CHANGE, 0.51);
	/* Perun divides by a millionth, and has no verdict on what costs 0 */
	average(0, 5, PN_VERDICT_DEGRADATION, (double)INFINITY);
	average(5, 0, PN_VERDICT_OPTIMIZATION, 0);
	average(0, 0, PN_VERDICT_NO_CHANGE, 1);
}

static void orders_of_models_are_compared(void **state)
{
	struct pn_fit linear = fit_of(PN_LINEAR, 0, 1, 0, 1, 10);
	struct pn_fit square = fit_of(PN_QUADRATIC, 0, 0, 1, 1, 10);
	struct pn_fit growth = fit_of(PN_EXPONENTIAL, 1, 2, 0, 1, 10);
	struct pn_check_result check;

	(void)state;
	pn_check_order(&check, &linear, &growth);
	assert_int_equal(check.verdict, PN_VERDICT_DEGRADATION);
	assert_true(check.rate == 3);
	pn_check_order(&check, &square, &linear);
	assert_int_equal(check.verdict, PN_VERDICT_OPTIMIZATION);
	pn_check_order(&check, &linear, &linear);
	assert_int_equal(check.verdict, PN_VERDICT_NO_CHANGE);
	square.r_square = 0.89;
	pn_check_order(&check, &linear, &square);
	assert_int_equal(check.verdict, PN_VERDICT_UNKNOWN);
	assert_true(check.confidence == 0.89);
}

/* x from 1 to 20; y of the formula, or with a noise of 5 % that the index
 * gives. */
static void fill(struct pn_points *points, double x[20], double y[20],
		 int power, double noise)
{
	int i;

	*points = (struct pn_points){"f", 1, x, y, 20};
	for (i = 0; i < 20; i++) {
		x[i] = i + 1;
		y[i] = (10 + pow(x[i], power)) *
		       (1 + noise * ((i * 7 % 5) - 2) / 2.0);
	}
}

static void orders_come_from_the_costs_themselves(void **state)
{
	struct pn_points line, square, noisy, few;
	double x[4][20], y[4][20];
	struct pn_check_result check;

	(void)state;
	fill(&line, x[0], y[0], 1, 0.01);
	fill(&square, x[1], y[1], 2, 0.01);
	fill(&noisy, x[2], y[2], 1, 0.05);
	few = line;
	few.count = 7;
	pn_check_order_of_points(&check, &line, &square);
	assert_int_equal(check.verdict, PN_VERDICT_DEGRADATION);
	assert_true(check.confidence >= PN_CHECKS_AICC);
	pn_check_order_of_points(&check, &square, &line);
	assert_int_equal(check.verdict, PN_VERDICT_OPTIMIZATION);
	pn_check_order_of_points(&check, &line, &noisy);
	assert_int_equal(check.verdict, PN_VERDICT_NO_CHANGE);
	pn_check_order_of_points(&check, &line, &few);
	assert_int_equal(check.verdict, PN_VERDICT_UNKNOWN);
}

static void curves_have_the_values_of_their_formulas(void **state)
{
	/* Perun has 12 for the power and 21 for the logarithm */
	struct pn_fit power = fit_of(PN_POWER, 3, 2, 0, 1, 1000);
	struct pn_fit log_10 = fit_of(PN_LOGARITHMIC, 1, 2, 0, 1, 1000);
	struct pn_fit growth = fit_of(PN_EXPONENTIAL, 5, 2, 0, 0, 10);
	struct pn_fit square = fit_of(PN_QUADRATIC, 1, 2, 3, 0, 10);
	struct pn_cost_curve curve;

	(void)state;
	pn_cost_curve_of_fit(&curve, &power);
	assert_true(near(pn_cost_curve_at(&curve, 100), 30000, 1e-12));
	pn_cost_curve_of_fit(&curve, &log_10);
	assert_true(near(pn_cost_curve_at(&curve, 10), 1 + 2 * log(10), 1e-12));
	assert_true(isnan(pn_cost_curve_at(&curve, 0)));
	pn_cost_curve_of_fit(&curve, &growth);
	assert_true(near(pn_cost_curve_at(&curve, 3), 40, 1e-12));
	pn_cost_curve_of_fit(&curve, &square);
	assert_true(near(pn_cost_curve_at(&curve, 2), 17, 1e-12));
}

/* The closed form beside a sum of 100,000 rectangles. */
static void same_integral(enum pn_regression model, double b0, double b1,
			  double b2)
{
	struct pn_fit fit = fit_of(model, b0, b1, b2, 1, 5);
	struct pn_cost_curve curve;
	double sum = 0, step = 4.0 / 100000;
	int i;

	pn_cost_curve_of_fit(&curve, &fit);
	for (i = 0; i < 100000; i++)
		sum += step * pn_cost_curve_at(&curve, 1 + (i + 0.5) * step);
	if (!near(pn_cost_curve_integral(&curve, 1, 5), sum, 1e-8))
		fail_msg("%s: %.12g, not %.12g", pn_regression_names[model],
			 pn_cost_curve_integral(&curve, 1, 5), sum);
}

static void integrals_are_those_of_the_formulas(void **state)
{
	static const double values[] = {0, 10, 20, 0};
	const struct pn_cost_curve curve = {.values = values,
					    .count = 4,
					    .x_start = 0,
					    .x_end = 3,
					    .r_square = 1};

	(void)state;
	same_integral(PN_CONSTANT, 7, 0, 0);
	same_integral(PN_LINEAR, 7, -1, 0);
	same_integral(PN_LOGARITHMIC, 7, 3, 0);
	same_integral(PN_QUADRATIC, 7, -1, 2);
	same_integral(PN_POWER, 7, 1.5, 0);
	same_integral(PN_POWER, 7, -1, 0);
	same_integral(PN_EXPONENTIAL, 7, 1.5, 0);
	same_integral(PN_EXPONENTIAL, 7, 1, 0);
	/* trapezia: 5, 15 and 10; from .5 to 2.5: 3.75, 15 and 7.5 */
	assert_true(near(pn_cost_curve_integral(&curve, 0, 3), 30, 1e-12));
	assert_true(
		near(pn_cost_curve_integral(&curve, 0.5, 2.5), 26.25, 1e-12));
}

static void integral_of(const struct pn_fit *a, const struct pn_fit *b,
			enum pn_verdict verdict, double rate)
{
	struct pn_cost_curve before, after;
	struct pn_check_result check;

	pn_cost_curve_of_fit(&before, a);
	pn_cost_curve_of_fit(&after, b);
	pn_check_integral(&check, &before, &after);
	assert_int_equal(check.verdict, verdict);
	if (!isnan(rate))
		assert_true(near(check.rate, rate, 1e-9));
}

static void integrals_are_compared_where_both_curves_are(void **state)
{
	struct pn_fit ten = fit_of(PN_CONSTANT, 10, 0, 0, 1, 100);
	struct pn_fit twelve = fit_of(PN_CONSTANT, 12, 0, 0, 1, 100);
	struct pn_fit eleven = fit_of(PN_CONSTANT, 10.9, 0, 0, 1, 100);
	struct pn_fit six = fit_of(PN_CONSTANT, 6, 0, 0, 1, 100);
	struct pn_fit wider = fit_of(PN_CONSTANT, 10, 0, 0, 1, 1000);
	struct pn_fit beyond = fit_of(PN_CONSTANT, 10, 0, 0, 200, 300);
	struct pn_fit vague = six;

	(void)state;
	vague.r_square = 0.1;
	integral_of(&ten, &eleven, PN_VERDICT_NO_CHANGE, 0.09);
	integral_of(&ten, &twelve, PN_VERDICT_MAYBE_DEGRADATION, 0.2);
	integral_of(&ten, &six, PN_VERDICT_OPTIMIZATION, -0.4);
	/* ten times as many sizes are not ten times as slow */
	integral_of(&ten, &wider, PN_VERDICT_NO_CHANGE, 0);
	integral_of(&ten, &beyond, PN_VERDICT_UNKNOWN, (double)NAN);
	integral_of(&ten, &vague, PN_VERDICT_UNKNOWN, (double)NAN);
}

/* 1 + x and 100 + 50 x, of which Perun says that nothing changed. */
static void windows_compare_costs(void **state)
{
	struct pn_fit slow = fit_of(PN_LINEAR, 100, 50, 0, 1, 100);
	struct pn_fit fast = fit_of(PN_LINEAR, 1, 1, 0, 1, 100);
	struct pn_fit bent = fit_of(PN_QUADRATIC, 1, 1, 0, 1, 100);
	enum pn_verdict windows[PN_CHECKS_WINDOWS];
	struct pn_cost_curve before, after;
	struct pn_check_result check;
	size_t i;

	(void)state;
	pn_cost_curve_of_fit(&before, &fast);
	pn_cost_curve_of_fit(&after, &slow);
	pn_check_statistics(&check, windows, &before, &after);
	assert_int_equal(check.verdict, PN_VERDICT_DEGRADATION);
	assert_true(check.rate > 40);
	for (i = 0; i < PN_CHECKS_WINDOWS; i++)
		assert_int_equal(windows[i], PN_VERDICT_DEGRADATION);
	pn_check_statistics(&check, windows, &after, &after);
	assert_int_equal(check.verdict, PN_VERDICT_NO_CHANGE);
	assert_true(check.rate == 0);
	/* 1 + x + .002 x²: by a tenth from 10 to 21 % of 100; below nothing */
	bent.b[2] = 0.002;
	pn_cost_curve_of_fit(&after, &bent);
	pn_check_statistics(&check, windows, &before, &after);
	assert_int_equal(windows[0], PN_VERDICT_NO_CHANGE);
	assert_int_equal(windows[PN_CHECKS_WINDOWS - 1],
			 PN_VERDICT_MAYBE_DEGRADATION);
}

static void curves_of(const struct pn_fit *a, const struct pn_fit *b,
		      enum pn_check_curves how, enum pn_verdict verdict,
		      const char *change)
{
	struct pn_check_result check;

	pn_check_curves(&check, how, a, b);
	if (check.verdict != verdict || strcmp(check.change, change) != 0)
		fail_msg("%s to %s: %s, %s, rate %g",
			 pn_regression_names[a->model],
			 pn_regression_names[b->model],
			 pn_verdict_name(check.verdict), check.change,
			 check.rate);
}

static void says_what_the_difference_of_curves_is_like(void **state)
{
	struct pn_fit ten = fit_of(PN_CONSTANT, 10, 0, 0, 1, 100);
	struct pn_fit hundred = fit_of(PN_CONSTANT, 100, 0, 0, 1, 100);
	struct pn_fit line = fit_of(PN_LINEAR, 10, 2, 0, 1, 100);
	struct pn_fit square = fit_of(PN_QUADRATIC, 10, 2, 3, 1, 100);
	struct pn_fit power = fit_of(PN_POWER, 3, 2, 0, 1, 100);
	struct pn_fit power_2 = fit_of(PN_POWER, 3.6, 2, 0, 1, 100);
	struct pn_fit almost = fit_of(PN_LINEAR, 10.4, 2.05, 0, 1, 100);
	struct pn_fit same = fit_of(PN_QUADRATIC, 10, 2, 1e-9, 1, 100);

	(void)state;
	/* ten times as slow; Perun's windows see nothing there */
	curves_of(&ten, &hundred, PN_CHECK_POLYNOMIAL, PN_VERDICT_DEGRADATION,
		  "constant");
	curves_of(&ten, &hundred, PN_CHECK_LINEAR, PN_VERDICT_DEGRADATION,
		  "constant");
	curves_of(&hundred, &ten, PN_CHECK_FAST, PN_VERDICT_OPTIMIZATION,
		  "constant");
	curves_of(&ten, &line, PN_CHECK_POLYNOMIAL, PN_VERDICT_DEGRADATION,
		  "linear");
	curves_of(&ten, &line, PN_CHECK_LINEAR, PN_VERDICT_DEGRADATION,
		  "linear");
	curves_of(&line, &square, PN_CHECK_POLYNOMIAL, PN_VERDICT_DEGRADATION,
		  "quadratic");
	curves_of(&line, &square, PN_CHECK_LINEAR, PN_VERDICT_DEGRADATION,
		  "quadratic");
	curves_of(&square, &line, PN_CHECK_FAST, PN_VERDICT_OPTIMIZATION,
		  "quadratic");
	/* 20 % slower; Perun has 5218 % */
	curves_of(&power, &power_2, PN_CHECK_FAST, PN_VERDICT_MAYBE_DEGRADATION,
		  "power");
	curves_of(&line, &almost, PN_CHECK_FAST, PN_VERDICT_NO_CHANGE, "");
	/* another kind of model and the same costs */
	curves_of(&line, &same, PN_CHECK_FAST, PN_VERDICT_NO_CHANGE, "");
}

static void the_rate_of_powers_is_that_of_their_curves(void **state)
{
	struct pn_fit power = fit_of(PN_POWER, 3, 2, 0, 1, 100);
	struct pn_fit power_2 = fit_of(PN_POWER, 3.6, 2, 0, 1, 100);
	struct pn_check_result check;

	(void)state;
	pn_check_curves(&check, PN_CHECK_LINEAR, &power, &power_2);
	assert_true(near(check.rate, 0.2, 1e-9));
}

/*
 * Nine functions of 100 that differ by 0 .. 8 thousandths, one by 50 and a new
 * and a gone one. The median of the differences is 4.5 (of 0 .. 8 and 50), that
 * of the deviations 2.5: z is .6745 * 45.5 / 2.5.
 */
static void names_what_differs_more_than_others(void **state)
{
	double before[12], after[12];
	struct pn_outlier found[12];
	enum pn_verdict whole;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++) {
		before[i] = 100;
		after[i] = 100 + (i < 9 ? (double)i : 50);
	}
	before[10] = after[11] = (double)NAN;
	after[10] = before[11] = 30;
	whole = pn_check_outliers(found, before, after, 12);
	for (i = 0; i < 9; i++)
		assert_int_equal(found[i].verdict, PN_VERDICT_NO_CHANGE);
	assert_int_equal(found[9].verdict, PN_VERDICT_SEVERE_DEGRADATION);
	assert_int_equal(found[9].method, PN_OUTLIER_MODIFIED_Z);
	assert_true(near(found[9].value, 0.6745 * 45.5 / 2.5, 1e-12));
	assert_true(near(found[9].relative, 50.0 / 1116, 1e-12));
	assert_int_equal(found[10].verdict, PN_VERDICT_NOT_IN_BASELINE);
	/* Perun does not see what is gone */
	assert_int_equal(found[11].verdict, PN_VERDICT_NOT_IN_TARGET);
	/* 1030 to 1116: Perun has TotalDegradation for any positive sum */
	assert_int_equal(whole, PN_VERDICT_NO_CHANGE);
}

/* The largest function varies by 2 %, which is more than the others cost. */
static void the_largest_function_is_no_outlier_by_its_size(void **state)
{
	static const double before[] = {10000, 10, 10, 10, 10, 10, 10, 10};
	static const double after[] = {10200, 10.1, 9.9,  10.2,
				       10,    9.8,  10.1, 9.9};
	struct pn_outlier found[8];
	size_t i;

	(void)state;
	assert_int_equal(pn_check_outliers(found, before, after, 8),
			 PN_VERDICT_NO_CHANGE);
	for (i = 0; i < 8; i++)
		assert_int_equal(found[i].verdict, PN_VERDICT_NO_CHANGE);
}

static void the_whole_is_judged_by_its_own_change(void **state)
{
	static const double ten[] = {5, 5}, fifteen[] = {5, 10};
	static const double none[] = {0, 0};
	struct pn_outlier found[2];

	(void)state;
	assert_int_equal(pn_check_outliers(found, ten, fifteen, 2),
			 PN_VERDICT_TOTAL_DEGRADATION);
	assert_int_equal(pn_check_outliers(found, fifteen, ten, 2),
			 PN_VERDICT_TOTAL_OPTIMIZATION);
	assert_int_equal(pn_check_outliers(found, ten, ten, 2),
			 PN_VERDICT_NO_CHANGE);
	assert_int_equal(pn_check_outliers(found, none, none, 2),
			 PN_VERDICT_NO_CHANGE);
	assert_int_equal(pn_check_outliers(found, ten, ten, 0),
			 PN_VERDICT_NO_CHANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_count_from_twice_and_half_on),
		cmocka_unit_test(orders_of_models_are_compared),
		cmocka_unit_test(orders_come_from_the_costs_themselves),
		cmocka_unit_test(curves_have_the_values_of_their_formulas),
		cmocka_unit_test(integrals_are_those_of_the_formulas),
		cmocka_unit_test(integrals_are_compared_where_both_curves_are),
		cmocka_unit_test(windows_compare_costs),
		cmocka_unit_test(says_what_the_difference_of_curves_is_like),
		cmocka_unit_test(the_rate_of_powers_is_that_of_their_curves),
		cmocka_unit_test(names_what_differs_more_than_others),
		cmocka_unit_test(
			the_largest_function_is_no_outlier_by_its_size),
		cmocka_unit_test(the_whole_is_judged_by_its_own_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
