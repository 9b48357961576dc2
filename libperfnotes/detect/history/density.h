/*
 * The density of residuals on a grid: a heavy-tailed one to begin with, then
 * one that is learned from the residuals themselves. Tables of 2 reach + 1
 * logarithms. Pure.
 */
#ifndef PN_HISTORY_DENSITY_H
#define PN_HISTORY_DENSITY_H

#include "detect/history/grid.h"

/* Student's with five degrees of freedom, `scale` in cells. */
void pn_density_begin(double *out, const struct pn_grid *grid, double scale);

/*
 * Of residuals that were seen so often: a Gaussian kernel, its width by the
 * likelihood of each residual by the others, with the former as six more
 * residuals. B. W. Silverman, Density Estimation (1986), 3.4.4.
 */
void pn_density_learn(double *out, const struct pn_grid *grid,
		      const double *residuals, double scale);

#endif
