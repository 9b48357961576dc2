/*
 * The values of a history on a grid of levels: what the passes of the change
 * point detector work on. Values are logarithms where all are positive, else
 * multiples of a unit; a cell is a fraction of their noise. Pure.
 */
#ifndef PN_HISTORY_GRID_H
#define PN_HISTORY_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows are of floats, which are enough; with doubles, and all levels looked at,
 * the results are those of a reference (tests/unit/detect). */
#ifdef PN_HISTORY_DOUBLE
#define PN_REAL double
#else
#define PN_REAL float
#endif

/* Numbers of a row of levels, which is filled up to whole lanes. */
#define PN_GRID_LANES 8
#define PN_GRID_ROW(levels)                                                    \
	(((levels) + PN_GRID_LANES - 1) / PN_GRID_LANES * PN_GRID_LANES)
#define PN_GRID_MIN_EFFECT 0.005 /* lesser steps have no prior probability */
#define PN_GRID_MAX_LEVELS 600
#define PN_GRID_MAX_PARTS 4
#define PN_GRID_MAX_WINDOW 64

/*
 * Of the running sums s of a row, s[0] = 0, level l gets weight times s at its
 * place; `above`: weight times what is missing there to the sum of all.
 */
#define PN_GRID_MAX_EDGES 6
struct pn_edge {
	/* The place less the level, which those of a dense grid have in common,
	 * or of each its place. */
	int away;
	uint16_t *places;
	bool above;
	PN_REAL weight;
};

struct pn_grid {
	size_t n;
	bool logs;
	double unit; /* of values that are no logarithms */
	double zero; /* where cell 0 is */
	double cell; /* its size */
	/* standard deviations of the noise, in cells: likely, least, most */
	double sd, narrow, wide;
	double floor;	  /* density of an outlier, for each cell */
	double min_width; /* of a kernel, in cells: rounded values */
	double chance;	  /* of a change at a commit */
	double *at;	  /* values in cells, not rounded */
	double *jumps;	  /* n - 1 differences in cells, without their median */
	int32_t *cells;	  /* values in cells */
	int32_t *levels;  /* ascending */
	size_t level_count;
	int32_t spacing; /* of levels beside each other; of too many 2, 4, .. */
	/* All levels follow each other, at the spacing: between those that are
	 * there may be some that no commit is on. */
	bool dense;
	PN_REAL *there; /* 1, or 0: no commit is on it; filled up to lanes */
	size_t there_count;
	int reach; /* of a table of residuals, on each side of 0 */
	/* The prior of a step is a weight in each of three bands of its size,
	 * the last of which is open. */
	struct pn_edge edges[PN_GRID_MAX_EDGES];
	size_t edge_count;
	/* Parts with a noise of their own, 1 to 4, and of each value its. */
	size_t part_count;
	uint8_t *parts;
	double part_sds[PN_GRID_MAX_PARTS];
};

/* Of n >= 6 finite values, borrowed for the call only. */
void pn_grid_init(struct pn_grid *out, const double *values, size_t n);
void pn_grid_release(struct pn_grid *grid);

/* Values of a long history, in pieces as far from each other, that a density is
 * learned from; of a shorter one all. The rest is the grid's. */
void pn_grid_choose_some(struct pn_grid *out, const struct pn_grid *grid);
void pn_grid_drop_some(struct pn_grid *some, const struct pn_grid *grid);

/* Running medians over `width` values, fewer at the ends; an odd number below
 * PN_GRID_MAX_WINDOW. */
void pn_grid_running_medians(double *out, const double *values, size_t n,
			     size_t width);

/* The value of a cell, and back. */
double pn_grid_value(const struct pn_grid *grid, double cell);

#endif
