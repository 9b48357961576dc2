/* Two samples against the figures of scipy 1.10.1 and numpy 1.24.2, and the
 * verdicts of the rule that pair.h tells. */
#include "base/numbers/quantile.h"
#include "detect/pair.h"
#include "detect/rank_test.h"
#include "detect/stats.h"
#include "vectors.h"

#define MOST 100
#define LEAST_CASES 11
#define TOLERANCE 1e-9

static struct pn_json_tree vectors;

struct sample_pair {
	char name[64];
	double a[MOST], b[MOST];
	size_t n, m;
	size_t expected; /* item */
};

static size_t read_list(double *out, size_t list)
{
	return vectors_numbers(out, MOST, &vectors, list);
}

/* Calls `look` with each case; returns how many there were. */
static size_t each_case(void (*look)(struct sample_pair *))
{
	struct sample_pair c;
	const char *name;
	size_t at, count = 0, len;

	for (at = vectors_member(&vectors, 0, "cases") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&vectors, at), count++) {
		name = pn_json_tree_text(
			&vectors, vectors_member(&vectors, at, "name"), &len);
		snprintf(c.name, sizeof(c.name), "%.*s", (int)len, name);
		c.n = read_list(c.a, vectors_member(&vectors, at, "baseline"));
		c.m = read_list(c.b, vectors_member(&vectors, at, "target"));
		c.expected = vectors_member(&vectors, at, "expected");
		look(&c);
	}
	return count;
}

static void near(const struct sample_pair *c, const char *what, double have,
		 double want)
{
	if (!vectors_near(have, want, TOLERANCE))
		fail_msg("%s, %s: %.17g, expected %.17g", c->name, what, have,
			 want);
}

static double expected(const struct sample_pair *c, const char *test,
		       const char *what)
{
	size_t item = vectors_member(&vectors, c->expected, test);

	if (what)
		item = vectors_member(&vectors, item, what);
	return vectors_number(&vectors, item);
}

static void look_at_ranks(struct sample_pair *c)
{
	struct pn_rank_test test;
	const char *kind;
	char name[64];

	pn_rank_test_of(&test, c->a, c->n, c->b, c->m);
	kind = test.exact ? "exact" : "asymptotic";
	snprintf(name, sizeof(name), "mannwhitneyu two-sided %s", kind);
	near(c, "U", test.u, expected(c, name, "U1"));
	near(c, name, test.p, expected(c, name, "p"));
	if (c->n == 5 && c->m == 6) /* all equal: a p that is not known there */
		return;
	snprintf(name, sizeof(name), "mannwhitneyu less %s", kind);
	near(c, name, test.p_less, expected(c, name, "p"));
	snprintf(name, sizeof(name), "mannwhitneyu greater %s", kind);
	near(c, name, test.p_greater, expected(c, name, "p"));
}

static void ranks_are_tested_as_scipy_does(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_ranks), LEAST_CASES);
}

static void look_at_means(struct sample_pair *c)
{
	size_t welch = vectors_member(&vectors, c->expected, "welch");
	size_t df = vectors_member(&vectors, welch, "df");
	double t, have_df,
		p = pn_pair_welch(&t, &have_df, c->a, c->n, c->b, c->m);

	/* samples that do not vary have no t there */
	if (pn_json_tree_event(&vectors, df) != PN_JSON_NUMBER) {
		assert_true(p == (c->a[0] == c->b[0]));
		return;
	}
	near(c, "t", t, expected(c, "welch", "t"));
	near(c, "df", have_df, vectors_number(&vectors, df));
	near(c, "p", p, expected(c, "welch", "p"));
}

static void means_are_tested_as_scipy_does(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_means), LEAST_CASES);
}

static void look_at_shift(struct sample_pair *c)
{
	double m[2], mads[2], ratio;
	struct pn_pair_verdict pair;
	static const struct pn_pair_options o = PN_PAIR_DEFAULTS;

	read_list(m, vectors_member(&vectors, c->expected, "median"));
	read_list(mads, vectors_member(&vectors, c->expected, "mad_x1.4826"));
	near(c, "median", pn_stats_median(c->a, c->n), m[0]);
	near(c, "median", pn_stats_median(c->b, c->m), m[1]);
	near(c, "mad", 1.4826 * pn_stats_mad(c->a, c->n, m[0]), mads[0]);
	near(c, "mad", 1.4826 * pn_stats_mad(c->b, c->m, m[1]), mads[1]);
	pn_pair_of(&pair, c->a, c->n, c->b, c->m, &o);
	ratio = expected(c, "hl_ratio_on_logs", NULL);
	near(c, "ratio", pair.ratio, ratio);
	pn_quantile_sort(c->a, c->n);
	pn_quantile_sort(c->b, c->m);
	near(c, "shift", pn_rank_test_shift(c->a, c->n, c->b, c->m),
	     expected(c, "hodges_lehmann_shift(target-baseline)", NULL));
}

static void shifts_are_those_of_hodges_and_lehmann(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_shift), LEAST_CASES);
}

/* The vectors go by the normal approximation, as pn_rank_test_order does beyond
 * 60 values in all, and take the next difference inside where it rounds
 * down to the one that keeps the level. */
static void look_at_interval(struct sample_pair *c)
{
	double ends[2], pairs = (double)(c->n * c->m), k;

	if (c->n + c->m <= PN_RANK_TEST_EXACT_INTERVAL)
		return;
	read_list(ends, vectors_member(&vectors, c->expected,
				       "hl_ci95_normal_approx(order statistics "
				       "c+1, m-c)"));
	pn_quantile_sort(c->a, c->n);
	pn_quantile_sort(c->b, c->m);
	k = (double)pn_rank_test_order(c->n, c->m, 0.025) + 1;
	near(c, "low", pn_rank_test_difference(k, c->a, c->n, c->b, c->m),
	     ends[0]);
	near(c, "high",
	     pn_rank_test_difference(pairs + 1 - k, c->a, c->n, c->b, c->m),
	     ends[1]);
}

static void intervals_are_order_statistics(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_interval), LEAST_CASES);
}

static void look_at_verdict(struct sample_pair *c)
{
	static const struct pn_pair_options o = PN_PAIR_DEFAULTS;
	size_t want =
		vectors_member(&vectors, c->expected, "reference_verdict");
	struct pn_pair_verdict pair;

	pn_pair_of(&pair, c->a, c->n, c->b, c->m, &o);
	if (!pn_json_tree_is(&vectors, want, pn_verdict_name(pair.verdict)))
		fail_msg("%s: %s", c->name, pn_verdict_name(pair.verdict));
}

static void verdicts_are_those_of_the_reference(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_verdict), LEAST_CASES);
}

/* Exact p of samples of n that do not overlap: 2 / C(2n, n). */
static void least_p_is_that_of_the_count_of_orders(void **state)
{
	double a[50], b[50], all = 1, i;
	struct pn_rank_test test;
	size_t n;

	(void)state;
	for (n = 1; n <= 50; n++) {
		i = (double)n;
		a[n - 1] = i;
		b[n - 1] = 100 + i;
		all *= (2 * i) * (2 * i - 1) / (i * i);
		pn_rank_test_of(&test, a, n, b, n);
		assert_true(test.exact);
		assert_true(vectors_near(test.p, 2 / all, 1e-12));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_tested_as_scipy_does),
		cmocka_unit_test(means_are_tested_as_scipy_does),
		cmocka_unit_test(shifts_are_those_of_hodges_and_lehmann),
		cmocka_unit_test(intervals_are_order_statistics),
		cmocka_unit_test(verdicts_are_those_of_the_reference),
		cmocka_unit_test(least_p_is_that_of_the_count_of_orders),
	};

	vectors_read(&vectors, "two_sample.json");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
