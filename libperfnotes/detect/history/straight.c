/* Changes that a straight line explains. */
#include "detect/history/straight.h"

#include "base/alloc.h"
#include "detect/history/ramp.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SDS 3.0 /* of a value from its level, that count */
/* Variances by which a line has to be better than two levels, and a step on the
 * line better than the line alone to save it. The first one keeps small steps,
 * where by chance a line is as good. */
#define LINE_BETTER 4.0
#define STEP_BETTER 12.0
/* Of a history of so few commits a line is as likely as a step, of which two
 * levels and a place were chosen. */
#define YOUNG 30
#define LINE_BETTER_YOUNG (-4.0)
#define LEAST_VALUES 8 /* of two segments: fewer tell no line */

/* Sums of squares that are left when a model is fitted to two segments. */
struct fits {
	double step, line, both;
};

/* Of y against x, both as deviations from their means. */
struct moments {
	double xx, xy, yy;
};

/* Adds those of y[0..n) at x = first, first + 1, ... */
static void add_moments(struct moments *m, const double *y, size_t n,
			double first)
{
	double mean = pn_stats_mean(y, n), x;
	size_t i;

	for (i = 0; i < n; i++) {
		x = first + (double)i - (first + (double)(n - 1) / 2);
		m->xx += x * x;
		m->xy += x * (y[i] - mean);
		m->yy += (y[i] - mean) * (y[i] - mean);
	}
}

static double left_by_line(const struct moments *m)
{
	return m->yy - (m->xx > 0 ? m->xy * m->xy / m->xx : 0);
}

static void fit(struct fits *out, const double *y, size_t n, size_t m)
{
	struct moments whole = {0}, apart = {0};

	add_moments(&whole, y, n + m, 0);
	add_moments(&apart, y, n, 0);
	add_moments(&apart, y + n, m, 0);
	out->step = apart.yy;
	out->line = left_by_line(&whole);
	out->both = left_by_line(&apart);
}

/* By how much more than `least` variances a line is better than a step; 0 where
 * the step has to stay. */
static double straightness(const double *y, size_t n, size_t m, double least)
{
	struct fits fits;
	double variance, better;

	if (n + m < LEAST_VALUES)
		return 0;
	fit(&fits, y, n, m);
	variance = fits.both / (double)(n + m - 3);
	better = fits.step - fits.line - least * variance;
	if (!(better > 0) || fits.line - fits.both > STEP_BETTER * variance)
		return 0;
	return better / fmax(fits.line, 1e-300);
}

/* Values without what is far from their level. */
static double *tame(const struct pn_grid *g, const double *levels)
{
	double *values = pn_realloc_array(NULL, g->n, sizeof(*values)), most;
	size_t i;

	for (i = 0; i < g->n; i++)
		values[i] = g->at[i] - levels[i];
	most = MOST_SDS * PN_STATS_MAD_TO_SD * pn_stats_mad(values, g->n, 0);
	for (i = 0; i < g->n; i++)
		values[i] = levels[i] + fmax(-most, fmin(most, values[i]));
	return values;
}

void pn_straight_drop(struct pn_found_change *changes, size_t *count,
		      const struct pn_grid *grid, const double *levels)
{
	double *values = tame(grid, levels), most, value;
	double least = grid->n > YOUNG ? LINE_BETTER : LINE_BETTER_YOUNG;
	size_t i, from, to, worst = 0;

	pn_ramp_drop(changes, count, values, grid->n);
	do {
		most = 0;
		for (i = 0; i < *count; i++) {
			from = i ? changes[i - 1].at : 0;
			to = i + 1 < *count ? changes[i + 1].at : grid->n;
			value = straightness(values + from,
					     changes[i].at - from,
					     to - changes[i].at, least);
			if (value > most) {
				most = value;
				worst = i;
			}
		}
		if (most > 0) {
			--*count;
			memmove(changes + worst, changes + worst + 1,
				(*count - worst) * sizeof(*changes));
		}
	} while (most > 0);
	free(values);
}
