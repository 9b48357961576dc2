/* Changes of a history that is too short for the models. */
#include "detect/history/early.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>

/* How far all values before `at` lie from all others; 0: they overlap. */
static double gap_at(const struct pn_grid *g, size_t at)
{
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	size_t i;

	for (i = 0; i < g->n; i++) {
		low[i >= at] = fmin(low[i >= at], g->at[i]);
		high[i >= at] = fmax(high[i >= at], g->at[i]);
	}
	return fmax(0, fmax(low[1] - high[0], low[0] - high[1]));
}

/* Of one value, by those next to `at` on both sides. */
static double sd_at(const struct pn_grid *g, size_t at)
{
	const double *left = g->at + at - PN_EARLY_LENGTH;
	const double *right = g->at + at;

	return sqrt((pn_stats_variance(left, PN_EARLY_LENGTH) +
		     pn_stats_variance(right, PN_EARLY_LENGTH)) /
		    2);
}

/* What rounded values vary by at the least: the least of their differences,
 * where some are equal, which may be by rounding alone; else 0. */
static double quantum_of(const struct pn_grid *g)
{
	double least = INFINITY, off;
	bool equal = false;
	size_t i, k;

	for (i = 1; i < g->n; i++)
		for (k = 0; k < i; k++) {
			off = fabs(g->at[i] - g->at[k]);
			equal |= off == 0;
			if (off > 0)
				least = fmin(least, off);
		}
	return equal ? least : 0;
}

static bool is_change(const struct pn_grid *g, size_t at, double quantum)
{
	double gap = gap_at(g, at);

	return gap * g->cell >= PN_GRID_MIN_EFFECT &&
	       gap > PN_EARLY_FAR * fmax(sd_at(g, at), quantum);
}

static void set_level(double *levels, const struct pn_grid *g, size_t from,
		      size_t to)
{
	double level = pn_stats_median(g->at + from, to - from);

	for (; from < to; from++)
		levels[from] = level;
}

void pn_early_add(struct pn_found_change **changes, size_t *count,
		  const struct pn_grid *grid, double *levels)
{
	size_t at, begin = 0;
	double quantum;

	if (*count || grid->n > PN_EARLY_VALUES)
		return;
	quantum = quantum_of(grid);
	for (at = PN_EARLY_LENGTH; at + PN_EARLY_LENGTH <= grid->n; at++) {
		if (!is_change(grid, at, quantum))
			continue;
		*changes = pn_realloc_array(*changes, *count + 1,
					    sizeof(**changes));
		(*changes)[(*count)++] =
			(struct pn_found_change){at, PN_EARLY_MASS};
		set_level(levels, grid, begin, at);
		begin = at;
	}
	if (*count)
		set_level(levels, grid, begin, grid->n);
}

double pn_early_most(const struct pn_grid *grid, size_t begin, size_t at,
		     size_t end)
{
	double n = (double)(at - begin), m = (double)(end - at), df = n + m - 2;
	double off, variance = 0, quantum, t;

	if (grid->n > PN_EARLY_VALUES)
		return 1;
	if (n > 1)
		variance += (n - 1) *
			    pn_stats_variance(grid->at + begin, at - begin);
	if (m > 1)
		variance +=
			(m - 1) * pn_stats_variance(grid->at + at, end - at);
	if (!(df > 0))
		return PN_EARLY_DOUBT;
	off = fabs(pn_stats_mean(grid->at + begin, at - begin) -
		   pn_stats_mean(grid->at + at, end - at));
	quantum = quantum_of(grid); /* of few values: each with each */
	variance = fmax(variance / df, quantum * quantum / 4);
	t = off / sqrt(variance * (1 / n + 1 / m));
	return pn_stats_t_both(t, df) * (double)grid->n < PN_EARLY_CLEAR
		       ? 1
		       : PN_EARLY_DOUBT;
}
