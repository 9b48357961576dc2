/*
 * Changes that are none: a course that rises or falls for some commits between
 * two levels is cut into steps. Pure.
 */
#ifndef PN_HISTORY_RAMP_H
#define PN_HISTORY_RAMP_H

#include "detect/history/models.h"

/*
 * Take out neighbouring changes of one direction where a level, a line and
 * another level, which meet, fit their segments better than the steps do; of
 * those the one stays that is a step on the ramp, too. Values are in cells.
 */
void pn_ramp_drop(struct pn_found_change *changes, size_t *count,
		  const double *values, size_t n);

#endif
