/* Runs with equal values: whether they do not vary, or are only rounded. */
#include "analysis/judge/rule.h"

#include "detect/rounding.h"

#include <math.h>

#define SAME 3e-5     /* of a value: a thirtieth of what counts of a count */
#define SMALL_STEPS 4 /* in last digits: of noise that rounding hides */
#define NEWEST 5      /* commits back that a change is confirmed anew */

double pn_judge_last_digit(const struct pn_course *course)
{
	double values[PN_JUDGE_STEADY + 1];
	size_t n = 0;

	for (; n < course->count && n <= PN_JUDGE_STEADY; n++)
		values[n] = course->points[n].runs[0];
	return pn_rounding_digit(values, n);
}

/* How two commits differ. */
enum step {
	NONE,
	SMALL, /* as rounded values do by noise: by a few last digits */
	LARGE
};

/* By how many last digits two values of the past differ. */
static double digits_of(const struct pn_judge_past *past, double a, double b,
			double digit)
{
	return fabs(past->turned ? 1 / a - 1 / b : a - b) / digit;
}

static enum step step_of(const struct pn_judge_past *past, double a, double b,
			 double digit)
{
	if (fabs(a - b) <= SAME * fabs(b))
		return NONE;
	return digits_of(past, a, b, digit) < SMALL_STEPS + 0.5 ? SMALL : LARGE;
}

/* Of the newest commits, how many runs in a row are equal at most. */
static size_t most_equal(const struct pn_judge_past *past)
{
	size_t i = past->count > PN_JUDGE_STEADY ? past->count - PN_JUDGE_STEADY
						 : 0;
	size_t now = 0, most = 0;

	for (; i < past->count; i++) {
		if (i && past->medians[i] != past->medians[i - 1])
			now = 0;
		now += past->commits[i].count;
		most = now > most ? now : most;
	}
	return most;
}

bool pn_judge_is_steady(const struct pn_judge_past *past,
			const struct pn_course *course)
{
	double digit = pn_judge_last_digit(course);
	const double *m = past->medians;
	size_t i, equal = 0, small = 0, steps,
		  begin = past->count > PN_JUDGE_STEADY
				  ? past->count - PN_JUDGE_STEADY
				  : 0;

	steps = past->count - begin - 1;
	for (i = begin + 1; i < past->count; i++) {
		enum step step = step_of(past, m[i], m[i - 1], digit);

		equal += step == NONE;
		if (step != SMALL)
			continue;
		small++;
		if (i + 1 < past->count &&
		    step_of(past, m[i + 1], m[i - 1], digit) == NONE)
			return false;
		if (past->count - i <= NEWEST &&
		    pn_rounding_hides(digits_of(past, m[i], m[i - 1], digit),
				      most_equal(past), 1))
			return false;
	}
	return small * 4 <= steps && equal * 2 > steps;
}

bool pn_judge_may_be_rounding(const struct pn_judge_past *past,
			      const struct pn_course *course, double before,
			      double after)
{
	double digits = fabs(after - before) / pn_judge_last_digit(course);

	return before > 0 &&
	       !pn_series_counts(&course->key.series, course->key.metric) &&
	       pn_rounding_hides(digits, most_equal(past), past->target.count);
}

void pn_judge_round(struct pn_judge_row *row, const struct pn_judge_past *past,
		    bool turned)
{
	double before = turned ? 1 / row->before : row->before;
	double after = turned ? 1 / row->after : row->after;

	if (!pn_judge_direction(row->verdict) ||
	    !pn_judge_may_be_rounding(past, row->course, before, after))
		return;
	row->verdict = pn_verdict_less_sure(row->verdict);
	row->doubt = PN_JUDGE_ROUNDED;
}
