/* The values of a history on a grid of levels. */
#include "detect/history/grid.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_2 1.41421356237309504880
#define ROOT_TAU 2.50662827463100050242
#define QUARTILE_TO_SD 0.3186 /* lower quartile of |x|, x normal */
#define MOST_AWAY 39.0	      /* of logarithms or units, that count as such */
#define MOST_UNITS 1e6	      /* of a value: its square stays finite */
#define CELLS_A_SD 3.0
#define LEVELS_BESIDE 4 /* of each that a running median visits */
#define MOST_DENSE 3	/* times the levels, to fill what is between them */
#define MAX_REACH 4000
#define CHANGES 2.5    /* expected in a history */
#define MIN_HISTORY 20 /* a shorter one has as many */
#define MIN_CHANCE 0.001

/* Values of a long history that tell its noise, in pieces of neighbours. */
#define SOME ((size_t)16384)
#define PIECE ((size_t)2048)

/* Scales of the differences of neighbours, of one value each. */
struct scales {
	double by_median, by_quartile, trimmed;
};

/*
 * Root of the mean square of a normal sample from those that are left when the
 * largest are taken off.
 */
static double trimmed_rms(double *magnitudes, size_t m)
{
	size_t off = (size_t)ceil(0.05 * (double)m), kept, i;
	double sum = 0, q, c;

	off = off < 3 ? 3 : off;
	off = off > m / 2 ? m / 2 : off;
	kept = m - off;
	if (off)
		pn_quantile_select(magnitudes, m, kept);
	for (i = 0; i < kept; i++)
		sum += magnitudes[i] * magnitudes[i];
	if (!kept || !off)
		return kept ? sqrt(sum / (double)kept) : 0;
	q = (double)kept / (double)m;
	c = pn_stats_normal_quantile(0.5 + q / 2);
	return sqrt(sum / (double)kept /
		    (1 - 2 * c * exp(-c * c / 2) / ROOT_TAU / q));
}

/* `jumps` get their median taken off. */
static void find_scales(struct scales *out, double *jumps, size_t m)
{
	double *sizes = pn_realloc_array(NULL, m, sizeof(*sizes));
	double median = pn_stats_median(jumps, m);
	size_t i;

	for (i = 0; i < m; i++) {
		jumps[i] -= median;
		sizes[i] = fabs(jumps[i]);
	}
	out->by_median =
		PN_STATS_MAD_TO_SD * pn_quantile_pick(sizes, m, 0.5) / ROOT_2;
	out->by_quartile =
		pn_quantile_pick(sizes, m, 0.25) / (QUARTILE_TO_SD * ROOT_2);
	out->trimmed = fmax(trimmed_rms(sizes, m) / ROOT_2, out->by_median);
	free(sizes);
}

/* The least distance of two values, where they look rounded; else 0. */
static double quantum_of(const double *values, const double *sorted, size_t n)
{
	size_t distinct = 1, changes = 0, i;
	double least = INFINITY;

	for (i = 1; i < n; i++) {
		changes += values[i] != values[i - 1];
		if (sorted[i] == sorted[i - 1])
			continue;
		distinct++;
		least = fmin(least, sorted[i] - sorted[i - 1]);
	}
	if (distinct < 2 || (double)distinct >= 0.7 * (double)n ||
	    (double)changes <= 0.25 * (double)(n - 1))
		return 0;
	return least;
}

static double unit_of(const double *values, const double *sorted, size_t n)
{
	double *sizes = pn_realloc_array(NULL, n, sizeof(*sizes)), unit, mean;
	size_t i;

	for (i = 0; i < n; i++)
		sizes[i] = fabs(values[i]);
	mean = pn_stats_mean(sizes, n);
	unit = fmax(pn_stats_median(sizes, n),
		    pn_quantile_of(sorted, n, 0.75) -
			    pn_quantile_of(sorted, n, 0.25));
	free(sizes);
	unit = unit > 0 ? unit : mean > 0 ? mean : 1;
	return fmin(unit, DBL_MAX);
}

/* Noise and cell in the units of the values; then all is in cells. Noise of
 * more than MOST_AWAY counts as such: a cell is smaller than the prior's
 * bands. */
static void set_scales(struct pn_grid *g, const struct scales *s,
		       double quantum)
{
	double least =
		fmin(MOST_AWAY, fmax(PN_GRID_MIN_EFFECT / 8, 0.45 * quantum));
	double wide = fmin(MOST_AWAY, fmax(s->trimmed, least));
	double narrow = fmin(
		wide,
		fmax(fmax(fmin(s->by_median, 1.25 * s->by_quartile), least),
		     wide / 20));
	double sd = fmin(MOST_AWAY, fmax(fmax(s->by_median, least), wide / 20));

	g->cell =
		fmax(fmax(fmin(sd / CELLS_A_SD, s->by_quartile / 2.5), sd / 12),
		     PN_GRID_MIN_EFFECT / 20);
	g->sd = sd / g->cell;
	g->narrow = narrow / g->cell;
	g->wide = wide / g->cell;
	g->min_width = fmax(1, 0.35 * quantum / g->cell);
	g->floor = g->cell / fmax(0.5, 12 * wide);
	g->reach = (int)fmin(MAX_REACH, fmax(60, ceil(40 * g->sd)));
}

/* A sorted window of a few values. */
static void put_in(double *window, size_t have, double value)
{
	for (; have && window[have - 1] > value; have--)
		window[have] = window[have - 1];
	window[have] = value;
}

static void take_out(double *window, size_t have, double value)
{
	size_t i = 0;

	while (i < have && window[i] != value)
		i++;
	for (; i + 1 < have; i++)
		window[i] = window[i + 1];
}

/* One goes, another one comes. */
static void replace(double *window, size_t have, double old, double new)
{
	size_t i = 0;

	while (i + 1 < have && window[i] != old)
		i++;
	for (; i + 1 < have && window[i + 1] < new; i++)
		window[i] = window[i + 1];
	for (; i && window[i - 1] > new; i--)
		window[i] = window[i - 1];
	window[i] = new;
}

void pn_grid_running_medians(double *out, const double *values, size_t n,
			     size_t width)
{
	size_t half = width / 2 < (n - 1) / 2 ? width / 2 : (n - 1) / 2;
	double window[PN_GRID_MAX_WINDOW];
	size_t i, have = 0, to = 0;

	for (i = 0; i < n; i++) {
		if (i > half && to < n)
			replace(window, have, values[i - half - 1],
				values[to++]);
		else if (i > half)
			take_out(window, have--, values[i - half - 1]);
		for (; to < n && to <= i + half; to++)
			put_in(window, have++, values[to]);
		out[i] = have % 2 ? window[have / 2]
				  : (window[have / 2 - 1] + window[have / 2]) /
					    2;
	}
}

static int32_t clipped(double cell, double most)
{
	cell = cell > -most ? cell : -most;
	return (int32_t)rint(cell < most ? cell : most);
}

/* Which cells the running medians visit, from `least` to `most`; the caller
 * frees. */
static bool *visited_cells(int32_t *least, int32_t *most,
			   const struct pn_grid *g, double limit)
{
	static const size_t widths[] = {5, 11, 21};
	double *medians = pn_realloc_array(NULL, 3 * g->n, sizeof(*medians));
	double first, last;
	bool *visited;
	size_t w, i;

	for (w = 0; w < 3; w++)
		pn_grid_running_medians(medians + w * g->n, g->at, g->n,
					widths[w]);
	first = last = medians[0];
	for (i = 0; i < 3 * g->n; i++) {
		first = medians[i] < first ? medians[i] : first;
		last = medians[i] > last ? medians[i] : last;
	}
	*least = clipped(first, limit);
	*most = clipped(last, limit);
	visited = pn_calloc((size_t)(*most - *least) + 1, sizeof(*visited));
	for (i = 0; i < 3 * g->n; i++)
		visited[clipped(medians[i], limit) - *least] = true;
	free(medians);
	return visited;
}

/* Of too many levels every second one, fourth, .. */
static void thin_out(struct pn_grid *g)
{
	size_t i;

	for (; g->level_count > PN_GRID_MAX_LEVELS;
	     g->level_count = (g->level_count + 1) / 2) {
		for (i = 0; i < (g->level_count + 1) / 2; i++)
			g->levels[i] = g->levels[2 * i];
		g->spacing *= 2;
	}
	g->there = pn_calloc(PN_GRID_ROW(g->level_count), sizeof(*g->there));
	for (i = 0; i < g->level_count; i++)
		g->there[i] = 1;
	g->there_count = g->level_count;
}

/* The same of levels that follow each other: those between that are not there
 * become some, on which no commit is. */
static void fill_gaps(struct pn_grid *g, size_t span)
{
	size_t count = g->level_count, i, l = 0;
	int32_t first = g->levels[0];

	g->there = pn_calloc(PN_GRID_ROW(span), sizeof(*g->there));
	for (;; g->spacing *= 2) {
		memset(g->there, 0, span * sizeof(*g->there));
		g->there_count = 0;
		for (i = 0; i < count; i++) {
			l = (size_t)(g->levels[i] - first + g->spacing / 2) /
			    (size_t)g->spacing;
			g->there_count += g->there[l] == 0;
			g->there[l] = 1;
		}
		if (g->there_count <= PN_GRID_MAX_LEVELS)
			break;
	}
	g->level_count = l + 1;
	free(g->levels);
	g->levels = pn_realloc_array(NULL, l + 1, sizeof(*g->levels));
	for (i = 0; i <= l; i++)
		g->levels[i] = first + g->spacing * (int32_t)i;
}

/* Levels that running medians visit and those beside them. */
static void set_levels(struct pn_grid *g, double limit)
{
	int32_t least, most, cell, next;
	bool *visited = visited_cells(&least, &most, g, limit);
	size_t count = 0, cap = 0;

	next = least - LEVELS_BESIDE;
	for (cell = least; cell <= most; cell++) {
		if (!visited[cell - least])
			continue;
		if (next < cell - LEVELS_BESIDE)
			next = cell - LEVELS_BESIDE;
		g->levels =
			pn_grow(g->levels, &cap, count + 2 * LEVELS_BESIDE + 1,
				sizeof(*g->levels));
		while (next <= cell + LEVELS_BESIDE)
			g->levels[count++] = next++;
	}
	free(visited);
	g->spacing = 1;
	g->level_count = count;
	count = (size_t)(g->levels[count - 1] - g->levels[0]) + 1;
	g->dense = count <= MOST_DENSE * g->level_count;
	if (g->dense)
		fill_gaps(g, count);
	else
		thin_out(g);
}

/* The least whole number of cells that are as much as `size`. */
static double cells_of(double size, double cell)
{
	double cells = ceil(size / cell);

	while (cells > 0 && (cells - 1) * cell >= size)
		cells--;
	while (cells * cell < size)
		cells++;
	return cells;
}

/*
 * Steps of at least `edge` weigh `more` than shorter ones: a level is reached
 * with so much more weight from the first level on that lies as far above it
 * (`above`), or from all up to the last one that lies as far below. Stored is,
 * of each level, where these begin or end.
 */
static void add_edge(struct pn_grid *g, double edge, double more, bool above)
{
	size_t n = g->level_count, i, place = 0;
	struct pn_edge *out = &g->edges[g->edge_count];

	*out = (struct pn_edge){.above = above, .weight = (PN_REAL)more};
	if (g->dense) {
		edge = ceil(edge / g->spacing);
		out->away = above ? (int)fmin(edge, (double)n)
				  : 1 - (int)fmin(edge, (double)n + 1);
		g->edge_count += edge < (double)n;
		return;
	}
	out->places = pn_realloc_array(NULL, n, sizeof(*out->places));
	for (i = 0; i < n; i++) {
		while (place < n &&
		       (above ? g->levels[place] < g->levels[i] + edge
			      : g->levels[place] <= g->levels[i] - edge))
			place++;
		out->places[i] = (uint16_t)place;
	}
	g->edge_count++;
}

/* Small steps are common, large ones are not; noisy histories, in which only
 * large ones are looked into, have them larger. */
static void set_bands(struct pn_grid *g)
{
	static const double masses[] = {0.50, 0.45, 0.05};
	double times = fmax(1, g->wide * g->cell / 0.05), edge, weight;
	double edges[] = {PN_GRID_MIN_EFFECT, fmin(0.04 * times, MOST_AWAY - 1),
			  fmin(0.30 * times, MOST_AWAY), MOST_AWAY + 1};
	double before = 0;
	size_t k;

	for (k = 0; k < sizeof(masses) / sizeof(*masses); k++) {
		weight = 0.5 * masses[k] * g->cell / (edges[k + 1] - edges[k]);
		edge = cells_of(edges[k], g->cell);
		add_edge(g, edge, weight - before, true);
		add_edge(g, edge, weight - before, false);
		before = weight;
	}
}

/* Best split of x[a..b): by means of ln |jump|; false when none is sure. */
static bool find_split(size_t *out, const double *x, size_t a, size_t b)
{
	const size_t least = 12;
	double m = (double)(b - a), sum = 0, all = 0, squares = 0, best = -1;
	double k, apart, best_apart = 0, variance, score;
	size_t i;

	if (b - a < 2 * least)
		return false;
	for (i = a; i < b; i++)
		all += x[i];
	for (i = a; i < b; i++)
		squares += (x[i] - all / m) * (x[i] - all / m);
	variance = fmax(squares / m, 0.3);
	for (i = a; i < b - least; i++) {
		sum += x[i];
		k = (double)(i + 1 - a);
		if (k < (double)least)
			continue;
		apart = fabs((all - sum) / (m - k) - sum / k);
		score = apart * sqrt(k * (m - k) / m / variance);
		if (score > best) {
			best = score;
			best_apart = apart;
			*out = i + 1;
		}
	}
	return best > 4.5 && best_apart > 0.45;
}

static void add_cut(size_t *cuts, size_t *count, size_t cut)
{
	size_t i = (*count)++;

	for (; i && cuts[i - 1] > cut; i--)
		cuts[i] = cuts[i - 1];
	cuts[i] = cut;
}

/* Binary segmentation of the logarithms of the jumps' sizes; `cuts` has room
 * for 3. Returns how many were found. */
static size_t find_cuts(size_t *cuts, const struct pn_grid *g)
{
	size_t m = g->n - 1, todo[2 * PN_GRID_MAX_PARTS][2], first = 0,
	       last = 1;
	double *x = pn_realloc_array(NULL, m, sizeof(*x));
	size_t count = 0, cut = 0, i, a, b;

	for (i = 0; i < m; i++)
		x[i] = log(fmax(fabs(g->jumps[i]), 0.1 * g->sd));
	todo[0][0] = 0;
	todo[0][1] = m;
	while (first < last && count < PN_GRID_MAX_PARTS - 1) {
		a = todo[first][0];
		b = todo[first++][1];
		if (!find_split(&cut, x, a, b))
			continue;
		add_cut(cuts, &count, cut);
		todo[last][0] = a;
		todo[last++][1] = cut;
		todo[last][0] = cut;
		todo[last++][1] = b;
	}
	free(x);
	return count;
}

/* Median size of the jumps from a to b, as the deviation of one value. */
static double sd_of_jumps(const struct pn_grid *g, size_t a, size_t b)
{
	double sd = PN_STATS_MAD_TO_SD * pn_stats_mad(g->jumps + a, b - a, 0) /
		    ROOT_2;

	return fmax(sd, g->sd / 8);
}

static void set_parts(struct pn_grid *g)
{
	size_t ends[PN_GRID_MAX_PARTS + 1] = {0}, i, begin = 0, end;

	g->part_count = find_cuts(ends, g) + 1;
	ends[g->part_count - 1] = g->n - 1;
	g->parts = pn_calloc(g->n, sizeof(*g->parts));
	for (i = 0; i < g->part_count; i++, begin = end) {
		end = ends[i];
		g->part_sds[i] = sd_of_jumps(g, begin, end);
		memset(g->parts + (begin ? begin + 1 : 0), (int)i,
		       g->n - (begin ? begin + 1 : 0));
	}
}

/* Values of 1e300 and 1e-300 are no multiples of each other. */
static double in_units(double value, double unit)
{
	return fmax(-MOST_UNITS, fmin(MOST_UNITS, value / unit));
}

/* Logarithms or multiples of the unit; then in cells. */
static void set_values(struct pn_grid *g, const double *values)
{
	struct scales scales;
	double *sorted = pn_quantile_sorted(values, g->n), quantum, most;
	size_t i;

	g->logs = sorted[0] > 0;
	g->unit = unit_of(values, sorted, g->n);
	for (i = 0; i < g->n; i++)
		g->at[i] =
			g->logs ? log(values[i]) : in_units(values[i], g->unit);
	for (i = 0; i + 1 < g->n; i++)
		g->jumps[i] = g->at[i + 1] - g->at[i];
	find_scales(&scales, g->jumps, g->n - 1);
	quantum =
		in_units(quantum_of(values, sorted, g->n),
			 g->logs ? pn_quantile_of(sorted, g->n, 0.5) : g->unit);
	set_scales(g, &scales, quantum);
	g->zero = pn_stats_median(g->at, g->n);
	most = floor(MOST_AWAY / g->cell);
	for (i = 0; i < g->n; i++) {
		g->at[i] = (g->at[i] - g->zero) / g->cell;
		g->cells[i] = clipped(g->at[i], most);
	}
	for (i = 0; i + 1 < g->n; i++)
		g->jumps[i] /= g->cell;
	free(sorted);
	set_levels(g, most);
}

void pn_grid_init(struct pn_grid *out, const double *values, size_t n)
{
	*out = (struct pn_grid){.n = n};
	out->chance =
		fmax(CHANGES / (double)(n > MIN_HISTORY ? n : MIN_HISTORY),
		     MIN_CHANCE);
	out->at = pn_realloc_array(NULL, n, sizeof(*out->at));
	out->jumps = pn_realloc_array(NULL, n, sizeof(*out->jumps));
	out->cells = pn_realloc_array(NULL, n, sizeof(*out->cells));
	set_values(out, values);
	set_bands(out);
	set_parts(out);
}

void pn_grid_release(struct pn_grid *grid)
{
	while (grid->edge_count)
		free(grid->edges[--grid->edge_count].places);
	free(grid->there);
	free(grid->at);
	free(grid->jumps);
	free(grid->cells);
	free(grid->levels);
	free(grid->parts);
	*grid = (struct pn_grid){0};
}

void pn_grid_choose_some(struct pn_grid *out, const struct pn_grid *g)
{
	size_t pieces = SOME / PIECE, i;

	*out = *g;
	if (g->n < 2 * SOME)
		return;
	out->n = SOME;
	out->cells = pn_realloc_array(NULL, SOME, sizeof(*g->cells));
	out->parts = pn_realloc_array(NULL, SOME, sizeof(*g->parts));
	for (i = 0; i < pieces; i++) {
		size_t from = (g->n - PIECE) / (pieces - 1) * i;

		memcpy(out->cells + i * PIECE, g->cells + from,
		       PIECE * sizeof(*g->cells));
		memcpy(out->parts + i * PIECE, g->parts + from,
		       PIECE * sizeof(*g->parts));
	}
}

void pn_grid_drop_some(struct pn_grid *some, const struct pn_grid *g)
{
	if (some->n == g->n)
		return;
	free(some->cells);
	free(some->parts);
}

double pn_grid_value(const struct pn_grid *grid, double cell)
{
	double value = cell * grid->cell + grid->zero;

	return grid->logs ? exp(value) : value * grid->unit;
}
