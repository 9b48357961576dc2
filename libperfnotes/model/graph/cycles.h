/*
 * Cycles of a call graph: functions that call each other.
 *
 * What a call cost with all below it says nothing about how often the same
 * time is told: where f calls g and g calls f, each level adds what the
 * levels below it have added already. gprof (Graham, Kessler & McKusick,
 * SIGPLAN Notices 17 (1982)) and KCachegrind take the functions of a cycle as
 * one: what it costs is what its members cost themselves and what they call
 * outside of it. No member can cost more, but where a cost is negative, of
 * which the profile is a difference, or what it calls outside was not measured
 * by call: then nothing is brought down.
 */
#ifndef PN_GRAPH_CYCLES_H
#define PN_GRAPH_CYCLES_H

#include "model/profile.h"

struct pn_arc {
	uint32_t from, to; /* below the number of nodes */
};

/*
 * The strongly connected components of a graph: cycle[n] is the number of the
 * component of node n, from 0 on; `cycle` has `nodes` elements. Returns how
 * many components there are.
 * Time and memory O(nodes + count). Tarjan, SIAM J. Comput. 1 (1972).
 */
size_t pn_cycles_find(uint32_t *cycle, size_t nodes, const struct pn_arc *arcs,
		      size_t count);

/* Bring the total of each function of a cycle down to the cycle's. */
void pn_cycles_bound_totals(struct pn_profile *p);

/* The same, and bring the total of each edge within a cycle down to those of
 * its two functions. */
void pn_cycles_bound(struct pn_profile *p);

#endif
