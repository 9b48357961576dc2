/* Figures that tests of verdicts are made of. */
#ifndef TEST_JUDGE_FIGURES_H
#define TEST_JUDGE_FIGURES_H

#include "analysis/judge/judge.h"
#include "base/numbers/random.h"
#include "detect/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RUNS 5

static inline double uniform(uint64_t *state)
{
	return ((double)(pn_random_next(state) >> 11) + 0.5) /
	       9007199254740992.0;
}

static inline double normal(uint64_t *state)
{
	return pn_stats_normal_quantile(uniform(state));
}

static inline struct pn_figure figure(const char *metric, const char *unit,
				      double *values, size_t n)
{
	return (struct pn_figure){
		.metric = metric,
		.unit = unit,
		.better = PN_BETTER_LESS,
		.series = {"fib", "./fib", "", "", "time", "ci-1"},
		.n = n,
		.median = pn_stats_median(values, n),
		.sd = NAN,
		.values = values,
		.value_count = n};
}

/* Courses of figures, the target first. */
static inline void add(struct pn_courses *courses, struct pn_figure *f,
		       size_t commit)
{
	if (commit < 2)
		pn_courses_begin(courses, f, 1, commit);
	else
		pn_courses_add(courses, f, 1, commit);
}

/* The only row, without its course; the courses are released. */
static inline struct pn_judge_row judged(struct pn_courses *courses,
					 const struct pn_judge_options *options)
{
	struct pn_judge_row row;
	struct pn_judge out;

	pn_judge_of(&out, courses, options);
	assert_int_equal(out.count, 1);
	row = out.rows[0];
	row.course = NULL;
	pn_judge_release(&out);
	pn_courses_release(courses);
	return row;
}

#endif
