/* Steps from level to level, by running sums. */
#include "detect/history/spread.h"

#include "detect/history/lanes.h"

#include <string.h>

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

static int place_of(const struct pn_edge *edge, size_t level)
{
	return edge->places ? edge->places[level] : (int)level + edge->away;
}

static void find_pairs(struct pn_spread_pairs *out, const struct pn_grid *grid,
		       struct pn_levels of, struct pn_levels to)
{
	size_t last = (to.to < grid->level_count ? to.to : grid->level_count);
	size_t k;

	last--;
	*out = (struct pn_spread_pairs){
		.of = of, .to = to, .low = of.from, .high = of.to};
	for (k = 0; k + 1 < grid->edge_count; k += 2) {
		const struct pn_edge *up = &grid->edges[k], *down = up + 1;
		int low = place_of(down, to.from), high = place_of(up, last);

		if (place_of(up, to.from) >= of.to &&
		    place_of(down, last) <= of.from)
			continue;
		out->all[out->count++] =
			(struct pn_spread_pair){up->weight, up, down};
		out->low = low < out->low ? low : out->low;
		out->high = high > out->high ? high : out->high;
	}
}

/* Whole lanes: some behind `to` as well. */
static void fill(PN_REAL *sums, int from, int to, PN_REAL value)
{
	const lanes full = (lanes){0} + value;

	for (; from < to; from += PN_LANES)
		PN_LANES_AT(lanes, sums + from) = full;
}

/* By value: what is stored cannot change it. */
struct beside {
	lanes weight;
	const PN_REAL *above, *below; /* sums of level 0 */
};

static struct beside beside(const struct pn_spread_pairs *p, size_t k,
			    const PN_REAL *s)
{
	const struct pn_spread_pair *pair = &p->all[k < p->count ? k : 0];

	return (struct beside){(lanes){0} + pair->weight * p->scale,
			       s + pair->above->away, s + pair->below->away};
}

static inline lanes beside_at(const struct beside *b, lanes all, size_t l)
{
	return b->weight * ((all - PN_LANES_AT(const lanes, b->above + l)) +
			    PN_LANES_AT(const lanes, b->below + l));
}

static inline void add_up(PN_REAL *out, const PN_REAL *before,
			  const struct pn_spread_pairs *p, const PN_REAL *s,
			  PN_REAL all, struct pn_levels to, size_t count)
{
	const struct beside first = beside(p, 0, s), second = beside(p, 1, s),
			    third = beside(p, 2, s);
	const lanes full = (lanes){0} + all;
	lanes sum;
	size_t l;

	for (l = to.from; l < to.to; l += PN_LANES) {
		sum = beside_at(&first, full, l);
		if (count > 1)
			sum += beside_at(&second, full, l);
		if (count > 2)
			sum += beside_at(&third, full, l);
		if (before)
			sum += PN_LANES_AT(const lanes, before + l);
		PN_LANES_AT(lanes, out + l) = sum;
	}
}

static void spread_beside(PN_REAL *out, const PN_REAL *before,
			  const struct pn_spread_pairs *p, const PN_REAL *s,
			  PN_REAL all, struct pn_levels to)
{
	if (p->count == 1)
		add_up(out, before, p, s, all, to, 1);
	else if (p->count == 2)
		add_up(out, before, p, s, all, to, 2);
	else
		add_up(out, before, p, s, all, to, 3);
}

struct apart {
	PN_REAL weight;
	const uint16_t *above, *below;
};

static struct apart apart(const struct pn_spread_pairs *p, size_t k)
{
	const struct pn_spread_pair *pair = &p->all[k < p->count ? k : 0];

	return (struct apart){pair->weight * p->scale, pair->above->places,
			      pair->below->places};
}

static inline PN_REAL apart_at(const struct apart *a, const PN_REAL *s,
			       PN_REAL all, size_t l)
{
	return a->weight * ((all - s[a->above[l]]) + s[a->below[l]]);
}

static inline void add_apart(PN_REAL *out, const PN_REAL *before,
			     const struct pn_spread_pairs *p, const PN_REAL *s,
			     PN_REAL all, struct pn_levels to, size_t count)
{
	const struct apart first = apart(p, 0), second = apart(p, 1),
			   third = apart(p, 2);
	PN_REAL sum;
	size_t l;

	for (l = to.from; l < to.to; l++) {
		sum = apart_at(&first, s, all, l);
		if (count > 1)
			sum += apart_at(&second, s, all, l);
		if (count > 2)
			sum += apart_at(&third, s, all, l);
		out[l] = before ? before[l] + sum : sum;
	}
}

static void spread_apart(PN_REAL *out, const PN_REAL *before,
			 const struct pn_spread_pairs *p, const PN_REAL *s,
			 PN_REAL all, struct pn_levels to)
{
	if (p->count == 1)
		add_apart(out, before, p, s, all, to, 1);
	else if (p->count == 2)
		add_apart(out, before, p, s, all, to, 2);
	else
		add_apart(out, before, p, s, all, to, 3);
}

/* No step leads there. */
static void keep(PN_REAL *out, const PN_REAL *before, struct pn_levels to)
{
	size_t size = (size_t)(to.to - to.from) * sizeof(*out);

	if (!before)
		memset(out + to.from, 0, size);
	else if (out != before)
		memcpy(out + to.from, before + to.from, size);
}

static bool same(struct pn_levels a, struct pn_levels b)
{
	return a.from == b.from && a.to == b.to;
}

void pn_spread(PN_REAL *out, const PN_REAL *before, const struct pn_grid *grid,
	       PN_REAL *sums, struct pn_spread_pairs *pairs, const PN_REAL *x,
	       PN_REAL scale, struct pn_levels of, struct pn_levels to)
{
	size_t stride =
		(grid->level_count + PN_LANES - 1) / PN_LANES * PN_LANES;
	PN_REAL *s = sums + stride, all;
	size_t l;

	if (!same(pairs->of, of) || !same(pairs->to, to))
		find_pairs(pairs, grid, of, to);
	pairs->scale = scale;
	fill(s, pairs->low, of.from, 0);
	all = run_sums(s + of.from, x + of.from, (size_t)(of.to - of.from));
	fill(s, of.to + 1, pairs->high + 1, all);
	if (!pairs->count)
		keep(out, before, to);
	else if (grid->run_count == 1)
		spread_beside(out, before, pairs, s, all, to);
	else
		spread_apart(out, before, pairs, s, all,
			     (struct pn_levels){
				     to.from,
				     to.to < grid->level_count
					     ? to.to
					     : (uint16_t)grid->level_count});
	for (l = grid->level_count; l < to.to; l++)
		out[l] = 0;
}
