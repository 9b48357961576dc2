/*
 * Who calls some nodes of a report, and whom they call, by weight. As in the
 * report's edges a call counts once a sample, and one of a node by itself
 * never. Internal to the diff.
 */
#ifndef PN_POST_NEIGHBOURS_H
#define PN_POST_NEIGHBOURS_H

#include "analysis/report.h"
#include "base/slots.h"

#define PN_NEIGHBOUR_SELF UINT64_MAX /* the node's own cost, as a callee */

struct pn_neighbour {
	uint32_t of;	/* which of the nodes that are asked for */
	uint32_t stamp; /* the last sample that counted */
	uint64_t key;	/* a caller's identity * 2, a callee's + 1 */
	int64_t weight;
};

struct pn_neighbours {
	struct pn_neighbour *items; /* by `of`, then by key */
	size_t count, cap;
	size_t *first; /* of each node that is asked for, and the end */
	struct pn_slots slots;
};

/*
 * `asked`: for each node of the report its number among `count` that are asked
 * for, or PN_NONE. `identity`: what a node is called here, PN_NONE: it is
 * passed over. Time O(frames + k log k), k neighbours.
 */
void pn_neighbours_init(struct pn_neighbours *out,
			const struct pn_report *report, const uint32_t *asked,
			size_t count, const uint32_t *identity);
void pn_neighbours_release(struct pn_neighbours *neighbours);

#endif
