/*
 * Simulated checks behind few commits of a single run each, in thirteen kinds
 * of noise: how often one that changed nothing is said to have, and that steps
 * before it do not hide one that did. PERF_CHECKS says how many of each; the
 * seeds are fixed.
 */
#include "analysis/judge_figures.h"
#include "detect/latest/check_noise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECKS 60
#define MOST 16

/* The target last. */
static struct pn_judge_row judge(const double *values, size_t count)
{
	static const struct pn_judge_options options = {0};
	struct pn_courses courses = {0};
	size_t c;

	for (c = 0; c < count; c++) {
		double value = values[count - 1 - c];
		struct pn_figure f = figure("wall", "ms", &value, 1);

		add(&courses, &f, c);
	}
	return judged(&courses, &options);
}

static size_t check_count(void)
{
	const char *text = getenv("PERF_CHECKS");

	return text ? strtoul(text, NULL, 10) : CHECKS;
}

struct tally {
	size_t checks, sure, slower;
};

static void play(struct tally *t, const struct family *f, size_t past,
		 uint64_t seed)
{
	size_t i, k, n = check_count();
	double values[MOST];

	for (i = 0; i < n; i++) {
		enum pn_verdict verdict;
		struct history h;

		check_make(&h, f, 0, &seed);
		for (k = 0; k <= past; k++)
			values[k] = h.runs[PAST - past + k][0];
		verdict = judge(values, past + 1).verdict;
		t->checks++;
		t->sure += pn_judge_direction(verdict) != 0;
		t->slower += verdict == PN_VERDICT_MAYBE_DEGRADATION;
	}
}

/* Of what did not change: 6.9 of 100 may be slower behind three commits, 4.1
 * behind five, 3.1 behind ten, in the mean of all kinds; for sure on either
 * side .46, as twice .23; and three deviations more. What had a true step in
 * its past is not counted among those that are sure. */
static void few_commits_are_rarely_sure(void **state)
{
	static const struct {
		size_t past;
		double maybe;
	} cases[] = {{3, 0.069}, {5, 0.041}, {9, 0.031}, {12, 0.031}};
	size_t c, i;

	(void)state;
	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct tally t = {0}, stepped = {0};
		double most, sure;

		for (i = 0; i < FAMILIES; i++)
			play(check_families[i].step > 0 ? &stepped : &t,
			     &check_families[i], cases[c].past, 70 + i);
		most = cases[c].maybe * (double)t.checks;
		sure = 0.0046 * (double)t.checks;
		printf("behind %zu of %zu: %zu sure, %zu may be slower\n",
		       cases[c].past, t.checks, t.sure, t.slower);
		assert_true((double)t.slower <= most + 3 * sqrt(most));
		assert_true((double)t.sure <= sure + 3 * sqrt(sure));
	}
}

/* Levels of two commits, with .2 % of noise, then a commit of another, or of
 * one that was there before. */
static void levels_of_two_commits_hide_nothing(void **state)
{
	static const struct {
		double levels[8];
		size_t count;
		enum pn_verdict verdict;
		double before;
	} cases[] = {
		{{100, 100, 150, 150, 225},
		 5,
		 PN_VERDICT_MAYBE_DEGRADATION,
		 150},
		{{225, 225, 150, 150, 100},
		 5,
		 PN_VERDICT_MAYBE_OPTIMIZATION,
		 150},
		{{100, 100, 150, 150, 225, 225, 340},
		 7,
		 PN_VERDICT_MAYBE_DEGRADATION,
		 225},
		{{100, 100, 100, 150, 150, 225},
		 6,
		 PN_VERDICT_MAYBE_DEGRADATION,
		 150},
		{{100, 100, 150, 150, 150}, 5, PN_VERDICT_NO_CHANGE, 150},
		/* the machine was slow */
		{{100, 100, 150, 150, 100}, 5, PN_VERDICT_NO_CHANGE, 0},
		{{100, 100, 100, 100, 150, 150, 100},
		 7,
		 PN_VERDICT_NO_CHANGE,
		 0},
	};
	size_t c, i, k, as;
	uint64_t seed = 8;

	(void)state;
	for (c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		for (i = as = 0; i < 100; i++) {
			struct pn_judge_row row;
			double values[8];

			for (k = 0; k < cases[c].count; k++)
				values[k] = cases[c].levels[k] *
					    exp(0.002 * normal(&seed));
			row = judge(values, cases[c].count);
			as += row.verdict == cases[c].verdict &&
			      (!(cases[c].before > 0) ||
			       fabs(row.before / cases[c].before - 1) < 0.02);
		}
		printf("case %zu: %zu of 100\n", c, as);
		assert_true(as >= 95);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_commits_are_rarely_sure),
		cmocka_unit_test(levels_of_two_commits_hide_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
