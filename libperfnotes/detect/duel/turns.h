/*
 * Whose turn it is when several duels share one budget: each gets its least
 * pairs, the cheapest one first; then always the one that is likely to be
 * decided first has a look. What is most undecided would be fed for nothing.
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

/* How many pairs a duel has at its next look. */
size_t pn_duel_next_look(const struct pn_duel *duel);

#endif
