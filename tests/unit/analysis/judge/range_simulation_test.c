/*
 * Simulated checks of a range: the tip of a branch beside the level of the
 * commit that it left, without a comparison of builds. How often a tip that is
 * as its base is called changed, and how often a slower one is found, in
 * thirteen kinds of noise. PERF_CHECKS says how many of each; the seed is
 * fixed.
 */
#include "analysis/judge/judge.h"
#include "detect/latest/check_noise.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKS 40

/* The target first, then the base and what was before it. */
static enum pn_verdict judge_range(struct history *h)
{
	static const struct pn_judge_options options = {.range = true};
	struct pn_courses courses = {0};
	enum pn_verdict verdict;
	struct pn_judge out;
	size_t c;

	for (c = 0; c <= PAST; c++) {
		double *runs = h->runs[PAST - c];
		struct pn_figure f = {
			.metric = "wall",
			.unit = "ms",
			.better = PN_BETTER_LESS,
			.series = {"fib", "./fib", "", "", "time", "ci-1"},
			.n = CHECK_RUNS,
			.median = pn_stats_median(runs, CHECK_RUNS),
			.sd = NAN,
			.values = runs,
			.value_count = CHECK_RUNS};

		if (c < 2)
			pn_courses_begin(&courses, &f, 1, c);
		else
			pn_courses_add(&courses, &f, 1, c);
	}
	pn_judge_of(&out, &courses, &options);
	verdict = out.rows[0].verdict;
	pn_judge_release(&out);
	pn_courses_release(&courses);
	return verdict;
}

static size_t check_count(void)
{
	const char *text = getenv("PERF_CHECKS");

	return text ? strtoul(text, NULL, 10) : CHECKS;
}

struct tally {
	size_t confirmed, maybe;
};

static struct tally play(const struct family *f, double effect, size_t n,
			 uint64_t seed)
{
	struct tally t = {0};
	uint64_t state = seed;
	size_t i;

	for (i = 0; i < n; i++) {
		enum pn_verdict verdict;
		struct history h;

		check_make(&h, f, effect, &state);
		verdict = judge_range(&h);
		t.confirmed += pn_judge_direction(verdict) > 0;
		t.maybe += verdict == PN_VERDICT_MAYBE_DEGRADATION;
	}
	return t;
}

static double percent(size_t part, size_t all)
{
	return 100 * (double)part / (double)all;
}

/* At most .5 % in the mean of all kinds, and three deviations more; of sessions
 * that are slow for a commit, which nothing but a comparison of builds can tell
 * from a change, 2 %. */
static void tips_as_their_base_are_rarely_called_slower(void **state)
{
	size_t n = check_count(), all = n * FAMILIES, i, confirmed = 0;
	double mean = 0.005 * (double)all, worst = 0.02 * (double)n;

	(void)state;
	for (i = 0; i < FAMILIES; i++) {
		struct tally t = play(&check_families[i], 0, n, 900 + i);

		printf("%-12s same: slower %.3f %%, maybe %.2f %%\n",
		       check_families[i].name, percent(t.confirmed, n),
		       percent(t.maybe, n));
		assert_true((double)t.confirmed <= worst + 3 * sqrt(worst));
		confirmed += t.confirmed;
	}
	printf("%.3f %%\n", percent(confirmed, all));
	assert_true((double)confirmed <= mean + 3 * sqrt(mean));
}

/* Twice the time is found, for sure or as what may be. */
static void tips_that_are_twice_as_slow_are_found(void **state)
{
	size_t n = check_count() / 2 + 1, i;

	(void)state;
	for (i = 0; i < FAMILIES; i++) {
		struct tally t = play(&check_families[i], log(2), n, 1900 + i);

		printf("%-12s twice: slower %.1f %%, maybe %.1f %%\n",
		       check_families[i].name, percent(t.confirmed, n),
		       percent(t.maybe, n));
		assert_true(percent(t.confirmed + t.maybe, n) >= 95);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tips_as_their_base_are_rarely_called_slower),
		cmocka_unit_test(tips_that_are_twice_as_slow_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
