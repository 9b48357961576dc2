/*
 * From the rows of one commit to those of the next one, and back. A row has a
 * number for each level; of each commit there is one that says it begins a
 * segment, one that it is a later one, and with a slow state each twice: first,
 * first and slow, later, later and slow. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_ADVANCE_H
#define PN_HISTORY_ADVANCE_H

#include "detect/history/noise.h"
#include "detect/history/pass.h"
#include "detect/history/steps.h"

#include <math.h>

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
	PN_REAL sums[2];  /* of each state: the last of the running ones */
	struct pn_steps steps;
};

/* Of scratch: of each state its running sums, with room on both sides, and
 * eight rows. */
#define PN_ADVANCE_SUMS(stride) (4 * (stride) + 2 * PN_GRID_LANES)
#define PN_ADVANCE_SCRATCH(stride)                                             \
	(2 * PN_ADVANCE_SUMS(stride) + 8 * (stride) + PN_GRID_LANES)

static inline PN_REAL *pn_advance_sums(const struct pn_advance *a, size_t state)
{
	return a->scratch + a->stride + state * PN_ADVANCE_SUMS(a->stride);
}

static inline PN_REAL *pn_advance_rows(const struct pn_advance *a)
{
	return a->scratch + 2 * PN_ADVANCE_SUMS(a->stride);
}

/* Before sums of the levels `of` are looked at: a->steps become those to the
 * levels `to`, and below the sums there are none. */
static inline void pn_advance_choose_steps(struct pn_advance *a,
					   struct pn_levels of,
					   struct pn_levels to)
{
	const struct pn_steps *p = &a->steps;
	size_t k;

	if (p->of.from == of.from && p->of.to == of.to &&
	    p->to.from == to.from && p->to.to == to.to)
		return;
	pn_steps_find(&a->steps, a->grid, a->chance, of, to);
	for (k = 0; k < a->slow; k++)
		pn_levels_clear(pn_advance_sums(a, k), p->low, of.from);
}

/* What is known of a commit when all are seen, not scaled. */
struct pn_seen {
	PN_REAL all, slow, first, level;
};

/* Into what a pass finds of commit t. Returns by what shares are multiplied, 0
 * where what is seen and what is ahead have no level in common that floats
 * have: nothing is learned from such a commit. */
static inline PN_REAL pn_seen_keep(struct pn_pass *out,
				   const struct pn_seen *seen,
				   const struct pn_grid *grid, size_t t)
{
	PN_REAL scale = 1 / seen->all;
	bool none = !(seen->all > 0) || !isfinite(scale);

	if (out->level) {
		out->change[t] = t && !none ? (double)(seen->first * scale) : 0;
		out->level[t] =
			none ? grid->cells[t] : (double)(seen->level * scale);
	}
	if (out->slow)
		out->slow[t] = none ? 0 : (double)(seen->slow * scale);
	return none ? 0 : scale;
}

/*
 * `row`: of a commit on the levels `in`, from those of the one before, which
 * are 0 outside of `had`, and whose sum divides. Returns their sum, and in
 * *mean what the level is, unless it is NULL.
 *
 * `ahead` is what the commits behind one let expect of it, 0 outside of `in`,
 * and becomes the same of the one before, 0 outside of `to`: look, then back.
 * A look's `row` is of the commit: of each state the numbers of `in` only.
 * `shares`, of two rows of a stride, become what is known of each level, with a
 * slow state in both; NULL: not wanted. `first` and `level` are found when
 * `levels` is set; shares or these are wanted.
 */
struct pn_advance_calls {
	PN_REAL(*row)
	(PN_REAL *out, PN_REAL *mean, struct pn_advance *a,
	 const PN_REAL *before, PN_REAL sum_before,
	 const struct pn_emission_rows *of, struct pn_levels had,
	 struct pn_levels in);
	void (*look)(struct pn_seen *out, PN_REAL *shares, bool levels,
		     struct pn_advance *a, const PN_REAL *row, PN_REAL *ahead,
		     PN_REAL sum, const struct pn_emission_rows *of,
		     struct pn_levels in);
	void (*back)(PN_REAL *ahead, struct pn_advance *a, struct pn_levels in,
		     struct pn_levels to);
	/* Add n shares, times `scale`. */
	void (*count)(double *counts, const PN_REAL *shares, PN_REAL scale,
		      size_t n);
};

/* The same to the bit; the wide ones are there where PN_HISTORY_HAS_WIDE is
 * set, and are of AVX2. */
extern const struct pn_advance_calls pn_advance_narrow, pn_advance_wide;

#endif
