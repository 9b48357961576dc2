/*
 * What runs of a program in turns with itself say of a machine: how far one run
 * is from the next, which effects duels and comparisons one after the other can
 * show, and how often either shows one that is none. Pure.
 */
#ifndef PN_DUEL_STUDY_H
#define PN_DUEL_STUDY_H

#include "detect/duel/duel.h"
#include "detect/selfcheck.h"

#include <stdint.h>

#define PN_STUDY_SESSION 5 /* runs of one side of a comparison */
/* A duel finds a change of so many times the spread of one run in 98 of 100
 * cases, when its tolerance is that spread: of 21,000 simulated ones, by 21
 * kinds of noise. */
#define PN_STUDY_SEEN 2

/* NaN: not known. Effects are relative. */
struct pn_duel_study {
	size_t pairs;
	bool equal;	  /* all runs have one value */
	double spread;	  /* standard deviation of one run, as pairs show it:
			   * without what both of a pair suffer from */
	double seen;	  /* by a duel */
	size_t duels;	  /* that came to an end, one after the other, ... */
	size_t changed;	  /* ... and found what is not there */
	double mean_runs; /* of those duels */
	/* Blocks of runs as they were made, each with the next one. */
	struct pn_selfcheck sessions;
	bool may_gate; /* duels may: none was wrong */
};

/*
 * `a` and `b` are the values of both sides in `pairs` pairs, in the order that
 * `seed` drew; `rule` is that of the duels. O(pairs^2 log pairs).
 */
void pn_duel_study_of(struct pn_duel_study *out, const double *a,
		      const double *b, size_t pairs, uint64_t seed,
		      const struct pn_duel_rule *rule);

#endif
