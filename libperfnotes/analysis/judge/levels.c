/* Levels of two commits, which a past has that is too short for the history. */
#include "analysis/judge/rule.h"

#include "detect/stats.h"

#include <math.h>

#define MOST_COMMITS 16 /* of more the history tells */
#define LENGTH 2	/* commits of a level */
#define CLEAR 0.002	/* p of Student's test, for all places */
#define BACK 0.25	/* of a step: the target is on an earlier level */

static double distance(const double *values, size_t at)
{
	return fabs(pn_stats_mean(values + at, LENGTH) -
		    pn_stats_mean(values + at - LENGTH, LENGTH));
}

/* Whether all values before `at` lie on one side of all others. */
static bool parts(const double *values, size_t n, size_t at)
{
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	size_t i;

	for (i = 0; i < n; i++) {
		low[i >= at] = fmin(low[i >= at], values[i]);
		high[i >= at] = fmax(high[i >= at], values[i]);
	}
	return low[1] > high[0] || low[0] > high[1];
}

/* By the two values on each side. Rounded ones are known to `digit`, and vary
 * by a uniform distribution of that width at least. */
static bool is_step(const double *values, size_t n, size_t at, double digit)
{
	double variance = (pn_stats_variance(values + at - LENGTH, LENGTH) +
			   pn_stats_variance(values + at, LENGTH)) /
			  2;
	double sd = sqrt(fmax(variance, digit * digit / 12) * 2 / LENGTH);

	return parts(values, n, at) &&
	       pn_stats_t_both(distance(values, at) / sd, 2 * (LENGTH - 1)) *
			       (double)(n - 2 * LENGTH + 1) <
		       CLEAR;
}

/* Whether the target lies on a level before the step at `at`: the machine may
 * be slow now and then. */
static bool is_back(const double *values, size_t at, double target)
{
	double near = BACK * distance(values, at);
	size_t i;

	for (i = 0; i < at; i++)
		if (fabs(values[i] - target) < near)
			return true;
	return false;
}

void pn_judge_levels(const struct pn_judge_past *past, double digit)
{
	double values[MOST_COMMITS], target;
	size_t n = past->count, i, at, begin = 0;

	if (n < 2 * LENGTH || n > MOST_COMMITS || !past->target.count)
		return;
	for (i = 0; i < n; i++)
		values[i] = log(past->medians[i]);
	target = log(pn_stats_median(past->target.runs, past->target.count));
	digit /= past->turned ? 1 / past->medians[n - 1] : past->medians[n - 1];
	for (at = LENGTH; at + LENGTH <= n; at++) {
		if (at - begin < LENGTH || !is_step(values, n, at, digit))
			continue;
		if (is_back(values, at, target))
			return;
		begin = at;
		for (i = at; i < n; i++)
			past->commits[i].segment += 2;
	}
}
