/* Verdicts by the runs of two commits, and what of them may be others' doing.
 */
#include "analysis/judge_figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static struct pn_judge_row judge_metric(const char *metric, const char *unit,
					double *before, double *after,
					size_t runs)
{
	static const struct pn_judge_options options = {.pair = true};
	struct pn_courses courses = {0};
	struct pn_figure f;
	size_t c;

	for (c = 0; c < 2; c++) {
		f = figure(metric, unit, c ? before : after, runs);
		add(&courses, &f, c);
	}
	return judged(&courses, &options);
}

static struct pn_judge_row judge_two(double *before, double *after, size_t runs)
{
	return judge_metric("wall", "ms", before, after, runs);
}

static struct pn_judge_row judge_constants(double before, double after,
					   size_t runs)
{
	double a[RUNS], b[RUNS];
	size_t i;

	for (i = 0; i < runs; i++) {
		a[i] = before;
		b[i] = after;
	}
	return judge_two(a, b, runs);
}

/* 10.45 and 3.2, a ratio of .306; the middle of all quotients is another one.
 * What would have been seen is said downwards, too. */
static void what_is_said_is_from_median_to_median(void **state)
{
	double before[] = {10.0, 10.1, 10.2, 10.3, 10.4,
			   10.5, 10.6, 10.7, 10.8, 10.9};
	double after[] = {1.0, 1.1, 1.2, 1.3, 1.4, 5.0, 5.1, 5.2, 5.3, 5.4};
	struct pn_judge_row row = judge_two(before, after, 10);

	(void)state;
	assert_int_equal(row.verdict, PN_VERDICT_TOTAL_OPTIMIZATION);
	assert_true(fabs(row.ratio - 3.2 / 10.45) < 1e-12);
	assert_true(fabs(row.after / row.before - row.ratio) < 1e-12);
	assert_true(row.low <= row.ratio && row.ratio <= row.high);
	assert_true(row.least_effect < 1);
}

/* A half of both sides is about 10, the other half at 5 before and at 20 after:
 * the ranks differ (U is a quarter, of 25 and 25 three deviations), but the
 * median is 10. */
static void a_median_that_stays_is_no_change(void **state)
{
	double before[25], after[25];
	struct pn_judge_row row;
	size_t i;

	(void)state;
	for (i = 0; i < 25; i++) {
		before[i] = i < 12 ? 5 + 0.01 * (double)i
				   : 10 + 0.001 * (double)(i - 12);
		after[i] = i < 13 ? 9.988 + 0.001 * (double)i
				  : 20 + 0.01 * (double)i;
	}
	row = judge_two(before, after, 25);
	assert_int_equal(row.verdict, PN_VERDICT_NO_CHANGE);
	assert_true(fabs(row.ratio - 1) < 1e-12);
	assert_true(row.p < 0.01);
}

/* Of times that do not vary the last digit is what the clock tells: 5 ms may
 * have been 4.6 or 5.4. */
static void a_coarse_clock_is_not_believed(void **state)
{
	static const struct {
		double before, after;
		size_t runs;
		enum pn_verdict verdict;
		double tick;
	} cases[] = {
		{1, 1, 2, PN_VERDICT_UNKNOWN, 1},
		{1, 1, 5, PN_VERDICT_UNKNOWN, 1},
		{5, 6, 2, PN_VERDICT_MAYBE_DEGRADATION, 1 / 5.0},
		{5, 6, 5, PN_VERDICT_MAYBE_DEGRADATION, 1 / 5.0},
		{5, 7, 2, PN_VERDICT_MAYBE_DEGRADATION, 1 / 5.0},
		{5, 7, 5, PN_VERDICT_TOTAL_DEGRADATION, 1 / 5.0},
		{7, 5, 5, PN_VERDICT_TOTAL_OPTIMIZATION, 1 / 5.0},
		{13, 13, 5, PN_VERDICT_NO_CHANGE, 1 / 13.0},
		{0.13, 0.13, 5, PN_VERDICT_NO_CHANGE, 1 / 13.0},
		{1.2345, 1.25, 5, PN_VERDICT_TOTAL_DEGRADATION, 0.001},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pn_judge_row row = judge_constants(
			cases[i].before, cases[i].after, cases[i].runs);

		assert_int_equal(row.verdict, cases[i].verdict);
		assert_true(fabs(row.least_effect / cases[i].tick - 1) < 1e-9);
	}
}

/* Samples are ticks: that all runs have one or two of them makes neither an
 * exact count, of two commits as of eleven with a run each. */
static void a_few_samples_are_no_exact_count(void **state)
{
	static const struct pn_judge_options options = {0};
	double ones[] = {1, 1, 1, 1, 1}, twos[] = {2, 2, 2, 2, 2};
	struct pn_courses courses = {0};
	struct pn_figure f;
	struct pn_judge out;
	size_t c;

	(void)state;
	assert_int_equal(
		judge_metric("samples", "count", ones, twos, 5).verdict,
		PN_VERDICT_MAYBE_DEGRADATION);
	assert_int_equal(
		judge_metric("samples", "count", ones, ones, 5).verdict,
		PN_VERDICT_UNKNOWN);
	assert_int_equal(judge_metric("calls", "count", ones, twos, 5).verdict,
			 PN_VERDICT_TOTAL_DEGRADATION);
	for (c = 0; c < 11; c++) {
		f = figure("samples", "count", c ? ones : twos, 1);
		add(&courses, &f, c);
	}
	pn_judge_of(&out, &courses, &options);
	assert_int_equal(out.rows[0].verdict, PN_VERDICT_MAYBE_DEGRADATION);
	pn_judge_release(&out);
	pn_courses_release(&courses);
}

/* 30 commits whose runs take 150 but for the fastest, which takes `fastest`,
 * and `user` of processor time; then one whose runs all take 72, and `now`. */
static enum pn_verdict judge_disturbed(double fastest, double user, double now)
{
	static const struct pn_judge_options options = {0};
	struct pn_courses courses = {0};
	enum pn_verdict verdict;
	uint64_t state = 7;
	struct pn_judge out;
	size_t c, i;

	for (c = 0; c < 31; c++) {
		double wall[RUNS], cpu[RUNS];
		struct pn_figure figures[2];

		for (i = 0; i < RUNS; i++) {
			wall[i] = (c ? (i ? 150 : fastest) : 72) *
				  exp(0.01 * normal(&state));
			cpu[i] = (c ? user : now) * exp(0.01 * normal(&state));
		}
		figures[0] = figure("wall", "ms", wall, RUNS);
		figures[1] = figure("user", "ms", cpu, RUNS);
		if (c < 2)
			pn_courses_begin(&courses, figures, 2, c);
		else
			pn_courses_add(&courses, figures, 2, c);
	}
	pn_judge_of(&out, &courses, &options);
	i = strcmp(out.rows[0].course->key.metric, "wall") != 0;
	verdict = out.rows[i].verdict;
	assert_true((out.rows[i].doubt == PN_JUDGE_NEIGHBOURS) ==
		    (verdict == PN_VERDICT_MAYBE_OPTIMIZATION));
	pn_judge_release(&out);
	pn_courses_release(&courses);
	return verdict;
}

/* Other programs only add to a run: the fastest are nearly free of them. */
static void what_others_may_have_done_is_not_sure(void **state)
{
	(void)state;
	assert_int_equal(judge_disturbed(70, 65, 65),
			 PN_VERDICT_MAYBE_OPTIMIZATION);
	assert_int_equal(judge_disturbed(140, 65, 65),
			 PN_VERDICT_TOTAL_OPTIMIZATION);
	assert_int_equal(judge_disturbed(70, 65, 40),
			 PN_VERDICT_TOTAL_OPTIMIZATION);
	/* it waits more than it computes */
	assert_int_equal(judge_disturbed(70, 30, 30),
			 PN_VERDICT_TOTAL_OPTIMIZATION);
}

/* What a metric of bytes is called that is `bytes` in 11 commits and `delta`
 * more in the last one. Its runs differ by up to two times `spread`: the first
 * of the last two commits, the second of those before. */
static enum pn_verdict judge_commits(const char *metric, double bytes,
				     const double spread[2], double delta,
				     bool pair)
{
	static const double pages[] = {0, 1, -1, 2, -2, 0};
	const struct pn_judge_options options = {.pair = pair};
	struct pn_courses courses = {0};
	size_t c, i;

	for (c = 0; c < 12; c++) {
		double runs[RUNS];
		struct pn_figure f;

		for (i = 0; i < RUNS; i++)
			runs[i] = bytes + spread[c > 1] * pages[(i + c) % 6] +
				  (c ? 0 : delta);
		f = figure(metric, "bytes", runs, RUNS);
		add(&courses, &f, c);
	}
	return judged(&courses, &options).verdict;
}

static enum pn_verdict judge_bytes(const char *metric, double bytes,
				   double spread, double delta, bool pair)
{
	return judge_commits(metric, bytes, (double[2]){spread, spread}, delta,
			     pair);
}

/* 10 MB that are the same in all runs of a session. */
static int direction_of(const char *metric, double delta, bool pair)
{
	return pn_judge_direction(judge_bytes(metric, 10e6, 0, delta, pair));
}

/* 64 pages of 4096 bytes are 262144: 200 kB may be what somebody else left in
 * memory, 300 kB are not. Bytes that a program counts itself are exact. */
static void a_peak_of_memory_is_no_exact_count(void **state)
{
	int pair;

	(void)state;
	for (pair = 0; pair < 2; pair++) {
		assert_int_equal(direction_of("max-rss", 200e3, pair), 0);
		assert_int_equal(direction_of("max-rss", -200e3, pair), 0);
		assert_int_equal(direction_of("max-rss", 300e3, pair), 1);
		assert_int_equal(direction_of("heap", 200e3, pair), 1);
	}
}

/* Whether max-rss changed that is 1 MiB, in runs that differ by a page or two.
 */
static bool pages_change(double delta, bool pair)
{
	return judge_bytes("max-rss", 1048576, 4096, delta, pair) !=
	       PN_VERDICT_NO_CHANGE;
}

/* Of what was before, up as well as down: half of 1 MiB less is twice 256 kB,
 * 216 kB more is less than that, though 17 % of what is there then. */
static void a_peak_is_compared_with_what_was_before(void **state)
{
	int pair;

	(void)state;
	for (pair = 0; pair < 2; pair++) {
		assert_true(pages_change(-524288, pair));
		assert_false(pages_change(-216 * 1024, pair));
		assert_false(pages_change(216 * 1024, pair));
		assert_true(pages_change(524288, pair));
	}
}

/* Two commits whose runs are equal, among others whose runs are not, are
 * compared as they are: a page is no change there, either. */
static void a_page_more_in_equal_runs_is_no_change(void **state)
{
	static const double spread[] = {0, 4096};
	int pair;

	(void)state;
	for (pair = 0; pair < 2; pair++) {
		assert_int_equal(
			judge_commits("max-rss", 1048576, spread, 4096, pair),
			PN_VERDICT_NO_CHANGE);
		assert_int_equal(
			judge_commits("max-rss", 1048576, spread, -4096, pair),
			PN_VERDICT_NO_CHANGE);
	}
	assert_int_equal(pn_judge_direction(judge_commits(
				 "max-rss", 1048576, spread, 524288, true)),
			 1);
}

/* Throughput of 100 with .05 % of noise in 30 commits, and `ratio` of it in the
 * next, where a change counts from 5 % on: -1, 0 or 1. */
static int direction_of_rate(double ratio, bool pair)
{
	const struct pn_judge_options options = {.pair = pair};
	struct pn_courses courses = {0};
	double values[31][RUNS];
	uint64_t state = 5;
	struct pn_judge out;
	size_t c, i;
	int found;

	for (c = 0; c <= 30; c++) {
		struct pn_figure f;

		for (i = 0; i < RUNS; i++)
			values[c][i] = 100 * exp(0.0005 * normal(&state)) *
				       (c ? 1 : ratio);
		f = figure("rate", "1/s", values[c], RUNS);
		f.better = PN_BETTER_MORE;
		add(&courses, &f, c);
	}
	courses.items[0].rule = PN_COURSE_RULE_NONE;
	courses.items[0].rule.min_effect = 0.05;
	pn_judge_of(&out, &courses, &options);
	found = pn_judge_direction(out.rows[0].verdict);
	assert_true(found || out.rows[0].verdict == PN_VERDICT_NO_CHANGE);
	assert_true(found || out.rows[0].least_effect >= 0.05);
	pn_judge_release(&out);
	pn_courses_release(&courses);
	return found;
}

/* A share is one of what was before, also where more is better: as times 95.2
 * of 100 would be 5 % more, and 105.2 only 4.9 % less. */
static void what_counts_is_a_share_of_what_was_measured(void **state)
{
	int pair;

	(void)state;
	for (pair = 0; pair < 2; pair++) {
		assert_int_equal(direction_of_rate(0.952, pair), 0);
		assert_int_equal(direction_of_rate(0.948, pair), 1);
		assert_int_equal(direction_of_rate(1.048, pair), 0);
		assert_int_equal(direction_of_rate(1.052, pair), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said_is_from_median_to_median),
		cmocka_unit_test(a_median_that_stays_is_no_change),
		cmocka_unit_test(a_coarse_clock_is_not_believed),
		cmocka_unit_test(a_few_samples_are_no_exact_count),
		cmocka_unit_test(a_peak_of_memory_is_no_exact_count),
		cmocka_unit_test(a_peak_is_compared_with_what_was_before),
		cmocka_unit_test(a_page_more_in_equal_runs_is_no_change),
		cmocka_unit_test(what_others_may_have_done_is_not_sure),
		cmocka_unit_test(what_counts_is_a_share_of_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
