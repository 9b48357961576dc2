/*
 * Guesses at a state in which the machine is slower (or faster) for some
 * commits: how far values lie off while it lasts. Pure.
 */
#ifndef PN_HISTORY_SLOW_H
#define PN_HISTORY_SLOW_H

#include "detect/history/grid.h"

#define PN_SLOW_GUESSES 3

struct pn_slow_guess {
	int gap; /* in cells */
	double enter, leave;
};

/*
 * From runs of values off the running median, and from changes that go to and
 * fro between two levels, by the chances of a change that a model without such
 * a state has. Returns how many.
 */
size_t pn_slow_guess(struct pn_slow_guess out[PN_SLOW_GUESSES],
		     const struct pn_grid *grid, const double *change);

#endif
