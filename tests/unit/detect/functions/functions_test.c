/* The comparison of functions: by arithmetic, on a labelled table, and on
 * tables that are made here. */
#include "detect/functions/functions.h"

#include "base/numbers/random.h"
#include "vectors.h"

#define RUNS 6
#define MANY 60
static const double tau = 6.28318530717958647692;

static const size_t six[] = {RUNS, RUNS};

/* A table of functions; values are in the struct. */
struct table {
	struct pn_function_costs functions[MANY + 4];
	double values[MANY + 4][2][RUNS];
	double truth[MANY + 4]; /* target to baseline; NaN: new or gone */
	size_t count;
	uint64_t seed;
};

static double uniform(struct table *t)
{
	return ((double)(pn_random_next(&t->seed) >> 11) + 0.5) / 0x1p53;
}

static double normal(struct table *t)
{
	double size = sqrt(-2 * log(uniform(t)));

	return size * cos(tau * uniform(t));
}

/*
 * 60 functions of sizes over four orders of magnitude, of which five have
 * changed: noise that shrinks with the root of the size down to 1 %, factors
 * of runs of 2 %, a target that runs on a machine 4 % slower; with `outliers`
 * one value of 50 is up to twice as large.
 */
static void make(struct table *t, uint64_t seed, bool outliers)
{
	double runs[2][RUNS];
	size_t f, r, side;

	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->count = MANY;
	for (r = 0; r < 2 * RUNS; r++)
		runs[r / RUNS][r % RUNS] =
			exp(0.02 * normal(t)) * (r / RUNS ? 1.04 : 1);
	for (f = 0; f < MANY; f++) {
		double size = exp(1.3 + 1.9 * normal(t));
		double sd = sqrt(1e-4 + 0.0036 / size);
		double effect = 1 + 0.1 * pow(9, uniform(t));

		t->truth[f] = f % 12 != 5	 ? 1
			      : uniform(t) < 0.5 ? effect
						 : 1 / effect;
		for (r = 0; r < 2 * RUNS; r++) {
			side = r / RUNS;
			t->values[f][side][r % RUNS] =
				size * exp(sd * normal(t)) *
				runs[side][r % RUNS] * (side ? t->truth[f] : 1);
			if (outliers && uniform(t) < 0.02)
				t->values[f][side][r % RUNS] *= 1 + uniform(t);
		}
		t->functions[f].baseline = t->values[f][0];
		t->functions[f].target = t->values[f][1];
	}
}

static void compare(struct pn_functions *out, const struct table *t)
{
	struct pn_functions_rule rule;
	struct pn_error err;

	pn_functions_rule_init(&rule);
	if (pn_functions_compare(out, t->functions, t->count, six, &rule, &err))
		fail_msg("%s", err.message);
}

static int direction(enum pn_verdict verdict)
{
	switch (verdict) {
	case PN_VERDICT_SEVERE_DEGRADATION:
	case PN_VERDICT_DEGRADATION:
		return 1;
	case PN_VERDICT_SEVERE_OPTIMIZATION:
	case PN_VERDICT_OPTIMIZATION:
		return -1;
	default:
		return 0;
	}
}

struct score {
	size_t right, wrong, missed, tables;
};

static void score_one(struct score *score, enum pn_verdict verdict, int truth)
{
	int said = direction(verdict);

	score->right += truth && said == truth;
	score->missed += truth && said != truth;
	score->wrong += said && said != truth;
}

static double f1(const struct score *s)
{
	return 2.0 * (double)s->right /
	       (double)(2 * s->right + s->wrong + s->missed);
}

static struct score play(size_t tables, size_t functions, bool outliers)
{
	static struct table t;
	struct score score = {.tables = tables};
	struct pn_functions found;
	size_t k, f;

	for (k = 0; k < tables; k++) {
		make(&t, 1000 + k, outliers);
		t.count = functions;
		compare(&found, &t);
		for (f = 0; f < t.count; f++)
			score_one(&score, found.items[f].verdict,
				  (t.truth[f] > 1) - (t.truth[f] < 1));
		pn_functions_release(&found);
	}
	return score;
}

static void finds_what_was_changed(void **state)
{
	struct score score = play(200, MANY, false);

	(void)state;
	print_message("F1 %.4f, %.3f false a table\n", f1(&score),
		      (double)score.wrong / (double)score.tables);
	assert_true(f1(&score) >= 0.93);
	assert_true(score.wrong <= 0.06 * (double)score.tables);
}

static void is_not_misled_by_outliers(void **state)
{
	struct score score = play(200, MANY, true);

	(void)state;
	print_message("F1 %.4f, %.3f false a table\n", f1(&score),
		      (double)score.wrong / (double)score.tables);
	assert_true(f1(&score) >= 0.9);
	assert_true(score.wrong <= 0.06 * (double)score.tables);
}

/* Eight functions, of which one has changed, on a slower machine. */
static void takes_the_machine_out_of_few_functions(void **state)
{
	struct score score = play(200, 8, false);

	(void)state;
	print_message("F1 %.4f, %.3f false a table\n", f1(&score),
		      (double)score.wrong / (double)score.tables);
	assert_true(f1(&score) >= 0.85);
	assert_true(score.wrong <= 0.06 * (double)score.tables);
}

static enum pn_verdict verdict_at(const struct pn_json_tree *v, size_t item)
{
	int i;

	for (i = 0; i <= PN_VERDICT_UNKNOWN; i++)
		if (pn_json_tree_is(v, item,
				    pn_verdict_name((enum pn_verdict)i)))
			return (enum pn_verdict)i;
	fail_msg("no verdict");
	return PN_VERDICT_UNKNOWN;
}

static const double *values_at(double *out, const struct pn_json_tree *v,
			       size_t item)
{
	if (pn_json_tree_event(v, item) != PN_JSON_ARRAY)
		return NULL;
	assert_int_equal(vectors_numbers(out, RUNS, v, item), RUNS);
	return out;
}

/* One pair of profiles with its truth. */
static void score_profile(struct score *score, const struct pn_json_tree *v,
			  size_t profile)
{
	static struct table t;
	enum pn_verdict truth[MANY + 4];
	struct pn_functions found;
	size_t at, f;

	memset(&t, 0, sizeof(t));
	for (at = vectors_member(v, profile, "functions") + 1;
	     pn_json_tree_event(v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(v, at)) {
		f = t.count++;
		assert_true(f < MANY + 4);
		truth[f] = verdict_at(v, vectors_member(v, at, "truth"));
		t.functions[f].baseline = values_at(
			t.values[f][0], v, vectors_member(v, at, "baseline"));
		t.functions[f].target = values_at(
			t.values[f][1], v, vectors_member(v, at, "target"));
	}
	compare(&found, &t);
	for (f = 0; f < t.count; f++) {
		if (!t.functions[f].baseline || !t.functions[f].target)
			assert_int_equal(found.items[f].verdict, truth[f]);
		score_one(score, found.items[f].verdict, direction(truth[f]));
	}
	score->tables++;
	pn_functions_release(&found);
}

static void meets_the_bar_on_labelled_profiles(void **state)
{
	struct pn_json_tree v = {0};
	struct score score = {0};
	size_t at;

	(void)state;
	vectors_read(&v, "../detect-bench/functions.json");
	for (at = vectors_member(&v, 0, "profiles") + 1;
	     pn_json_tree_event(&v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&v, at))
		score_profile(&score, &v, at);
	assert_int_equal(score.tables, 24);
	print_message("F1 %.4f, %zu false in 24 pairs\n", f1(&score),
		      score.wrong);
	assert_true(f1(&score) >= 0.95);
	assert_true(score.wrong <= 0.06 * 24);
	pn_json_tree_release(&v);
}

/* The order of the runs and the unit of costs say nothing. */
static void order_of_runs_and_unit_change_nothing(void **state)
{
	static struct table t, other;
	struct pn_functions one, two;
	size_t f, r;

	(void)state;
	make(&t, 5, false);
	make(&other, 5, false);
	for (f = 0; f < MANY; f++)
		for (r = 0; r < RUNS; r++) {
			other.values[f][0][r] =
				1024 * t.values[f][0][RUNS - 1 - r];
			other.values[f][1][r] =
				1024 * t.values[f][1][(r + 2) % RUNS];
		}
	compare(&one, &t);
	compare(&two, &other);
	for (f = 0; f < MANY; f++) {
		assert_int_equal(one.items[f].verdict, two.items[f].verdict);
		assert_true(vectors_near(one.items[f].ratio, two.items[f].ratio,
					 1e-9));
		assert_true(vectors_near(one.items[f].p, two.items[f].p, 1e-6));
	}
	pn_functions_release(&one);
	pn_functions_release(&two);
}

/* Swapped sides: the other direction, and the inverse ratio. */
static void swapping_the_sides_mirrors_the_verdicts(void **state)
{
	static struct table t, other;
	struct pn_functions one, two;
	size_t f;

	(void)state;
	make(&t, 6, false);
	other = t;
	for (f = 0; f < MANY; f++) {
		other.functions[f].baseline = t.functions[f].target;
		other.functions[f].target = t.functions[f].baseline;
	}
	compare(&one, &t);
	compare(&two, &other);
	for (f = 0; f < MANY; f++) {
		assert_int_equal(direction(one.items[f].verdict),
				 -direction(two.items[f].verdict));
		assert_true(vectors_near(one.items[f].ratio,
					 1 / two.items[f].ratio, 1e-9));
	}
	pn_functions_release(&one);
	pn_functions_release(&two);
}

/* Counts of three runs that do not vary: 1000 to 1002 is .2 %. */
static void compares_counts_as_they_are(void **state)
{
	static const double thousand[] = {1000, 1000, 1000};
	static const double more[] = {1002, 1002, 1002};
	static const double as_good_as[] = {1000.5, 1000.5, 1000.5};
	static const double twice[] = {2000, 2000, 2000};
	static const size_t three[] = {3, 3};
	const struct pn_function_costs functions[] = {
		{.baseline = thousand, .target = more},
		{.baseline = thousand, .target = as_good_as},
		{.baseline = twice, .target = thousand},
		{.baseline = thousand, .target = thousand},
	};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	assert_int_equal(
		pn_functions_compare(&found, functions, 4, three, &rule, &err),
		0);
	assert_true(found.exact);
	assert_int_equal(found.items[0].verdict, PN_VERDICT_DEGRADATION);
	assert_true(vectors_near(found.items[0].ratio, 1.002, 1e-12));
	assert_int_equal(found.items[1].verdict, PN_VERDICT_NO_CHANGE);
	assert_int_equal(found.items[2].verdict,
			 PN_VERDICT_SEVERE_OPTIMIZATION);
	assert_int_equal(found.items[3].verdict, PN_VERDICT_NO_CHANGE);
	pn_functions_release(&found);
}

/* One run a side has no noise to measure: unknown, unless they are counts. What
 * changes the total by 5 % or more is severe. */
static void one_run_a_side_is_unknown_but_for_counts(void **state)
{
	static const double a[] = {100}, b[] = {110};
	static const size_t one[] = {1, 1};
	const struct pn_function_costs functions[] = {
		{.baseline = a, .target = b}};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	pn_functions_compare(&found, functions, 1, one, &rule, &err);
	assert_int_equal(found.items[0].verdict, PN_VERDICT_UNKNOWN);
	assert_true(vectors_near(found.items[0].ratio, 1.1, 1e-12));
	pn_functions_release(&found);
	rule.exact = true;
	pn_functions_compare(&found, functions, 1, one, &rule, &err);
	assert_int_equal(found.items[0].verdict, PN_VERDICT_SEVERE_DEGRADATION);
	pn_functions_release(&found);
}

/* Few functions have no middle: each is judged by its own noise. */
static void few_functions_are_judged_alone(void **state)
{
	static const double a[] = {10, 10.1, 9.9, 10, 10.2, 9.8};
	static const double b[] = {12, 12.1, 11.9, 12, 12.2, 11.8};
	const struct pn_function_costs functions[] = {
		{.baseline = a, .target = b},
		{.baseline = a, .target = a},
	};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	pn_functions_compare(&found, functions, 2, six, &rule, &err);
	assert_true(found.common == 1 && found.prior_df == 0);
	assert_int_equal(found.items[0].verdict, PN_VERDICT_SEVERE_DEGRADATION);
	assert_int_equal(found.items[1].verdict, PN_VERDICT_NO_CHANGE);
	pn_functions_release(&found);
}

/* A run without a value, a function that a sampler missed once, one that was
 * never seen. */
static void takes_holes_and_zeros(void **state)
{
	static const double holes[] = {10, NAN, 9.9, 10, 10.2, 9.8};
	static const double zero[] = {10, 0, 9.9, 10, 10.2, 9.8};
	static const double never[] = {0, 0, 0, 0, 0, 0};
	static const double larger[] = {19, 20, 20, 21, 20, 19};
	static const double lost[] = {NAN, NAN, NAN, NAN, NAN, NAN};
	static const double huge[] = {1e308, 1e308, 1e308, 1, 1, 1};
	static const double below[] = {-1, -2, -3, -1, -2, -3};
	const struct pn_function_costs functions[] = {
		{.baseline = holes, .target = larger},
		{.baseline = zero, .target = larger},
		{.baseline = never, .target = larger},
		{.baseline = larger, .target = never},
		{.baseline = never, .target = never},
		{.baseline = lost, .target = larger},
		{.baseline = huge, .target = larger},
		{.baseline = larger, .target = below},
		{.baseline = NULL, .target = NULL},
	};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	pn_functions_compare(&found, functions, 9, six, &rule, &err);
	assert_int_equal(found.items[0].verdict, PN_VERDICT_SEVERE_DEGRADATION);
	/* the sums are 49.9 and 119; the means of logarithms are near those */
	assert_true(vectors_near(found.items[1].ratio, 119 / 49.9, 2e-3));
	assert_int_equal(found.items[2].verdict, PN_VERDICT_NOT_IN_BASELINE);
	assert_int_equal(found.items[3].verdict, PN_VERDICT_NOT_IN_TARGET);
	assert_int_equal(found.items[4].verdict, PN_VERDICT_NO_CHANGE);
	assert_int_equal(found.items[5].verdict, PN_VERDICT_UNKNOWN);
	assert_int_equal(found.items[6].verdict, PN_VERDICT_UNKNOWN);
	assert_int_equal(found.items[7].verdict, PN_VERDICT_UNKNOWN);
	assert_int_equal(found.items[8].verdict, PN_VERDICT_NO_CHANGE);
	pn_functions_release(&found);
}

/* parse.part.0 became parse.isra.0: the same function, 10 % slower; other
 * costs 4 times as much, which makes it another function. */
static void finds_functions_under_another_name(void **state)
{
	static struct table t;
	static const uint32_t around[] = {1, 4, 7, 9}, near[] = {1, 4, 7, 8};
	static const uint32_t far[] = {1, 2, 3, 5};
	struct pn_functions found;
	size_t f, r;

	(void)state;
	make(&t, 9, false);
	for (f = 0; f < 8; f++)
		for (r = 0; r < RUNS; r++) {
			t.values[f][0][r] = 100 + (double)r;
			t.values[f][1][r] = 114 + (double)r;
		}
	t.functions[0] = (struct pn_function_costs){.baseline = t.values[0][0],
						    .name = "parse"};
	t.functions[1] = (struct pn_function_costs){.target = t.values[1][1],
						    .name = "parse"};
	for (r = 0; r < RUNS; r++)
		t.values[3][1][r] *= 4;
	t.functions[2] = (struct pn_function_costs){.baseline = t.values[2][0],
						    .name = "other"};
	t.functions[3] = (struct pn_function_costs){.target = t.values[3][1],
						    .name = "other"};
	t.functions[4] = (struct pn_function_costs){.baseline = t.values[4][0],
						    .name = "old_name",
						    .neighbours = around,
						    .neighbour_count = 4};
	t.functions[5] = (struct pn_function_costs){.target = t.values[5][1],
						    .name = "new_name",
						    .neighbours = near,
						    .neighbour_count = 4};
	t.functions[6] = (struct pn_function_costs){.target = t.values[6][1],
						    .name = "elsewhere",
						    .neighbours = far,
						    .neighbour_count = 4};
	compare(&found, &t);
	assert_true(found.items[0].is_old_name);
	assert_int_equal(found.items[0].partner, 1);
	assert_int_equal(found.items[1].partner, 0);
	assert_false(found.items[1].is_old_name);
	assert_int_equal(found.items[1].verdict, found.items[0].verdict);
	assert_int_equal(direction(found.items[1].verdict), 1);
	assert_int_equal(found.items[2].verdict, PN_VERDICT_NOT_IN_TARGET);
	assert_int_equal(found.items[3].verdict, PN_VERDICT_NOT_IN_BASELINE);
	/* 3 of 5 in common */
	assert_int_equal(found.items[4].partner, 5);
	assert_int_equal(found.items[6].verdict, PN_VERDICT_NOT_IN_BASELINE);
	pn_functions_release(&found);
}

/* Costs of counts: 3 times as many calls; each call 3 times as expensive; 2
 * times both. */
static void tells_calls_from_costs(void **state)
{
	static const double hundred[] = {100, 100}, three[] = {300, 300};
	static const double four[] = {400, 400};
	static const double ten[] = {10, 10}, thirty[] = {30, 30};
	static const double twenty[] = {20, 20};
	static const size_t two[] = {2, 2};
	const struct pn_function_costs functions[] = {
		{hundred, three, ten, thirty},	 {hundred, three, ten, ten},
		{hundred, four, ten, twenty},	 {hundred, three},
		{hundred, hundred, ten, thirty},
	};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	pn_functions_compare(&found, functions, 5, two, &rule, &err);
	assert_int_equal(found.items[0].cause, PN_FUNCTION_CALLS);
	assert_true(vectors_near(found.items[0].calls_ratio, 3, 1e-12));
	assert_true(vectors_near(found.items[0].each_ratio, 1, 1e-12));
	assert_int_equal(found.items[1].cause, PN_FUNCTION_COST);
	assert_true(vectors_near(found.items[1].each_ratio, 3, 1e-12));
	assert_int_equal(found.items[2].cause, PN_FUNCTION_CALLS_AND_COST);
	assert_int_equal(found.items[3].cause, PN_FUNCTION_CAUSE_UNKNOWN);
	assert_int_equal(found.items[4].cause, PN_FUNCTION_CAUSE_UNKNOWN);
	pn_functions_release(&found);
}

/* 1000 to 1100: +60, +40, +20, -20. 60 and 40 are 90 of 100 and more. */
static void explains_the_difference_of_the_totals(void **state)
{
	static const double before[][2] = {
		{100, 100}, {300, 300}, {200, 200}, {400, 400}};
	static const double after[][2] = {
		{120, 120}, {280, 280}, {260, 260}, {440, 440}};
	static const size_t two[] = {2, 2};
	struct pn_function_costs functions[4] = {{0}};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;
	size_t order[4], i;

	(void)state;
	for (i = 0; i < 4; i++) {
		functions[i].baseline = before[i];
		functions[i].target = after[i];
	}
	pn_functions_rule_init(&rule);
	pn_functions_compare(&found, functions, 4, two, &rule, &err);
	assert_true(found.baseline == 1000 && found.target == 1100);
	assert_int_equal(pn_functions_explain(order, &found), 2);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 3);
	pn_functions_release(&found);
}

/* .1 % of a total of 1000 is 1: what is smaller is passed over. */
static void passes_over_what_is_small(void **state)
{
	static const double large[] = {998, 998}, half[] = {0.5, 0.5};
	static const double one[] = {1, 1};
	static const size_t two[] = {2, 2};
	const struct pn_function_costs functions[] = {
		{.baseline = large, .target = large},
		{.baseline = half, .target = one},
		{.baseline = one},
		{.baseline = half},
	};
	struct pn_functions_rule rule;
	struct pn_functions found;
	struct pn_error err;

	(void)state;
	pn_functions_rule_init(&rule);
	rule.min_share = 0.005;
	rule.min_new_share = 0.0009;
	pn_functions_compare(&found, functions, 4, two, &rule, &err);
	assert_int_equal(found.items[1].verdict, PN_VERDICT_NO_CHANGE);
	assert_int_equal(found.items[2].verdict, PN_VERDICT_NOT_IN_TARGET);
	assert_int_equal(found.items[3].verdict, PN_VERDICT_NO_CHANGE);
	pn_functions_release(&found);
}

static void refuses_rules_that_make_no_sense(void **state)
{
	struct pn_functions_rule wrong[4];
	struct pn_functions found;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++)
		pn_functions_rule_init(&wrong[i]);
	wrong[0].q = 0;
	wrong[1].q = 1;
	wrong[2].min_effect = -0.1;
	wrong[3].min_share = (double)NAN;
	for (i = 0; i < 4; i++)
		assert_int_equal(pn_functions_compare(&found, NULL, 0, six,
						      &wrong[i], &err),
				 PN_ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meets_the_bar_on_labelled_profiles),
		cmocka_unit_test(finds_what_was_changed),
		cmocka_unit_test(is_not_misled_by_outliers),
		cmocka_unit_test(takes_the_machine_out_of_few_functions),
		cmocka_unit_test(order_of_runs_and_unit_change_nothing),
		cmocka_unit_test(swapping_the_sides_mirrors_the_verdicts),
		cmocka_unit_test(compares_counts_as_they_are),
		cmocka_unit_test(one_run_a_side_is_unknown_but_for_counts),
		cmocka_unit_test(few_functions_are_judged_alone),
		cmocka_unit_test(takes_holes_and_zeros),
		cmocka_unit_test(finds_functions_under_another_name),
		cmocka_unit_test(tells_calls_from_costs),
		cmocka_unit_test(explains_the_difference_of_the_totals),
		cmocka_unit_test(passes_over_what_is_small),
		cmocka_unit_test(refuses_rules_that_make_no_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
