/*
 * The prior of a step, by which levels reach each other, and ranges of levels.
 * Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_STEPS_H
#define PN_HISTORY_STEPS_H

#include "detect/history/grid.h"

/* Levels, by their index; of whole lanes. */
struct pn_levels {
	uint16_t from, to;
};

static inline struct pn_levels pn_levels_either(struct pn_levels a,
						struct pn_levels b)
{
	return (struct pn_levels){a.from < b.from ? a.from : b.from,
				  a.to > b.to ? a.to : b.to};
}

/* Nothing is on those from `from` to before `to`, if any. */
static inline void pn_levels_clear(PN_REAL *row, int from, int to)
{
	for (; from < to; from++)
		row[from] = 0;
}

/* No row has anything outside of its range. */
static inline void pn_levels_leave(PN_REAL *row, struct pn_levels had,
				   struct pn_levels in)
{
	pn_levels_clear(row, had.from, had.to < in.from ? had.to : in.from);
	pn_levels_clear(row, had.from > in.to ? had.from : in.to, had.to);
}

/*
 * By which edges one of the levels `of` reaches one of `to`, of which there are
 * two at one distance, above and below: levels get what is missing to all in
 * the sum there and the sum there. Never less sums of two distances: they would
 * be less than 0 where they cancel each other, as rounded as they are. Kept for
 * the next commit, since the ranges seldom change.
 */
#define PN_STEPS_PAIRS (PN_GRID_MAX_EDGES / 2)
struct pn_steps {
	struct pn_levels of, to;
	size_t pairs; /* where it is 1, a second one weighs nothing */
	PN_REAL weights[PN_STEPS_PAIRS]; /* times the chance of a change */
	const struct pn_edge *above[PN_STEPS_PAIRS], *below[PN_STEPS_PAIRS];
	int low, high; /* places that they look at */
};

void pn_steps_find(struct pn_steps *out, const struct pn_grid *grid,
		   PN_REAL chance, struct pn_levels of, struct pn_levels to);

/* Where levels do not follow each other: of the running sums s, whose last one
 * is `all`, a row of what comes by steps to each of the levels `to`, times
 * `scale`. */
void pn_steps_apart(PN_REAL *out, const struct pn_steps *steps,
		    const struct pn_grid *grid, const PN_REAL *s, PN_REAL all,
		    PN_REAL scale);

#endif
