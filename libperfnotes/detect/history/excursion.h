/*
 * Three commits off the level, and back. Pure.
 */
#ifndef PN_HISTORY_EXCURSION_H
#define PN_HISTORY_EXCURSION_H

#include "detect/history/models.h"

#define PN_EXCURSION_MASS 0.7 /* of its ends: another cause is not excluded */

/*
 * Add the ends of a run of three commits that are far off on one side, alike,
 * and the only ones to be so: the models take them for outliers, which they
 * know how many there are of, but not that they came one after another. A
 * history with others as far off has outliers, or a machine that is slow now
 * and then. Their level is set. The caller frees `changes`, as before.
 */
void pn_excursion_add(struct pn_found_change **changes, size_t *count,
		      const struct pn_grid *grid, double *levels);

#endif
