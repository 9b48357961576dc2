/*
 * Steps from level to level: what those of one commit give to those of another
 * by the prior of a step's size. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_SPREAD_H
#define PN_HISTORY_SPREAD_H

#include "detect/history/grid.h"

/* Rows are filled up to so many levels: as many are computed at a time. */
#define PN_SPREAD_LANES 4

/* Levels, by their index; of whole lanes. */
struct pn_levels {
	uint16_t from, to;
};

/*
 * out += scale * (prior of a step from each level) . x, from the levels `of` to
 * the levels `to`; `sums` is scratch of a row and one more. Time O(levels of
 * both).
 */
void pn_spread(PN_REAL *out, const struct pn_grid *grid, PN_REAL *sums,
	       const PN_REAL *x, PN_REAL scale, struct pn_levels of,
	       struct pn_levels to);

#endif
