/*
 * What comparisons of a program with itself say of a machine: how often it
 * shows a change that is none, and which effects it can show. Pure.
 */
#ifndef PN_DETECT_SELFCHECK_H
#define PN_DETECT_SELFCHECK_H

#include "detect/pair.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_SELFCHECK_PAIRS 20	/* fewer do not show that it may gate */
#define PN_SELFCHECK_FALSE 0.05 /* of them may be confirmed, at most */
#define PN_SELFCHECK_SESSIONS 5 /* comparisons that tell the noise of one */

/* NaN: not known. */
struct pn_selfcheck {
	size_t pairs;	  /* that had a verdict */
	size_t confirmed; /* a change that is none; another one may be */
	size_t maybe;
	double false_share; /* confirmed ones */
	double false_most;  /* what the share is at most, in 95 of 100 cases:
			     * Clopper & Pearson, Biometrika 26 (1934) */
	/* Standard deviation of what a session says, of logarithms: of one
	 * side of a comparison. */
	double sd;
	/* Relative effect below which nothing should count here: the least one
	 * of the comparisons, or twice what both sides differ by as a rule. */
	double min_effect;
	double least_effect; /* that is confirmed in 4 of 5 cases, as a rule */
	bool may_gate;
};

/* Comparisons of `count` pairs of samples of the same program, with `options`.
 * Those without a ratio do not count. O(count). */
void pn_selfcheck_of(struct pn_selfcheck *out,
		     const struct pn_pair_verdict *pairs, size_t count,
		     const struct pn_pair_options *options);

#endif
