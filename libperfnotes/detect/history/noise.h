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
	 * each part of the grid, or one for all. */
	const double *density;
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
	/* Densities by level less cell, from -pad to pad, of each part; those
	 * at the spacing of a dense grid's levels follow each other. */
	PN_REAL *densities;
	int pad;
	size_t spacing, table; /* 1 where the grid is not dense; their number */
	double log_scale;      /* of what they were divided by */
	int *shifts;	       /* by the residual before; NULL: none */
	int most_shift;	       /* of those */
	int least, most; /* cells: what lies beyond is an outlier everywhere */
	int near;	 /* residuals beyond it are outliers */
	/* Of a dense grid: rows in which the residual before shifts, by the
	 * step between the two values, made when one is there; from -step_reach
	 * to step_reach, a row of from -step_pad to step_pad by level less
	 * value before, in the order of densities. NULL: none. */
	PN_REAL **steps;
	double **step_counts; /* shares on those; also begin their memory */
	int step_reach, step_pad;
	int *shifted;	/* level less value before, from -step_pad on, with what
			 * that shifts */
	double *counts; /* shares by level less value, as `densities` */
};

/* Densities of one value, by level. */
struct pn_emission_rows {
	const PN_REAL *later; /* in a later commit of a segment */
	/* in the first one, which differs where noise is correlated */
	const PN_REAL *first;
	const PN_REAL *slow; /* in the slow state, where there is one */
};

void pn_emission_init(struct pn_emission *out, const struct pn_grid *grid,
		      const struct pn_noise *noise, size_t stride);
void pn_emission_release(struct pn_emission *emission);

/*
 * Rows for the value of commit t, of the levels `from` to before `to`, which
 * may lie behind the last one. In the first commit of a segment noise that is
 * correlated is so with `mean`, the level that was expected of the commit
 * before. Rows stay where they are until release, or are in `own`, which has
 * room for PN_EMISSION_ROWS. Returns how many of those were taken.
 */
#define PN_EMISSION_ROWS 2
size_t pn_emission_of(struct pn_emission_rows *out, PN_REAL *own,
		      struct pn_emission *emission, size_t t, double mean,
		      size_t from, size_t to);

/* Of a commit whose levels all are looked at. */
struct pn_emission_commit {
	struct pn_emission_rows of;
	/* Where shares on `later` are counted; NULL: pn_emission_count. */
	double *counts;
	PN_REAL sum; /* of its row; the caller's */
};

/* Whole rows of a dense grid whose spacing is 1, of the commits `from` to
 * before `to`, before those before them are seen: `first` is what follows no
 * residual; what each shifts is so many levels farther. `later` is NULL where
 * it needs memory, which has room for a row and is set then. */
void pn_emission_begin(struct pn_emission_commit *commits,
		       struct pn_emission *emission, size_t from, size_t to);
void pn_emission_begin_own(struct pn_emission_commit *commit, PN_REAL *own,
			   const struct pn_emission *emission, size_t t);

/* Levels from *low to before *high are near the value of commit t, with the
 * slow state's: on others it is an outlier. None when *low is *high. */
void pn_emission_near(size_t *low, size_t *high,
		      const struct pn_emission *emission, size_t t,
		      double mean);

/* Where what is left of the value of commit t at each level is counted, in the
 * slow state or not: of the first level, the others follow; NULL where they do
 * not. */
double *pn_emission_counts(struct pn_emission *emission, size_t t, bool slow);
/* The same of a row that is a piece of a table. */
static inline double *pn_emission_counts_of(const struct pn_emission *e,
					    const PN_REAL *row)
{
	return e->counts + (row - e->densities);
}
/* Where they do not: count shares of a row times `scale`. */
void pn_emission_count(struct pn_emission *emission, const PN_REAL *shares,
		       PN_REAL scale, size_t t, bool slow, size_t from,
		       size_t to);
/* Add what was counted to tables of residuals, one for each part. */
void pn_emission_counted(double *residuals, const struct pn_emission *emission);

#endif
