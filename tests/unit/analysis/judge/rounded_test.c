/*
 * Simulated checks of metrics with a single run a commit, which are rounded or
 * hardly vary: how often one that did not change is said to have, and how often
 * one that did is found. Of few commits most values are equal by chance; a step
 * of rounding behind them is no proof. The seeds are fixed.
 */
#include "analysis/judge_figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#define MOST 41 /* commits, with the target */
#define CHECKS 200

/* The target first; `count` commits of `runs` values each. */
static enum pn_verdict judge_better(double *values, size_t count, size_t runs,
				    enum pn_better better)
{
	const struct pn_judge_options options = {.pair = runs > 1};
	struct pn_courses courses = {0};
	size_t c;

	for (c = 0; c < count; c++) {
		struct pn_figure f =
			figure("score", "count", &values[c * runs], runs);

		f.better = better;
		add(&courses, &f, c);
	}
	return judged(&courses, &options).verdict;
}

static enum pn_verdict judge_runs(double *values, size_t count, size_t runs)
{
	return judge_better(values, count, runs, PN_BETTER_LESS);
}

static enum pn_verdict judge(double *values, size_t count)
{
	return judge_runs(values, count, 1);
}

struct tally {
	size_t checks, sure, maybe;
};

/* Whole numbers of so many digits behind `past` commits, with noise of `sd`;
 * the target is `shift` more. */
static void play(struct tally *t, int digits, double sd, size_t past,
		 double shift, uint64_t *seed)
{
	enum pn_verdict verdict;
	double values[MOST], level;
	size_t i, k;

	for (i = 0; i < CHECKS; i++) {
		level = pow(10, digits - 1 + 0.999 * uniform(seed));
		if (!(sd > 0))
			level = rint(level);
		for (k = 0; k <= past; k++)
			values[k] = fmax(1, rint(level + sd * normal(seed) +
						 (k ? 0 : shift)));
		verdict = judge(values, past + 1);
		t->checks++;
		t->sure += pn_judge_direction(verdict) != 0;
		t->maybe += verdict == PN_VERDICT_MAYBE_DEGRADATION ||
			    verdict == PN_VERDICT_MAYBE_OPTIMIZATION;
	}
}

static const double noises[] = {0.15, 0.3, 0.5, 0.7, 1, 2, 5};
#define NOISES (sizeof(noises) / sizeof(*noises))
static const size_t pasts[] = {3, 4, 6, 9, 12, 20, 40};
#define PASTS (sizeof(pasts) / sizeof(*pasts))

/* A check without a comparison of builds is to be wrong in .23 of 100 cases,
 * its "may be" in 3.1 on each side: twice that behind three commits. */
static void values_that_do_not_change_are_not_confirmed(void **state)
{
	size_t p, i, sure = 0, maybe = 0, all = 0;
	uint64_t seed = 3;
	int digits;

	(void)state;
	for (p = 0; p < PASTS; p++) {
		struct tally t = {0};

		for (digits = 2; digits <= 5; digits++)
			for (i = 0; i < NOISES; i++)
				play(&t, digits, noises[i], pasts[p], 0, &seed);
		printf("behind %zu of %zu: %zu sure, %zu may be\n", pasts[p],
		       t.checks, t.sure, t.maybe);
		assert_true(t.sure * 200 <= t.checks);
		assert_true(t.maybe * 100 <= t.checks * 2 * 2 * 31 / 10);
		sure += t.sure;
		maybe += t.maybe;
		all += t.checks;
	}
	assert_true(sure * 10000 <= all * 23);
	assert_true(maybe * 1000 <= all * 62);
}

/* Noise of half of what counts of a count is not rounded, and noise for all
 * that: the target is two deviations off in 16 of 100 cases. */
static void little_noise_is_none_that_does_not_vary(void **state)
{
	uint64_t seed = 4;
	size_t p;

	(void)state;
	for (p = 0; p < PASTS; p++) {
		struct tally t = {0};

		play(&t, 6, 100, pasts[p], 0, &seed);
		play(&t, 6, 200, pasts[p], 0, &seed);
		assert_true(t.sure * 100 <= t.checks);
	}
}

/* What never varies and changes by four last digits is sure behind four
 * commits, and by one may have changed. */
static void what_never_varies_is_found(void **state)
{
	uint64_t seed = 5;
	size_t p;

	(void)state;
	for (p = 1; p < PASTS; p++) {
		struct tally four = {0}, one = {0};

		play(&four, 3, 0, pasts[p], 4, &seed);
		assert_int_equal(four.sure, four.checks);
		play(&one, 3, 0, pasts[p], 1, &seed);
		assert_int_equal(one.maybe, one.checks);
	}
}

/* 12 and then 13: the second commit makes it sure, which so many of one level
 * and two of another are not by chance (.9^18 .1^2, .0015). */
static void one_digit_is_confirmed_by_the_next_commit(void **state)
{
	double values[20];
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++)
		values[i] = i < 2 ? 13 : 12;
	assert_int_equal(judge(values + 1, 19), PN_VERDICT_MAYBE_DEGRADATION);
	assert_int_equal(judge(values, 20), PN_VERDICT_TOTAL_DEGRADATION);
}

/* Six last digits where noise is less than one. */
static void what_rounding_does_not_hide_is_found(void **state)
{
	uint64_t seed = 6;
	size_t p, i;

	(void)state;
	for (p = 2; p < PASTS; p++) {
		struct tally t = {0};

		for (i = 0; i < 4; i++)
			play(&t, 2, noises[i], pasts[p], 6, &seed);
		printf("behind %zu of %zu: %zu sure, %zu may be\n", pasts[p],
		       t.checks, t.sure, t.maybe);
		assert_true((t.sure + t.maybe) * 100 >= t.checks * 98);
	}
}

/* Two commits of so many runs each: with equal ones the last digit differs for
 * sure in 1 of 1,000 cases at most, as with others Mann and Whitney. */
static void a_few_equal_runs_are_no_proof(void **state)
{
	size_t runs, i, k, n, sure;
	double values[2 * 5], level;
	uint64_t seed = 7;

	(void)state;
	for (runs = 2; runs <= 5; runs++)
		for (i = 0; i < NOISES; i++) {
			for (n = sure = 0; n < 2000; n++) {
				level = pow(10, 1 + 2 * uniform(&seed));
				for (k = 0; k < 2 * runs; k++)
					values[k] =
						rint(level +
						     noises[i] * normal(&seed));
				sure += pn_judge_direction(judge_runs(
						values, 2, runs)) != 0;
			}
			/* and three deviations */
			assert_true(sure <= 2 + 5);
		}
	for (k = 0; k < 10; k++)
		values[k] = k < 5 ? 13 : 12;
	assert_int_equal(judge_runs(values, 2, 5),
			 PN_VERDICT_TOTAL_DEGRADATION);
	assert_int_equal(judge_runs(values + 3, 2, 2),
			 PN_VERDICT_MAYBE_DEGRADATION);
}

/* One digit is one in any unit: a thousandth is written "0.001", a millionth
 * "1e-06". */
static void small_numbers_are_rounded_alike(void **state)
{
	static const double units[] = {1, 1e3, 1e4, 1e5, 1e6, 1e9};
	double values[5];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		for (k = 0; k < 5; k++)
			values[k] = (k ? 12 : 13) / units[i];
		assert_int_equal(judge(values, 5),
				 PN_VERDICT_MAYBE_DEGRADATION);
		for (k = 0; k < 5; k++)
			values[k] = (k ? 1 : 2) / units[i];
		assert_int_equal(judge(values, 5),
				 PN_VERDICT_MAYBE_DEGRADATION);
	}
}

/* Whole numbers of which more is better, with noise of 1 %: half of them is no
 * few last digits, though it is of their reciprocals. */
static void half_a_throughput_is_no_rounding(void **state)
{
	double values[MOST];
	uint64_t seed = 8;
	size_t i;

	(void)state;
	for (i = 0; i < MOST; i++)
		values[i] = rint((i ? 1000 : 500) * (1 + 0.01 * normal(&seed)));
	assert_int_equal(judge_better(values, MOST, 1, PN_BETTER_MORE),
			 PN_VERDICT_TOTAL_DEGRADATION);
	values[0] = 2000;
	assert_int_equal(judge_better(values, MOST, 1, PN_BETTER_MORE),
			 PN_VERDICT_TOTAL_OPTIMIZATION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_that_do_not_change_are_not_confirmed),
		cmocka_unit_test(little_noise_is_none_that_does_not_vary),
		cmocka_unit_test(what_never_varies_is_found),
		cmocka_unit_test(one_digit_is_confirmed_by_the_next_commit),
		cmocka_unit_test(what_rounding_does_not_hide_is_found),
		cmocka_unit_test(a_few_equal_runs_are_no_proof),
		cmocka_unit_test(small_numbers_are_rounded_alike),
		cmocka_unit_test(half_a_throughput_is_no_rounding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
