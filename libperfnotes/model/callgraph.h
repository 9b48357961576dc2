/* The call graph that a profile's samples amount to. */
#ifndef PN_MODEL_CALLGRAPH_H
#define PN_MODEL_CALLGRAPH_H

#include "model/profile.h"

/*
 * Fill `out` (not initialised yet) with the value types of `p`, its functions
 * and a graph of them: own cost where a function is the leaf, total cost and
 * the cost of an edge once a sample however often they stand on its stack,
 * costs by line of the leaf. Inlined functions count as functions; a place
 * without one is named by its address. Calls are unknown, labels are not
 * looked at.
 * Time and memory O(size).
 */
void pn_callgraph_of(struct pn_profile *out, const struct pn_profile *p);

#endif
