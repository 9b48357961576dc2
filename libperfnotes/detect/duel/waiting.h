/*
 * Programs that wait: for a clock, a disk, another program. Their time on the
 * clock says more than their processor time, but on a busy machine it holds
 * what other programs took, too. That processor time judges all times would be
 * the simpler rule; by that a program that sleeps twice as long is unchanged.
 * Here are the two exceptions from it. `stretch` is how many times its
 * processor time a program that only computes may take there
 * (pn_quiet_stretch); NaN: not known. Pure.
 */
#ifndef PN_DUEL_WAITING_H
#define PN_DUEL_WAITING_H

#include "detect/duel/duel.h"

/* Of the processor time that it could have had: less in each run is waiting. */
#define PN_DUEL_WAITING_SHARE 0.5
/* So much of the time on the clock has to have changed, with all that other
 * programs can have added taken away: what is severe. */
#define PN_DUEL_WAITING_MARGIN 0.25

/* Whether no run of either side used that share: duels of the same runs, by
 * both times. */
bool pn_duel_waits(const struct pn_duel *cpu, const struct pn_duel *wall,
		   double stretch);

/*
 * SLOWER or FASTER where `wall`, a duel that is over, has found so, and where
 * it would still if each second of processor time of the longer side had been
 * stretched, and none of the other; of `among` jobs that are asked the same
 * (Bonferroni). Else UNDECIDED.
 */
enum pn_duel_decision pn_duel_waits_longer(const struct pn_duel *cpu,
					   const struct pn_duel *wall,
					   double stretch, size_t among);

#endif
