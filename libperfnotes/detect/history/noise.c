/* The density of each value at each level. */
#include "detect/history/noise.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUTLIERS 0.01 /* share of the broad density of outliers */
#define NEAR 1e-3     /* of the greatest density */
#ifdef PN_HISTORY_DOUBLE
#define LEAST_SHARE 0.0
#else
#define LEAST_SHARE 1e-6f /* of a residual that is counted */
#endif
/* Residuals after which the next one is shifted as they say, and not at all, in
 * standard deviations: farther ones are outliers. */
#define SHIFTS_ALL 3.5
#define SHIFTS_NONE 6.0

static int clip(int residual, int reach)
{
	return residual < -reach ? -reach
				 : (residual > reach ? reach : residual);
}

static size_t part_of(const struct pn_emission *e, size_t t)
{
	return e->noise->part_count > 1 ? e->grid->parts[t] : 0;
}

/* What lies farther off is an outlier everywhere. */
static int clip_cell(const struct pn_emission *e, int cell)
{
	const struct pn_grid *g = e->grid;
	int away = g->reach + 1 + e->most_shift;
	int least = g->levels[0] - away;
	int most = g->levels[g->level_count - 1] + away;

	return cell < least ? least : (cell > most ? most : cell);
}

static void fill_up(PN_REAL *row, const struct pn_emission *e, size_t to)
{
	size_t l;

	for (l = e->grid->level_count; l < to; l++)
		row[l] = 0;
}

static void make_row(PN_REAL *out, const struct pn_emission *e,
		     const PN_REAL *table, int cell, size_t from, size_t to)
{
	const struct pn_grid *g = e->grid;
	size_t l, most = to < g->level_count ? to : g->level_count, i, a, b;

	cell = clip_cell(e, cell);
	/* levels that are not beside each other */
	if (2 * g->run_count > g->level_count) {
		for (l = from; l < most; l++)
			out[l] = table[g->levels[l] - cell];
	} else {
		for (i = 0; i < g->run_count; i++) {
			const struct pn_run *run = &g->runs[i];

			a = run->from > from ? run->from : from;
			b = run->from + run->count < most
				    ? run->from + run->count
				    : most;
			if (a < b)
				memcpy(out + a, table + (g->levels[a] - cell),
				       (b - a) * sizeof(*out));
		}
	}
	fill_up(out, e, to);
}

/* With what the residual before lets expect at the same level. */
static void make_shifted(PN_REAL *out, const struct pn_emission *e,
			 const PN_REAL *table, int cell, int before,
			 size_t from, size_t to)
{
	const struct pn_grid *g = e->grid;
	size_t l;

	cell = clip_cell(e, cell);
	for (l = from; l < to && l < g->level_count; l++)
		out[l] =
			table[g->levels[l] - cell +
			      e->shifts[clip(before - g->levels[l], g->reach)]];
	fill_up(out, e, to);
}

void pn_emission_of(PN_REAL *later, PN_REAL *first, const struct pn_emission *e,
		    size_t t, double mean, size_t from, size_t to)
{
	int cell = e->grid->cells[t], before, shift;
	const PN_REAL *table = e->densities +
			       part_of(e, t) * (2 * (size_t)e->pad + 1) +
			       e->pad;

	if (e->shifts && t) {
		before = e->grid->cells[t - 1];
		shift = e->shifts[clip((int)rint(before - mean),
				       e->grid->reach)];
		make_shifted(later, e, table, cell, before, from, to);
		make_row(first, e, table, cell - shift, from, to);
		return;
	}
	make_row(later, e, table, cell, from, to);
	if (e->shifts)
		memcpy(first + from, later + from,
		       (to - from) * sizeof(*first));
	if (e->noise->enter > 0)
		make_row(later + e->stride, e, table, cell - e->noise->gap,
			 from, to);
}

/* The first level that is at least this cell. */
static size_t find_level(const struct pn_grid *g, int cell)
{
	size_t low = 0, high = g->level_count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (g->levels[middle] < cell)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void pn_emission_near(size_t *low, size_t *high, const struct pn_emission *e,
		      size_t t, double mean)
{
	int cell = e->grid->cells[t], least, most;

	if (e->shifts && t)
		cell -= e->shifts[clip((int)rint(e->grid->cells[t - 1] - mean),
				       e->grid->reach)];
	least = most = cell;
	if (e->noise->enter > 0 && e->noise->gap > 0)
		least -= e->noise->gap;
	else if (e->noise->enter > 0)
		most -= e->noise->gap;
	*low = find_level(e->grid, least - e->near);
	*high = find_level(e->grid, most + e->near + 1);
}

void pn_emission_count(double *residuals, const struct pn_emission *e,
		       const PN_REAL *shares, PN_REAL scale, size_t t, int gap,
		       size_t from, size_t to)
{
	const struct pn_grid *g = e->grid;
	int reach = g->reach, cell = g->cells[t] - gap, r;
	double *table =
		residuals + part_of(e, t) * (2 * (size_t)reach + 1) + reach;
	PN_REAL least = LEAST_SHARE / scale;
	size_t l;

	for (l = from; l < to && l < g->level_count; l++) {
		if (!(shares[l] > least))
			continue;
		r = cell - g->levels[l];
		if (e->shifts && t)
			r -= e->shifts[clip(g->cells[t - 1] - g->levels[l],
					    reach)];
		table[clip(r, reach)] += (double)(shares[l] * scale);
	}
}

/* From -pad to pad; beyond the reach as at its end. `logs` are of residuals,
 * which are cell less level. */
static void fill_table(PN_REAL *table, const struct pn_emission *e,
		       const double *logs, double outlier)
{
	int reach = e->grid->reach, r;

	for (r = -reach; r <= reach; r++)
		table[r] = (PN_REAL)((1 - OUTLIERS) * exp(logs[reach - r] -
							  e->log_scale) +
				     outlier);
	for (; r <= e->pad; r++) {
		table[r] = table[reach];
		table[-r] = table[-reach];
	}
}

/* What lies farther off than this has the density of outliers, or next to none:
 * a level that begins there is not believed. */
static void find_near(struct pn_emission *e, double outlier)
{
	size_t parts = e->noise->part_count, padded = 2 * (size_t)e->pad + 1, k;
	double least = fmax(2 * outlier, NEAR);
	int r;

	for (k = 0; k < parts; k++) {
		const PN_REAL *table = e->densities + k * padded + e->pad;

		for (r = e->grid->reach; r > e->near; r--)
			if (table[r] > least || table[-r] > least)
				e->near = r;
	}
}

/* Tables of densities, the greatest of all near 1, with outliers in. */
static void set_densities(struct pn_emission *e)
{
	const struct pn_grid *g = e->grid;
	const double *logs = e->noise->log_density;
	size_t parts = e->noise->part_count, k;
	size_t size = 2 * (size_t)g->reach + 1, padded;
	double outlier;

	e->log_scale = -INFINITY;
	for (k = 0; k < parts * size; k++)
		e->log_scale = fmax(e->log_scale, logs[k]);
	outlier = OUTLIERS * exp(log(g->floor) - e->log_scale);
	e->pad = g->levels[g->level_count - 1] - g->levels[0] + g->reach + 1 +
		 2 * e->most_shift;
	padded = 2 * (size_t)e->pad + 1;
	e->densities =
		pn_realloc_array(NULL, parts * padded, sizeof(*e->densities));
	for (k = 0; k < parts; k++)
		fill_table(e->densities + k * padded + e->pad, e,
			   logs + k * size, outlier);
	find_near(e, outlier);
}

/* By how much a residual shifts the one that follows. */
static void set_shifts(struct pn_emission *e)
{
	int reach = e->grid->reach, r;
	double rho = e->noise->correlation, sd, away, weight;

	if (!(rho > 0))
		return;
	sd = e->grid->sd / sqrt(fmax(0.03, 1 - rho));
	e->shifts = pn_realloc_array(NULL, 2 * (size_t)reach + 1,
				     sizeof(*e->shifts));
	e->shifts += reach;
	for (r = -reach; r <= reach; r++) {
		away = fabs((double)r) / sd;
		weight = away <= SHIFTS_ALL
				 ? 1
				 : fmax(0, (SHIFTS_NONE - away) /
						   (SHIFTS_NONE - SHIFTS_ALL));
		e->shifts[r] = (int)rint(rho * r * weight);
		if (abs(e->shifts[r]) > e->most_shift)
			e->most_shift = abs(e->shifts[r]);
	}
}

void pn_emission_init(struct pn_emission *out, const struct pn_grid *grid,
		      const struct pn_noise *noise, size_t stride)
{
	*out = (struct pn_emission){
		.grid = grid, .noise = noise, .stride = stride};
	set_shifts(out);
	set_densities(out);
}

void pn_emission_release(struct pn_emission *emission)
{
	if (emission->shifts)
		free(emission->shifts - emission->grid->reach);
	free(emission->densities);
	*emission = (struct pn_emission){0};
}
