/*
 * Changes that are none: a course that rises or falls steadily is cut into
 * steps where a straight line would do. Pure.
 */
#ifndef PN_HISTORY_STRAIGHT_H
#define PN_HISTORY_STRAIGHT_H

#include "detect/history/models.h"

/*
 * Take out changes, the worst one first: those whose two segments a line fits
 * better than two levels, and a step on that line does not much better. Values
 * count up to a few standard deviations from their level. Both in cells.
 */
void pn_straight_drop(struct pn_found_change *changes, size_t *count,
		      const struct pn_grid *grid, const double *levels);

#endif
