/* What each function cost itself in each of several runs. */
#ifndef PN_TRACE_BY_RUN_H
#define PN_TRACE_BY_RUN_H

#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

/* Calls of a function in one run, or some of them. */
struct pn_trace_share {
	uint32_t location;
	size_t run; /* from 0 on */
	uint64_t calls;
	double self_ns;
};

/* Zeroed: none. */
struct pn_trace_shares {
	struct pn_trace_share *list; /* owned */
	size_t count, cap;
};

void pn_trace_shares_add(struct pn_trace_shares *shares,
			 const struct pn_trace_share *share);
/*
 * Into the profile's call graph, whose nodes are final: `nodes` has that of
 * each location. The last value type is calls, the one before it, if any, is
 * time. Nothing is told of one run. Shares that are of no run are left out.
 */
void pn_trace_shares_put(struct pn_profile *profile,
			 const struct pn_trace_shares *shares,
			 const uint32_t *nodes);
void pn_trace_shares_release(struct pn_trace_shares *shares);

#endif
