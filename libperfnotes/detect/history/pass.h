/*
 * One forward and backward pass of the change point detector: what each commit
 * is likely to be, by a model of the noise. A hidden Markov chain whose states
 * are the level, whether its segment began with this commit, and where the
 * machine may be slow for a while, that. Pure.
 * L. R. Rabiner, Proc. IEEE 77 (1989).
 */
#ifndef PN_HISTORY_PASS_H
#define PN_HISTORY_PASS_H

#include "detect/history/noise.h"
#include "detect/history/shelf.h"

/* What a pass finds; arrays of n are the caller's. */
struct pn_pass {
	double log_evidence;
	/* Set by the caller: with less evidence nothing else is found. */
	double least;
	/* Chance that a segment begins at this commit, and the level that is
	 * expected, in cells; NULL, both: not wanted when residuals are. */
	double *change, *level;
	double *slow; /* chance of the slow state; NULL: not wanted */
	/* How often each residual is expected, 2 reach + 1 for each part of the
	 * noise; NULL: not wanted. */
	double *residuals;
};

/*
 * Time O(n levels) and memory for as many; of long histories only some rows are
 * kept and others computed a second time. What was taken of the shelf goes
 * back.
 */
void pn_pass_run(struct pn_pass *out, const struct pn_grid *grid,
		 const struct pn_noise *noise, struct pn_shelf *shelf);

#endif
