/* Where the values of a history change for good. */
#include "detect/history/history.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/history/drift.h"
#include "detect/history/early.h"
#include "detect/history/excursion.h"
#include "detect/history/grid.h"
#include "detect/history/models.h"
#include "detect/history/straight.h"
#include "detect/rank_test.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 40	    /* commits beside a change that tell its levels */
#define INSIDE 0.95 /* of the chance, in a range of commits */
#define SURE 0.95
#define SURE_TWICE 0.90
#define TAIL 0.025 /* of an interval, a side */

/* A history without what was not measured. */
struct course {
	struct pn_grid grid;
	struct pn_belief belief;
	struct pn_found_change *found;
	size_t count, n;
	const size_t *places; /* of each value among all commits */
};

/* Where segment i begins; that behind the last one ends the history. */
static size_t begin_of(const struct course *c, size_t i)
{
	return i == 0 ? 0 : (i > c->count ? c->n : c->found[i - 1].at);
}

/* A step of so many cells as an effect. */
static double effect_of(const struct pn_grid *g, double cells)
{
	return g->logs ? expm1(cells * g->cell) : cells * g->cell;
}

static void find_levels(struct pn_change_point *out, const struct course *c,
			size_t i)
{
	size_t at = c->found[i].at, from = begin_of(c, i);
	size_t to = begin_of(c, i + 2);
	double before, after;

	from = at - from > NEAR ? at - NEAR : from;
	to = to - at > NEAR ? at + NEAR : to;
	before = pn_stats_median(c->belief.level + from, at - from);
	after = pn_stats_median(c->belief.level + at, to - at);
	out->before = pn_grid_value(&c->grid, before);
	out->after = pn_grid_value(&c->grid, after);
	out->effect = effect_of(&c->grid, after - before);
}

/* By the shift of the values themselves, of the commits near it. */
static void find_interval(struct pn_change_point *out, const struct course *c,
			  size_t i)
{
	size_t at = c->found[i].at, from = begin_of(c, i);
	size_t to = begin_of(c, i + 2), n, m, k;
	double pairs, *a, *b;

	from = at - from > NEAR ? at - NEAR : from;
	to = to - at > NEAR ? at + NEAR : to;
	n = at - from;
	m = to - at;
	out->low = out->high = NAN;
	k = pn_rank_test_order(n, m, TAIL);
	if (!k)
		return;
	a = pn_quantile_sorted(c->grid.at + from, n);
	b = pn_quantile_sorted(c->grid.at + at, m);
	pairs = (double)n * (double)m;
	out->low = effect_of(&c->grid,
			     pn_rank_test_difference((double)k, a, n, b, m));
	out->high = effect_of(
		&c->grid,
		pn_rank_test_difference(pairs + 1 - (double)k, a, n, b, m));
	out->low = fmin(out->low, out->effect);
	out->high = fmax(out->high, out->effect);
	free(a);
	free(b);
}

/*
 * From the likeliest commit to the likelier neighbour, within half of the way
 * to the changes beside, until it holds enough of what is there. A step in a
 * gap may be anywhere in it.
 */
static void find_range(struct pn_change_point *out, const struct course *c,
		       size_t i)
{
	const double *p = c->belief.change;
	size_t at = c->found[i].at, low = 1, high = c->n - 1, from = at;
	size_t to = at, k;
	double here = p[at], all = 0;

	if (i)
		low = (begin_of(c, i) + at + 1) / 2;
	if (i + 1 < c->count)
		high = (at + begin_of(c, i + 2)) / 2;
	low = low < 1 ? 1 : low;
	low = low > at ? at : low;
	high = high > c->n - 1 ? c->n - 1 : high;
	high = high < at ? at : high;
	for (k = low; k <= high; k++)
		all += p[k];
	while (here < INSIDE * fmin(1, all) && (from > low || to < high)) {
		if (to >= high || (from > low && p[from - 1] >= p[to + 1]))
			here += p[--from];
		else
			here += p[++to];
	}
	out->from = c->places[from - 1] + 1;
	out->to = c->places[to];
}

static void report(struct pn_change_points *out, const struct course *c)
{
	size_t i;

	out->count = c->count;
	out->changes = pn_calloc(c->count + 1, sizeof(*out->changes));
	for (i = 0; i < c->count; i++) {
		struct pn_change_point *change = &out->changes[i];

		change->at = c->places[c->found[i].at];
		change->confidence =
			fmin(c->found[i].mass,
			     pn_early_most(&c->grid, begin_of(c, i),
					   c->found[i].at, begin_of(c, i + 2)));
		find_levels(change, c, i);
		find_interval(change, c, i);
		find_range(change, c, i);
	}
}

/* What is left of the values when each segment's line is taken off; that of
 * the last one. */
static double *residuals_of(struct pn_line *last, const struct course *c)
{
	double *rest = pn_realloc_array(NULL, c->n, sizeof(*rest));
	size_t i, begin, n;

	for (i = 0; i <= c->count; i++) {
		begin = begin_of(c, i);
		n = begin_of(c, i + 1) - begin;
		pn_drift_line(last, c->grid.at + begin, n);
		pn_drift_take_off(rest + begin, c->grid.at + begin, n, last);
	}
	return rest;
}

static void find_noise(struct pn_change_points *out, const struct course *c)
{
	struct pn_line line;
	double *rest = residuals_of(&line, c), drift;
	size_t last = begin_of(c, c->count);

	out->noise = fabs(effect_of(
		&c->grid, PN_STATS_MAD_TO_SD * pn_stats_mad(rest, c->n, 0)));
	out->rho = pn_drift_correlation(rest, c->n, 2 * (c->count + 1));
	drift = effect_of(&c->grid, line.to - line.from);
	if (fabs(drift) >= PN_DRIFT_LEAST &&
	    pn_drift_is_there(c->grid.at + last, c->n - last, out->rho))
		out->drift = drift;
	free(rest);
}

static void find_changes(struct pn_change_points *out, const double *values,
			 const size_t *places, size_t n)
{
	struct course c = {.n = n, .places = places};

	pn_grid_init(&c.grid, values, n);
	c.belief.change = pn_realloc_array(NULL, 2 * n, sizeof(double));
	c.belief.level = c.belief.change + n;
	pn_models_average(&c.belief, &c.grid);
	c.found = pn_models_decode(&c.count, c.belief.change, n,
				   PN_MODELS_CHANGE);
	pn_straight_drop(c.found, &c.count, &c.grid, c.belief.level);
	pn_early_add(&c.found, &c.count, &c.grid, c.belief.level);
	pn_excursion_add(&c.found, &c.count, &c.grid, c.belief.level);
	report(out, &c);
	find_noise(out, &c);
	free(c.found);
	free(c.belief.change);
	pn_grid_release(&c.grid);
}

void pn_change_points_of(struct pn_change_points *out, const double *values,
			 size_t n)
{
	double *measured = pn_realloc_array(NULL, n + 1, sizeof(*measured));
	size_t *places = pn_realloc_array(NULL, n + 1, sizeof(*places)), i;

	*out = (struct pn_change_points){
		.noise = NAN, .rho = NAN, .drift = NAN};
	for (i = 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		places[out->measured] = i;
		measured[out->measured++] = values[i];
	}
	if (out->measured >= PN_HISTORY_MIN_VALUES)
		find_changes(out, measured, places, out->measured);
	free(places);
	free(measured);
}

bool pn_change_point_is_confirmed(const struct pn_change_point *change,
				  const struct pn_change_points *before)
{
	size_t i;

	if (change->confidence >= SURE)
		return true;
	if (!before || change->confidence < SURE_TWICE)
		return false;
	for (i = 0; i < before->count; i++) {
		const struct pn_change_point *old = &before->changes[i];

		if (old->confidence >= SURE_TWICE &&
		    old->at <= change->at + PN_MODELS_BESIDE &&
		    change->at <= old->at + PN_MODELS_BESIDE)
			return true;
	}
	return false;
}

void pn_change_points_release(struct pn_change_points *history)
{
	if (!history)
		return;
	free(history->changes);
	*history = (struct pn_change_points){0};
}
