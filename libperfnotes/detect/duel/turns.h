/*
 * Whose turn it is when several duels share one budget: each gets its least
 * pairs, the cheapest one first; then always the one that is likely to be
 * decided first has a look. What is most undecided would be fed for nothing.
 * And what they say together, when many of them could be wrong.
 */
#ifndef PN_DUEL_TURNS_H
#define PN_DUEL_TURNS_H

#include "detect/duel/duel.h"

struct pn_duel_turn {
	const struct pn_duel *duel;
	double pair_cost; /* mean, any unit of time; all in the same */
};

/* What a duel is likely to cost still; infinite where nothing is known. */
double pn_duel_cost_left(const struct pn_duel_turn *turn);

/* The index of the one whose turn it is, until its next look; SIZE_MAX when
 * all are over. */
size_t pn_duel_next(const struct pn_duel_turn *turns, size_t count);

/*
 * Decide which of several duels, of jobs or of metrics, that have no verdict
 * yet are slower or faster: at most PN_DUEL_ALPHA of those that are said to be
 * are false ones (Benjamini & Hochberg, J. R. Stat. Soc. B 57 (1995)). To be
 * called after each look of any of them: as the p of a duel never rises, what
 * was decided stays so. Their rules have `jointly`. Returns how many it
 * decided. O(n log n).
 */
size_t pn_duel_decide_jointly(struct pn_duel *const *duels, size_t count);

/* How many pairs a duel has at its next look. */
size_t pn_duel_next_look(const struct pn_duel *duel);

#endif
