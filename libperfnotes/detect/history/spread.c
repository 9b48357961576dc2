/* Steps from level to level, by running sums. */
#include "detect/history/spread.h"

/* Running sums of four and what came before: only one sum waits for another
 * one. Returns the sum of all. */
static PN_REAL run_sums(PN_REAL *restrict sums, const PN_REAL *restrict x,
			size_t n)
{
	PN_REAL before = 0, two, three;
	size_t l;

	sums[0] = 0;
	for (l = 0; l < n; l += PN_SPREAD_LANES) {
		two = x[l] + x[l + 1];
		three = two + x[l + 2];
		sums[l + 1] = before + x[l];
		sums[l + 2] = before + two;
		sums[l + 3] = before + three;
		sums[l + 4] = before += three + x[l + 3];
	}
	return before;
}

/* to += add + weight * from */
static void add_weighted(PN_REAL *restrict to, const PN_REAL *restrict from,
			 size_t n, PN_REAL add, PN_REAL weight)
{
	size_t l;

	for (l = 0; l < n; l++)
		to[l] = to[l] + add + weight * from[l];
}

static void add_all(PN_REAL *to, size_t n, PN_REAL add)
{
	size_t l;

	for (l = 0; l < n && add != 0; l++)
		to[l] += add;
}

static size_t within(size_t value, size_t least, size_t most)
{
	return value < least ? least : (value > most ? most : value);
}

/* The levels of a span from a to before b. Sums before the first level of `of`
 * are 0, behind the last those of all. */
static void spread_span(PN_REAL *restrict out, const PN_REAL *sums, PN_REAL all,
			PN_REAL weight, const struct pn_span *span,
			struct pn_levels of, size_t a, size_t b)
{
	PN_REAL add = span->above ? weight * all : 0;
	size_t first, last, at = span->at;

	/* level l has the sum at + l - from */
	first = within((size_t)of.from + span->from, a + at, b + at) - at;
	last = within((size_t)of.to + span->from, a + at, b + at) - at;
	add_all(out + a, first - a, add);
	add_weighted(out + first, sums + (at + first - span->from - of.from),
		     last - first, add, span->above ? -weight : weight);
	add_all(out + last, b - last, span->above ? 0 : weight * all);
}

void pn_spread(PN_REAL *restrict out, const struct pn_grid *grid,
	       PN_REAL *restrict sums, const PN_REAL *restrict x, PN_REAL scale,
	       struct pn_levels of, struct pn_levels to)
{
	const struct pn_span *span = grid->spans;
	size_t count = (size_t)(of.to - of.from), left, a, b;
	PN_REAL all = run_sums(sums, x + of.from, count), weight;
	bool whole = count >= grid->level_count;

	for (left = grid->span_count; left; left--, span++) {
		weight = span->weight * scale;
		a = span->from > to.from ? span->from : to.from;
		b = span->to < to.to ? span->to : to.to;
		if (a < b && whole)
			add_weighted(out + a,
				     sums + (span->at + a - span->from), b - a,
				     span->above ? weight * all : 0,
				     span->above ? -weight : weight);
		else if (a < b)
			spread_span(out, sums, all, weight, span, of, a, b);
	}
}
