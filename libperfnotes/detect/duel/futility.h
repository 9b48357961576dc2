/*
 * When to stop asking whether B is slower: a duel that follows a suspicion,
 * that B is slower by `delta`, ends as soon as that has become unlikely
 * (Wald's sequential test of "slower by delta" against "the same", one side of
 * it: Ann. Math. Stat. 16 (1945)). It never makes "slower" more likely.
 */
#ifndef PN_DUEL_FUTILITY_H
#define PN_DUEL_FUTILITY_H

#include "detect/duel/duel.h"

#define PN_DUEL_FUTILE (-1.5)	     /* below it one stops */
#define PN_DUEL_FUTILITY_CLIP 2.5    /* standard deviations of a pair */
#define PN_DUEL_FUTILITY_WEIGHT 10.0 /* pairs that the history counts as */
#define PN_DUEL_FUTILITY_LEAST 3     /* pairs */

struct pn_duel_futility {
	double delta;	     /* a logarithm: the slowdown one looks for */
	double run_variance; /* of the logarithm of one run, by history */
	double start;	     /* what the suspicion weighs */
};

/* The suspicion was a value with this p, 0 < p < 1: the start that it is
 * worth. */
double pn_duel_futility_start(double p);

/* What speaks for a slowdown of delta after n >= 1 pairs, of which these are
 * the differences of logarithms. O(n log n). */
double pn_duel_futility_value(const struct pn_duel_futility *futility,
			      const double *differences, size_t n);

/* Whether the duel, which is at a look or has 3 to 5 pairs, should end with
 * "no slowdown of delta". Of logarithms only. */
bool pn_duel_is_futile(const struct pn_duel_futility *futility,
		       const struct pn_duel *duel);

#endif
