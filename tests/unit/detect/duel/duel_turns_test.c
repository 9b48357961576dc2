/* What goes on around duels: when to stop one that follows a suspicion, and
 * whose turn it is of several. */
#include "detect/duel/futility.h"
#include "detect/duel/turns.h"
#include "detect/duel/waiting.h"
#include "vectors.h"

static void stops_where_the_reference_does(void **state)
{
	struct pn_json_tree v = {0};
	size_t at, n = 0;

	(void)state;
	vectors_read(&v, "check_head.json");
	for (at = vectors_member(&v, 0, "futility") + 1;
	     pn_json_tree_event(&v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&v, at), n++) {
		const struct pn_duel_futility futility = {
			vectors_value(&v, at, "delta"),
			vectors_value(&v, at, "vw"),
			vectors_value(&v, at, "start"),
		};
		double d[64];
		size_t count =
			vectors_numbers(d, 64, &v, vectors_member(&v, at, "d"));
		double value = pn_duel_futility_value(&futility, d, count);

		assert_true(vectors_near(value, vectors_value(&v, at, "value"),
					 1e-9));
		assert_int_equal(value < PN_DUEL_FUTILE,
				 pn_json_tree_event(
					 &v, vectors_member(&v, at, "stop")) ==
					 PN_JSON_TRUE);
	}
	assert_int_equal(n, 3);
	pn_json_tree_release(&v);
}

/* P(Z > 1) = .158655...: 2.5 - 3.125; and 3 and -9 are the ends. */
static void a_suspicion_weighs_by_its_p(void **state)
{
	(void)state;
	assert_true(vectors_near(pn_duel_futility_start(0.15865525393145707),
				 2.5 - 3.125, 1e-9));
	assert_true(vectors_near(pn_duel_futility_start(1e-10), 7.5 - 3.125,
				 1e-12));
	assert_true(vectors_near(pn_duel_futility_start(0.5), -3.125, 1e-9));
}

static void open_duel(struct pn_duel *duel, size_t max_pairs)
{
	struct pn_duel_rule rule;
	struct pn_error err;

	pn_duel_rule_init(&rule);
	rule.max_pairs = max_pairs;
	assert_int_equal(pn_duel_init(duel, &rule, &err), 0);
}

static void add(struct pn_duel *duel, double a, double b, size_t times)
{
	for (; times; times--)
		pn_duel_add(duel, a, b);
}

/* A slowdown of 5 % is looked for with runs that vary by 1 %: three pairs
 * without any are enough, two never are, nor are seven, which are no look. */
static void equal_pairs_are_soon_futile(void **state)
{
	const struct pn_duel_futility futility = {0.05, 1e-4, 0};
	struct pn_duel duel;

	(void)state;
	open_duel(&duel, 100);
	add(&duel, 10, 10.001, 2);
	assert_false(pn_duel_is_futile(&futility, &duel));
	add(&duel, 10, 10, 1);
	assert_true(pn_duel_is_futile(&futility, &duel));
	pn_duel_stop(&duel, futility.delta);
	assert_true(pn_duel_is_over(&duel));
	assert_int_equal(duel.last.decision, PN_DUEL_NO_SLOWDOWN);
	assert_int_equal(duel.last.pairs, 3);
	/* e^.05 - 1 */
	assert_true(vectors_near(duel.suspected, 0.051271096376024, 1e-12));
	assert_false(pn_duel_add(&duel, 10, 20));
	pn_duel_release(&duel);
	open_duel(&duel, 100);
	add(&duel, 10, 10.5, 3);
	assert_false(pn_duel_is_futile(&futility, &duel));
	pn_duel_release(&duel);
	open_duel(&duel, 100);
	add(&duel, 10, 10.3, 4);
	add(&duel, 10, 9.7, 3);
	assert_false(pn_duel_is_futile(&futility, &duel));
	add(&duel, 10, 9.9, 1);
	assert_true(pn_duel_is_futile(&futility, &duel));
	pn_duel_release(&duel);
}

/* The cheapest has its six pairs first; of two that have theirs the one goes
 * on that needs less; one that is over has no turn. */
static void turns_go_to_what_is_decided_first(void **state)
{
	struct pn_duel quiet, noisy, fresh;
	struct pn_duel_turn turns[] = {{&noisy, 1}, {&quiet, 1}, {&fresh, 5}};
	size_t i;

	(void)state;
	open_duel(&quiet, 100);
	open_duel(&noisy, 100);
	open_duel(&fresh, 100);
	assert_int_equal(pn_duel_next(turns, 3), 0);
	turns[1].pair_cost = 0.5;
	assert_int_equal(pn_duel_next(turns, 3), 1);
	assert_int_equal(pn_duel_next_look(&quiet), 6);
	for (i = 0; i < 3; i++) {
		pn_duel_add(&quiet, 10, 10.2);
		pn_duel_add(&quiet, 10, 9.9);
		pn_duel_add(&noisy, 10, 12);
		pn_duel_add(&noisy, 10, 9);
	}
	assert_int_equal(pn_duel_next_look(&quiet), 8);
	assert_int_equal(pn_duel_next(turns, 3), 2);
	add(&fresh, 1, 2, 6);
	add(&fresh, 1, 2.1, 6);
	assert_true(pn_duel_is_over(&fresh));
	assert_false(pn_duel_is_over(&quiet) || pn_duel_is_over(&noisy));
	assert_int_equal(pn_duel_next(turns, 3), 1);
	assert_true(pn_duel_cost_left(&turns[1]) <
		    pn_duel_cost_left(&turns[0]));
	/* a hundred times as expensive: the noisy one is done sooner */
	turns[1].pair_cost = 100;
	assert_int_equal(pn_duel_next(turns, 3), 0);
	pn_duel_finish(&quiet);
	pn_duel_finish(&noisy);
	assert_true(pn_duel_next(turns, 3) == SIZE_MAX);
	pn_duel_release(&quiet);
	pn_duel_release(&noisy);
	pn_duel_release(&fresh);
}

/* The p of six duels and the set of a reference; the look is theirs. */
static void duels_are_decided_together(void **state)
{
	struct pn_duel duels[6] = {{{0}}}, *all[6];
	struct pn_json_tree v = {0};
	double p[6], wanted[6];
	size_t bh, n, i, k = 0;

	(void)state;
	vectors_read(&v, "duel.json");
	bh = vectors_member(&v, vectors_member(&v, 0, "unit"), "bh");
	assert_int_equal(vectors_numbers(p, 6, &v, vectors_member(&v, bh, "p")),
			 6);
	n = vectors_numbers(wanted, 6, &v, vectors_member(&v, bh, "rejected"));
	assert_true(vectors_value(&v, bh, "q") == PN_DUEL_ALPHA);
	for (i = 0; i < 6; i++) {
		all[i] = &duels[i];
		duels[i].least_evidence = p[i] / PN_DUEL_ANY;
		duels[i].side = i == 3 ? -1 : 1;
		duels[i].last.pairs = 20;
	}
	assert_int_equal(pn_duel_decide_jointly(all, 6), n);
	for (i = 0; i < 6; i++) {
		bool rejected = k < n && wanted[k] == (double)i;

		assert_int_equal(duels[i].last.decision,
				 !rejected ? PN_DUEL_UNDECIDED
				 : i == 3  ? PN_DUEL_FASTER
					   : PN_DUEL_SLOWER);
		k += rejected;
	}
	assert_int_equal(pn_duel_decide_jointly(all, 6), 0);
	pn_json_tree_release(&v);
}

/* Pairs of +3 %: alone it would end at 6 pairs; beside nine
 * that have not begun its p has to be a tenth. */
static void one_of_many_needs_more(void **state)
{
	static const double b[] = {10.6, 10.4, 10.55, 10.45, 10.5, 10.52};
	struct pn_duel duels[10], *all[10];
	struct pn_duel_rule rule;
	struct pn_error err;
	size_t i, n;

	(void)state;
	pn_duel_rule_init(&rule);
	rule.jointly = true;
	for (i = 0; i < 10; i++) {
		all[i] = &duels[i];
		assert_int_equal(pn_duel_init(all[i], &rule, &err), 0);
	}
	for (n = 0; n < 6; n++)
		pn_duel_add(all[0], 10, b[n] - 0.2);
	assert_int_equal(all[0]->last.pairs, 6);
	assert_true(all[0]->last.p_any <= PN_DUEL_ALPHA);
	assert_true(10 * all[0]->last.p_any > PN_DUEL_ALPHA);
	assert_int_equal(pn_duel_decide_jointly(all, 1), 1);
	/* at the end of its budget, too */
	all[0]->last.decision = PN_DUEL_CANNOT_TELL;
	assert_int_equal(pn_duel_decide_jointly(all, 1), 1);
	all[0]->last.decision = PN_DUEL_UNDECIDED;
	assert_int_equal(pn_duel_decide_jointly(all, 10), 0);
	for (n = 0; n < 6; n++)
		pn_duel_add(all[0], 10, b[n] - 0.2);
	assert_int_equal(pn_duel_decide_jointly(all, 10), 1);
	assert_int_equal(all[0]->last.decision, PN_DUEL_SLOWER);
	for (i = 0; i < 10; i++)
		pn_duel_release(all[i]);
}

/* Pairs of runs that compute `cpu` and take this long on the clock. */
static void add_times(struct pn_duel duels[2], double cpu, double a, double b,
		      size_t times)
{
	for (; times; times--) {
		pn_duel_add(&duels[0], cpu, cpu);
		pn_duel_add(&duels[1], a, b);
	}
}

/* 30 ms of 100 is less than half, but a machine that stretches twice leaves no
 * more than 50, of which 30 is more than half. */
static void a_share_of_what_there_was_is_waiting(void **state)
{
	struct pn_duel duels[2];

	(void)state;
	open_duel(&duels[0], 100);
	open_duel(&duels[1], 100);
	add_times(duels, 30, 100, 110, 6);
	assert_true(pn_duel_waits(&duels[0], &duels[1], 1));
	assert_false(pn_duel_waits(&duels[0], &duels[1], 2));
	assert_false(pn_duel_waits(&duels[0], &duels[1], (double)NAN));
	pn_duel_release(&duels[0]);
	pn_duel_release(&duels[1]);
}

/* 300 - 9 * 10 is 210, more than 1.25 * 100; 300 - 19 * 10 is 110, which is
 * not. Twelve signs are 2^-11, times 11 .0054: enough for one job, not for
 * two; fourteen are. The same mirrored. */
static void only_what_load_cannot_explain_is_waiting(void **state)
{
	struct pn_duel duels[2], mirrored[2];
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		open_duel(&duels[i], 100);
		open_duel(&mirrored[i], 100);
	}
	duels[0].rule.no_equality = mirrored[0].rule.no_equality = true;
	add_times(duels, 10, 100, 300, 12);
	add_times(mirrored, 10, 300, 100, 12);
	assert_int_equal(pn_duel_waits_longer(&duels[0], &duels[1], 10, 1),
			 PN_DUEL_SLOWER);
	assert_int_equal(
		pn_duel_waits_longer(&mirrored[0], &mirrored[1], 10, 1),
		PN_DUEL_FASTER);
	assert_int_equal(pn_duel_waits_longer(&duels[0], &duels[1], 20, 1),
			 PN_DUEL_UNDECIDED);
	assert_int_equal(
		pn_duel_waits_longer(&duels[0], &duels[1], (double)NAN, 1),
		PN_DUEL_UNDECIDED);
	assert_int_equal(pn_duel_waits_longer(&duels[0], &duels[1], 10, 2),
			 PN_DUEL_UNDECIDED);
	for (i = 0; i < 2; i++) {
		pn_duel_release(&duels[i]);
		pn_duel_release(&mirrored[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stops_where_the_reference_does),
		cmocka_unit_test(a_suspicion_weighs_by_its_p),
		cmocka_unit_test(equal_pairs_are_soon_futile),
		cmocka_unit_test(turns_go_to_what_is_decided_first),
		cmocka_unit_test(duels_are_decided_together),
		cmocka_unit_test(one_of_many_needs_more),
		cmocka_unit_test(a_share_of_what_there_was_is_waiting),
		cmocka_unit_test(only_what_load_cannot_explain_is_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
