/* Adding up: what each node and each edge weighs over all samples. Internal
 * to the report. */
#ifndef PN_ANALYSIS_TALLY_H
#define PN_ANALYSIS_TALLY_H

#include "analysis/nodes.h"
#include "analysis/weight.h"
#include "base/slots.h"

struct pn_tally {
	int64_t cum, cum_div;
	int64_t flat, flat_div;
	int64_t calls;	 /* of a call graph; -1: unknown */
	int64_t inlined; /* most that all inlined uses can weigh */
};

/* One for each node. */
struct pn_tally *pn_tally_nodes(const struct pn_profile *profile,
				const struct pn_nodes *nodes,
				const struct pn_weight *weight);

/*
 * The same for the call graph of a profile without stacks. A node that stands
 * for one function has its total. One that stands for several, as a file does,
 * costs what they cost themselves and what they call outside of it; nodes
 * that call each other cost no more than they do together, to which the totals
 * of functions have been brought down before (pn_cycles_bound).
 */
void pn_tally_graph(struct pn_tally *tallies, const struct pn_profile *profile,
		    const struct pn_nodes *nodes,
		    const struct pn_weight *weight);

struct pn_tally_edge {
	uint32_t from, to; /* nodes */
	uint32_t stamp;
	bool inlined, residual;
	int64_t weight, divisor;
};

struct pn_tally_edges {
	struct pn_tally_edge *items;
	size_t count, cap;
	struct pn_slots slots; /* by from and to */
};

/*
 * The edges between nodes whose flag in `kept` is set, as far as they lead to
 * one whose flag in `wanted` is.
 */
void pn_tally_edges(struct pn_tally_edges *out,
		    const struct pn_profile *profile,
		    const struct pn_nodes *nodes,
		    const struct pn_weight *weight,
		    const struct pn_tally *tallies, const unsigned char *kept,
		    const unsigned char *wanted);
void pn_tally_edges_release(struct pn_tally_edges *edges);

#endif
