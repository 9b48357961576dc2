/* A commit beside its past against the cases of a reference in Python, and by
 * arithmetic. */
#include "detect/latest/latest.h"

#include "base/numbers/random.h"

#include "vectors.h"

#define MOST_COMMITS 40
#define MOST_RUNS 16
#define CASES 8
#define TOLERANCE 1e-9

static struct pn_json_tree vectors;

struct history {
	double runs[MOST_COMMITS][MOST_RUNS], head[MOST_RUNS];
	double segments[MOST_COMMITS];
	struct pn_latest_commit past[MOST_COMMITS];
	size_t count, head_count;
	struct pn_latest_options options;
};

static void read_history(struct history *h, size_t object)
{
	size_t args = vectors_member(&vectors, object, "args"), item, at, i;

	memset(h, 0, sizeof(*h));
	h->options = PN_LATEST_DEFAULTS;
	at = vectors_member(&vectors, object, "history") + 1;
	for (; pn_json_tree_event(&vectors, at) == PN_JSON_ARRAY;
	     at = pn_json_tree_end(&vectors, at), h->count++) {
		struct pn_latest_commit *c = &h->past[h->count];

		assert_true(h->count < MOST_COMMITS);
		c->runs = h->runs[h->count];
		c->count = vectors_numbers(h->runs[h->count], MOST_RUNS,
					   &vectors, at);
	}
	h->head_count =
		vectors_numbers(h->head, MOST_RUNS, &vectors,
				vectors_member(&vectors, object, "head"));
	item = vectors_find(&vectors, args, "seg");
	if (item)
		vectors_numbers(h->segments, MOST_COMMITS, &vectors, item);
	for (i = 0; i < h->count; i++)
		h->past[i].segment = (size_t)h->segments[i];
	item = vectors_find(&vectors, args, "sd_prior");
	if (item)
		h->options.sd_prior = vectors_number(&vectors, item);
	item = vectors_find(&vectors, args, "session_z");
	if (item)
		h->options.session = vectors_number(&vectors, item);
}

static void near(size_t expected, const char *name, double have)
{
	double want = vectors_value(&vectors, expected, name);

	if (!vectors_near(have, want, TOLERANCE))
		fail_msg("%s: %.17g, the reference has %.17g", name, have,
			 want);
}

static void look_at_numbers(const struct pn_latest *l, size_t expected)
{
	size_t base = vectors_member(&vectors, expected, "baseline");
	double places[MOST_COMMITS];

	near(expected, "p", l->p);
	near(expected, "p_up", l->p_slower);
	near(expected, "stat", l->t);
	near(expected, "rank", l->rank);
	near(expected, "df", l->df);
	near(expected, "effect", l->effect);
	near(expected, "level", l->level);
	near(expected, "se", l->se);
	near(expected, "sd", l->sd);
	near(expected, "vw", l->run_variance);
	near(expected, "worst", l->worst);
	near(expected, "n_err", (double)l->errors);
	near(expected, "mde", l->least_effect);
	near(expected, "delta", l->delta);
	near(expected, "start", l->start);
	assert_int_equal(l->base,
			 vectors_numbers(places, MOST_COMMITS, &vectors, base));
}

static void cases_are_judged_as_the_reference_does(void **state)
{
	static struct history h;
	struct pn_latest l;
	size_t at, expected, count = 0;

	(void)state;
	for (at = vectors_member(&vectors, 0, "cases") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&vectors, at), count++) {
		read_history(&h, at);
		expected = vectors_member(&vectors, at, "expect");
		pn_latest_of(&l, h.past, h.count, h.head, h.head_count,
			     &h.options);
		assert_true(pn_json_tree_is(
			&vectors, vectors_member(&vectors, expected, "verdict"),
			pn_verdict_name(l.verdict)));
		assert_int_equal(
			l.flagged,
			pn_json_tree_event(
				&vectors,
				vectors_member(&vectors, expected, "flag")) ==
				PN_JSON_TRUE);
		near(expected, "m", (double)l.measured);
		if (l.method == PN_LATEST_TEST)
			look_at_numbers(&l, expected);
	}
	assert_int_equal(count, CASES);
}

static void sessions_are_as_unusual_as_the_reference_says(void **state)
{
	size_t session = vectors_member(&vectors, 0, "session"), at;
	double rows[20 * 20], sds[20];
	size_t commits = 0, metrics;

	(void)state;
	metrics = vectors_numbers(sds, 20, &vectors,
				  vectors_member(&vectors, session, "scale"));
	at = vectors_member(&vectors, session, "dev") + 1;
	for (; pn_json_tree_event(&vectors, at) == PN_JSON_ARRAY;
	     at = pn_json_tree_end(&vectors, at), commits++)
		assert_int_equal(vectors_numbers(rows + commits * metrics,
						 metrics, &vectors, at),
				 metrics);
	near(session, "z", pn_session_shift(rows, commits, sds, metrics));
	assert_true(pn_session_shift(rows, 10, sds, metrics) == 0);
}

/* Counters: the last value counts, a tenth of a percent decides. */
static void what_never_varies_is_compared_as_it_is(void **state)
{
	const double before[] = {1000, 1000}, same[] = {1000.9, 1000.9};
	const double more[] = {1001.1, 1001.1};
	const struct pn_latest_commit past[] = {
		{before, 2, 0}, {before, 2, 0}, {NULL, 0, 0}, {before, 2, 0}};
	const struct pn_latest_options o = PN_LATEST_DEFAULTS;
	struct pn_latest l;

	(void)state;
	pn_latest_of(&l, past, 4, same, 2, &o);
	assert_int_equal(l.method, PN_LATEST_EXACT);
	assert_int_equal(l.verdict, PN_VERDICT_NO_CHANGE);
	pn_latest_of(&l, past, 4, more, 2, &o);
	assert_int_equal(l.verdict, PN_VERDICT_DEGRADATION);
	assert_true(fabs(l.effect - 0.0011) < 1e-12);
	pn_latest_of(&l, past, 3, more, 2, &o);
	assert_int_equal(l.verdict, PN_VERDICT_UNKNOWN);
	pn_latest_of(&l, past, 4, more, 0, &o);
	assert_int_equal(l.verdict, PN_VERDICT_UNKNOWN);
}

static void another_unit_and_order_of_runs_change_nothing(void **state)
{
	static struct history h;
	struct pn_latest one, two;
	size_t at = vectors_member(&vectors, 0, "cases") + 1, i, k;
	double kept;

	(void)state;
	read_history(&h, at);
	pn_latest_of(&one, h.past, h.count, h.head, h.head_count, &h.options);
	for (i = 0; i < h.count; i++) {
		size_t n = h.past[i].count;

		for (k = 0; k < n; k++)
			h.runs[i][k] *= 1e-6;
		kept = h.runs[i][0];
		h.runs[i][0] = h.runs[i][n - 1];
		h.runs[i][n - 1] = kept;
	}
	for (k = 0; k < h.head_count; k++)
		h.head[k] *= 1e-6;
	pn_latest_of(&two, h.past, h.count, h.head, h.head_count, &h.options);
	assert_int_equal(one.verdict, two.verdict);
	assert_true(vectors_near(one.p, two.p, 1e-7));
	assert_true(vectors_near(one.effect, two.effect, 1e-7));
	assert_true(vectors_near(one.level * 1e-6, two.level, 1e-9));
}

/* The sum of twelve uniform numbers is nearly normal, of variance 1. */
static double normal(uint64_t *state)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += (double)(pn_random_next(state) >> 11) / 0x1p53;
	return sum;
}

#define MOST_PAST 12

/* A course of `n` commits and one more, that differ by 10 % and nothing else
 * but what its `count` runs do, by 2 %. The last one is off by `shift`. */
static void play(struct pn_latest *out, size_t n, size_t count, double shift,
		 uint64_t *seed)
{
	const struct pn_latest_options o = PN_LATEST_DEFAULTS;
	struct pn_latest_commit past[MOST_PAST];
	double runs[MOST_PAST + 1][3], level;
	size_t i, k;

	for (i = 0; i <= n; i++) {
		level = 0.1 * normal(seed) + (i == n ? shift : 0);
		for (k = 0; k < count; k++)
			runs[i][k] = exp(level +
					 (count > 1 ? 0.02 * normal(seed) : 0));
	}
	for (i = 0; i < n; i++)
		past[i] = (struct pn_latest_commit){runs[i], count, 0};
	pn_latest_of(out, past, n, runs[n], count, &o);
}

/*
 * Of few commits nothing is known but what they vary by: single runs say
 * nothing of it, nor do several of one session. p below .05 on the side where
 * the last one lies means one of ten: of 1000, 100 with a standard deviation of
 * 9.5, and six of those are allowed.
 */
static void few_commits_are_not_taken_for_sure(void **state)
{
	uint64_t seed = 1;
	size_t count, k, n, low;

	(void)state;
	for (count = 1; count <= 3; count += 2)
		for (n = 3; n <= MOST_PAST; n++) {
			for (k = low = 0; k < 1000; k++) {
				struct pn_latest l;

				play(&l, n, count, 0, &seed);
				low += l.p < 0.05;
			}
			if (low < 43 || low > 157)
				fail_msg("p below .05 in %zu of 1000, past of "
					 "%zu of %zu runs",
					 low, n, count);
		}
}

/* What is said to be seen is, as a rule: of few commits the deviation is not
 * known well itself, which takes the tenth or fifth of it. */
static void few_commits_see_what_they_say(void **state)
{
	uint64_t seed = 2;
	size_t k, n, seen;

	(void)state;
	for (n = 3; n <= 8; n++) {
		struct pn_latest l;
		double sum = 0;

		for (k = 0; k < 1000; k++) {
			play(&l, n, 1, 0, &seed);
			sum += log1p(l.least_effect);
		}
		for (k = seen = 0; k < 1000; k++) {
			play(&l, n, 1, sum / 1000, &seed);
			seen += l.p < 0.01;
		}
		if (seen < 700)
			fail_msg("%zu of 1000 seen, past of %zu", seen, n);
	}
}

/* Values of 100 with half a percent of noise, rounded to whole numbers: two of
 * three are equal, which is not all that they vary by. Of those that did not
 * change 1 of 100 is flagged on each side by p, of rounded ones twice as many
 * at most, and as many again by chance. */
static void rounded_values_have_noise(void **state)
{
	struct pn_latest_options o = PN_LATEST_DEFAULTS;
	size_t i, k, n, flagged = 0, courses = 2000;
	struct pn_latest_commit past[24];
	double values[25];
	uint64_t seed = 11;
	struct pn_latest l;

	(void)state;
	for (i = 0; i < courses; i++) {
		n = 9 + i % 16;
		for (k = 0; k <= n; k++)
			values[k] = rint(100 * exp(0.005 * normal(&seed)));
		for (k = 0; k < n; k++)
			past[k] = (struct pn_latest_commit){&values[k], 1, 0};
		pn_latest_of(&l, past, n, &values[n], 1, &o);
		flagged += l.verdict != PN_VERDICT_NO_CHANGE;
	}
	assert_true(flagged < courses * 8 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_are_judged_as_the_reference_does),
		cmocka_unit_test(sessions_are_as_unusual_as_the_reference_says),
		cmocka_unit_test(what_never_varies_is_compared_as_it_is),
		cmocka_unit_test(few_commits_are_not_taken_for_sure),
		cmocka_unit_test(few_commits_see_what_they_say),
		cmocka_unit_test(rounded_values_have_noise),
		cmocka_unit_test(another_unit_and_order_of_runs_change_nothing),
	};

	vectors_read(&vectors, "check_head.json");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
