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
 * out = before + scale * (prior of a step from each level) . x, from the levels
 * `of` to the levels `to`; `before`, NULL: 0, may be `out`. `sums` is scratch.
 * Time O(levels of both).
 */
void pn_spread(PN_REAL *out, const PN_REAL *before, const struct pn_grid *grid,
	       PN_REAL *sums, const PN_REAL *x, PN_REAL scale,
	       struct pn_levels of, struct pn_levels to);

#endif
