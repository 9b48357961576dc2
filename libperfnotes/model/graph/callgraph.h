/* The call graph that a profile's samples amount to. */
#ifndef PN_GRAPH_CALLGRAPH_H
#define PN_GRAPH_CALLGRAPH_H

#include "model/profile.h"

/*
 * Fill `out` (not initialised yet) with the value types of `p`, its functions
 * and a graph of them: own cost where a function is the leaf, total cost and
 * the cost of an edge once a sample however often they stand on its stack,
 * costs by line of the leaf. Inlined functions count as functions; a place
 * without one is named by its address. Stacks without cost are left out, but
 * where none has any. Calls are unknown, labels are not looked at. Time and
 * memory O(size).
 */
void pn_callgraph_of(struct pn_profile *out, const struct pn_profile *p);

/*
 * What functions cost their callers, where one that stands on a stack several
 * times has its share of the cost at each place: of a stack of cost m each call
 * counts m by the number of times that the callee stands on it, and m by that
 * of the caller. The shares of all callers are then a function's total cost.
 * Arrays are by edge and by node of the graph. When each was met first is
 * counted from 1 on, all in one order: of a stack the outermost function, the
 * innermost, then calls, the innermost first.
 */
struct pn_callgraph_edge_share {
	double by_callee, by_caller, met;
	union pn_value total;
	uint32_t mark; /* the last stack, + 1, that counted it */
};

struct pn_callgraph_node_share {
	double root, root_share, leaf; /* as the outermost function, as that
					* by its number, as the innermost by
					* its number */
	double root_met, leaf_met;
	union pn_value self, total;
	uint32_t mark, times; /* how often it is on that stack */
};

struct pn_callgraph_shares {
	size_t type; /* whose values; set by the caller */
	struct pn_callgraph_edge_share *edges;
	struct pn_callgraph_node_share *nodes;
	double met; /* how many were */
};

/* The same graph of the shares' type alone, without costs by line and own
 * costs of edges. The shares are to be released in any case. */
void pn_callgraph_share(struct pn_profile *out,
			struct pn_callgraph_shares *shares,
			const struct pn_profile *p);
void pn_callgraph_shares_release(struct pn_callgraph_shares *shares);

#endif
