/* The density of each value at each level. */
#include "detect/history/noise.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUTLIERS 0.01 /* share of the broad density of outliers */
#define NEAR 1e-3     /* of the greatest density */
/* Rows are kept of steps that are not larger, from values that are not so many
 * standard deviations beside the levels: others are seldom. */
#define STEP_REACH 64
#define STEP_AWAY 6
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

static int clip_cell(const struct pn_emission *e, int cell)
{
	return cell < e->least ? e->least : (cell > e->most ? e->most : cell);
}

/* Where what is `away` from -pad or -step_pad stands. */
static size_t slot(size_t away, size_t spacing, size_t table)
{
	return spacing == 1
		       ? away
		       : away % spacing * (table / spacing) + away / spacing;
}

/* Numbers of a table from -pad to pad: as many of each remainder. */
static size_t table_size(int pad, size_t spacing)
{
	return (2 * (size_t)pad + spacing) / spacing * spacing;
}

static void fill_up(PN_REAL *row, const struct pn_emission *e, size_t to)
{
	size_t l;

	for (l = e->grid->level_count; l < to; l++)
		row[l] = 0;
}

static const PN_REAL *table_of(const struct pn_emission *e, size_t t)
{
	return e->densities + part_of(e, t) * e->table;
}

/* Where a residual of so much less stands in a table. */
static size_t place_of(const struct pn_emission *e, int less)
{
	int at = e->pad + less;

	return slot((size_t)at, e->spacing, e->table);
}

/* With what the residual before lets expect at the same level. */
static void make_shifted(PN_REAL *out, const struct pn_emission *e,
			 const PN_REAL *table, int cell, int before,
			 size_t from, size_t to)
{
	const struct pn_grid *g = e->grid;
	size_t l;

	for (l = from; l < to && l < g->level_count; l++)
		out[l] = table[place_of(
			e, g->levels[l] - cell +
				   e->shifts[clip(before - g->levels[l],
						  g->reach)])];
	fill_up(out, e, to);
}

/* The density of a value at each level: a piece of the table, or `own`. */
static const PN_REAL *row_of(PN_REAL *own, size_t *taken,
			     const struct pn_emission *e, size_t t, int cell,
			     size_t from, size_t to)
{
	const PN_REAL *table = table_of(e, t);
	const struct pn_grid *g = e->grid;
	const int32_t *levels = g->levels;
	size_t to_level, l;

	cell = clip_cell(e, cell);
	if (g->dense)
		return table + place_of(e, g->levels[0] - cell);
	own += (*taken)++ * e->stride;
	table += e->pad - cell;
	to_level = to < g->level_count ? to : g->level_count;
	for (l = from; l < to_level; l++)
		own[l] = table[levels[l]];
	fill_up(own, e, to);
	return own;
}

/* Whether shifted rows of value t are kept, and which. */
static bool find_step(size_t *out, const struct pn_emission *e, size_t t)
{
	int step = e->grid->cells[t] - e->grid->cells[t - 1];
	int away = e->grid->levels[0] - e->grid->cells[t - 1];

	if (!e->steps || abs(step) > e->step_reach || away < -e->step_pad ||
	    away + (int)(e->stride * e->spacing) > e->step_pad)
		return false;
	*out = part_of(e, t) * (2 * (size_t)e->step_reach + 1) +
	       (size_t)(step + e->step_reach);
	return true;
}

/* Of a row of a step: where the first level stands. */
static size_t begin_of(const struct pn_emission *e, size_t t)
{
	int at = e->grid->levels[0] - e->grid->cells[t - 1] + e->step_pad;

	return slot((size_t)at, e->spacing,
		    table_size(e->step_pad, e->spacing));
}

static void make_step(struct pn_emission *e, size_t at, size_t t)
{
	int step = e->grid->cells[t] - e->grid->cells[t - 1];
	const PN_REAL *table = table_of(e, t);
	size_t size = table_size(e->step_pad, e->spacing), i;
	size_t count = 2 * (size_t)e->step_pad + 1;
	double *counts = pn_calloc(size, sizeof(*counts) + sizeof(PN_REAL));
	PN_REAL *row = (PN_REAL *)(counts + size);

	for (i = 0; i < count; i++)
		row[slot(i, e->spacing, size)] =
			table[place_of(e, e->shifted[i] - step)];
	e->steps[at] = row;
	e->step_counts[at] = counts;
}

/* A later commit whose noise is correlated with the one before. */
static const PN_REAL *shifted_row(PN_REAL *own, size_t *taken,
				  struct pn_emission *e, size_t t, size_t from,
				  size_t to)
{
	const struct pn_grid *g = e->grid;
	size_t at;

	if (find_step(&at, e, t)) {
		if (!e->steps[at])
			make_step(e, at, t);
		return e->steps[at] + begin_of(e, t);
	}
	own += (*taken)++ * e->stride;
	make_shifted(own, e, table_of(e, t), clip_cell(e, g->cells[t]),
		     g->cells[t - 1], from, to);
	return own;
}

size_t pn_emission_of(struct pn_emission_rows *out, PN_REAL *own,
		      struct pn_emission *e, size_t t, double mean, size_t from,
		      size_t to)
{
	int cell = e->grid->cells[t], shift;
	size_t taken = 0;

	*out = (struct pn_emission_rows){0};
	if (e->shifts && t) {
		shift = e->shifts[clip((int)rint(e->grid->cells[t - 1] - mean),
				       e->grid->reach)];
		out->later = shifted_row(own, &taken, e, t, from, to);
		out->first = row_of(own, &taken, e, t, cell - shift, from, to);
		return taken;
	}
	out->later = out->first = row_of(own, &taken, e, t, cell, from, to);
	if (e->noise->enter > 0)
		out->slow = row_of(own, &taken, e, t, cell - e->noise->gap,
				   from, to);
	return taken;
}

/* With what shifts where the residual before is not looked at. */
static void begin_plain(struct pn_emission_commit *commits,
			const struct pn_emission *e, size_t from, size_t to)
{
	const struct pn_grid *g = e->grid;
	int gap = e->noise->enter > 0 ? e->noise->gap : 0;
	size_t t;

	for (t = from; t < to; t++) {
		const PN_REAL *table = table_of(e, t) + e->pad + g->levels[0];
		struct pn_emission_commit *c = &commits[t];

		c->of.first = c->of.later = table - clip_cell(e, g->cells[t]);
		c->of.slow = gap ? table - clip_cell(e, g->cells[t] - gap)
				 : c->of.first;
		c->counts = pn_emission_counts_of(e, c->of.first);
	}
}

void pn_emission_begin(struct pn_emission_commit *commits,
		       struct pn_emission *e, size_t from, size_t to)
{
	size_t t, at, begin;

	begin_plain(commits, e, from, to);
	for (t = from ? from : 1; e->shifts && t < to; t++) {
		commits[t].of.later = NULL;
		commits[t].counts = NULL;
		if (!find_step(&at, e, t))
			continue;
		if (!e->steps[at])
			make_step(e, at, t);
		begin = begin_of(e, t);
		commits[t].of.later = e->steps[at] + begin;
		commits[t].counts = e->step_counts[at] + begin;
	}
}

void pn_emission_begin_own(struct pn_emission_commit *commit, PN_REAL *own,
			   const struct pn_emission *e, size_t t)
{
	const struct pn_grid *g = e->grid;

	make_shifted(own, e, table_of(e, t), clip_cell(e, g->cells[t]),
		     g->cells[t - 1], 0, e->stride);
	commit->of.later = own;
}

/* The first level that is at least this cell. */
static size_t find_level(const struct pn_emission *e, int cell)
{
	const struct pn_grid *g = e->grid;
	size_t low = 0, high = g->level_count, middle;

	if (g->dense && cell > g->levels[0])
		low = (size_t)(cell - g->levels[0] + g->spacing - 1) /
		      e->spacing;
	if (g->dense)
		return low < high ? low : high;
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
	*low = find_level(e, least - e->near);
	*high = find_level(e, most + e->near + 1);
}

static double *counts_of(const struct pn_emission *e, size_t t)
{
	return e->counts + part_of(e, t) * e->table;
}

double *pn_emission_counts(struct pn_emission *e, size_t t, bool slow)
{
	const struct pn_grid *g = e->grid;
	int cell = g->cells[t] - (slow ? e->noise->gap : 0);
	size_t at;

	if (!g->dense)
		return NULL;
	if (!e->shifts || !t)
		return counts_of(e, t) +
		       place_of(e, g->levels[0] - clip_cell(e, cell));
	return find_step(&at, e, t) ? e->step_counts[at] + begin_of(e, t)
				    : NULL;
}

void pn_emission_count(struct pn_emission *e, const PN_REAL *shares,
		       PN_REAL scale, size_t t, bool slow, size_t from,
		       size_t to)
{
	const struct pn_grid *g = e->grid;
	int cell = clip_cell(e, g->cells[t] - (slow ? e->noise->gap : 0)), r;
	double *counts = counts_of(e, t);
	size_t l;

	to = to < g->level_count ? to : g->level_count;
	if (!e->shifts || !t) {
		counts += e->pad - cell;
		for (l = from; l < to; l++)
			counts[g->levels[l]] += (double)(shares[l] * scale);
		return;
	}
	for (l = from; l < to; l++) {
		r = cell - g->levels[l] -
		    e->shifts[clip(g->cells[t - 1] - g->levels[l], g->reach)];
		counts[place_of(e, -r)] += (double)(shares[l] * scale);
	}
}

static void add_steps(double *table, const struct pn_emission *e,
		      const double *counts, int step)
{
	size_t size = table_size(e->step_pad, e->spacing), i;
	size_t count = 2 * (size_t)e->step_pad + 1;
	int reach = e->grid->reach;

	for (i = 0; i < count; i++)
		table[clip(step - e->shifted[i], reach)] +=
			counts[slot(i, e->spacing, size)];
}

void pn_emission_counted(double *residuals, const struct pn_emission *e)
{
	int reach = e->grid->reach, r, step;
	size_t steps = 2 * (size_t)e->step_reach + 1, k;

	for (k = 0; k < e->noise->part_count; k++) {
		double *table = residuals + k * (2 * (size_t)reach + 1) + reach;
		const double *counts = e->counts + k * e->table;

		for (r = -e->pad; r <= e->pad; r++)
			table[clip(r, reach)] += counts[place_of(e, -r)];
		for (step = 0; e->steps && step < (int)steps; step++)
			if (e->steps[k * steps + (size_t)step])
				add_steps(table, e,
					  e->step_counts[k * steps +
							 (size_t)step],
					  step - e->step_reach);
	}
}

/* From -pad to pad; beyond the reach as at its end. `density` is of residuals,
 * which are cell less level, times `scale`. */
static void fill_table(PN_REAL *table, const struct pn_emission *e,
		       const double *density, double scale, double outlier)
{
	int reach = e->grid->reach, r;
	PN_REAL *at = table;

	for (r = -reach; r <= reach; r++) {
		at = table + place_of(e, r);
		*at = (PN_REAL)((1 - OUTLIERS) * (density[reach - r] / scale) +
				outlier);
	}
	for (; r <= e->pad; r++) {
		table[place_of(e, r)] = *at;
		table[place_of(e, -r)] = table[place_of(e, -reach)];
	}
}

/* What lies farther off than this has the density of outliers, or next to none:
 * a level that begins there is not believed. */
static void find_near(struct pn_emission *e, double outlier)
{
	double least = fmax(2 * outlier, NEAR);
	size_t k;
	int r;

	for (k = 0; k < e->noise->part_count; k++) {
		const PN_REAL *table = e->densities + k * e->table;

		for (r = e->grid->reach; r > e->near; r--)
			if (table[place_of(e, r)] > least ||
			    table[place_of(e, -r)] > least)
				e->near = r;
	}
}

/* Tables of densities, the greatest of all near 1, with outliers in. */
static void set_densities(struct pn_emission *e)
{
	const struct pn_grid *g = e->grid;
	const double *density = e->noise->density;
	size_t parts = e->noise->part_count, k;
	size_t size = 2 * (size_t)g->reach + 1;
	double outlier, most = 0;

	for (k = 0; k < parts * size; k++)
		most = density[k] > most ? density[k] : most;
	e->log_scale = log(most);
	outlier = OUTLIERS * (g->floor / most);
	e->least = g->levels[0] - g->reach - 1 - e->most_shift;
	e->most = g->levels[g->level_count - 1] + g->reach + 1 + e->most_shift;
	e->spacing = g->dense ? (size_t)g->spacing : 1;
	e->pad = g->levels[g->level_count - 1] - g->levels[0] + g->reach + 1 +
		 2 * e->most_shift + PN_GRID_LANES * (int)e->spacing;
	e->table = table_size(e->pad, e->spacing);
	e->densities = pn_calloc(parts * e->table, sizeof(*e->densities));
	e->counts = pn_calloc(parts * e->table, sizeof(*e->counts));
	for (k = 0; k < parts; k++)
		fill_table(e->densities + k * e->table, e, density + k * size,
			   most, outlier);
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

/* Rows of noise that is correlated, while they are not too long. */
static void set_steps(struct pn_emission *e)
{
	const struct pn_grid *g = e->grid;
	size_t count = e->noise->part_count * (2 * (size_t)STEP_REACH + 1);
	int i;

	if (!e->shifts || !g->dense)
		return;
	e->step_reach = STEP_REACH < g->reach / 2 ? STEP_REACH : g->reach / 2;
	e->step_pad = g->levels[g->level_count - 1] - g->levels[0] +
		      PN_GRID_LANES * (int)e->spacing +
		      (int)(STEP_AWAY * g->sd);
	if (e->step_pad > e->pad - e->step_reach - e->most_shift)
		e->step_pad = e->pad - e->step_reach - e->most_shift;
	e->shifted = pn_realloc_array(NULL, 2 * (size_t)e->step_pad + 1,
				      sizeof(*e->shifted));
	for (i = -e->step_pad; i <= e->step_pad; i++)
		e->shifted[i + e->step_pad] = i + e->shifts[clip(-i, g->reach)];
	e->steps = pn_calloc(count, sizeof(*e->steps));
	e->step_counts = pn_calloc(count, sizeof(*e->step_counts));
}

void pn_emission_init(struct pn_emission *out, const struct pn_grid *grid,
		      const struct pn_noise *noise, size_t stride)
{
	*out = (struct pn_emission){
		.grid = grid, .noise = noise, .stride = stride};
	set_shifts(out);
	set_densities(out);
	set_steps(out);
}

void pn_emission_release(struct pn_emission *e)
{
	size_t count = e->noise->part_count * (2 * (size_t)e->step_reach + 1);
	size_t i;

	for (i = 0; e->steps && i < count; i++)
		free(e->step_counts[i]);
	free(e->steps);
	free(e->step_counts);
	free(e->shifted);
	free(e->counts);
	if (e->shifts)
		free(e->shifts - e->grid->reach);
	free(e->densities);
	*e = (struct pn_emission){0};
}
