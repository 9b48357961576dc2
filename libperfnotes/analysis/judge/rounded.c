/* Single runs a commit: whether their values do not vary, or are only rounded.
 */
#include "analysis/judge/rule.h"

#include "base/number.h"
#include "detect/stats.h"

#include <math.h>
#include <string.h>

#define SAME 3e-5     /* of a value: a thirtieth of what counts of a count */
#define SMALL_STEPS 4 /* in last digits: of noise that rounding hides */
#define NEWEST 5      /* commits back that a change is confirmed anew */
#define EQUAL_P 0.1   /* that so many values with noise are equal */
#define SURE_P 1e-4
#define MOST_NOISE 1.25 /* last digits: more does not stay hidden */

/* Digits behind the point of a number as one writes it; -1: it is written
 * otherwise. */
static int digits_behind(double value)
{
	char text[PN_NUMBER_TEXT];
	const char *point;

	pn_number_write(text, value, false);
	point = strchr(text, '.');
	if (strchr(text, 'e'))
		return -1;
	return point ? (int)strlen(point + 1) : 0;
}

double pn_judge_last_digit(const struct pn_course *course)
{
	int behind, most = 0;
	size_t i;

	for (i = 0; i < course->count && i <= PN_JUDGE_STEADY; i++) {
		behind = digits_behind(course->points[i].runs[0]);
		if (behind < 0)
			return 0;
		most = behind > most ? behind : most;
	}
	return pow(10, -most);
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

/* Of the newest commits, how many in a row are equal at most. */
static size_t most_equal(const struct pn_judge_past *past)
{
	size_t i = past->count > PN_JUDGE_STEADY ? past->count - PN_JUDGE_STEADY
						 : 0;
	size_t now = 1, most = 1;

	while (++i < past->count) {
		now = past->medians[i] == past->medians[i - 1] ? now + 1 : 1;
		most = now > most ? now : most;
	}
	return most;
}

/*
 * n values that are rounded and equal have noise, too: no more than with which
 * one of ten such n would be equal, where their level is in the middle between
 * two that are rounded otherwise. In last digits.
 */
static double hidden_noise(size_t n)
{
	double one = pow(EQUAL_P, 1 / (double)n);

	return fmin(0.5 / pn_stats_normal_quantile((1 + one) / 2), MOST_NOISE);
}

/* Whether values that differ by so many last digits may differ by noise. */
static bool may_be_noise(const struct pn_judge_past *past, double digits)
{
	double needed = -pn_stats_normal_quantile(SURE_P);

	/* it may be half of one less */
	return digits - 0.5 < needed * hidden_noise(most_equal(past));
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
		    may_be_noise(past, digits_of(past, m[i], m[i - 1], digit)))
			return false;
	}
	return small * 4 <= steps && equal * 2 > steps;
}

bool pn_judge_may_be_rounding(const struct pn_judge_past *past,
			      const struct pn_course *course, double before,
			      double after)
{
	size_t i;

	if (past->target.count > 1 || !(before > 0) ||
	    pn_series_counts(&course->key.series, course->key.metric))
		return false;
	for (i = 0; i < past->count; i++)
		if (past->commits[i].count > 1)
			return false;
	return may_be_noise(past,
			    fabs(after - before) / pn_judge_last_digit(course));
}

void pn_judge_round(struct pn_judge_row *row, const struct pn_judge_past *past)
{
	int direction = pn_judge_direction(row->verdict);

	if (!direction || !pn_judge_may_be_rounding(past, row->course,
						    row->before, row->after))
		return;
	row->verdict = direction > 0 ? PN_VERDICT_MAYBE_DEGRADATION
				     : PN_VERDICT_MAYBE_OPTIMIZATION;
	row->doubt = PN_JUDGE_ROUNDED;
}
