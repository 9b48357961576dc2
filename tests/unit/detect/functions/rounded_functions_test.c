/*
 * Simulated costs of functions that are rounded to whole ticks: how often one
 * of a program that did not change is named, and that one that did is found. Of
 * small functions all runs are equal then, which is no noise of nothing. The
 * seeds are fixed.
 */
#include "detect/functions/functions.h"

#include "base/numbers/random.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#define FUNCTIONS 60
#define RUNS 5
#define PROGRAMS 150
#define TICK 1e7

static double uniform(uint64_t *seed)
{
	return ((double)(pn_random_next(seed) >> 11) + 0.5) * 0x1p-53;
}

/* How many programs have a function of `size` digits at most that is named. Its
 * noise is 2 %; the first function of each is 50 to 500 ticks, and `times` as
 * slow on the new side. */
static size_t play(size_t runs, double size, double times, uint64_t *seed)
{
	const size_t of[2] = {runs, runs};
	struct pn_functions_rule rule;
	size_t program, f, r, named = 0;

	pn_functions_rule_init(&rule);
	for (program = 0; program < PROGRAMS; program++) {
		static double costs[FUNCTIONS][2][RUNS];
		struct pn_function_costs functions[FUNCTIONS] = {{0}};
		struct pn_functions found;
		size_t changed = 0;

		for (f = 0; f < FUNCTIONS; f++) {
			double ticks = pow(10, size * uniform(seed));

			if (times > 1 && !f)
				ticks = 50 * pow(10, uniform(seed));
			for (r = 0; r < 2 * runs; r++)
				costs[f][r >= runs][r % runs] =
					TICK *
					rint(ticks *
					     (r >= runs && !f ? times : 1) *
					     (1 +
					      0.02 * pn_stats_normal_quantile(
							     uniform(seed))));
			functions[f].baseline = costs[f][0];
			functions[f].target = costs[f][1];
		}
		assert_int_equal(pn_functions_compare(&found, functions,
						      FUNCTIONS, of, &rule,
						      NULL),
				 0);
		for (f = 0; f < (times > 1 ? 1 : FUNCTIONS); f++)
			changed += found.items[f].verdict !=
					   PN_VERDICT_NO_CHANGE &&
				   found.items[f].verdict != PN_VERDICT_UNKNOWN;
		named += changed > 0;
		pn_functions_release(&found);
	}
	return named;
}

/* A false discovery rate of .02 is one of 50 programs where nothing changed,
 * and three deviations more. */
static void programs_that_did_not_change_have_no_names(void **state)
{
	double most = PN_FUNCTIONS_Q * PROGRAMS;
	uint64_t seed = 3;
	size_t runs, named;
	int size;

	(void)state;
	for (runs = 2; runs <= RUNS; runs++)
		for (size = 1; size <= 3; size++) {
			named = play(runs, size, 1, &seed);
			printf("%zu runs, %d digits: %zu of %d\n", runs, size,
			       named, PROGRAMS);
			assert_true((double)named <= most + 3 * sqrt(most));
		}
}

static void a_function_that_is_slower_is_named(void **state)
{
	uint64_t seed = 4;
	size_t runs;

	(void)state;
	for (runs = 3; runs <= RUNS; runs++)
		assert_true(play(runs, 3, 1.3, &seed) >= PROGRAMS * 95 / 100);
}

/* Costs of less than a millionth are no whole numbers that are 0: in another
 * unit the same costs have the same verdicts. */
static void tiny_costs_are_not_rounded(void **state)
{
	static const double factors[] = {1, 1e-7};
	const size_t of[2] = {3, 3};
	struct pn_functions_rule rule;
	size_t i, f, r;

	(void)state;
	pn_functions_rule_init(&rule);
	for (i = 0; i < 2; i++) {
		double costs[8][2][3];
		struct pn_function_costs functions[8] = {{0}};
		struct pn_functions found;

		for (f = 0; f < 8; f++) {
			for (r = 0; r < 6; r++)
				costs[f][r / 3][r % 3] =
					factors[i] * (r > 2 && !f ? 2 : 1) *
					(1 + (double)f +
					 0.01 * sin((double)(7 * f + 3 * r)));
			functions[f].baseline = costs[f][0];
			functions[f].target = costs[f][1];
		}
		assert_int_equal(pn_functions_compare(&found, functions, 8, of,
						      &rule, NULL),
				 0);
		assert_int_equal(found.items[0].verdict,
				 PN_VERDICT_SEVERE_DEGRADATION);
		for (f = 1; f < 8; f++)
			assert_int_equal(found.items[f].verdict,
					 PN_VERDICT_NO_CHANGE);
		pn_functions_release(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiny_costs_are_not_rounded),
		cmocka_unit_test(programs_that_did_not_change_have_no_names),
		cmocka_unit_test(a_function_that_is_slower_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
