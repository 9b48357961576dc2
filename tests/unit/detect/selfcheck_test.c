/* What comparisons of a program with itself say, by arithmetic. */
#include "detect/selfcheck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

static const struct pn_pair_options defaults = PN_PAIR_DEFAULTS;
static struct pn_pair_verdict pairs[40];

/* Half of them up by as much as the others are down, times `bias`. */
static void make(size_t n, double up, double bias)
{
	size_t i;

	for (i = 0; i < n; i++)
		pairs[i] = (struct pn_pair_verdict){
			.verdict = PN_VERDICT_NO_CHANGE,
			.ratio = exp(i % 2 ? up : -up) * bias,
			.least_effect = 0.01 + 0.001 * (double)i};
}

/* The median deviation from 0 is .02 between two sessions: 1.4826 times that,
 * by the root of two of one. */
static void noise_is_that_of_one_session(void **state)
{
	struct pn_selfcheck s;

	(void)state;
	make(20, 0.02, 1);
	pn_selfcheck_of(&s, pairs, 20, &defaults);
	assert_int_equal(s.pairs, 20);
	assert_true(fabs(s.sd - 1.4826 * 0.02 / sqrt(2)) < 1e-12);
	assert_true(s.min_effect == 0.005);
	assert_true(fabs(s.least_effect - 0.0195) < 1e-12);
	assert_true(s.may_gate);
	make(4, 0.02, 1);
	pn_selfcheck_of(&s, pairs, 4, &defaults);
	assert_true(isnan(s.sd) && !s.may_gate);
}

/* One in 20 is allowed, two are not. None of 20: the share p with
 * (1 - p)^20 = .05. */
static void false_alarms_forbid_gates(void **state)
{
	struct pn_selfcheck s;

	(void)state;
	make(20, 0.001, 1);
	pn_selfcheck_of(&s, pairs, 20, &defaults);
	assert_true(s.may_gate && s.confirmed == 0);
	assert_true(fabs(s.false_most - (1 - pow(0.05, 0.05))) < 1e-9);
	pairs[3].verdict = PN_VERDICT_OPTIMIZATION;
	pairs[4].verdict = PN_VERDICT_MAYBE_DEGRADATION;
	pn_selfcheck_of(&s, pairs, 20, &defaults);
	assert_true(s.may_gate && s.confirmed == 1 && s.maybe == 1);
	assert_true(s.false_share == 0.05);
	pairs[7].verdict = PN_VERDICT_DEGRADATION;
	pn_selfcheck_of(&s, pairs, 20, &defaults);
	assert_false(s.may_gate);
	/* nineteen are too few to be told from one in ten */
	make(19, 0.001, 1);
	pn_selfcheck_of(&s, pairs, 19, &defaults);
	assert_false(s.may_gate);
}

/* Sides that differ by 1 % as a rule: less than 2 % does not count. */
static void a_bias_raises_the_least_effect(void **state)
{
	struct pn_selfcheck s;

	(void)state;
	make(21, 0, 1.01);
	pairs[20].verdict = PN_VERDICT_UNKNOWN;
	pn_selfcheck_of(&s, pairs, 21, &defaults);
	assert_int_equal(s.pairs, 20);
	assert_true(fabs(s.min_effect - 0.02) < 1e-12);
	pn_selfcheck_of(&s, pairs, 0, &defaults);
	assert_true(isnan(s.false_share) && s.min_effect == 0.005);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_that_of_one_session),
		cmocka_unit_test(false_alarms_forbid_gates),
		cmocka_unit_test(a_bias_raises_the_least_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
