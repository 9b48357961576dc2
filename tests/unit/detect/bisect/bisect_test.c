/* The choice of the next commit: by arithmetic, and by the table of ranges and
 * steps that a bisection of noisy runs was found to need. */
#include "detect/bisect/effect.h"
#include "detect/bisect/prior.h"

#include "base/numbers/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define MANY 1024
#define RUNS_MAX 4096
static const double tau = 6.28318530717958647692;

/* A line of commits, what each costs, and what was run of it. */
struct line {
	struct pn_bisect_commit commits[MANY];
	double levels[MANY];
	double *values[MANY];
	size_t count, runs, built;
	double sd, outliers; /* share of runs that are 5 to 15 sd off */
	uint64_t seed;
};

static double uniform(struct line *l)
{
	return ((double)(pn_random_next(&l->seed) >> 11) + 0.5) / 0x1p53;
}

static double normal(struct line *l)
{
	double size = sqrt(-2 * log(uniform(l)));

	return size * cos(tau * uniform(l));
}

static void begin(struct line *l, size_t count, uint64_t seed)
{
	size_t i;

	memset(l, 0, sizeof(*l));
	l->count = count;
	l->seed = seed;
	for (i = 0; i < count; i++) {
		l->commits[i].weight = 1;
		l->levels[i] = 100;
	}
}

static void step_at(struct line *l, size_t at, double by)
{
	for (; at < l->count; at++)
		l->levels[at] += by;
}

static void add_value(struct line *l, size_t at, double value)
{
	struct pn_bisect_commit *c = &l->commits[at];

	l->values[at] =
		realloc(l->values[at], (c->count + 1) * sizeof(*l->values[at]));
	l->values[at][c->count++] = value;
	c->values = l->values[at];
	l->built += c->count == 1;
	l->runs++;
}

static void run(struct line *l, size_t at)
{
	double value = l->levels[at] + l->sd * normal(l);

	if (uniform(l) < l->outliers)
		value += l->sd * (5 + 10 * uniform(l));
	add_value(l, at, value);
}

static void end(struct line *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		free(l->values[i]);
}

/* Until there is an answer. `out` is to be released. */
static void play(struct pn_bisect *out, struct line *l,
		 const struct pn_bisect_options *options)
{
	for (;;) {
		pn_bisect_look(out, l->commits, l->count, options);
		if ((out->state != PN_BISECT_ENDS &&
		     out->state != PN_BISECT_GOING) ||
		    l->runs == RUNS_MAX)
			return;
		assert_false(l->commits[out->next].skipped);
		run(l, out->next);
		pn_bisect_release(out);
	}
}

/*
 * Two runs at each end, 0 and 2, 10 and 12 (values that are no logarithms, as
 * one is 0; their unit, the mean size, drops out), and one of the middle, 2.
 * A step behind it: n 3 and 2, squares 8/3 + 2; before it: n 2 and 3, squares
 * 2 + 56. The ratio of the chances is ((14/3) / 58)^(-3/2), each shared by the
 * two commits of its gap.
 */
static void chances_are_those_of_the_formula(void **state)
{
	const struct pn_bisect_options options = {2, 40, 1, 0.9999, 3, 0, 0};
	double odds = pow(14.0 / 3 / 58, -1.5), behind = odds / (1 + odds);
	struct pn_bisect found;
	struct line l;
	size_t i;

	(void)state;
	begin(&l, 5, 1);
	for (i = 0; i < 2; i++) {
		add_value(&l, 0, 2.0 * (double)i);
		add_value(&l, 4, 10 + 2.0 * (double)i);
	}
	add_value(&l, 2, 2);
	pn_bisect_look(&found, l.commits, 5, &options);
	assert_int_equal(found.state, PN_BISECT_GOING);
	assert_float_equal(found.chance[0], 0, 1e-12);
	assert_float_equal(found.chance[1], (1 - behind) / 2, 1e-9);
	assert_float_equal(found.chance[2], (1 - behind) / 2, 1e-9);
	assert_float_equal(found.chance[3], behind / 2, 1e-9);
	assert_float_equal(found.chance[4], behind / 2, 1e-9);
	/* 3 is bad by (1 - behind) + behind / 2: the one that is least sure */
	assert_int_equal(found.next, 3);
	pn_bisect_release(&found);

	/* with weights 1 and 3 its neighbours share by those */
	l.commits[4].weight = 3;
	pn_bisect_look(&found, l.commits, 5, &options);
	odds = odds * 4 / 2;
	behind = odds / (1 + odds);
	assert_float_equal(found.chance[3], behind / 4, 1e-9);
	assert_float_equal(found.chance[4], behind * 3 / 4, 1e-9);
	pn_bisect_release(&found);
	end(&l);
}

static void counters_need_as_many_runs_as_a_binary_search(void **state)
{
	struct pn_bisect found;
	struct line l;
	size_t at;

	(void)state;
	for (at = 1; at < 64; at++) {
		begin(&l, 64, 1);
		step_at(&l, at, 1);
		l.sd = 0.001; /* 1e-5 of 100 */
		play(&found, &l, &PN_BISECT_COUNTERS);
		assert_int_equal(found.state, PN_BISECT_FOUND);
		assert_int_equal(found.from, at);
		assert_int_equal(found.to, at);
		assert_true(l.runs <= 2 + 6); /* 63 commits: 2^6 */
		pn_bisect_release(&found);
		end(&l);
	}
}

static void ends_that_do_not_differ_are_refused(void **state)
{
	struct pn_bisect_options options = PN_BISECT_DEFAULTS;
	struct pn_bisect found;
	struct line l;

	(void)state;
	begin(&l, 16, 3);
	l.sd = 1;
	play(&found, &l, &options);
	assert_int_equal(found.state, PN_BISECT_SAME);
	assert_int_equal(l.runs, 2 * options.end_most);
	assert_int_equal(l.built, 2);
	pn_bisect_release(&found);
	end(&l);

	begin(&l, 16, 3);
	play(&found, &l, &PN_BISECT_COUNTERS);
	assert_int_equal(found.state, PN_BISECT_SAME);
	pn_bisect_release(&found);
	l.commits[0].skipped = true;
	l.commits[0].count = 0;
	pn_bisect_look(&found, l.commits, 16, &options);
	assert_int_equal(found.state, PN_BISECT_STUCK);
	pn_bisect_release(&found);
	end(&l);
}

static void what_does_not_build_stays_in_the_answer(void **state)
{
	struct pn_bisect found;
	struct line l;

	(void)state;
	begin(&l, 32, 5);
	step_at(&l, 12, 10);
	l.sd = 1;
	l.commits[10].skipped = l.commits[11].skipped = true;
	l.commits[20].skipped = true;
	play(&found, &l, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.from, 10);
	assert_int_equal(found.to, 12);
	assert_int_equal(l.commits[9].count, 3);
	pn_bisect_release(&found);
	end(&l);
}

static void what_was_measured_before_is_not_run_again(void **state)
{
	struct pn_bisect found;
	struct line l;
	size_t i, k;

	(void)state;
	begin(&l, 40, 7);
	step_at(&l, 23, 8);
	l.sd = 1;
	for (i = 0; i < 40; i++)
		for (k = 0; k < 5; k++)
			run(&l, i);
	play(&found, &l, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.to, 23);
	assert_int_equal(l.runs, 40 * 5);
	pn_bisect_release(&found);
	end(&l);
}

/* The steps between commits that were run next to each other. */
static void assert_largest_of_shown(const struct pn_bisect *found,
				    const struct line *l)
{
	double most =
		fabs(log(l->levels[found->to] / l->levels[found->from - 1]));
	size_t i, last = 0, steps = 0;

	for (i = 1; i < l->count; i++) {
		if (!l->commits[i].count)
			continue;
		assert_true(fabs(log(l->levels[i] / l->levels[last])) <=
			    most + 1e-12);
		steps += l->levels[i] != l->levels[last];
		last = i;
	}
	assert_int_equal(found->steps, steps);
}

static void run_all(struct line *l, size_t times)
{
	size_t i, k;

	for (i = 0; i < l->count; i++)
		for (k = 0; k < times; k++)
			run(l, i);
}

static void of_several_steps_the_largest_is_found(void **state)
{
	struct pn_bisect found;
	struct line l;

	(void)state;
	begin(&l, 64, 11);
	step_at(&l, 15, 8);
	step_at(&l, 44, 14);
	l.sd = 1;
	play(&found, &l, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.to, 44);
	pn_bisect_release(&found);
	end(&l);

	/* All is measured: the step back is larger than those to its sides,
	 * and than what remains of them between the ends. */
	begin(&l, 64, 11);
	step_at(&l, 15, 8);
	step_at(&l, 30, -14);
	step_at(&l, 44, 10);
	step_at(&l, 52, 8);
	l.sd = 1;
	run_all(&l, 3);
	play(&found, &l, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.to, 30);
	assert_int_equal(found.steps, 4);
	pn_bisect_release(&found);
	end(&l);
}

/* 100, 150, 101, 80, all measured: the first step is the largest one, and its
 * level is beyond those of the ends. Of one run that is so far off, or two, the
 * step between the ends is found as ever. */
static void a_level_beyond_the_ends_is_one(void **state)
{
	struct pn_bisect found;
	struct line l;
	size_t k;

	(void)state;
	begin(&l, 24, 5);
	step_at(&l, 6, 50);
	step_at(&l, 12, -49);
	step_at(&l, 18, -21);
	l.sd = 1;
	run_all(&l, 5);
	pn_bisect_look(&found, l.commits, l.count, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.from, 6);
	assert_int_equal(found.to, 6);
	assert_int_equal(found.steps, 3);
	pn_bisect_release(&found);
	end(&l);

	begin(&l, 24, 5);
	step_at(&l, 18, -21);
	l.sd = 1;
	for (k = 0; k < 2; k++)
		add_value(&l, 9, 150);
	run_all(&l, 5);
	pn_bisect_look(&found, l.commits, l.count, &PN_BISECT_DEFAULTS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.to, 18);
	assert_int_equal(found.steps, 1);
	pn_bisect_release(&found);
	end(&l);
}

/*
 * Counts of a real program at eight commits. The logarithms of the ratios of
 * neighbours are .0297, -.0297, .0297, .0462, -.0758, .0297 and .0462, between
 * the ends it is .0758: the largest step is that down to the sixth commit.
 */
static void of_many_counted_steps_the_largest_is_found(void **state)
{
	static const double counts[] = {138763, 142939, 138763, 142939,
					149696, 138763, 142939, 149696};
	struct pn_bisect found;
	struct line l;
	size_t i;

	(void)state;
	begin(&l, 8, 11);
	for (i = 0; i < 8; i++)
		add_value(&l, i, counts[i]);
	pn_bisect_look(&found, l.commits, 8, &PN_BISECT_COUNTERS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.from, 5);
	assert_int_equal(found.to, 5);
	assert_int_equal(found.steps, 7);
	pn_bisect_release(&found);
	end(&l);

	/* Of the runs that are made anew each shows a step, and the one that is
	 * named is as large as any of these. */
	begin(&l, 8, 11);
	for (i = 0; i < 8; i++)
		l.levels[i] = counts[i];
	play(&found, &l, &PN_BISECT_COUNTERS);
	assert_int_equal(found.state, PN_BISECT_FOUND);
	assert_int_equal(found.from, found.to);
	assert_largest_of_shown(&found, &l);
	pn_bisect_release(&found);
	end(&l);
}

/* A row of the table: what another program of the same design reached, in
 * 200 bisections: right answers, runs, commits that were built. */
struct row {
	double step, outliers;
	size_t commits, trials;
	double right, runs, built;
};

static void play_row(const struct row *row)
{
	double right = 0, runs = 0, built = 0, refused = 0;
	size_t t;

	for (t = 0; t < row->trials; t++) {
		struct pn_bisect found;
		struct line l;
		size_t at;

		begin(&l, row->commits, 1000 * (uint64_t)row->commits + t);
		at = 1 + (size_t)(uniform(&l) * (double)(row->commits - 1));
		step_at(&l, at, row->step);
		l.sd = 1;
		l.outliers = row->outliers;
		play(&found, &l, &PN_BISECT_DEFAULTS);
		refused += found.state == PN_BISECT_SAME;
		right += found.state == PN_BISECT_FOUND && found.from == at &&
			 found.to == at;
		runs += (double)l.runs;
		built += (double)l.built;
		pn_bisect_release(&found);
		end(&l);
	}
	right /= (double)row->trials - refused;
	runs /= (double)row->trials;
	built /= (double)row->trials;
	refused /= (double)row->trials;
	print_message("%4zu commits, %g sd, %2.0f%% outliers: %.3f right of "
		      "those not refused (%.2f), %.1f runs, %.1f built\n",
		      row->commits, row->step, row->outliers * 100, right,
		      refused, runs, built);
	assert_true(right >= row->right - (row->step < 2 ? 0.05 : 0.02));
	assert_true(runs <= row->runs * 1.1);
	assert_true(built <= row->built * 1.15);
}

static void reaches_the_table(void **state)
{
	static const struct row rows[] = {
		{2, 0, 64, 400, 1.00, 46, 9},
		{2, 0, 1024, 200, 1.00, 78, 13},
		{4, 0, 64, 400, 1.00, 21, 8},
		{4, 0, 1024, 200, 1.00, 27, 12},
		{4, 0.05, 64, 400, 0.99, 31, 9},
		{4, 0.05, 1024, 200, 0.99, 35, 13},
		{2, 0.05, 64, 400, 0.95, 63, 10},
		{2, 0.05, 1024, 200, 0.94, 87, 14},
		{1, 0, 64, 400, 0.96, 400, 12},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		play_row(&rows[i]);
}

/* 2, 4, 6 before the step and 8, 8 behind it: medians 4 and 8. */
static void the_effect_is_of_all_runs(void **state)
{
	struct pn_bisect_effect effect;
	struct pn_bisect look = {.bad = 4, .from = 2, .to = 3};
	struct line l;

	(void)state;
	begin(&l, 5, 1);
	add_value(&l, 0, 2);
	add_value(&l, 0, 4);
	add_value(&l, 1, 6);
	add_value(&l, 3, 8);
	add_value(&l, 4, 8);
	pn_bisect_effect_of(&effect, &look, l.commits);
	assert_int_equal(effect.n, 3);
	assert_int_equal(effect.m, 2);
	assert_float_equal(effect.before, 4, 1e-12);
	assert_float_equal(effect.after, 8, 1e-12);
	assert_float_equal(effect.ratio, 2, 1e-12);
	end(&l);
}

static void documents_are_known_by_their_names(void **state)
{
	static const char *const documents[] = {
		"README", "src/README.md", "docs/figure.svg", "CHANGELOG.txt",
		"git-perf.adoc"};
	static const char *const others[] = {
		"main.c",	"CMakeLists.txt", "README.c", "md",
		"src/docs/x.c", "READMES",	  ".md/x.c"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		assert_true(pn_prior_is_document(documents[i]));
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(pn_prior_is_document(others[i]));
	assert_true(pn_prior_is_file("src/a.c", "src/a.c"));
	assert_true(pn_prior_is_file("src/a.c", "/build/x/src/a.c"));
	assert_true(pn_prior_is_file("src/a.c", "a.c"));
	assert_false(pn_prior_is_file("src/a.c", "b/a.c"));
	assert_false(pn_prior_is_file("src/aa.c", "a.c"));
	assert_false(pn_prior_is_file("a.c", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chances_are_those_of_the_formula),
		cmocka_unit_test(counters_need_as_many_runs_as_a_binary_search),
		cmocka_unit_test(ends_that_do_not_differ_are_refused),
		cmocka_unit_test(what_does_not_build_stays_in_the_answer),
		cmocka_unit_test(what_was_measured_before_is_not_run_again),
		cmocka_unit_test(of_several_steps_the_largest_is_found),
		cmocka_unit_test(a_level_beyond_the_ends_is_one),
		cmocka_unit_test(of_many_counted_steps_the_largest_is_found),
		cmocka_unit_test(the_effect_is_of_all_runs),
		cmocka_unit_test(documents_are_known_by_their_names),
		cmocka_unit_test(reaches_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
