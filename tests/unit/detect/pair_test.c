/* Verdicts on pairs of samples: what changes nothing, what is too little, and
 * how many of many equal pairs are called different. */
#include "detect/pair.h"

#include "base/numbers/random.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

static const struct pn_pair_options defaults = PN_PAIR_DEFAULTS;
static const double quiet[] = {10, 10.2, 9.9, 10.1, 10.05, 9.95};
static const double slower[] = {11, 11.3, 10.9, 11.1, 11.05, 10.95};

static struct pn_pair_verdict compare(const double *a, size_t n,
				      const double *b, size_t m)
{
	struct pn_pair_verdict pair;

	pn_pair_of(&pair, a, n, b, m, &defaults);
	return pair;
}

static void the_other_way_round_is_the_mirrored_verdict(void **state)
{
	struct pn_pair_verdict there = compare(quiet, 6, slower, 6);
	struct pn_pair_verdict back = compare(slower, 6, quiet, 6);

	(void)state;
	assert_int_equal(there.verdict, PN_VERDICT_DEGRADATION);
	assert_int_equal(back.verdict, PN_VERDICT_OPTIMIZATION);
	assert_true(fabs(there.ratio * back.ratio - 1) < 1e-12);
	assert_true(fabs(there.low * back.high - 1) < 1e-12);
	assert_true(there.p == back.p);
	assert_true(there.low < 1.1 && there.high > 1.1);
}

/* .10 s and .11 s are a step of a hundredth apart: 10 % that may be nothing. */
static void equal_times_are_known_to_the_tick_of_their_clock(void **state)
{
	const double ten[] = {0.1, 0.1, 0.1, 0.1, 0.1};
	const double eleven[] = {0.11, 0.11, 0.11, 0.11, 0.11};
	const double twelve[] = {0.12, 0.12, 0.12, 0.12, 0.12};
	struct pn_pair_options clock = PN_PAIR_DEFAULTS;
	struct pn_pair_verdict pair;

	(void)state;
	clock.clock = true;
	pair = compare(ten, 5, eleven, 5);
	assert_int_equal(pair.verdict, PN_VERDICT_DEGRADATION);
	assert_int_equal(pair.method, PN_PAIR_EXACT);
	pn_pair_of(&pair, ten, 5, eleven, 5, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_MAYBE_DEGRADATION);
	assert_int_equal(pair.method, PN_PAIR_CLOCK);
	pn_pair_of(&pair, eleven, 5, ten, 5, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_MAYBE_OPTIMIZATION);
	pn_pair_of(&pair, ten, 5, twelve, 5, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_DEGRADATION);
	/* of 0.10 a hundredth is 10 % */
	assert_true(fabs(pair.least_effect - 0.1) < 1e-9);
	pn_pair_of(&pair, ten, 4, twelve, 4, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_MAYBE_DEGRADATION);
	pn_pair_of(&pair, eleven, 5, eleven, 5, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_NO_CHANGE);
	pn_pair_of(&pair, eleven, 4, eleven, 4, &clock);
	assert_int_equal(pair.verdict, PN_VERDICT_UNKNOWN);
}

static void order_and_unit_of_the_runs_change_nothing(void **state)
{
	const double turned[] = {10.05, 9.95, 10.1, 9.9, 10, 10.2};
	struct pn_pair_verdict one = compare(quiet, 6, slower, 6);
	struct pn_pair_verdict two = compare(turned, 6, slower, 6);
	double a[6], b[6];
	size_t i;

	(void)state;
	assert_memory_equal(&one, &two, sizeof(one));
	for (i = 0; i < 6; i++) {
		a[i] = quiet[i] * 1e-6;
		b[i] = slower[i] * 1e-6;
	}
	two = compare(a, 6, b, 6);
	assert_int_equal(one.verdict, two.verdict);
	assert_true(fabs(one.ratio / two.ratio - 1) < 1e-12);
	assert_true(fabs(one.p_mean / two.p_mean - 1) < 1e-9);
}

static void too_few_values_have_no_verdict(void **state)
{
	struct pn_pair_verdict pair = compare(quiet, 2, slower, 6);

	(void)state;
	assert_int_equal(pair.verdict, PN_VERDICT_UNKNOWN);
	assert_true(isnan(pair.ratio) && isnan(pair.p) && pair.n == 2);
	pair = compare(quiet, 1, quiet, 1);
	assert_int_equal(pair.verdict, PN_VERDICT_UNKNOWN);
	pair = compare(quiet, 0, quiet, 6);
	assert_int_equal(pair.verdict, PN_VERDICT_UNKNOWN);
}

/* A tenth of a percent decides; 1000 to 1001 is that. */
static void counters_are_compared_as_they_are(void **state)
{
	const double a[] = {1000, 1000}, b[] = {1000.9, 1000.9};
	const double c[] = {1001.1, 1001.1}, zero[] = {0, 0};

	(void)state;
	assert_int_equal(compare(a, 2, b, 2).verdict, PN_VERDICT_NO_CHANGE);
	assert_int_equal(compare(a, 2, c, 2).verdict, PN_VERDICT_DEGRADATION);
	assert_int_equal(compare(c, 2, a, 2).verdict, PN_VERDICT_OPTIMIZATION);
	assert_int_equal(compare(zero, 2, zero, 2).verdict,
			 PN_VERDICT_NO_CHANGE);
	assert_int_equal(compare(zero, 2, a, 2).verdict,
			 PN_VERDICT_DEGRADATION);
	assert_true(isnan(compare(zero, 2, a, 2).ratio));
}

static void what_is_not_positive_is_compared_by_difference(void **s)
{
	double a[] = {-10, -10.2, -9.9, -10.1, -10.05, -9.95}, b[6];
	double huge[6];
	struct pn_pair_verdict pair;
	size_t i;

	(void)s;
	for (i = 0; i < 6; i++)
		b[i] = a[i] + 1;
	pair = compare(a, 6, b, 6);
	assert_int_equal(pair.verdict, PN_VERDICT_DEGRADATION);
	/* the median is -10.025 */
	assert_true(fabs(pair.ratio - (1 + 1 / 10.025)) < 1e-12);
	for (i = 0; i < 6; i++) {
		a[i] = i % 2 ? 1.7e308 : -1.7e308;
		huge[i] = -a[i];
	}
	pair = compare(a, 6, huge, 6);
	assert_int_equal(pair.verdict, PN_VERDICT_NO_CHANGE);
	assert_true(isfinite(pair.p));
}

/* Two standard deviations of the difference at .01 and .2: with 10 and 10
 * values 2.878 and .862 of Student's table for 18, times sd sqrt(1/5). */
static void least_effect_is_that_of_the_t_test(void **state)
{
	double a[10], b[10], sd, want;
	struct pn_pair_verdict pair;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		a[i] = b[i] = exp(0.01 * (double)i);
	pair = compare(a, 10, b, 10);
	assert_int_equal(pair.verdict, PN_VERDICT_NO_CHANGE);
	sd = 0.01 * sqrt(82.5 / 9); /* of 0 to 9 */
	want = exp((2.878 + 0.862) * sd * sqrt(0.2)) - 1;
	assert_true(fabs(pair.least_effect / want - 1) < 0.001);
	assert_true(fabs(pair.noise - (exp(sd) - 1)) < 1e-12);
}

static double normal(uint64_t *seed)
{
	double share = ((double)(pn_random_next(seed) >> 11) + 0.5) * 0x1p-53;

	return pn_stats_normal_quantile(share);
}

/* A tenth of the values lie far away, as interrupted runs do. */
static void draw(double *out, size_t n, int law, uint64_t *seed)
{
	size_t i;

	for (i = 0; i < n; i++) {
		out[i] = exp(0.03 * normal(seed));
		if (law == 1 && pn_random_next(seed) % 10 == 0)
			out[i] *= 1.5;
		if (law == 2 && pn_random_next(seed) % 2)
			out[i] *= 1.08;
	}
}

static void few_of_many_equal_pairs_are_confirmed(void **state)
{
	const size_t sizes[] = {3, 5, 10, 20, 30};
	double a[30], b[30];
	uint64_t seed = 1;
	size_t confirmed = 0, maybe = 0, i, n;
	enum pn_verdict v;

	(void)state;
	for (i = 0; i < 10000; i++) {
		n = sizes[i % 5];
		draw(a, n, (int)(i / 5 % 3), &seed);
		draw(b, n, (int)(i / 5 % 3), &seed);
		v = compare(a, n, b, n).verdict;
		confirmed += v == PN_VERDICT_DEGRADATION ||
			     v == PN_VERDICT_OPTIMIZATION;
		maybe += v == PN_VERDICT_MAYBE_DEGRADATION ||
			 v == PN_VERDICT_MAYBE_OPTIMIZATION;
	}
	printf("%zu confirmed, %zu maybe\n", confirmed, maybe);
	assert_true(confirmed <= 100);
	assert_true(confirmed + maybe <= 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_other_way_round_is_the_mirrored_verdict),
		cmocka_unit_test(
			equal_times_are_known_to_the_tick_of_their_clock),
		cmocka_unit_test(order_and_unit_of_the_runs_change_nothing),
		cmocka_unit_test(too_few_values_have_no_verdict),
		cmocka_unit_test(counters_are_compared_as_they_are),
		cmocka_unit_test(
			what_is_not_positive_is_compared_by_difference),
		cmocka_unit_test(least_effect_is_that_of_the_t_test),
		cmocka_unit_test(few_of_many_equal_pairs_are_confirmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
