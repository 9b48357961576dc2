/*
 * From the rows of one commit to those of the next one, and back. A row has a
 * number for each level; of each commit there is one that says it begins a
 * segment, one that it is a later one, and with a slow state each twice: first,
 * first and slow, later, later and slow. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_ADVANCE_H
#define PN_HISTORY_ADVANCE_H

#include "detect/history/noise.h"

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

/*
 * By which edges one of the levels `of` reaches one of `to`, of which there are
 * two at one distance, above and below: levels get what is missing to all in
 * the sum there and the sum there. Never less sums of two distances: they would
 * be less than 0 where they cancel each other, as rounded as they are. Kept for
 * the next commit, since the ranges seldom change.
 */
#define PN_ADVANCE_PAIRS (PN_GRID_MAX_EDGES / 2)
struct pn_advance_steps {
	struct pn_levels of, to;
	size_t pairs;
	PN_REAL weights[PN_ADVANCE_PAIRS]; /* times the chance of a change */
	const struct pn_edge *above[PN_ADVANCE_PAIRS], *below[PN_ADVANCE_PAIRS];
	int low, high; /* places that they look at */
};

/* What all commits of a pass have in common; set by the caller, who has zeroed
 * the rest. */
struct pn_advance {
	const struct pn_grid *grid;
	size_t stride;	/* levels filled up to whole lanes */
	size_t slow;	/* 2 with the slow state, else 1 */
	PN_REAL chance; /* of a change */
	PN_REAL enter, leave;
	const PN_REAL *levels;	  /* in cells */
	const PN_REAL *wander_up; /* share that goes up by `apart`, of each
				   * level; NULL: levels stay */
	size_t apart;
	PN_REAL *scratch; /* PN_ADVANCE_SCRATCH numbers, which are 0 */
	struct pn_advance_steps steps;
};

#define PN_ADVANCE_SCRATCH(stride) (12 * (stride) + 4 * PN_GRID_LANES)

/* What is known of a commit when all are seen, not scaled. */
struct pn_seen {
	PN_REAL all, slow, first, level;
};

/*
 * `row`: of a commit on the levels `in`, from those of the one before, which
 * are 0 outside of `had`, and whose sum divides. Returns their sum, and in
 * *mean what the level is, unless it is NULL.
 *
 * `ahead` is what the commits behind one let expect of it, 0 outside of `in`,
 * and becomes the same of the one before, 0 outside of `to`: look, then back.
 * A look's `row` is of the commit: of each state the numbers of `in` only.
 * `shares`, of two rows of a stride, become what is known of each level, with a
 * slow state in both.
 */
struct pn_advance_calls {
	PN_REAL(*row)
	(PN_REAL *out, PN_REAL *mean, struct pn_advance *a,
	 const PN_REAL *before, PN_REAL sum_before,
	 const struct pn_emission_rows *of, struct pn_levels had,
	 struct pn_levels in);
	void (*look)(struct pn_seen *out, PN_REAL *shares, struct pn_advance *a,
		     const PN_REAL *row, PN_REAL *ahead, PN_REAL sum,
		     const struct pn_emission_rows *of, struct pn_levels in);
	void (*back)(PN_REAL *ahead, struct pn_advance *a, struct pn_levels in,
		     struct pn_levels to);
};

/* The same to the bit; the wide ones are there where PN_HISTORY_HAS_WIDE is
 * set, and are of AVX2. */
extern const struct pn_advance_calls pn_advance_narrow, pn_advance_wide;

#endif
