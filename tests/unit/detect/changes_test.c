/* Changes of a history against those that a reference in Python finds, and what
 * must change nothing. */
#include "detect/history/history.h"

#include "base/alloc.h"
#include "base/numbers/random.h"
#include "detect/history/drift.h"
#include "detect/stats.h"
#include "vectors.h"

#define MOST 400
#define CASES 20
/* The reference has doubles where we have floats, unless built with doubles. */
#ifdef PN_HISTORY_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 1e-5
#endif

static struct pn_json_tree vectors;
static double values[MOST];

static size_t each_case(void (*look)(const char *name, size_t n, size_t points))
{
	size_t at, count = 0, len, n;
	const char *text;
	char name[64];

	for (at = vectors_member(&vectors, 0, "cases") + 1;
	     pn_json_tree_event(&vectors, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&vectors, at), count++) {
		text = pn_json_tree_text(
			&vectors, vectors_member(&vectors, at, "name"), &len);
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		n = vectors_numbers(values, MOST, &vectors,
				    vectors_member(&vectors, at, "values"));
		look(name, n, vectors_member(&vectors, at, "points"));
	}
	return count;
}

static void near(const char *name, const char *what, double have, double want)
{
	if (fabs(have - want) > TOLERANCE * fmax(1, fabs(want)))
		fail_msg("%s, %s: %.9g, the reference has %.9g", name, what,
			 have, want);
}

static void look_at_changes(const char *name, size_t n, size_t points)
{
	struct pn_change_points h;
	size_t at = points + 1, i, range;

	pn_change_points_of(&h, values, n);
	for (i = 0; i < h.count; i++, at = pn_json_tree_end(&vectors, at)) {
		const struct pn_change_point *c = &h.changes[i];

		if (pn_json_tree_event(&vectors, at) != PN_JSON_OBJECT)
			fail_msg("%s: %zu is not a change", name, c->at);
		near(name, "index", (double)c->at,
		     vectors_value(&vectors, at, "index"));
		near(name, "effect", c->effect,
		     vectors_value(&vectors, at, "effect"));
		near(name, "confidence", c->confidence,
		     vectors_value(&vectors, at, "confidence"));
		near(name, "before", c->before,
		     vectors_value(&vectors, at, "before"));
		near(name, "after", c->after,
		     vectors_value(&vectors, at, "after"));
		range = vectors_member(&vectors, at, "range");
		near(name, "from", (double)c->from,
		     vectors_number(&vectors, range + 1));
		near(name, "to", (double)c->to,
		     vectors_number(&vectors, range + 2));
		assert_false(c->low > c->effect || c->high < c->effect);
	}
	if (pn_json_tree_event(&vectors, at) == PN_JSON_OBJECT)
		fail_msg("%s: a change after %zu is missing", name, h.count);
	pn_change_points_release(&h);
}

static void changes_are_those_of_the_reference(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_changes), CASES);
}

static void look_at_scaled(const char *name, size_t n, size_t points)
{
	struct pn_change_points one, two;
	size_t i;

	(void)points;
	pn_change_points_of(&one, values, n);
	for (i = 0; i < n; i++)
		values[i] *= 0.001;
	pn_change_points_of(&two, values, n);
	if (one.count != two.count)
		fail_msg("%s: %zu changes, scaled %zu", name, one.count,
			 two.count);
	for (i = 0; i < one.count; i++) {
		assert_int_equal(one.changes[i].at, two.changes[i].at);
		near(name, "effect", two.changes[i].effect,
		     one.changes[i].effect);
	}
	pn_change_points_release(&one);
	pn_change_points_release(&two);
}

static void another_unit_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(each_case(look_at_scaled), CASES);
}

static double normal(uint64_t *seed)
{
	double share = ((double)(pn_random_next(seed) >> 11) + 0.5) * 0x1p-53;

	return pn_stats_normal_quantile(share);
}

/* Levels 100, 110 from `first` on, 104 from `second` on, noise 1 %. */
static void draw(double *out, size_t n, size_t first, size_t second,
		 uint64_t seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = (i < first    ? 100
			  : i < second ? 110
				       : 104) *
			 exp(0.01 * normal(&seed));
}

/* The first commit of a new level is the last of an old one, read from the
 * end: at becomes n - at. */
static void reversed_time_mirrors_the_changes(void **state)
{
	double there[100], back[100];
	struct pn_change_points one, two;
	uint64_t seed;
	size_t i;

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		draw(there, 100, 35, 70, seed);
		for (i = 0; i < 100; i++)
			back[i] = there[99 - i];
		pn_change_points_of(&one, there, 100);
		pn_change_points_of(&two, back, 100);
		assert_int_equal(one.count, 2);
		assert_int_equal(two.count, 2);
		for (i = 0; i < 2; i++) {
			assert_true(abs((int)two.changes[i].at -
					(int)(100 - one.changes[1 - i].at)) <=
				    1);
			assert_true(
				fabs((1 + two.changes[i].effect) *
					     (1 + one.changes[1 - i].effect) -
				     1) < 0.001);
		}
		pn_change_points_release(&one);
		pn_change_points_release(&two);
	}
}

static void a_change_in_a_gap_may_be_anywhere_in_it(void **state)
{
	struct pn_change_points h;
	size_t i;

	(void)state;
	draw(values, 60, 30, 60, 7);
	for (i = 25; i < 33; i++)
		values[i] = (double)NAN;
	pn_change_points_of(&h, values, 60);
	assert_int_equal(h.measured, 52);
	assert_int_equal(h.count, 1);
	assert_int_equal(h.changes[0].at, 33);
	assert_true(h.changes[0].from <= 25 && h.changes[0].to >= 33);
	assert_true(h.changes[0].low < 0.1 && h.changes[0].high > 0.1);
	pn_change_points_release(&h);
}

static void noise_and_drift_are_told(void **state)
{
	struct pn_change_points h;
	uint64_t seed = 3;
	size_t i;

	(void)state;
	for (i = 0; i < 200; i++)
		values[i] =
			50 * exp(0.01 * normal(&seed) + 0.06 * (double)i / 199);
	pn_change_points_of(&h, values, 200);
	assert_int_equal(h.count, 0);
	assert_true(fabs(h.drift - expm1(0.06)) < 0.01);
	pn_change_points_release(&h);
	for (i = 0; i < 200; i++)
		values[i] = 50 * exp(0.01 * normal(&seed));
	pn_change_points_of(&h, values, 200);
	assert_true(isnan(h.drift));
	assert_true(fabs(h.noise - 0.01) < 0.002);
	assert_true(fabs(h.rho) < 0.2);
	pn_change_points_release(&h);
}

/* One that rises by 0.8 standard deviations a commit, and one that rises slowly
 * and has a step of five. */
static void a_steep_trend_is_no_step_but_may_have_one(void **state)
{
	struct pn_change_points h;
	uint64_t seed;
	size_t i;

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		uint64_t noise = seed;

		for (i = 0; i < 60; i++)
			values[i] = 100 * exp(0.5 * (double)i / 59 +
					      0.01 * normal(&noise));
		pn_change_points_of(&h, values, 60);
		assert_int_equal(h.count, 0);
		assert_true(fabs(h.drift - expm1(0.5)) < 0.03);
		pn_change_points_release(&h);
		for (i = 0; i < 100; i++)
			values[i] = 100 * exp(0.001 * (double)i +
					      (i >= 50 ? 0.05 : 0) +
					      0.01 * normal(&noise));
		pn_change_points_of(&h, values, 100);
		assert_int_equal(h.count, 1);
		assert_true(abs((int)h.changes[0].at - 50) <= 2);
		pn_change_points_release(&h);
	}
}

/*
 * Flat, up by eight standard deviations in 40 commits, flat: no step is right.
 * As much in one step is one.
 */
static void a_ramp_between_two_levels_is_no_step(void **state)
{
	enum { N = 160, FIRST = 60, WIDTH = 40, DRAWN = 20 };
	size_t ramps = 0, steps = 0, i;
	struct pn_change_points h;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= DRAWN; seed++) {
		uint64_t noise = seed;

		for (i = 0; i < N; i++) {
			double done = ((double)i - FIRST) / WIDTH;

			values[i] = 100 * exp(0.08 * fmin(1, fmax(0, done)) +
					      0.01 * normal(&noise));
		}
		pn_change_points_of(&h, values, N);
		ramps += h.count;
		pn_change_points_release(&h);
		for (i = 0; i < N; i++)
			values[i] = 100 * exp((i < FIRST ? 0 : 0.08) +
					      0.01 * normal(&noise));
		pn_change_points_of(&h, values, N);
		steps += h.count == 1 && h.changes[0].at == FIRST;
		pn_change_points_release(&h);
	}
	assert_in_range(ramps, 0, DRAWN); /* 45 as two or three steps */
	assert_in_range(steps, DRAWN - 2, DRAWN);
}

/* 20 commits that rise by six standard deviations, or by five at once. */
static void a_young_history_that_rises_has_no_step(void **state)
{
	enum { N = 20, DRAWN = 40 };
	size_t trends = 0, steps = 0, i;
	struct pn_change_points h;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= DRAWN; seed++) {
		uint64_t noise = seed;

		for (i = 0; i < N; i++)
			values[i] = 100 * exp(0.06 * (double)i / (N - 1) +
					      0.01 * normal(&noise));
		pn_change_points_of(&h, values, N);
		trends += h.count != 0;
		pn_change_points_release(&h);
		for (i = 0; i < N; i++)
			values[i] = 100 * exp((i < N / 2 ? 0 : 0.05) +
					      0.01 * normal(&noise));
		pn_change_points_of(&h, values, N);
		steps += h.count == 1;
		pn_change_points_release(&h);
	}
	assert_in_range(trends, 0, DRAWN / 5); /* 18 as one */
	assert_in_range(steps, DRAWN - 2, DRAWN);
}

static bool has_both_ends(const double *course, size_t n, size_t first,
			  size_t last)
{
	struct pn_change_points h;
	bool has;

	pn_change_points_of(&h, course, n);
	has = h.count == 2 && h.changes[0].at == first &&
	      h.changes[1].at == last && fabs(h.changes[0].effect - 0.1) < 0.03;
	pn_change_points_release(&h);
	return has;
}

/* Three commits that are slower by ten standard deviations are found when they
 * are the only ones, and not where the machine is slow now and then. */
static void three_slow_commits_are_found_when_alone(void **state)
{
	enum { N = 100, FIRST = 50, AGAIN = 80, DRAWN = 20 };
	size_t alone = 0, again = 0, i;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= DRAWN; seed++) {
		uint64_t noise = seed;
		struct pn_change_points h;

		for (i = 0; i < N; i++)
			values[i] = 100 *
				    exp((i >= FIRST && i < FIRST + 3 ? log(1.1)
								     : 0) +
					0.01 * normal(&noise));
		alone += has_both_ends(values, N, FIRST, FIRST + 3);
		for (i = AGAIN; i < AGAIN + 2; i++)
			values[i] *= 1.1;
		pn_change_points_of(&h, values, N);
		again += h.count;
		pn_change_points_release(&h);
	}
	assert_in_range(alone, DRAWN - 4, DRAWN);
	assert_int_equal(again, 0);
}

/* Its noise is learned from a part. Correlation .8: the mean of 40 commits has
 * a standard error of .01 * sqrt(1.8 / .2 / 40) = .0047, the effect of .0067.
 */
static void a_long_history_has_its_one_step(void **state)
{
	/* with all levels looked at, as the reference does, less is enough */
#ifdef PN_HISTORY_DOUBLE
	enum { N = 2000 };
#else
	enum { N = 33000 };
#endif
	double *all = pn_realloc_array(NULL, N, sizeof(*all)), rest = 0;
	struct pn_change_points h;
	uint64_t seed = 11;
	size_t i;

	(void)state;
	for (i = 0; i < N; i++) {
		rest = 0.8 * rest + 0.6 * normal(&seed);
		all[i] = 100 * exp(0.01 * rest + (i < N / 2 ? 0 : 0.1));
	}
	pn_change_points_of(&h, all, N);
	assert_int_equal(h.count, 1);
	assert_true(abs((int)h.changes[0].at - N / 2) <= 2);
	assert_true(fabs(h.changes[0].effect - expm1(0.1)) < 4 * 0.0067);
	assert_true(fabs(h.rho - 0.8) < 0.1);
	pn_change_points_release(&h);
	free(all);
}

/* A level 100 commits long that is `step` above the rest, in noise that is so
 * far correlated with that of the commit before: both of its ends are found. */
static void find_steps(double correlation, double step, uint64_t seed)
{
	enum { N = 300, DRAWN = 12, FIRST = 100, SECOND = 200 };
	struct pn_change_points h;
	double rest;
	size_t i, k;

	for (k = 0; k < DRAWN; k++) {
		for (rest = i = 0; i < N; i++) {
			rest = correlation * rest + normal(&seed);
			values[i] = 1000 + rest;
			if (i >= FIRST && i < SECOND)
				values[i] += step;
		}
		pn_change_points_of(&h, values, N);
		assert_int_equal(h.count, 2);
		assert_int_equal(h.changes[0].at, FIRST);
		assert_int_equal(h.changes[1].at, SECOND);
		assert_true(h.changes[0].confidence > 0.99);
		assert_true(h.changes[1].confidence > 0.99);
		pn_change_points_release(&h);
	}
}

/*
 * Noise of correlation .93, whose news have the standard deviation 1, on levels
 * 1000, 1015, 1000: of 12 * 300 news none is as large as 6 (twice 1e-9 * 3600),
 * so that a step of 15 is none of them. Each is found at its commit, and
 * nothing else, though all but a few levels are next to impossible there.
 */
static void steps_in_correlated_noise_are_found(void **state)
{
	(void)state;
	find_steps(0.93, 15, 93);
}

/* Correlation .978 and steps of 60: a commit behind a step and what follows it
 * have no level in common that floats have. */
static void far_steps_in_slow_noise_are_found(void **state)
{
	(void)state;
	find_steps(0.978, 60, 2);
}

/* A level that wanders by 1 % a commit, so far that its grid is thinned out: of
 * walks one report in 10,000 commits is allowed. */
static void a_long_walk_has_no_change_that_is_sure(void **state)
{
	/* with all levels looked at, as the reference does, less is enough */
#ifdef PN_HISTORY_DOUBLE
	enum { N = 1000 };
#else
	enum { N = 16000 };
#endif
	double *all = pn_realloc_array(NULL, N, sizeof(*all)), level = 0;
	struct pn_change_points h;
	uint64_t seed = 7;
	size_t i;

	(void)state;
	for (i = 0; i < N; i++)
		all[i] = exp(level += 0.01 * normal(&seed));
	pn_change_points_of(&h, all, N);
	assert_true(h.count <= 1);
	for (i = 0; i < h.count; i++)
		assert_false(pn_change_point_is_confirmed(&h.changes[i], NULL));
	pn_change_points_release(&h);
	free(all);
}

/* Two states in turn: every neighbour is the opposite. */
static void correlation_is_that_of_neighbours(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < 200; i++)
		values[i] = i % 2 ? 1 : -1;
	assert_true(pn_drift_correlation(values, 200, 1) == -0.99);
	for (i = 0; i < 200; i++)
		values[i] = i % 4 < 2 ? 1 : -1;
	assert_true(fabs(pn_drift_correlation(values, 200, 1)) < 0.02);
	for (i = 0; i < 200; i++)
		values[i] = 0;
	assert_true(pn_drift_correlation(values, 200, 1) == 0);
}

static void a_change_is_confirmed_at_once_or_by_the_next_commit(void **state)
{
	struct pn_change_point was[] = {{.at = 5, .confidence = 0.99},
					{.at = 30, .confidence = 0.90}};
	struct pn_change_points before = {.changes = was, .count = 2};
	struct pn_change_point now = {.at = 32, .confidence = 0.95};

	(void)state;
	assert_true(pn_change_point_is_confirmed(&now, NULL));
	now.confidence = 0.94;
	assert_false(pn_change_point_is_confirmed(&now, NULL));
	assert_true(pn_change_point_is_confirmed(&now, &before));
	now.at = 33;
	assert_false(pn_change_point_is_confirmed(&now, &before));
	now.at = 28;
	now.confidence = 0.90;
	assert_true(pn_change_point_is_confirmed(&now, &before));
	now.confidence = 0.89;
	assert_false(pn_change_point_is_confirmed(&now, &before));
	was[1].confidence = 0.89;
	now.confidence = 0.94;
	assert_false(pn_change_point_is_confirmed(&now, &before));
}

static void look_at_shape(size_t n)
{
	struct pn_change_points h;
	size_t i;

	pn_change_points_of(&h, values, n);
	for (i = 0; i < h.count; i++)
		assert_true(h.changes[i].from <= h.changes[i].at &&
			    h.changes[i].at <= h.changes[i].to &&
			    h.changes[i].to < n &&
			    h.changes[i].confidence >= 0.6 &&
			    h.changes[i].confidence <= 1);
	pn_change_points_release(&h);
}

/* Most values are one, few are others: quotients of both overflow. */
static void quotients_that_overflow_end_well(void **state)
{
	const double sizes[] = {1e-300, 1e300,	 1,    0,    -1,
				1e200,	-1e-300, 1e10, -1e6, 1.7e308};
	uint64_t seed = 7;
	size_t i, n, kind;

	(void)state;
	for (kind = 0; kind < 1000; kind++) {
		double most = sizes[kind % 10], other = sizes[kind / 10 % 10];

		n = 6 + pn_random_next(&seed) % 40;
		for (i = 0; i < n; i++) {
			uint64_t at = pn_random_next(&seed) % 12;

			values[i] = at > 2 ? most
				    : at > 0
					    ? other
					    : sizes[pn_random_next(&seed) % 10];
		}
		look_at_shape(n);
	}
}

static void strange_values_end_well(void **state)
{
	const double sizes[] = {1e-300, 1e300, 1, 0, -1, 1e-5, -1e300};
	uint64_t seed = 5;
	size_t i, n, kind;

	(void)state;
	for (kind = 0; kind < 60; kind++) {
		n = pn_random_next(&seed) % 80;
		for (i = 0; i < n; i++)
			values[i] = kind % 3 == 0
					    ? sizes[pn_random_next(&seed) % 7]
				    : kind % 3 == 1 ? tan(3.1 * normal(&seed))
						    : floor(3 * normal(&seed));
		look_at_shape(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_those_of_the_reference),
		cmocka_unit_test(another_unit_changes_nothing),
		cmocka_unit_test(reversed_time_mirrors_the_changes),
		cmocka_unit_test(a_change_in_a_gap_may_be_anywhere_in_it),
		cmocka_unit_test(noise_and_drift_are_told),
		cmocka_unit_test(a_steep_trend_is_no_step_but_may_have_one),
		cmocka_unit_test(a_ramp_between_two_levels_is_no_step),
		cmocka_unit_test(a_young_history_that_rises_has_no_step),
		cmocka_unit_test(three_slow_commits_are_found_when_alone),
		cmocka_unit_test(a_long_history_has_its_one_step),
		cmocka_unit_test(steps_in_correlated_noise_are_found),
		cmocka_unit_test(far_steps_in_slow_noise_are_found),
		cmocka_unit_test(a_long_walk_has_no_change_that_is_sure),
		cmocka_unit_test(correlation_is_that_of_neighbours),
		cmocka_unit_test(
			a_change_is_confirmed_at_once_or_by_the_next_commit),
		cmocka_unit_test(strange_values_end_well),
		cmocka_unit_test(quotients_that_overflow_end_well),
	};

	vectors_read(&vectors, "history.json");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
