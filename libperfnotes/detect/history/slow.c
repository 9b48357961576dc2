/* Guesses at a state in which the machine is slower for some commits. */
#include "detect/history/slow.h"

#include "base/alloc.h"
#include "detect/history/models.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define MEDIAN_WIDTH 11
#define LEAST_OFF 2.0 /* deviations of the noise */
#define MOST_OFF 40.0
#define LEAST_POINTS 4
#define LEAST_PAIRS 2
#define MORE_PAIRS 2.0 /* times what chance would have */
#define CHANGE 0.5     /* mass of a change that counts */
#define LEAST_CHANGES 4
#define SAME_SIZE 0.35 /* of the sum of two opposite jumps */
#define SAME_GAP 0.25
#define LEAST_RETURNS 2

/* Values that lie off on one side, next to each other more than by chance. */
static bool guess_runs(struct pn_slow_guess *out, const struct pn_grid *g,
		       const double *residuals, int side)
{
	double *off = pn_realloc_array(NULL, g->n, sizeof(*off)), r, share;
	size_t count = 0, pairs = 0, i;
	bool is_off, was_off = false;

	for (i = 0; i < g->n; i++, was_off = is_off) {
		r = side * residuals[i];
		is_off = r > LEAST_OFF * g->narrow && r < MOST_OFF * g->narrow;
		pairs += is_off && was_off;
		if (is_off)
			off[count++] = r;
	}
	share = (double)count / (double)g->n;
	is_off = count >= LEAST_POINTS && pairs >= LEAST_PAIRS &&
		 (double)pairs > MORE_PAIRS * (double)g->n * share * share;
	if (is_off)
		*out = (struct pn_slow_guess){
			(int)rint(side * pn_stats_median(off, count)), .05, .4};
	free(off);
	return is_off;
}

/* Median cell of each segment. */
static double *segment_medians(const struct pn_grid *g,
			       const struct pn_found_change *changes,
			       size_t count)
{
	double *medians = pn_realloc_array(NULL, count + 1, sizeof(*medians));
	double *values = pn_realloc_array(NULL, g->n, sizeof(*values));
	size_t i, begin = 0, end;

	for (i = 0; i < g->n; i++)
		values[i] = g->cells[i];
	for (i = 0; i <= count; i++, begin = end) {
		end = i < count ? changes[i].at : g->n;
		medians[i] = begin < end ? pn_stats_median(values + begin,
							   end - begin)
					 : 0;
	}
	free(values);
	return medians;
}

/* How far jumps go to come back, of those that go up or down first. */
static size_t find_returns(double *sizes, const double *medians, size_t count,
			   bool up)
{
	size_t i, found = 0;
	double there, back;

	for (i = 0; i + 2 <= count; i++) {
		there = medians[i + 1] - medians[i];
		back = medians[i + 2] - medians[i + 1];
		if (there * back < 0 && (there > 0) == up &&
		    fabs(there + back) <
			    SAME_SIZE * fmax(fabs(there), fabs(back)))
			sizes[found++] = (fabs(there) + fabs(back)) / 2;
	}
	return found;
}

/* Changes to and fro between the same two levels. */
static bool guess_returns(struct pn_slow_guess *out, const struct pn_grid *g,
			  const double *change)
{
	size_t count, ups, downs, found, same = 0, i;
	struct pn_found_change *changes =
		pn_models_decode(&count, change, g->n, CHANGE);
	double *medians, *sizes, gap = 0;
	const double *chosen;
	int side;

	if (count < LEAST_CHANGES) {
		free(changes);
		return false;
	}
	medians = segment_medians(g, changes, count);
	sizes = pn_realloc_array(NULL, 2 * count, sizeof(*sizes));
	ups = find_returns(sizes, medians, count, true);
	downs = find_returns(sizes + count, medians, count, false);
	side = ups >= downs ? 1 : -1;
	chosen = side > 0 ? sizes : sizes + count;
	found = side > 0 ? ups : downs;
	if (found >= LEAST_RETURNS)
		gap = pn_stats_median(chosen, found);
	for (i = 0; i < found; i++)
		same += fabs(chosen[i] - gap) < SAME_GAP * gap;
	if (same >= LEAST_RETURNS)
		*out = (struct pn_slow_guess){(int)rint(side * gap), .03, .15};
	free(sizes);
	free(medians);
	free(changes);
	return same >= LEAST_RETURNS;
}

size_t pn_slow_guess(struct pn_slow_guess out[PN_SLOW_GUESSES],
		     const struct pn_grid *grid, const double *change)
{
	double *residuals = pn_realloc_array(NULL, grid->n, sizeof(*residuals));
	size_t count = 0, i;

	pn_grid_running_medians(residuals, grid->at, grid->n, MEDIAN_WIDTH);
	for (i = 0; i < grid->n; i++)
		residuals[i] = grid->cells[i] - rint(residuals[i]);
	count += guess_runs(&out[count], grid, residuals, 1);
	count += guess_runs(&out[count], grid, residuals, -1);
	count += guess_returns(&out[count], grid, change);
	free(residuals);
	return count;
}
