/* Steps from level to level, by running sums. */
#include "detect/history/spread.h"

#include "detect/history/lanes.h"

typedef PN_REAL lanes PN_LANES_VECTOR;

/* Running sums of four and what came before: only one sum waits for another
 * one. Returns the sum of all. */
static PN_REAL run_sums(PN_REAL *restrict sums, const PN_REAL *restrict x,
			size_t n)
{
	PN_REAL before = 0, two, three;
	size_t l;

	sums[0] = 0;
	for (l = 0; l < n; l += PN_LANES) {
		two = x[l] + x[l + 1];
		three = two + x[l + 2];
		sums[l + 1] = before + x[l];
		sums[l + 2] = before + two;
		sums[l + 3] = before + three;
		sums[l + 4] = before += three + x[l + 3];
	}
	return before;
}

/*
 * What levels get: for each edge a sum, or with `all` what is missing in it to
 * `all`. One by one: less sums taken from one of several edges would be less
 * than 0 where they cancel each other, as rounded as they are.
 */
struct terms {
	size_t count;
	PN_REAL weights[PN_GRID_MAX_EDGES];
	PN_REAL alls[PN_GRID_MAX_EDGES];
	const PN_REAL *sums[PN_GRID_MAX_EDGES]; /* of level 0 */
	const struct pn_edge *edges[PN_GRID_MAX_EDGES];
};

static void add_term(struct terms *t, const struct pn_edge *edge,
		     const PN_REAL *sums, PN_REAL scale, PN_REAL all)
{
	PN_REAL weight = edge->weight * scale;

	t->weights[t->count] = edge->above ? -weight : weight;
	t->alls[t->count] = edge->above ? all : 0;
	t->sums[t->count] = sums;
	t->edges[t->count++] = edge;
}

static inline void add_up(PN_REAL *out, const PN_REAL *before,
			  const struct terms *t, struct pn_levels to,
			  size_t count)
{
	lanes sum;
	size_t l, k;

	for (l = to.from; l < to.to; l += PN_LANES) {
		sum = before ? PN_LANES_AT(const lanes, before + l)
			     : (lanes){0};
		for (k = 0; k < count; k++)
			sum += t->weights[k] *
			       (PN_LANES_AT(const lanes, t->sums[k] + l) -
				t->alls[k]);
		PN_LANES_AT(lanes, out + l) = sum;
	}
}

/* Of levels that follow each other sums that do, before the first of `of` 0
 * and behind the last `all`. `s` has them from level 0 on. */
static void spread_beside(PN_REAL *out, const PN_REAL *before,
			  const struct pn_grid *grid, PN_REAL *s, PN_REAL all,
			  PN_REAL scale, struct pn_levels of,
			  struct pn_levels to)
{
	int low = of.from, high = of.to, first, last, i;
	struct terms t = {.count = 0};
	size_t k;

	for (k = 0; k < grid->edge_count; k++) {
		const struct pn_edge *edge = &grid->edges[k];

		first = to.from + edge->away;
		last = to.to - 1 + edge->away;
		if (edge->above ? first >= of.to : last <= of.from)
			continue;
		add_term(&t, edge, s + edge->away, scale, all);
		low = first < low ? first : low;
		high = last > high ? last : high;
	}
	for (i = low; i < of.from; i++)
		s[i] = 0;
	for (i = of.to + 1; i <= high; i++)
		s[i] = all;
	if (t.count == 2)
		add_up(out, before, &t, to, 2);
	else if (t.count == 4)
		add_up(out, before, &t, to, 4);
	else
		add_up(out, before, &t, to, t.count);
}

static void spread_apart(PN_REAL *out, const PN_REAL *before,
			 const struct pn_grid *grid, const PN_REAL *s,
			 PN_REAL all, PN_REAL scale, struct pn_levels of,
			 struct pn_levels to)
{
	size_t most = to.to, l, k, place;
	struct terms t = {.count = 0};

	most = most < grid->level_count ? most : grid->level_count;
	for (k = 0; k < grid->edge_count; k++)
		add_term(&t, &grid->edges[k], s, scale, all);
	for (l = to.from; l < most; l++) {
		PN_REAL sum = before ? before[l] : 0;

		for (k = 0; k < t.count; k++) {
			place = t.edges[k]->places[l];
			place = place < of.from ? of.from : place;
			place = place > of.to ? of.to : place;
			sum += t.weights[k] * (s[place] - t.alls[k]);
		}
		out[l] = sum;
	}
}

void pn_spread(PN_REAL *out, const PN_REAL *before, const struct pn_grid *grid,
	       PN_REAL *sums, const PN_REAL *x, PN_REAL scale,
	       struct pn_levels of, struct pn_levels to)
{
	size_t stride =
		(grid->level_count + PN_LANES - 1) / PN_LANES * PN_LANES;
	PN_REAL *s = sums + stride;
	PN_REAL all =
		run_sums(s + of.from, x + of.from, (size_t)(of.to - of.from));
	size_t l;

	if (grid->run_count == 1)
		spread_beside(out, before, grid, s, all, scale, of, to);
	else
		spread_apart(out, before, grid, s, all, scale, of, to);
	for (l = grid->level_count; l < to.to; l++)
		out[l] = 0;
}
