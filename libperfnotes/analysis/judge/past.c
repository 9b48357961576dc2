/* The past of a figure as the detectors take it: which of its points count,
 * their values, and how much they vary. */
#include "analysis/judge/rule.h"

#include "base/alloc.h"
#include "detect/stats.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEADY 0.0005 /* half of what counts of an exact count */
#define STEADY_COMMITS PN_JUDGE_STEADY

static bool is_time(const struct pn_course *course)
{
	return !strcmp(pn_unit_base(course->key.unit), "ns");
}

/* Noisy records are left out where noise matters and quiet ones prevail: a
 * machine that is never quiet has its noise in its past. */
static bool drops_noisy(const struct pn_course *course)
{
	size_t i, noisy = 0;

	for (i = 0; i < course->count; i++)
		noisy += course->points[i].noisy;
	return is_time(course) && noisy * 2 < course->count;
}

static void take_runs(struct pn_latest_commit *out, double **at,
		      struct pn_judge_past *past,
		      const struct pn_course_point *point)
{
	size_t i;

	*out = (struct pn_latest_commit){.runs = *at, .count = point->count};
	for (i = 0; i < point->count; i++) {
		double value = point->runs[i];

		*(*at)++ = past->turned ? 1 / value : value;
	}
}

/* Whether all values are that are not left out. */
static bool is_positive(const struct pn_course *course, bool drop)
{
	const struct pn_course_point *target = pn_course_target(course);
	size_t i, k;

	for (i = 0; i < course->count; i++) {
		const struct pn_course_point *point = &course->points[i];

		if (drop && point->noisy && point != target)
			continue;
		for (k = 0; k < point->count; k++)
			if (!(point->runs[k] > 0))
				return false;
	}
	return true;
}

void pn_judge_past_init(struct pn_judge_past *out,
			const struct pn_course *course)
{
	const struct pn_course_point *target = pn_course_target(course);
	bool drop = drops_noisy(course), positive = is_positive(course, drop);
	bool more = course->key.better == PN_BETTER_MORE;
	size_t i, values = 0;
	double *at;

	*out = (struct pn_judge_past){
		.turned = more && positive,
		.falls = more && !positive,
		.positive = positive,
		.clocked = pn_metric_is_clocked(course->key.metric,
						course->key.unit),
		.noisy = drop && target && target->noisy};
	for (i = 0; i < course->count; i++)
		values += course->points[i].count;
	out->runs = at = pn_calloc(values + 1, sizeof(*at));
	out->commits = pn_calloc(course->count + 1, sizeof(*out->commits));
	out->medians = pn_calloc(course->count + 1, sizeof(*out->medians));
	out->numbers = pn_calloc(course->count + 1, sizeof(*out->numbers));
	for (i = course->count; i-- > (target ? 1 : 0);) {
		if (drop && course->points[i].noisy) {
			out->left_out++;
			continue;
		}
		out->numbers[out->count] = course->points[i].commit;
		take_runs(&out->commits[out->count], &at, out,
			  &course->points[i]);
		out->medians[out->count] =
			pn_stats_median(out->commits[out->count].runs,
					out->commits[out->count].count);
		out->count++;
	}
	if (target)
		take_runs(&out->target, &at, out, target);
}

void pn_judge_past_release(struct pn_judge_past *past)
{
	free(past->runs);
	free(past->commits);
	free(past->medians);
	free(past->numbers);
}

static bool is_constant(const struct pn_latest_commit *commit)
{
	size_t i;

	for (i = 1; i < commit->count; i++)
		if (commit->runs[i] != commit->runs[0])
			return false;
	return true;
}

/*
 * Runs of one commit are equal, and so are most commits and their successors:
 * what is not then was changed. Of a clock that is never believed, nor of
 * single runs that vary by what they are rounded to.
 */
bool pn_judge_is_exact(const struct pn_judge_past *past,
		       const struct pn_course *course)
{
	size_t begin =
		past->count > STEADY_COMMITS ? past->count - STEADY_COMMITS : 0;
	size_t i, steady = 0, several = past->target.count > 1;

	if (pn_metric_is_clocked(course->key.metric, course->key.unit) ||
	    !is_constant(&past->target))
		return false;
	for (i = begin; i < past->count; i++) {
		if (!is_constant(&past->commits[i]))
			return false;
		several += past->commits[i].count > 1;
		steady += i > begin &&
			  fabs(past->medians[i] - past->medians[i - 1]) <=
				  STEADY * fabs(past->medians[i]);
	}
	if (pn_series_counts(&course->key.series, course->key.metric))
		return true;
	if (past->count - begin < 3)
		return several == past->count - begin + 1;
	if (!several)
		return pn_judge_is_steady(past, course);
	return steady * 2 >= past->count - begin - 1;
}
