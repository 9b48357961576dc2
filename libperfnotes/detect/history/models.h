/*
 * The models that a history is looked at with, and what they say together: each
 * counts by its evidence. Pure.
 */
#ifndef PN_HISTORY_MODELS_H
#define PN_HISTORY_MODELS_H

#include "detect/history/grid.h"

#define PN_MODELS_BESIDE 2   /* commits that a change is looked for beside */
#define PN_MODELS_CHANGE 0.6 /* mass from which on one is reported */

struct pn_belief {
	double *change; /* chance that a segment begins, of each commit */
	double *level;	/* expected, in cells */
};

/* A reported change. */
struct pn_found_change {
	size_t at;
	double mass; /* of a change there or PN_MODELS_BESIDE from there */
};

/* `out` has two arrays of grid->n, which the caller owns. */
void pn_models_average(struct pn_belief *out, const struct pn_grid *grid);

/* Where `change` has at least `least` within PN_MODELS_BESIDE, the likeliest
 * first of those near each other; in ascending order. The caller frees. */
struct pn_found_change *pn_models_decode(size_t *count, const double *change,
					 size_t n, double least);

#endif
