/*
 * Steps from level to level: what those of one commit give to those of another
 * by the prior of a step's size. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_SPREAD_H
#define PN_HISTORY_SPREAD_H

#include "detect/history/lanes.h"

/* Levels, by their index; of whole lanes. */
struct pn_levels {
	uint16_t from, to;
};

/* Numbers of scratch for rows of so many, in whole lanes. */
#define PN_SPREAD_SCRATCH(stride) (3 * (stride) + 2 * PN_LANES)

/*
 * The edges at one distance above and below: levels get what is missing to
 * all in the sum there and the sum there. Never less sums of two distances:
 * they would be less than 0 where they cancel each other, as rounded as they
 * are.
 */
#define PN_SPREAD_PAIRS (PN_GRID_MAX_EDGES / 2)
struct pn_spread_pair {
	PN_REAL weight;
	const struct pn_edge *above, *below;
};

/* Those by which one of the levels `of` reaches one of `to`: of the last call,
 * since the ranges seldom change. Zeroed before the first one of a grid. */
struct pn_spread_pairs {
	struct pn_levels of, to;
	PN_REAL scale;
	size_t count;
	struct pn_spread_pair all[PN_SPREAD_PAIRS];
	int low, high; /* places that they look at */
};

/*
 * out = before + scale * (prior of a step from each level) . x, from the levels
 * `of` to the levels `to`; `before`, NULL: 0, may be `out`. `sums` is scratch,
 * and so is `pairs`. Time O(levels of both).
 */
void pn_spread(PN_REAL *out, const PN_REAL *before, const struct pn_grid *grid,
	       PN_REAL *sums, struct pn_spread_pairs *pairs, const PN_REAL *x,
	       PN_REAL scale, struct pn_levels of, struct pn_levels to);

#endif
