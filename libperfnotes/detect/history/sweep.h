/*
 * From the rows of many commits to those of the next ones, and back, where all
 * levels of each commit are looked at: of a dense grid whose spacing is 1.
 * Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_SWEEP_H
#define PN_HISTORY_SWEEP_H

#include "detect/history/advance.h"

/* Commits from `from` to before `to`. */
struct pn_sweep {
	struct pn_emission *emission;
	struct pn_emission_commit *commits; /* all of the history */
	size_t from, to;
	PN_REAL *rows;	       /* of these, one behind the other */
	const PN_REAL *before; /* of the commit before them, whose sum and */
	PN_REAL sum, mean;     /* expected level are these */
	/* What is in the evidence, and a product that is not yet. */
	double log_evidence, product;
	PN_REAL *ahead; /* of the last one; becomes that of the one before */
	PN_REAL *shares;
};

#define PN_SWEEP_SMALL 1e-200 /* a product goes into the evidence */

/* Whether steps reach some level, as sweeps have it. */
static inline bool pn_sweep_may(struct pn_advance *a)
{
	struct pn_levels all = {0, (uint16_t)a->stride};

	pn_advance_choose_steps(a, all, all);
	return a->steps.pairs > 0;
}

/* Forward: commits' first rows of densities and sums are set, and what is known
 * of the last commit; `rows` is behind them then. Both give what calls for each
 * commit do, to the bit. */
struct pn_sweep_calls {
	void (*forward)(struct pn_sweep *sweep, struct pn_advance *a);
	void (*back)(struct pn_pass *out, const struct pn_sweep *sweep,
		     struct pn_advance *a);
};

extern const struct pn_sweep_calls pn_sweep_narrow, pn_sweep_wide;

#endif
