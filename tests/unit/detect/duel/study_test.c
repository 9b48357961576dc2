/* What runs of a program in turns with itself say, by arithmetic. */
#include "detect/duel/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#define PAIRS 100

static double a[PAIRS], b[PAIRS];
static struct pn_duel_rule rule;

/* b is `up` times a and as much below it by turns, times `bias`. */
static void make(double up, double bias)
{
	size_t i;

	pn_duel_rule_init(&rule);
	for (i = 0; i < PAIRS; i++) {
		a[i] = 1000;
		b[i] = 1000 * (i % 2 ? up : 1 / up) * bias;
	}
}

/* The median size of the logarithm of a pair is ln 1.01: 1.4826 times that, by
 * the root of two, is one run's. */
static void the_spread_is_that_of_one_run(void **state)
{
	struct pn_duel_study s;

	(void)state;
	make(1.01, 1);
	pn_duel_study_of(&s, a, b, PAIRS, 1, &rule);
	assert_int_equal(s.pairs, PAIRS);
	assert_true(fabs(log1p(s.spread) - 1.4826 * log(1.01) / sqrt(2)) <
		    1e-4 * s.spread);
	assert_true(fabs(log1p(s.seen) - 2 * log1p(s.spread)) < 1e-12);
	assert_true(s.duels > 1 && s.changed == 0 && s.may_gate);
	assert_true(s.mean_runs * (double)s.duels <= 2 * PAIRS);
	assert_false(s.equal);
}

/* All pairs up by 5 %: no program is that with itself, and each of its duels
 * says so, after 12 pairs (detect/duel: 11 * 2 * 2^-12 < .01): 8 of 100. */
static void a_side_that_is_favoured_forbids_gates(void **state)
{
	struct pn_duel_study s;

	(void)state;
	make(1, 1.05);
	pn_duel_study_of(&s, a, b, PAIRS, 1, &rule);
	assert_int_equal(s.duels, 8);
	assert_int_equal(s.changed, 8);
	assert_true(fabs(s.mean_runs - 24) < 1e-9);
	assert_false(s.may_gate);
}

static void what_never_varies_may_gate(void **state)
{
	struct pn_duel_study s;

	(void)state;
	make(1, 1);
	pn_duel_study_of(&s, a, b, 2, 1, &rule);
	assert_true(s.equal && s.may_gate);
	assert_true(s.seen == PN_DUEL_COUNTER_EFFECT);
	pn_duel_study_of(&s, a, b, 0, 1, &rule);
	assert_false(s.equal || s.may_gate);
}

/* The runs of a block are those that were made together: from run 100 on all
 * take twice as long, at both sides, and blocks of ten begin there. */
static void sessions_follow_the_order_of_runs(void **state)
{
	struct pn_duel_study s;
	size_t i;

	(void)state;
	make(1.001, 1);
	for (i = 0; i < PAIRS; i++) {
		a[i] *= 1 + 0.001 * (double)(i % 3);
		if (i * 2 >= 105) {
			a[i] *= 2;
			b[i] *= 2;
		}
	}
	pn_duel_study_of(&s, a, b, PAIRS, 1, &rule);
	assert_int_equal(s.sessions.pairs, 20);
	/* of block 10, runs 100 to 104 and 105 to 109, one was */
	assert_int_equal(s.sessions.confirmed + s.sessions.maybe, 1);
	assert_int_equal(s.changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_spread_is_that_of_one_run),
		cmocka_unit_test(a_side_that_is_favoured_forbids_gates),
		cmocka_unit_test(what_never_varies_may_gate),
		cmocka_unit_test(sessions_follow_the_order_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
