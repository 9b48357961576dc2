/*
 * A model of the noise, and by it the density of each value at each level.
 * Pure.
 */
#ifndef PN_HISTORY_NOISE_H
#define PN_HISTORY_NOISE_H

#include "detect/history/grid.h"

/* A model of the noise. Either correlated or sticky or neither. */
struct pn_noise {
	/* Density of a residual: a table of 2 reach + 1 cells, not scaled, for
	 * each part of the grid, or one for all. Logarithms. */
	const double *log_density;
	size_t part_count;
	double correlation; /* with the residual before, 0: none */
	/* Variance of the level that each commit adds, through that of the
	 * noise; 0: levels stay */
	double wander;
	int gap;	     /* of the slow state, in cells */
	double enter, leave; /* it; enter 0: there is none */
};

/* The same, made ready for a pass. */
struct pn_emission {
	const struct pn_grid *grid;
	const struct pn_noise *noise;
	size_t stride; /* floats of a row; beyond the levels they are 0 */
	/* Densities by level less cell, from -pad to pad, of each part. */
	PN_REAL *densities;
	int pad;
	double log_scale; /* what was taken off their logarithms */
	int *shifts;	  /* by the residual before; NULL: none */
	int most_shift;	  /* of those */
	int near;	  /* residuals beyond it are outliers */
};

void pn_emission_init(struct pn_emission *out, const struct pn_grid *grid,
		      const struct pn_noise *noise, size_t stride);
void pn_emission_release(struct pn_emission *emission);

/*
 * Rows for the value of commit t: `later` in a later commit of a segment, with
 * a slow state a second row for that; `first` in the first one, which differs
 * where noise is correlated: by `mean`, the level that was expected of the
 * commit before. It may be `later` where it is not. Of the levels `from` to
 * before `to`, which may lie behind the last one.
 */
void pn_emission_of(PN_REAL *later, PN_REAL *first,
		    const struct pn_emission *emission, size_t t, double mean,
		    size_t from, size_t to);

/* Levels from *low to before *high are near the value of commit t, with the
 * slow state's: on others it is an outlier. None when *low is *high. */
void pn_emission_near(size_t *low, size_t *high,
		      const struct pn_emission *emission, size_t t,
		      double mean);

/* Add what is left of the value of commit t at each level, `gap` taken off, to
 * tables of residuals: shares of a row times `scale`. */
void pn_emission_count(double *residuals, const struct pn_emission *emission,
		       const PN_REAL *shares, PN_REAL scale, size_t t, int gap,
		       size_t from, size_t to);

#endif
