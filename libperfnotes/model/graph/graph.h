/*
 * Building the call graph of a profile: nodes, edges and costs by line, each
 * with a row of values that starts as zeros. The value types must be final.
 */
#ifndef PN_GRAPH_GRAPH_H
#define PN_GRAPH_GRAPH_H

#include "model/profile.h"

/* Each returns the new index. The rows are p->graph.self[index * type_count]
 * and so on; an added thing may move them. */
uint32_t pn_graph_add_node(struct pn_profile *p, uint32_t location,
			   int64_t calls, int64_t primitive);
size_t pn_graph_add_edge(struct pn_profile *p, const struct pn_edge *edge);
size_t pn_graph_add_cost(struct pn_profile *p, const struct pn_cost *cost);

/* Before the first edge: so many are to come, or somewhat fewer. */
void pn_graph_expect_edges(struct pn_profile *p, size_t count);

/* Whether one of the values of a row is not 0. */
bool pn_graph_has_cost(const struct pn_profile *p, const union pn_value *row);

/* Put the nodes into another order: order[i] is the node that becomes node i,
 * each exactly once. There must be no costs by line and none by run. */
void pn_graph_reorder(struct pn_profile *p, const uint32_t *order);

#endif
