/*
 * Levels of three commits, at the begin of a history. Pure.
 */
#ifndef PN_HISTORY_EARLY_H
#define PN_HISTORY_EARLY_H

#include "detect/history/models.h"

#define PN_EARLY_VALUES 16   /* of more the models tell by themselves */
#define PN_EARLY_MASS 0.7    /* of a change: another cause is not excluded */
#define PN_EARLY_LENGTH 3    /* commits on each side, at least */
#define PN_EARLY_DOUBT 0.89  /* of what is not clear */
#define PN_EARLY_CLEAR 0.002 /* p, for all places */
#define PN_EARLY_FAR 12.0    /* standard deviations of one of these */

/*
 * Where the models found nothing in a short history, add each change that parts
 * it: all values before lie on one side of all behind, farther off than those
 * beside it could vary. Two levels of three commits are taken for a machine
 * that is slow for a while, and with them in its noise a history would hide
 * whatever comes next. Their levels are set. The caller frees `changes`, as
 * before.
 */
void pn_early_add(struct pn_found_change **changes, size_t *count,
		  const struct pn_grid *grid, double *levels);

/*
 * The most that is believed of a change at `at` between the levels from `begin`
 * and up to `end`: 1 where the history is longer, or where it is clear by
 * Student's test, with the chance of each place where it could be as well. Else
 * too little to be sure: of so few values the models do not know the noise, and
 * of five without a change one of 30 was as sure as of a hundred.
 */
double pn_early_most(const struct pn_grid *grid, size_t begin, size_t at,
		     size_t end);

#endif
