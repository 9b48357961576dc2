/* The past of a figure as the detectors take it: which of its points count,
 * their values, and how much they vary. */
#include "analysis/judge/rule.h"

#include "base/alloc.h"
#include "base/number.h"
#include "detect/stats.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEADY 0.0005 /* half of what counts of an exact count */
#define STEADY_COMMITS 20
#define COARSE_DIGITS 3 /* of values that are rounded by .1 % and more */
#define SMALL_STEPS 4	/* in last digits: of noise that rounding hides */

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

static bool is_same(double a, double b)
{
	return fabs(a - b) <= STEADY * fabs(b);
}

/* Digits of a number as one writes it: those that tell something, without the
 * zeros before it; and in *behind those behind the point. */
static int digits_of(int *behind, double value)
{
	char text[PN_NUMBER_TEXT];
	const char *at, *point;
	int n = 0;

	pn_number_write(text, value, false);
	point = strchr(text, '.');
	at = text + strspn(text, "-0.");
	for (; *at && *at != 'e'; at++)
		n += *at != '.';
	*behind = point ? (int)strspn(point + 1, "0123456789") : 0;
	return *at == 'e' ? COARSE_DIGITS + 1 : n;
}

/* The last digit of values that are rounded to so few that noise may not show;
 * 0: they are not. */
static double last_digit(const struct pn_course *course)
{
	int behind, most = 0;
	size_t i;

	for (i = 0; i < course->count && i <= STEADY_COMMITS; i++) {
		if (digits_of(&behind, course->points[i].runs[0]) >
		    COARSE_DIGITS)
			return 0;
		most = behind > most ? behind : most;
	}
	return pow(10, -most);
}

/* Whether two values differ as rounded ones do by noise: by a few last digits.
 */
static bool is_small(const struct pn_judge_past *past, double a, double b,
		     double digit)
{
	if (past->turned) {
		a = 1 / a;
		b = 1 / b;
	}
	return !is_same(a, b) && fabs(a - b) < (SMALL_STEPS + 0.5) * digit;
}

/* Whether single runs that are rounded vary: a quarter of the steps are small
 * ones, or one commit alone has such another value than those beside it. */
static bool is_rounded(const struct pn_judge_past *past,
		       const struct pn_course *course, size_t begin)
{
	double digit = last_digit(course);
	const double *m = past->medians;
	size_t i, small = 0;

	for (i = begin + 1; digit > 0 && i < past->count; i++) {
		if (!is_small(past, m[i], m[i - 1], digit))
			continue;
		small++;
		if (i + 1 < past->count && is_same(m[i + 1], m[i - 1]))
			return true;
	}
	return small * 4 > past->count - begin - 1;
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
			  is_same(past->medians[i - 1], past->medians[i]);
	}
	if (pn_series_counts(&course->key.series, course->key.metric))
		return true;
	if (past->count - begin < 3)
		return several == past->count - begin + 1;
	if (!several && is_rounded(past, course, begin))
		return false;
	return steady * 2 >= past->count - begin - 1;
}
