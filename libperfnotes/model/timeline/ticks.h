/*
 * Ticks: in which lines of a function samples were, where a profiler counts
 * that beside the samples (positionTicks of V8). How often a line was seen is
 * known, in which of the samples is not, so that ticks have a place of their
 * own; views by line give each line its share of what the stack costs.
 *
 * Ticks of a stack add up to its samples: those in no known line are of line 0.
 * They may stand in any order.
 */
#ifndef PN_TIMELINE_TICKS_H
#define PN_TIMELINE_TICKS_H

#include "model/profile.h"

/* `count` times (more than 0) the leaf of a stack was in a line of its file. */
void pn_ticks_add(struct pn_profile *p, uint32_t stack, int64_t line,
		  int64_t count);
/* Those of one stack and line together. */
void pn_ticks_unite(struct pn_profile *p);
/* Samples of stacks with ticks become samples whose leaves have these lines,
 * each with its share of the values, of whole numbers rounded so that the sum
 * stays. No ticks are left. Time O(samples * lines of their stacks). */
void pn_ticks_spread(struct pn_profile *p);
void pn_ticks_clear(struct pn_profile *p);
/* PN_EINVAL as pn_profile_check says it. */
int pn_ticks_check(const struct pn_profile *p, struct pn_error *err);

#endif
