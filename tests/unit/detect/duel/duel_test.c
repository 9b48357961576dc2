/* The duel against the vectors of its reference, and by arithmetic. */
#include "detect/duel/duel.h"

#include "base/numbers/random.h"
#include "detect/duel/order.h"
#include "vectors.h"

#define TOLERANCE 1e-9
#define P_TOLERANCE 1e-7 /* below 1e-12 */

static struct pn_json_tree vectors;

static void near(const char *what, double have, double want)
{
	double tolerance = fabs(want) < 1e-12 ? P_TOLERANCE : TOLERANCE;

	if (!vectors_near(have, want, tolerance))
		fail_msg("%s: %.17g, the reference has %.17g", what, have,
			 want);
}

static size_t unit_cases(const char *name)
{
	return vectors_member(&vectors, vectors_member(&vectors, 0, "unit"),
			      name);
}

static uint64_t whole(size_t item)
{
	size_t len;
	const char *text = pn_json_tree_text(&vectors, item, &len);
	uint64_t value = 0;

	assert_true(pn_number_uint(&value, text, len));
	return value;
}

static void mixes_as_splitmix64(void **state)
{
	size_t at, n = 0;

	(void)state;
	for (at = unit_cases("splitmix64") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_ARRAY;
	     at = pn_json_tree_end(&vectors, at), n++) {
		uint64_t seed = whole(at + 1);

		assert_true(pn_random_next(&seed) == whole(at + 2));
	}
	assert_int_equal(n, 4);
}

static void draws_the_order_of_each_quad(void **state)
{
	size_t quads = unit_cases("quad_order"), at, q = 0, r;
	uint64_t seed = whole(vectors_member(&vectors, quads, "seed"));

	(void)state;
	for (at = vectors_member(&vectors, quads, "first") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_STRING; at++, q++) {
		char order[5] = "";

		for (r = 0; r < 4; r++)
			order[r] =
				pn_duel_run_is_b(seed, 4 * q + r) ? 'B' : 'A';
		if (!pn_json_tree_is(&vectors, at, order))
			fail_msg("quad %zu is %s", q, order);
	}
	assert_int_equal(q, 12);
}

static void ranks_with_ties_and_zeros(void **state)
{
	struct pn_capped_rank rank = {0};
	size_t at, n = 0;

	(void)state;
	for (at = unit_cases("caprank") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&vectors, at), n++) {
		double d[64], low, high;
		size_t count = vectors_numbers(
			d, 64, &vectors, vectors_member(&vectors, at, "d"));
		int side;

		pn_capped_rank_set(&rank, d, count);
		near("p", pn_capped_rank_p(&side, &rank, 0),
		     vectors_value(&vectors, at, "p"));
		assert_int_equal(side,
				 (int)vectors_value(&vectors, at, "side"));
		near("estimate", pn_capped_rank_estimate(&rank),
		     vectors_value(&vectors, at, "est"));
		/* a plain interval of 95 %, not one of many looks */
		pn_capped_rank_interval(&low, &high, &rank, 0.05);
		near("low", low, vectors_value(&vectors, at, "lo"));
		near("high", high, vectors_value(&vectors, at, "hi"));
	}
	assert_int_equal(n, 5);
	pn_capped_rank_release(&rank);
}

static const char *method_name(enum pn_duel_method method)
{
	static const char *const names[] = {"exact", "t", "caprank"};

	return names[method];
}

static const char *verdict_name(enum pn_duel_decision decision)
{
	static const char *const names[] = {"undecided", "slower", "faster",
					    "nochange", "unknown"};

	return names[decision];
}

static void same_look(const struct pn_duel_look *look, size_t at)
{
	const struct pn_json_tree *v = &vectors;

	assert_int_equal(look->pairs, vectors_value(v, at, "n"));
	near("estimate", look->effect, vectors_value(v, at, "est"));
	near("low", look->low, vectors_value(v, at, "lo"));
	near("high", look->high, vectors_value(v, at, "hi"));
	near("p", look->p, vectors_value(v, at, "p"));
	near("p at any look", look->p_any, vectors_value(v, at, "p_any"));
	assert_true(pn_json_tree_is(v, vectors_member(v, at, "method"),
				    method_name(look->method)));
	assert_true(pn_json_tree_is(v, vectors_member(v, at, "verdict"),
				    verdict_name(look->decision)));
	if (look->method == PN_DUEL_EXACT)
		return;
	near("need", look->need, vectors_value(v, at, "need"));
	near("bound", look->bound, vectors_value(v, at, "bound"));
}

static void duel_of(struct pn_duel *out, size_t at)
{
	size_t params = vectors_member(&vectors, at, "params");
	struct pn_duel_rule rule = {
		.tolerance = vectors_value(&vectors, params, "y"),
		.margin = vectors_value(&vectors, params, "margin"),
		.max_pairs = (size_t)vectors_value(&vectors, params, "n_max"),
		.counter = pn_json_tree_event(
				   &vectors,
				   vectors_member(&vectors, params, "exact")) ==
			   PN_JSON_TRUE,
	};
	struct pn_error err;

	if (pn_duel_init(out, &rule, &err))
		fail_msg("%s", err.message);
}

static void finds_what_the_reference_finds(void **state)
{
	const struct pn_json_tree *v = &vectors;
	size_t at, n = 0;

	(void)state;
	for (at = vectors_member(v, 0, "duels") + 1;
	     pn_json_tree_event(v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(v, at), n++) {
		size_t pair = vectors_member(v, at, "pairs") + 1;
		size_t look = vectors_member(v, at, "looks") + 1;
		struct pn_duel duel;

		duel_of(&duel, at);
		for (; pn_json_tree_event(v, pair) == PN_JSON_ARRAY;
		     pair = pn_json_tree_end(v, pair)) {
			if (!pn_duel_add(&duel, vectors_number(v, pair + 1),
					 vectors_number(v, pair + 2)))
				continue;
			assert_int_equal(pn_json_tree_event(v, look),
					 PN_JSON_OBJECT);
			same_look(&duel.last, look);
			look = pn_json_tree_end(v, look);
		}
		assert_int_equal(pn_json_tree_event(v, look),
				 PN_JSON_ARRAY_END);
		assert_true(pn_duel_is_over(&duel));
		assert_int_equal(duel.last.pairs,
				 vectors_value(v, at, "n_stop"));
		pn_duel_release(&duel);
	}
	assert_int_equal(n, 12);
}

/* Play pairs (a, b) n times. */
static void play(struct pn_duel *duel, const struct pn_duel_rule *rule,
		 const double (*pairs)[2], size_t n, size_t times)
{
	struct pn_error err;
	size_t i;

	if (pn_duel_init(duel, rule, &err))
		fail_msg("%s", err.message);
	for (i = 0; i < n * times; i++)
		pn_duel_add(duel, pairs[i % n][0], pairs[i % n][1]);
}

static const double noisy[][2] = {
	{10.1, 10.5}, {10.0, 10.1}, {9.8, 10.4}, {10.3, 10.2}, {9.9, 10.3},
	{10.2, 10.6}, {10.0, 10.5}, {9.7, 9.9},	 {10.4, 10.4}, {10.1, 10.3},
	{9.9, 10.0},  {10.0, 10.4}, {10.2, 9.9},
};
#define NOISY (sizeof(noisy) / sizeof(*noisy))

static void swapping_the_sides_mirrors_everything(void **state)
{
	double swapped[NOISY][2];
	struct pn_duel_rule rule;
	struct pn_duel one, other;
	size_t i;

	(void)state;
	for (i = 0; i < NOISY; i++) {
		swapped[i][0] = noisy[i][1];
		swapped[i][1] = noisy[i][0];
	}
	pn_duel_rule_init(&rule);
	play(&one, &rule, noisy, NOISY, 6);
	play(&other, &rule, (const double(*)[2])swapped, NOISY, 6);
	assert_int_equal(one.last.decision, PN_DUEL_SLOWER);
	assert_int_equal(other.last.decision, PN_DUEL_FASTER);
	assert_int_equal(one.last.pairs, other.last.pairs);
	/* logarithms are rounded to 1e-12, halves upwards on either side */
	assert_true(fabs(one.last.effect + other.last.effect) < 2e-12);
	assert_true(fabs(one.last.low + other.last.high) < 2e-12);
	assert_true(fabs(one.last.high + other.last.low) < 2e-12);
	near("p", other.last.p, one.last.p);
	pn_duel_release(&one);
	pn_duel_release(&other);
}

static void the_unit_of_the_values_changes_nothing(void **state)
{
	double scaled[NOISY][2];
	struct pn_duel_rule rule;
	struct pn_duel one, other;
	size_t i;

	(void)state;
	for (i = 0; i < NOISY; i++) {
		scaled[i][0] = noisy[i][0] * 4096;
		scaled[i][1] = noisy[i][1] * 4096;
	}
	pn_duel_rule_init(&rule);
	play(&one, &rule, noisy, NOISY, 6);
	play(&other, &rule, (const double(*)[2])scaled, NOISY, 6);
	assert_int_equal(one.last.pairs, other.last.pairs);
	assert_true(one.last.effect == other.last.effect);
	assert_true(one.last.low == other.last.low);
	assert_true(one.last.p == other.last.p);
	pn_duel_release(&one);
	pn_duel_release(&other);
}

/* 5 pairs never decide; the end of the budget is a look of its own. */
static void too_few_pairs_cannot_tell(void **state)
{
	static const double pair[][2] = {{1, 2}};
	struct pn_duel_rule rule;
	struct pn_duel duel;

	(void)state;
	pn_duel_rule_init(&rule);
	play(&duel, &rule, pair, 1, 5);
	assert_false(pn_duel_is_over(&duel));
	assert_int_equal(duel.last.pairs, 0);
	assert_true(pn_duel_finish(&duel));
	assert_int_equal(duel.last.decision, PN_DUEL_CANNOT_TELL);
	assert_int_equal(duel.last.pairs, 5);
	assert_false(pn_duel_finish(&duel));
	pn_duel_release(&duel);
	play(&duel, &rule, pair, 1, 0);
	assert_false(pn_duel_finish(&duel));
	pn_duel_release(&duel);
}

/* Equal ratios: the chance of n equal signs is 2^(1-n), which at 6, 8 and 10
 * pairs is above .01/11/1.8; even where the mean of them is rounded. */
static void equal_ratios_wait_for_the_ranks(void **state)
{
	double pair[1][2] = {{100, 100}};
	struct pn_duel_rule rule;
	struct pn_duel duel;
	int i;

	(void)state;
	pn_duel_rule_init(&rule);
	for (i = 3; i < 40; i++) {
		pair[0][1] = 100 + i;
		play(&duel, &rule, (const double(*)[2])pair, 1, 12);
		assert_int_equal(duel.last.decision, PN_DUEL_SLOWER);
		assert_int_equal(duel.last.pairs, 12);
		pn_duel_release(&duel);
	}
}

static void takes_values_of_0_and_below_as_differences(void **state)
{
	/* the median of sizes is 100; b - a is 10 throughout but for once */
	static const double pairs[][2] = {
		{0, 10},    {100, 110}, {100, 110}, {100, 110},
		{100, 110}, {-90, -80}, {100, 110}, {100, 111},
	};
	struct pn_duel_rule rule;
	struct pn_duel duel;

	(void)state;
	pn_duel_rule_init(&rule);
	play(&duel, &rule, pairs, 8, 2);
	assert_true(duel.last.of_differences);
	assert_int_equal(duel.last.decision, PN_DUEL_SLOWER);
	assert_true(vectors_near(pn_duel_ratio(&duel.last, duel.last.effect),
				 1.1, 0.002));
	pn_duel_release(&duel);
	/* all 0: no difference at all, in a counter at once */
	rule.counter = true;
	play(&duel, &rule, (const double[][2]){{0, 0}}, 1, 2);
	assert_int_equal(duel.last.decision, PN_DUEL_NO_CHANGE);
	assert_int_equal(duel.last.pairs, 2);
	pn_duel_release(&duel);
}

/* A counter whose two pairs differ is judged as a time is. */
static void a_counter_that_varies_is_measured_on(void **state)
{
	static const double pairs[][2] = {{1000, 1020}, {1001, 1021}};
	struct pn_duel_rule rule;
	struct pn_duel duel;

	(void)state;
	pn_duel_rule_init(&rule);
	rule.counter = true;
	rule.tolerance = PN_DUEL_COUNTER_TOLERANCE;
	play(&duel, &rule, pairs, 2, 10);
	assert_int_equal(duel.last.decision, PN_DUEL_SLOWER);
	assert_int_equal(duel.last.method, PN_DUEL_T);
	assert_int_equal(duel.last.pairs, 6);
	pn_duel_release(&duel);
}

/* The most pairs are 20; what the interval would need is far more. */
static void gives_up_what_cannot_be_decided(void **state)
{
	static const double pairs[][2] = {
		{10, 20}, {20, 10}, {10, 10.1}, {15, 11}, {11, 15}};
	struct pn_duel_rule rule;
	struct pn_duel duel;

	(void)state;
	pn_duel_rule_init(&rule);
	play(&duel, &rule, pairs, 5, 10);
	assert_int_equal(duel.last.decision, PN_DUEL_UNDECIDED);
	assert_true(duel.last.need > 300);
	pn_duel_release(&duel);
	rule.give_up = true;
	play(&duel, &rule, pairs, 5, 10);
	assert_int_equal(duel.last.decision, PN_DUEL_CANNOT_TELL);
	assert_int_equal(duel.last.pairs, 20);
	pn_duel_release(&duel);
}

static void refuses_rules_that_make_no_sense(void **state)
{
	static const struct pn_duel_rule wrong[] = {
		{.tolerance = 0, .max_pairs = 100},
		{.tolerance = -1, .max_pairs = 100},
		{.tolerance = (double)INFINITY, .max_pairs = 100},
		{.tolerance = 0.02, .margin = 0.02, .max_pairs = 100},
		{.tolerance = 0.02, .margin = -0.01, .max_pairs = 100},
		{.tolerance = 0.02, .max_pairs = 5},
		{.tolerance = 0.02, .max_pairs = 201},
	};
	struct pn_duel duel;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(pn_duel_init(&duel, &wrong[i], &err),
				 PN_ERANGE);
}

/* 60 s, of which 20 are over; the last five pairs took 2 s each: 20 fit. */
static void tells_how_many_pairs_fit(void **state)
{
	static const double costs[] = {50, 1, 2, 2, 2, 3};

	(void)state;
	assert_int_equal(pn_duel_pairs_that_fit(60, 20, costs, 6), 20);
	assert_int_equal(pn_duel_pairs_that_fit(60, 60, costs, 6), 0);
	assert_int_equal(pn_duel_pairs_that_fit(60, 20, costs, 0), 0);
	assert_int_equal(pn_duel_pairs_that_fit(1e12, 0, costs, 6),
			 PN_DUEL_MAX_PAIRS);
}

static int read_all(void **state)
{
	(void)state;
	vectors_read(&vectors, "duel.json");
	return 0;
}

static int release_all(void **state)
{
	(void)state;
	pn_json_tree_release(&vectors);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixes_as_splitmix64),
		cmocka_unit_test(draws_the_order_of_each_quad),
		cmocka_unit_test(ranks_with_ties_and_zeros),
		cmocka_unit_test(finds_what_the_reference_finds),
		cmocka_unit_test(swapping_the_sides_mirrors_everything),
		cmocka_unit_test(the_unit_of_the_values_changes_nothing),
		cmocka_unit_test(too_few_pairs_cannot_tell),
		cmocka_unit_test(equal_ratios_wait_for_the_ranks),
		cmocka_unit_test(takes_values_of_0_and_below_as_differences),
		cmocka_unit_test(a_counter_that_varies_is_measured_on),
		cmocka_unit_test(gives_up_what_cannot_be_decided),
		cmocka_unit_test(refuses_rules_that_make_no_sense),
		cmocka_unit_test(tells_how_many_pairs_fit),
	};

	return cmocka_run_group_tests(tests, read_all, release_all);
}
