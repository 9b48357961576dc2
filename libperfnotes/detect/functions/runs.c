/*
 * What is of a run and not of a function: the factor of each run, the middle
 * of what functions differ from their own middle; and single values that are
 * far off, which are moved to where they are not.
 */
#include "detect/functions/inside.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define CLIP 3 /* standard deviations from a function's middle */

/* Of the values that are known; NaN without one. `work` has room for all. */
static double middle(double *work, const double *values, size_t n)
{
	size_t i, known = 0;

	for (i = 0; i < n; i++)
		if (!isnan(values[i]))
			work[known++] = values[i];
	if (!known)
		return (double)NAN;
	return pn_quantile_pick(work, known, 0.5);
}

static void level_side(struct pn_function_tests *tests, int side)
{
	size_t runs = tests->runs[side], count = tests->count, f, r;
	double *middles = pn_calloc(count, sizeof(*middles));
	double *column = pn_calloc(count, sizeof(*column));
	double *work = pn_calloc(runs > count ? runs : count, sizeof(*work));
	double factor;

	for (f = 0; f < count; f++)
		middles[f] = middle(work, tests->items[f].logs[side], runs);
	for (r = 0; r < runs; r++) {
		for (f = 0; f < count; f++)
			column[f] = tests->items[f].logs[side][r] - middles[f];
		factor = middle(work, column, count);
		for (f = 0; f < count && !isnan(factor); f++)
			tests->items[f].logs[side][r] -= factor;
	}
	free(middles);
	free(column);
	free(work);
}

void pn_function_runs_level(struct pn_function_tests *tests)
{
	level_side(tests, BASELINE);
	level_side(tests, TARGET);
}

/*
 * The limits are of the prior and of the function's own median deviation, by
 * what both say: a function may be noisier than others of its size.
 */
static void clip(struct pn_function_test *t, int side, size_t runs,
		 double prior_df, double *work)
{
	double *logs = t->logs[side], n = (double)t->n[side];
	double centre = middle(work, logs, runs), sd, most;
	size_t r;

	for (r = 0; r < runs; r++)
		work[runs + r] = fabs(logs[r] - centre);
	sd = PN_STATS_MAD_TO_SD * middle(work, work + runs, runs);
	most = CLIP *
	       sqrt((prior_df * t->prior + n * sd * sd) / (prior_df + n));
	for (r = 0; r < runs; r++) {
		double away = logs[r] - centre;

		if (!(fabs(away) > most))
			continue;
		logs[r] = centre + (away > 0 ? most : -most);
		t->clipped++;
	}
}

void pn_function_clip(struct pn_function_tests *tests)
{
	size_t most = tests->runs[BASELINE] > tests->runs[TARGET]
			      ? tests->runs[BASELINE]
			      : tests->runs[TARGET];
	double *work = pn_calloc(2 * most + 1, sizeof(*work));
	size_t f;
	int side;

	for (f = 0; f < tests->count && tests->prior_df > 0; f++)
		for (side = 0; side < SIDES; side++)
			clip(&tests->items[f], side, tests->runs[side],
			     tests->prior_df, work);
	free(work);
}
