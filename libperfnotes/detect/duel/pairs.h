/* The pairs of a duel as a filter gets them. */
#ifndef PN_DUEL_PAIRS_H
#define PN_DUEL_PAIRS_H

#include "detect/duel/duel.h"
#include "detect/input.h"

/* NaN: the run failed. Both lists are of the same length. */
struct pn_duel_pairs {
	struct pn_numbers a, b;
};

void pn_duel_pairs_release(struct pn_duel_pairs *pairs);

/*
 * In the order measured, `a b` a line; "-" or "nan" for a run that failed.
 * As JSON a list of lists of two, null for such a run, or an object with that
 * as "pairs". PN_EINVAL names the line, PN_ELIMIT. A zeroed struct is filled.
 */
int pn_duel_pairs_parse(struct pn_duel_pairs *out, const char *text, size_t len,
			struct pn_error *err);

/* All looks of a duel (zeroed after init), at most one a pair and one more,
 * until it is over; a run that failed takes its pair with it and is counted.
 * Returns how many. */
size_t pn_duel_play(struct pn_duel_look *looks, size_t failed[2],
		    struct pn_duel *duel, const struct pn_duel_pairs *pairs);

#endif
